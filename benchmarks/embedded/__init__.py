"""Inline assembly compared with ptxas: generated fragments, and the errors found in real sources."""
