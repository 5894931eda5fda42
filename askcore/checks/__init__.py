"""Checks of values: one check a file, each a query and a pure grade; provenance of numbers in texts."""
