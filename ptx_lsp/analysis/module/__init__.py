"""A document as functions, scopes and a header, kept up to date edit by edit."""
