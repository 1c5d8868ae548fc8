"""Runs the rules over a document and keeps their findings up to date."""
