"""Checks of inline assembly in sources of other languages: fragments, judged for sets of targets."""
