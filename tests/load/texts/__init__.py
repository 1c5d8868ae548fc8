"""Hostile texts of PTX, by what they are about: each is made to a length in characters, and depends on nothing else.

A generator returns a text of about ``size`` characters. Many of the texts are right programs: what is hard in them is
how control, addresses, counts and bits depend on each other. Some were written from the manual of PTX, without a look
at the code that reads them.
"""

from __future__ import annotations

from . import (
    addresses,
    arithmetic,
    asynchronous_copies,
    barriers,
    blocks,
    broken_syntax,
    calls,
    comments_and_characters,
    constants,
    data_flow,
    debug_information,
    declarations,
    foreign_texts,
    functions_and_kernels,
    guards_and_conditions,
    headers_and_pragmas,
    initial_values,
    labels_and_branches,
    loops,
    matrices,
    mbarriers,
    memory_accesses,
    names,
    opcodes_and_qualifiers,
    operands,
    requests,
    tensor_memory,
    textures_and_surfaces,
    threads_and_warps,
)
from .shapes import Generator

PARTS = (
    addresses,
    arithmetic,
    asynchronous_copies,
    barriers,
    blocks,
    broken_syntax,
    calls,
    comments_and_characters,
    constants,
    data_flow,
    debug_information,
    declarations,
    foreign_texts,
    functions_and_kernels,
    guards_and_conditions,
    headers_and_pragmas,
    initial_values,
    labels_and_branches,
    loops,
    matrices,
    mbarriers,
    memory_accesses,
    names,
    opcodes_and_qualifiers,
    operands,
    requests,
    tensor_memory,
    textures_and_surfaces,
    threads_and_warps,
)
GENERATORS: dict[str, Generator] = {name: generator for part in PARTS for name, generator in part.GENERATORS.items()}
"""All of them, by what is hostile in each."""
