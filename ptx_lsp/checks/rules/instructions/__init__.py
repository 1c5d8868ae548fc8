"""Opcodes and their qualifiers."""
