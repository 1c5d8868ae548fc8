"""Uses of names: occurrences, callers, definitions that reach a use."""
