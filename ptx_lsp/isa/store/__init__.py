"""The compiled pages as JSON: encoding, decoding, and the pages themselves where that is missing or stale."""
