"""Inline assembly in calls of Python, and CUDA C++ in its strings."""
