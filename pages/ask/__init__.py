"""Asking questions."""
