"""Exact arithmetic over plain numbers: no lake, no model, no wording."""
