"""Hostile sources of other languages with inline assembly, by language and by what is hostile in them.

A generator returns a source of about ``size`` characters. The statements of most differ in a number, so that nothing
that is known of one holds for the next. Some of the sources were written from the manual of inline assembly, without a
look at the code that reads them.
"""

from __future__ import annotations

from . import (
    cpp_conditions,
    cpp_instructions,
    cpp_labels_and_braces,
    cpp_macros,
    cpp_operands,
    cpp_templates,
    llvm_and_mlir,
    mojo,
    python_calls,
    python_kernels,
    python_templates,
    rust,
)
from .shapes import Source

PARTS = (
    cpp_conditions,
    cpp_instructions,
    cpp_labels_and_braces,
    cpp_macros,
    cpp_operands,
    cpp_templates,
    llvm_and_mlir,
    mojo,
    python_calls,
    python_kernels,
    python_templates,
    rust,
)
HOSTS: dict[str, Source] = {name: source for part in PARTS for name, source in part.HOSTS.items()}
"""All of them, each with its language."""
