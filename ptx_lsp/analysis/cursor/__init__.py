"""The token at the cursor, and the possible continuations of an unfinished statement."""
