"""Operands that ptxas does not check: 32 bits of whatever kind, where a page says so."""

from __future__ import annotations

from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.vocabulary.register_types import BITS, common_type

SHORT_VECTOR = 2
"""The largest number of registers that pass for one value."""


def is_unchecked(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether ptxas passes on an operand that is not what the instruction wants."""
    if filled.deviates("float-elements") and written.kind == "float":
        return filled.size(wanted) == BITS[".b32"] and written.type == ".f32"
    values, integers = filled.deviates("raw-values"), filled.deviates("raw-integers")
    registers = filled.deviates("raw-registers")
    if not (values or integers or registers) or not 0 < len(written.parts or (written,)) <= SHORT_VECTOR:
        return False
    size = filled.size(wanted)
    if written.kind == "float" and not integers:
        return size == BITS[".b32"] and written.type == ".f32" or size == BITS[".b16"] and values
    if size != BITS[".b32"] or not (wanted.register or not registers):
        return False
    if written.kind == "vector":
        if integers and any(part.type[1:2] == "f" for part in written.parts):
            return False
        return all(part.kind in ("register", "integer") and not part.sign for part in written.parts)
    return written.type == ".pred" and not integers


def is_raw(filled: FilledForm, wanted: Alternative) -> bool:
    """Whether ptxas passes on two halves without checking them."""
    return filled.value(wanted.type) == ".bf16x2" and filled.deviates("raw-halves")


def is_raw_word(written: ActualOperand) -> bool:
    """Whether something passes for 32 bits that are not checked: any register of the size, a predicate, a vector."""
    if written.kind == "vector":
        return 0 < len(written.parts) <= SHORT_VECTOR and all(
            part.kind == "register" and not part.sign and is_raw_word(part) for part in written.parts
        )
    if written.kind == "register":
        return written.type == ".pred" or BITS.get(written.type) == BITS[".b32"] and not written.sign
    return written.kind == "float" and written.type == ".f32"


def is_vector_of_halves(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether ptxas takes a vector for two halves."""
    if filled.value(wanted.type) != ".bf16x2" or not filled.deviates("vector-halves"):
        return False
    types = {part.type for part in written.parts} - {".pred"}
    return common_type(types) == ".b32" and all(part.kind in ("register", "sink") for part in written.parts)
