"""Open documents: text, lines, findings, semantic tokens, and their delivery to the client."""
