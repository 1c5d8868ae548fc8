"""Work on whole documents: reading in steps, division into shards, tracking of statements across edits."""
