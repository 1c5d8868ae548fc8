"""The files of a workspace that the client may not have open: found, read in slices, kept as interfaces."""
