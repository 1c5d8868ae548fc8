"""Which form does a statement fit, and if none, what is wrong with it?"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ptx_lsp.isa.assign import doubled, values_of
from ptx_lsp.isa.attempt import answer, fill, spellings
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.context import ANYWHERE, Context, context
from ptx_lsp.isa.instruction import Instruction
from ptx_lsp.isa.operand import Written
from ptx_lsp.isa.result import Match, Mismatch, Problem
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version

__all__ = ["Match", "Mismatch", "Problem", "match"]


@lru_cache(maxsize=32768)
def match(opcode: tuple[str, ...], operands: tuple[Written, ...], version: Version, target: Target) -> Match | None:
    """The form that an instruction fits in a module of this version and target, or the nearest with its mismatches.

    Args:
        opcode: the mnemonic and its qualifiers: ``("add", ".s32")``.
        operands: what is written behind it.
        version: the module's PTX version.
        target: the module's architecture.

    Returns:
        None if no page knows the instruction; ask :meth:`Catalogue.status` why.
    """
    candidates = catalogue().candidates(opcode)
    if not candidates:
        return None
    module = context(version, target)
    found = _fit(candidates, opcode, operands, module)
    if found is not None:
        return found
    # Right statements never pay for loading these.
    from ptx_lsp.isa.misspelt import corrections
    from ptx_lsp.isa.reasons import nearest

    for at, words in corrections(opcode):
        corrected = (*opcode[:at], words[0], *opcode[at + 1 :])
        found = _fit(catalogue().candidates(corrected), corrected, operands, ANYWHERE)
        if found is not None:
            return replace(found, mismatches=(Mismatch(Problem.UNKNOWN_QUALIFIER, at, wanted=words),))
    return nearest(candidates, opcode, operands, module)


def _fit(
    candidates: tuple[Instruction, ...], opcode: tuple[str, ...], operands: tuple[Written, ...], module: Context
) -> Match | None:
    """The first form that fits, if need be after leaving out what ptxas ignores."""
    shared = catalogue().shared
    twice = doubled(opcode, shared.repeatable)
    notes = [Mismatch(Problem.DOUBLED, qualifier=at) for at in twice]
    found = _first(candidates, opcode, operands, module, twice)
    if found is None:
        anywhere = {w for w in shared.meaningless.intersection(opcode) if not _belongs(w, candidates, opcode[0])}
        here = {word for instruction in candidates for word in instruction.meaningless}
        for words in (anywhere, anywhere | here) if here else (anywhere,):
            ignored = tuple(at for at, word in enumerate(opcode) if at not in twice and word in words)
            found = _first(candidates, opcode, operands, module, twice + ignored) if ignored else None
            if found is not None:
                notes += [Mismatch(Problem.MEANINGLESS, qualifier=at) for at in ignored]
                break
    return found if found is None or not notes else replace(found, notes=tuple(notes))


def _belongs(word: str, candidates: tuple[Instruction, ...], mnemonic: str) -> bool:
    """Whether some form has a place for a qualifier."""
    return any(word in form.homes for instruction in candidates for form in instruction.prepared.get(mnemonic, ()))


def _first(
    candidates: tuple[Instruction, ...],
    opcode: tuple[str, ...],
    operands: tuple[Written, ...],
    module: Context,
    skipped: tuple[int, ...],
) -> Match | None:
    count = len(operands)
    for instruction in candidates:
        for form in instruction.prepared.get(opcode[0], ()):
            if count in form.counts and module.allows_all(form.form.gates):
                for placed in spellings(form, opcode, module, skipped):
                    filled = fill(form, values_of(form, opcode, placed), operands, module)
                    if filled is not None:
                        return answer(instruction, filled, opcode, operands, placed)
    return None
