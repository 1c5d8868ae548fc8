"""Names that are missing, doubled, out of scope or of the wrong kind."""
