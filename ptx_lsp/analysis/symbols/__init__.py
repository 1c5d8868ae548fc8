"""Declarations and names: symbols, scopes, types, sizes."""
