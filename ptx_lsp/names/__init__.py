"""Names that compilers mangle, as they stand in the source: Itanium C++ and Rust.

Independent of PTX: the names are strings.
"""
