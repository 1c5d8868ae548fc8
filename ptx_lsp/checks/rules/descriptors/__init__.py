"""W7xx: descriptors and other packed values."""
