"""The module header, and what a version or a target does not have."""
