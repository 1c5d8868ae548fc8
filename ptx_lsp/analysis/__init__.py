"""What a document means: functions, scopes, symbols, matches. Knows nothing of wording or protocol."""
