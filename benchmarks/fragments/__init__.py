"""Where a GPU keeps matrix elements: kernels, what they did, and the comparison with the pages."""
