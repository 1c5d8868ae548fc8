"""Answers in inline assembly, for the handlers of requests."""
