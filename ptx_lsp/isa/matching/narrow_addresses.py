"""Addresses of 32 bits, for which ptxas generates no code although its check accepts them.

The global and the generic window have 64-bit addresses; those of shared, local, constant and parameter memory fit into
32 bits. The pages name the instructions (``strict = narrow-address``): others cut or extend what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem
from ptx_lsp.isa.vocabulary.register_types import BITS

_BEHAVIOURS = frozenset({"narrow-address", "narrow-pointer", "narrow-name"})
_WIDE = frozenset({"generic", ".global"})


def with_narrow_addresses(found: Match, operands: tuple[ActualOperand, ...], module: LanguageLevel) -> Match:
    """A match with a note for each address of 32 bits that must have 64."""
    form = next(one for one in found.instruction.prepared[found.form.mnemonic] if one.form is found.form)
    if _BEHAVIOURS.isdisjoint(form.deviations):
        return found
    fitting = Fitting(form, list(found.values), module)
    wanted = fitting.operands()
    pairs = enumerate(zip(wanted, operands, strict=True)) if len(wanted) == len(operands) else ()
    narrow = (
        Mismatch(Problem.NARROW_ADDRESS, operand=path) for at, pair in pairs for path in _narrow(fitting, at, *pair)
    )
    return found._replace(notes=(*found.notes, *narrow))


def _narrow(fitting: Fitting, at: int, operand: FormOperand, written: ActualOperand) -> Iterator[tuple[int, ...]]:
    """The path of an operand that is too narrow."""
    if written.kind == "address":
        base = written.parts[0]
        is_narrow = base.kind == "register" and BITS.get(base.type) == BITS[".b32"]
        spaces = (fitting.value(space.type) or "generic" for space in fitting.spaces(operand))
        if is_narrow and fitting.deviates("narrow-address") and any(space in _WIDE for space in spaces):
            yield at, 0
    elif written.kind == "variable":
        if written.space == ".global" and not written.offset and fitting.deviates("narrow-name", operand.name):
            yield (at,)
    elif fitting.listed("narrow-pointer") and fitting.deviates("narrow-pointer", operand.name):
        yield (at,)
