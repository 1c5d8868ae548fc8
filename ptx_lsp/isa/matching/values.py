"""Values: whether one of the kinds that a page lists for an operand can be what is written."""

from __future__ import annotations

from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.scalars import constant_fits, is_old_bf16, scalar_fits, special_fits, with_constant
from ptx_lsp.isa.matching.unchecked import is_raw, is_raw_word, is_unchecked, is_vector_of_halves
from ptx_lsp.isa.matching.vectors import (
    CONSTANTS,
    as_register,
    elements_fit,
    is_packed_constant,
    is_packed_vector,
    vector_fits,
)
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.operand_pattern import Alternative, OperandPattern

REFERENCES = {".texref": "texref", ".samplerref": "samplerref", ".surfref": "surfref"}
"""Kinds of addresses that are names of opaque variables."""


def kind_fits(filled: FilledForm, kind: OperandPattern, written: ActualOperand) -> bool:
    """Whether a value of one of several kinds can be what is written."""
    if written.offset:
        written = with_constant(written)
    return any(alternative_fits(filled, wanted, written, kind.wider) for wanted in kind.alternatives)


def alternative_fits(filled: FilledForm, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
    """Whether a value of one kind can be what is written."""
    what, kind = wanted.what, written.kind
    if kind == "unknown":
        return True
    if what == "type":
        return _typed_fits(filled, wanted, written, wider)
    if what == "imm":
        if kind == "integer":
            return constant_fits(filled, wanted.ranges, written.value)
        return kind == "variable" and written.offset
    if what == "vector":
        return is_packed_constant(filled, written) or (
            kind == "vector"
            and len(written.parts) == len(wanted.elements)
            and not any(part.sign for part in written.parts)
            and _unlike_fit(filled, wanted.elements, written.parts)
        )
    if what == "special":
        return kind == "special" and special_fits(filled, wanted, written)
    if what == "variable":
        space = filled.value(wanted.type) if wanted.type else None
        return kind == "variable" and (space is None or same_space(space, written.space))
    if what == "label":
        return kind == what and not written.offset
    return kind in REFERENCES.values() if what == "texture" else kind == what


def _typed_fits(filled: FilledForm, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
    """Whether a value or vector of one type can be what is written."""
    kind = written.kind
    if wanted.type in REFERENCES:
        # ptxas takes a texture for a sampler.
        return kind == REFERENCES[wanted.type] or wanted.type == ".samplerref" and kind == "texref"
    if is_raw(filled, wanted):
        return is_raw_word(written)
    if wanted.register and kind in CONSTANTS:
        return is_unchecked(filled, wanted, written)
    if wanted.length is not None:
        length = filled.count(wanted.length)
        if length is not None:
            return vector_fits(filled, wanted, length, written, wider)
    if kind == "sink":
        return wanted.sinks and wanted.length is None  # of vectors the elements can be discarded
    if kind == "vector":
        if len(written.parts) == 1 and filled.deviates("braced-values"):
            return elements_fit(filled, wanted, written.parts, wider)
        if is_vector_of_halves(filled, wanted, written):
            return True
    return (
        scalar_fits(filled, wanted, written, wider)
        or is_unchecked(filled, wanted, written)
        or is_old_bf16(filled, wanted, written)
        or is_packed_vector(filled, wanted, written)
    )


def _unlike_fit(filled: FilledForm, wanted: tuple[OperandPattern, ...], parts: tuple[ActualOperand, ...]) -> bool:
    """Whether the elements of a vector of unlike ones fit, each by itself."""
    registers = (as_register(part) if part.kind == "special" else part for part in parts)
    return all(kind_fits(filled, kind, part) for kind, part in zip(wanted, registers, strict=True))


def same_space(one: str, other: str) -> bool:
    """Whether two state spaces are one, sub-spaces aside: ``.shared::cta`` is ``.shared``."""
    return one.partition("::")[0] == other.partition("::")[0]
