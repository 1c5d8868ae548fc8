"""The type that the elements of a vector have in common where textures are read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.vocabulary.register_types import BITS

CONSTANTS = frozenset({"integer", ".f32 constant", ".f64 constant"})

INTEGERS, FLOATS = "integers", "floats"
"""Constants beside registers of another size: ptxas no longer asks for the size."""


def element_type(part: ActualOperand) -> str | None:
    """The type of one element, constants having one of their own; None if it cannot be one."""
    if part.kind == "register":
        return part.type
    if part.kind == "special":
        return ".b64" if part.type.endswith("64") else ".b32"
    if part.kind == "integer":
        return "integer"
    return f"{part.type or '.f64'} constant" if part.kind == "float" else None


def common_element(parts: Sequence[ActualOperand], *, sized: bool = True) -> str | None:
    """The type that elements have in common; None if there is none.

    Each must be of the class of the one before it, untyped ones are of all; and of the size of the first, unless that
    is a constant or the size does not count. Unlike ones together are untyped.
    """
    types = [name for part in parts if (name := element_type(part)) is not None]
    if not types or len(types) < len(parts):
        return None
    first, size = types[0], _size(types[0])
    sizes = {other for name in types if (other := _size(name)) is not None}
    if sized and size is not None and sizes != {size}:
        return None
    if any(not _go_together(one, other) for one, other in itertools.pairwise(types)):
        return None
    if all(name == first or (first, name) in _SAME for name in types):
        return first
    if not sizes or sizes == {BITS[".b32"]}:
        return ".b32"
    if first in CONSTANTS:
        return INTEGERS if first == "integer" else FLOATS
    return f".b{size}"


def _go_together(one: str, other: str) -> bool:
    """Whether two neighbours are of one class."""
    classes = {_class(one), _class(other)}
    return len(classes) == 1 or "" in classes


_SAME = frozenset(
    {(".f32", ".f32 constant"), (".f32 constant", ".f32"), (".f32 constant", ".f64 constant"), ("integer", ".s64")}
)
"""Unlike elements that still are of the first one's type."""


def _class(name: str) -> str:
    """The class that elements must have in common; empty for the untyped ones."""
    if name in CONSTANTS:
        return "integer" if name == "integer" else "float"
    if name in (".pred", ".f16x2"):
        return name
    return {"b": "", "f": "float"}.get(name[1], "integer")


def _size(name: str | None) -> int | None:
    """The bits of an element; a predicate passes for 32, a constant for any."""
    return BITS[".b32"] if name == ".pred" else BITS.get(name or "")


def is_word(name: str | None) -> bool:
    """Whether something has 32 bits, or passes for it."""
    return name is not None and (name in CONSTANTS or name == ".pred" or BITS.get(name) == BITS[".b32"])
