"""Vectors: the rules that ptxas has for elements in braces.

Registers of one size and unlike types count as untyped, but a float and an integer cannot be neighbours. Beside a
register, constants of its class may stand, and beside a ``.b32`` one even a predicate.
"""

from __future__ import annotations

from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.scalars import scalar_fits
from ptx_lsp.isa.matching.unchecked import is_unchecked
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.operand_pattern import Alternative, Count
from ptx_lsp.isa.vocabulary.register_types import BITS, common_type, unlike_neighbours, vector_of
from ptx_lsp.patterns import compiled_on_use

CONSTANTS = frozenset({"integer", "float"})

_SMALL_FLOATS = compiled_on_use(r"\.e\dm\d(p4)?x4")
_V1 = Count(".v1", ())
_SINGLES = (".pred", ".f16x2", ".f32")


def vector_fits(filled: FilledForm, wanted: Alternative, length: int, written: ActualOperand, wider: bool) -> bool:
    """Whether a vector of so many elements can be what is written."""
    bare = written.kind in ("register", "float") and vector_of(written.type) is None
    if bare and wanted.length == _V1 and filled.deviates("bare-vectors"):
        return written.type in _SINGLES or scalar_fits(filled, wanted, written, wider)
    if written.kind == "register":
        vector = vector_of(written.type)
        return (
            vector is not None
            and vector[0] == length
            and scalar_fits(filled, wanted, written._replace(type=vector[1]), wider)
        )
    if written.kind != "vector" or len(written.parts) != length:
        return False
    return elements_fit(filled, wanted, written.parts, wider)


def elements_fit(filled: FilledForm, wanted: Alternative, parts: tuple[ActualOperand, ...], wider: bool) -> bool:
    """Whether the elements of a vector fit."""
    if len(parts) == 1 and (single := _single_fits(filled, wanted, parts[0], wider)) is not None:
        return single
    shown = [part for part in parts if part.kind not in ("sink", "unknown")]
    if not shown:
        return any(part.kind == "unknown" for part in parts)
    if any(part.sign or part.selector for part in shown) or _are_unlike(parts):
        return False
    if any(part.kind == "function" for part in shown) and filled.deviates("function-elements"):
        return False
    if any(part.type.startswith(".v") for part in shown) and filled.deviates("vector-elements"):
        return False
    if filled.deviates("plain-elements"):
        return _plain_fit(filled, wanted, shown, wider)
    if filled.deviates("register-elements"):
        has_sinks = any(part.kind == "sink" for part in parts)
        return (wanted.sinks or not has_sinks) and _with_register_fit(filled, wanted, shown, wider)
    return _mixed_fit(filled, wanted, shown, wider)


def _are_unlike(parts: tuple[ActualOperand, ...]) -> bool:
    """Whether two elements are of unlike classes and have only ``_`` between them."""
    constants = {"integer": ".u32", "float": ".f32"}
    shown = (part for part in parts if part.kind != "sink")
    types = (part.type if part.kind == "register" else constants.get(part.kind, "") for part in shown)
    return unlike_neighbours(types) is not None


def _single_fits(filled: FilledForm, wanted: Alternative, part: ActualOperand, wider: bool) -> bool | None:
    """Whether the only element of a vector fits, by rules that longer vectors do not have; None if none is for it."""
    if part.kind == "register" and part.type in _SINGLES and filled.deviates("single-words"):
        return filled.size(wanted) == BITS[".b32"]
    if filled.deviates("single-longs") and filled.size(wanted) == BITS[".b64"]:
        return part.kind in CONSTANTS or BITS.get(part.type) == BITS[".b64"]
    if part.kind == "float":
        return is_unchecked(filled, wanted, part) or scalar_fits(filled, wanted, part, wider)
    return None


