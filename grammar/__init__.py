"""The language as data: syntax, instruction pages, vocabulary. No logic lives here."""
