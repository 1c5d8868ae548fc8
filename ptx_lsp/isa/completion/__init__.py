"""Completion of an unfinished opcode."""
