"""Open documents in the client's terms: columns, lines, semantic tokens, findings and when they are sent."""
