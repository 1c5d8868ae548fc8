"""Completion: what can be written at the cursor."""
