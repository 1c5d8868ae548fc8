"""W620 to W627: how values and control flow through a function."""
