"""Addresses of textures that are written in other brackets than the page has: ptxas does not mind."""

from __future__ import annotations

from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.prepared_form import PreparedForm

_ADDRESS_PARTS = ("register", "texref", "samplerref")

Operands = tuple[ActualOperand, ...]


def gathered(operands: Operands) -> tuple[Operands, ActualOperand] | None:
    """The operands with all of the address in the brackets, where its first or last part stands outside of them.

    ptxas reads ``tex… d, a, [b, c]`` and ``d, [a, b], c``. Returned beside them is ``c``: see
    :func:`ptx_lsp.isa.matching.texture_operands.displaced_fits`.
    """
    if len(operands) < 3:
        return None
    address, last = operands[1:3]
    if address.kind == "address" and last.kind != "address":
        parts = address.parts
    elif last.kind == "address" and len(last.parts) == 2:
        address, parts, last = last, (address, last.parts[0]), last.parts[1]
    else:
        return None
    if len(parts) != 2 or any(part.kind not in _ADDRESS_PARTS or part.sign for part in parts):
        return None
    return (operands[0], address._replace(parts=(*parts, last)), *operands[3:]), last


def divided(form: PreparedForm, operands: Operands, module: LanguageLevel) -> Operands | None:
    """The operands with the end of the address after the brackets, where no sampler stands before it.

    ptxas reads ``tex… d, [a, c, e]`` as ``d, [a, c], e`` in the unified texture mode if ``c`` is a single register.
    """
    if len(operands) < 2:
        return None
    address = operands[1]
    if address.kind != "address" or len(address.parts) != 3 or any(part.sign for part in address.parts):
        return None
    _, coordinates, following = address.parts
    if coordinates.kind != "register" or following.kind not in ("register", "vector"):
        return None
    if following.kind == "register" and not _takes_bare(form, module):
        return None
    return (operands[0], address._replace(parts=address.parts[:2]), following, *operands[2:])


def opened(operands: Operands) -> Operands:
    """Gathered operands with coordinates that are not known."""
    address = operands[1]._replace(parts=(*operands[1].parts[:2], ActualOperand("unknown")))
    return (operands[0], address, *operands[2:])


def _takes_bare(form: PreparedForm, module: LanguageLevel) -> bool:
    """Whether the module's ptxas takes coordinates without braces beside a sampler."""
    return any(module.allows(row.gate) for row in form.deviations.get("bare-with-sampler", ()))
