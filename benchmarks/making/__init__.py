"""Making the corpus: CUDA sources, their compilation, joined modules, and what is kept in the repository."""