def _plain_fit(filled: FilledForm, wanted: Alternative, shown: list[ActualOperand], wider: bool) -> bool:
    """Whether elements are registers of one type, integers and ``.f32`` constants."""
    special = filled.deviates("special-elements")
    constants = all(
        part.kind == "integer"
        or (part.kind == "float" and part.type == ".f32")
        or (part.kind == "special" and special and part.type != ".u64")
        for part in shown
        if part.kind != "register"
    )
    return constants and _same(filled, wanted, [part for part in shown if part.kind == "register"], wider)


def _with_register_fit(filled: FilledForm, wanted: Alternative, shown: list[ActualOperand], wider: bool) -> bool:
    """Whether elements are registers that go together, and beside them constants."""
    registers = _without_predicates([part for part in shown if part.kind == "register"])
    constants = all(part.kind in ("integer", "float", "special") for part in shown if part.kind != "register")
    return bool(registers) and constants and _same(filled, wanted, registers, wider)


def _mixed_fit(filled: FilledForm, wanted: Alternative, shown: list[ActualOperand], wider: bool) -> bool:
    """Whether elements go together as they do in most vectors."""
    registers = [
        part if part.kind == "register" else as_register(part)
        for part in shown
        if part.kind in ("register", "special", "variable") and not part.offset
    ]
    types = {part.type for part in registers}
    untyped = any(name[1:2] == "b" for name in types)
    for part in shown:
        if part.kind == "float" and types:
            if not untyped and not any(name[1:2] == "f" for name in types):
                return False
        elif part.kind in ("integer", "function") or part.offset:
            if types and all(name[1:2] == "f" for name in types):
                return False
            if not types and not scalar_fits(filled, wanted, part, wider):
                return False
        elif part.kind not in ("register", "special", "variable") and not (
            part.kind == "float" and scalar_fits(filled, wanted, part, wider)
        ):
            return False
    return _same(filled, wanted, _without_predicates(registers), wider)


def _without_predicates(registers: list[ActualOperand]) -> list[ActualOperand]:
    """The registers that say what the type of a vector is: beside ``.b32`` no predicate."""
    if any(part.type == ".b32" for part in registers):
        return [part for part in registers if part.type != ".pred"]
    return registers


def _same(filled: FilledForm, wanted: Alternative, registers: list[ActualOperand], wider: bool) -> bool:
    """Whether registers fit together as elements of one type."""
    types = {register.type for register in registers}
    if len(types) > 1 or _integers(types) and not filled.deviates("unlike-elements"):
        common = common_type(types)
    else:
        common = next(iter(types), "")
    return common == "" or (
        common is not None and scalar_fits(filled, wanted, ActualOperand("register", common), wider)
    )


def is_packed_vector(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether this is a vector of untyped registers for four small floats: in arithmetic any number does."""
    if written.kind != "vector" or len(written.parts) not in (1, 2, 4) or not filled.deviates("vectors-of-bytes"):
        return False
    name = filled.value(wanted.type) or ""
    name = filled.holders.get(name, name)
    return (
        any(value is not None and _SMALL_FLOATS().fullmatch(value) for value in filled.values)
        and any(part.type == name for part in written.parts)
        and elements_fit(filled, Alternative("type", name), written.parts, wider=False)
    )


def is_packed_constant(filled: FilledForm, written: ActualOperand) -> bool:
    """Whether this is packed after a constant, where ptxas takes integer registers of any width."""
    parts = written.parts
    return (
        len(parts) in (2, 4)
        and parts[0].kind == "integer"
        and filled.deviates("packed-constants")
        and all(part.kind == "integer" or part.kind == "register" and part.type[1:2] in "bus" for part in parts)
    )


def as_register(written: ActualOperand) -> ActualOperand:
    """A special register or variable as an element of a vector: an untyped register of its size."""
    bits = 64 if written.type.endswith("64") else 32
    return ActualOperand("register", f".b{bits}" if written.kind == "special" else written.type)


def _integers(types: set[str]) -> bool:
    """Whether all types are integers, signed or not."""
    return bool(types) and all(name[1:2] in ("u", "s") for name in types)
