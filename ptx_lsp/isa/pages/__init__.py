"""Reads instruction pages: Markdown and the notation of their ``isa`` fence."""
