"""Mistakes that rules report, shown on a GPU: with the mistake a kernel hangs, fails or computes wrong results."""
