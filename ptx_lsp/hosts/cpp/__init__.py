"""``asm`` statements of CUDA C++."""
