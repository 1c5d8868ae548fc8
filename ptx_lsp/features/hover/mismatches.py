"""Errors and advice about an instruction, and its availability, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import operand_at
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.parts.availability import since
from ptx_lsp.features.hover.parts.check_findings import advice_findings, error_findings
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem

GATED = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET, Problem.REMOVED})
"""Problems that depend on the module's version or target."""
_MOST_MISTAKES = 3
_CODE = frozenset({SymbolKind.LABEL, SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.TARGETS})


def mismatch_lines(context: StatementContext, match: Match) -> list[str]:
    """Return why the statement does not match its form: findings of checks, and unmet requirements."""
    if match.fits and not any(symbol.kind in _CODE for symbol in context.symbols.values()):
        return []
    said = dict.fromkeys(f"✗ {reason.message}" for reason in error_findings(context))
    if match.fits:  # but a label can be of the wrong kind
        return [*said][:_MOST_MISTAKES]
    gated = [one for one in match.mismatches if one.problem in GATED or not said]
    return [*said, *needs(context, match, gated)][:_MOST_MISTAKES]


def needs(context: StatementContext, match: Match, mismatches: Iterable[Mismatch]) -> Iterator[str]:
    """Yield the unmet requirements, one line per part, which can lack both a version and a target."""
    for _, alike in groupby(mismatches, lambda one: (one.qualifier, one.operand)):
        together = list(alike)
        first, *others = sorted(together, key=lambda one: one.problem)
        newer = [one for one in others if one.problem is Problem.NEWER_TARGET and one.need is not None]
        text = need(context.module, first, match, context)
        if newer and first.problem is Problem.NEWER_VERSION:
            target = newer[0].need
            assert target is not None
            text = text.replace("; this module", f" and {target.describe()}; this module", 1)
            others.remove(newer[0])
        yield text + _instead(context, match, first)
        yield from (need(context.module, one, match, context) for one in others)


def advice_lines(context: StatementContext, match: Match) -> list[str]:
    """Return the deprecated and the ineffective parts of a legal instruction."""
    if not match.fits or not (match.form.deprecated or match.notes):
        return []
    return [f"! {reason.message}" for reason in advice_findings(context)]


def _instead(context: StatementContext, match: Match, mismatch: Mismatch) -> str:
    """Return the current replacement of a removed feature, if the page has one."""
    tree = context.instruction
    if mismatch.problem is not Problem.REMOVED or tree is None:
        return ""
    better = [one.instead.partition(" ")[0] for one in match.form.deprecated if one.word in tree.opcode and one.instead]
    return f"; write `{better[0]}`" if better else ""


def need(module: Module, mismatch: Mismatch, match: Match, context: StatementContext | None = None) -> str:
    """Return one mismatch as a line."""
    word = _word_of(mismatch, match, context)
    if mismatch.problem in GATED and mismatch.need is not None:
        verb = "was removed, it requires" if mismatch.problem is Problem.REMOVED else "requires"
        return f"✗ {word} {verb} {mismatch.need.describe()}; this module: PTX {module.version}, {module.target}"
    if mismatch.message:
        return f"✗ {word}: {mismatch.message}"
    wanted = " ".join(mismatch.wanted[:8])
    what = _PROBLEMS.get(mismatch.problem, "does not fit")
    if mismatch.problem is Problem.CONFLICT and context is not None and mismatch.other >= 0:
        what = f"cannot be combined with `{_opcode_word(context, mismatch.other)}`"
    return f"✗ {word} {what}" + (f"; expected: `{wanted}`" if wanted else "")


_PROBLEMS = {
    Problem.UNKNOWN_QUALIFIER: "does not exist here",
    Problem.MISSING_QUALIFIER: "requires another qualifier",
    Problem.DUPLICATE_QUALIFIER: "is written twice",
    Problem.CONFLICT: "is not allowed here",
    Problem.ORDER: "is in the wrong order",
    Problem.OPERAND_COUNT: "has the wrong number of operands",
    Problem.OPERAND_KIND: "is the wrong kind of operand",
    Problem.OPERAND_TYPE: "has the wrong type",
    Problem.OPERAND_VALUE: "is out of range",
    Problem.VECTOR_LENGTH: "has the wrong length",
    Problem.OPERAND_PART: "has no such part",
    Problem.OPERAND_SIGN: "cannot have a sign",
}


def _opcode_word(context: StatementContext, index: int) -> str:
    tree = context.instruction
    return tree.opcode[index] if tree is not None and index < len(tree.opcode) else ""


def _word_of(mismatch: Mismatch, match: Match, context: StatementContext | None) -> str:
    """Return the text of the part that a mismatch refers to."""
    tree = context.instruction if context is not None else None
    if tree is not None and context is not None:
        if 0 <= mismatch.qualifier < len(tree.opcode):
            return f"`{tree.opcode[mismatch.qualifier]}`"
        operand = operand_at(context.instruction, mismatch.operand) if mismatch.operand else None
        if operand is not None:
            return f"`{context.text_of(operand)}`"
    return f"`{match.form.mnemonic}`" if context is not None else "it"


def availability(module: Module, match: Match) -> str:
    """Return the versions and targets that have a spelling; empty while the instruction has errors.

    A spelling that only some releases of ptxas accept, or that no manual lists, gets that note instead.
    """
    for note in match.notes:
        if note.problem is Problem.SOME_RELEASES and note.need is not None:
            return f"accepted only by {note.need.describe()}"
    gate = since(match, module) if match.fits else None
    return gate.describe() if gate is not None else ""
