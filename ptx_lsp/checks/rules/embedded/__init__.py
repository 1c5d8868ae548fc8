"""E9, W90, I901 and H91: the statements of inline assembly around the PTX, as nvcc reads them."""
