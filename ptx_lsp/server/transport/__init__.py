"""Messages as bytes: framing, answers that are JSON already, work in slices between messages."""
