"""The client at the other end: its capabilities, the position encoding, progress bars, refresh requests."""
