"""Operands: their number, kinds, types and values."""
