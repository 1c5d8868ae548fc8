"""Work on whole documents: reading in steps, tracking of statements across edits."""
