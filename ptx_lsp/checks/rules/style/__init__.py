"""Spellings that the manual has replaced."""
