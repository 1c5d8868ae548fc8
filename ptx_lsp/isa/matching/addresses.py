"""Addresses: whether a base can be what is written, and what ptxas takes without brackets."""

from __future__ import annotations

from ptx_lsp.isa.matching import texture_operands
from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.values import REFERENCES, same_space
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.register_types import BITS, fits_type

GENERIC_SPACES = frozenset({".global", ".shared", ".local"})
"""The state spaces whose variables ptxas takes as generic addresses."""

_OPAQUE = frozenset({*REFERENCES, *BITS})
"""A texture, sampler or surface: its name, or a register with its handle."""

BY_NAME_ONLY = Version(9, 1)
"""From here on ``.param::func`` is reached by name only; ptxas of CUDA 13.0 and before took registers too."""


def spaces(filled: FilledForm, operand: FormOperand) -> list[Alternative]:
    """The kinds of an address; without a line of its own, what the form's state space says, or generic."""
    kinds = filled.kinds(operand.name)
    if kinds:
        return [alternative for kind in kinds for alternative in kind.alternatives]
    order = filled.form.order
    space = next(
        (filled.values[place] for place in filled.form.qualifiers if order.get(filled.values[place] or "") == "space"),
        None,
    )
    return [Alternative("type", space or "generic")]


def takes_offset(filled: FilledForm, operand: FormOperand, written: ActualOperand) -> bool:
    """Whether a constant can follow the base: not before further parts, nor after a texture, surface or its handle.

    Where an address in a state space can stand as well, ptxas takes one after each of them.
    """
    if len(written.parts) != 1:
        return False
    words = {filled.value(one.type) for kind in filled.kinds(operand.name) for one in kind.alternatives}
    return words.isdisjoint(REFERENCES) or not words <= _OPAQUE


def base_fits(filled: FilledForm, operand: FormOperand, written: ActualOperand) -> bool:
    """Whether the address itself fits: a register, or a variable in the right state space."""
    if written.sign:
        return False
    if written.kind == "unknown":
        return True
    if filled.deviates("texture") and texture_operands.is_old_texture(written):
        return True
    if filled.listed("handle-with-sampler") and not texture_operands.handle_fits(filled, operand.name, written):
        return False
    if written.kind != "variable":
        if filled.deviates("opaque-base", operand.name):
            return written.kind in ("register", *REFERENCES.values())
        if filled.deviates("any-base", operand.name):
            return BITS.get(written.type) != BITS[".b128"]
    return any(
        address_fits(filled, wanted, written) and not _is_short(filled, wanted, written, operand)
        for wanted in spaces(filled, operand)
    )


def address_fits(filled: FilledForm, wanted: Alternative, written: ActualOperand) -> bool:
    """Whether an address of one kind can be what is written."""
    word = filled.value(wanted.type) or "generic"
    kind = written.kind
    if word in REFERENCES:
        return kind == REFERENCES[word]
    if wanted.exact:
        return kind == "register" and written.type == word
    if word in BITS:
        if kind == "register":
            if written.type == ".f16x2" and filled.deviates("integer-base"):
                return False
            return fits_type(written.type, word, filled.holders)
        return kind == "function" and filled.deviates("function-base")
    if kind in ("register", "special"):
        if kind == "special" and filled.deviates("special-base"):
            return False
        if word == ".param::func" and filled.level.version >= BY_NAME_ONLY:
            return False
        return written.type[1:2] in ("b", "u", "s") and written.type != ".b128"
    if kind == "variable":
        if word != "generic":
            return same_space(word, written.space)
        generic = {".shared"} if filled.deviates("unshared") else GENERIC_SPACES
        return written.space.partition("::")[0] in generic
    if kind in REFERENCES.values():
        return not filled.deviates("references")
    if kind == "function":
        return filled.deviates("function-base")
    return kind == "integer" and word == ".local"


def _is_short(filled: FilledForm, wanted: Alternative, written: ActualOperand, operand: FormOperand) -> bool:
    """Whether ptxas finds a register too short for an address."""
    size = BITS.get(written.type) if written.kind == "register" and wanted.type not in BITS else None
    if size in (BITS[".b8"], BITS[".b16"]):
        generic = filled.value(wanted.type) in (None, "generic")
        return filled.deviates("short-base", operand.name) or generic and filled.deviates("short-generic", operand.name)
    return size == BITS[".b32"] and filled.deviates("words-base")


def bare_fits(filled: FilledForm, operand: FormOperand, written: ActualOperand) -> bool:
    """Whether ptxas takes something without brackets for an address."""
    kind = written.kind
    if filled.deviates("bare-address"):
        single = len(operand.parts) == 1
        if kind == "variable":
            return single or written.space == ".global"
        return kind == "float" or kind in REFERENCES.values() or single and kind == "register"
    if filled.deviates("integer-address", operand.name):
        if kind == "register":
            return written.type[1:2] in ("b", "u", "s") and BITS.get(written.type) in (BITS[".b16"], BITS[".b64"])
        return kind == "integer"
    return kind == "sink" and filled.deviates("sink-address")
