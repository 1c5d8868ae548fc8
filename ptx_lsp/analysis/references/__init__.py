"""Where names are used: occurrences, callers, definitions that reach a use."""
