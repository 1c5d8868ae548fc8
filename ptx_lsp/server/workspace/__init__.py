"""The PTX files of a workspace, open or closed: found, read in slices, kept as interfaces."""
