"""Documents of other languages with inline assembly, such as CUDA C++ and Python."""
