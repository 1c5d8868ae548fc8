"""What the checks of the E3, E4 and E5 families share: the mismatches of an instruction and their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.statements.context import Use
from ptx_lsp.analysis.statements.directives import directive_needs, part_at, type_needs, value_needs
from ptx_lsp.analysis.statements.heads import head_needs
from ptx_lsp.analysis.statements.matcher import meanings
from ptx_lsp.analysis.statements.roles import role_needs
from ptx_lsp.analysis.symbols.special_names import special_code, special_need
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.match import Match, Mismatch, Problem
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import OperandKind
from ptx_lsp.text import Span

_OF_OPERANDS = frozenset({
    Problem.OPERAND_COUNT, Problem.OPERAND_KIND, Problem.OPERAND_TYPE, Problem.OPERAND_VALUE, Problem.VECTOR_LENGTH,
    Problem.OPERAND_PART, Problem.OPERAND_SIGN,
})
OF_QUALIFIERS = frozenset({
    Problem.UNKNOWN_QUALIFIER, Problem.MISSING_QUALIFIER, Problem.DUPLICATE_QUALIFIER, Problem.CONFLICT, Problem.ORDER,
})
"""What can be wrong with the words of an opcode."""


def mismatches(use: Use, *problems: Problem) -> Iterator[Mismatch]:
    """The mismatches of these kinds between the instruction and its nearest form.

    Operands are not judged as long as the qualifiers, which decide their types, are wrong.
    """
    if use.match is not None:
        found = {mismatch.problem for mismatch in use.match.mismatches}
        if found & OF_QUALIFIERS and _OF_OPERANDS.issuperset(problems):
            return
        for mismatch in use.match.mismatches:
            if mismatch.problem in problems and not _holds_in_kernels_only(use, mismatch):
                yield mismatch


def _holds_in_kernels_only(use: Use, mismatch: Mismatch) -> bool:
    """Whether ptxas minds something in kernels, and this is a function: registers as addresses of ``.param::func``."""
    symbol, tree = use.function.symbol, use.instruction
    return (
        mismatch.problem is Problem.OPERAND_TYPE
        and symbol is not None
        and symbol.type == ".func"
        and tree is not None
        and ".param::func" in tree.opcode
        and bool(mismatch.operand)
        and tree.operands[mismatch.operand[0]].kind is OperandKind.ADDRESS
    )


class OtherNeed(NamedTuple):
    """Something other than an instruction that the module does not have."""

    token: int
    need: Need
    """What its version or target lacks."""
    what: str
    """What it is: the word itself in quotes, mostly."""


def other_needs(use: Use) -> Iterator[OtherNeed]:
    """Directives, special registers, types and first values of variables that the module does not have."""
    module, statement = use.module, use.statement
    for token, need in directive_needs(statement, module.version, module.target):
        yield OtherNeed(token, need, part_at(statement, token) or f"'{use.word(token)}'")
    for token, need in type_needs(statement, module.version, module.target):
        yield OtherNeed(token, need, f"'{use.word(token)}'")
    yield from map(OtherNeed._make, value_needs(use))
    for (token, _), code in zip(use.statement.shape.names, use.codes, strict=True):
        if not code and use.scope.lookup(use.word(token)) is None:
            lacking = special_need(use.word(token), use.module.version, use.module.target)
            if lacking is not None:
                yield OtherNeed(token, lacking, f"'{use.word(token)}'")


def feature_needs(use: Use) -> Iterator[tuple[int, str, Need]]:
    """What else of a statement the module does not have: token, what it is, and what the module lacks."""
    version, target = use.module.version, use.module.target
    yield from head_needs(use.statement, version, target)
    if use.instruction is not None:
        yield from role_needs(use.instruction, meanings(use.statement.shape, use.codes), version, target)


def notes(use: Use, problem: Problem) -> Iterator[Mismatch]:
    """What ptxas takes all the same."""
    if use.match is not None:
        for note in use.match.notes:
            if note.problem is problem:
                yield note


def lacks(use: Use, problem: Problem) -> Iterator[tuple[Span, str, Mismatch]]:
    """The parts of an instruction that this module's version or target does not have: place, text and mismatch."""
    for mismatch in mismatches(use, problem):
        span = place_of(use, mismatch)
        yield span, use.statement.text[span.start : span.end], mismatch


def removal(use: Use, mismatch: Mismatch) -> tuple[str, Span, Fix]:
    """A superfluous qualifier: its word, its place, and the edit that removes it."""
    tree = use.instruction
    assert tree is not None
    span = qualifier_span(use, mismatch.qualifier)
    word = tree.opcode[mismatch.qualifier]
    return word, span, Fix(f"remove '{word}'", (Edit(span, ""),))


def qualifier_span(use: Use, index: int) -> Span:
    """The span of the qualifier at ``index`` of the opcode, or of the whole opcode for -1."""
    tree = use.instruction
    assert tree is not None
    if 0 <= index < len(tree.opcode_tokens):
        return use.span(tree.opcode_tokens[index])
    return use.opcode_span()


def place_of(use: Use, mismatch: Mismatch) -> Span:
    """The span that a mismatch speaks of: an operand, a qualifier, or the opcode."""
    if mismatch.operand:
        operand = use.operand_at(mismatch.operand)
        if operand is not None:
            return use.operand_span(operand)
    return qualifier_span(use, mismatch.qualifier)


def would_do(use: Use, *edits: Edit) -> bool:
    """Whether the instruction would be right after edits that keep its names."""
    text = use.statement.text
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    statement = Statement(text)
    if statement.shape.errors or statement.kind is not Kind.INSTRUCTION:
        return False
    if len(statement.shape.names) != len(use.codes):
        return False
    found = use.module.matcher.match(statement.shape, use.codes, statement, values=True)
    return found is not None and not found.mismatches


def is_right_after(use: Use, edit: Edit) -> bool:
    """Whether nothing but what is newer than the module is wrong with the instruction after an edit."""
    found = _match_after(use, edit)
    return found is not None and all(one.problem in _NEWER for one in found.mismatches)


def makes_no_mistake(use: Use, edit: Edit) -> bool:
    """Whether no more is reported of the instruction after an edit; of what is no instruction nothing is known."""
    found = _match_after(use, edit)
    return found is None or _reported(found) <= (_reported(use.match) if use.match is not None else 1)


def _match_after(use: Use, edit: Edit) -> Match | None:
    """The match of the instruction after an edit, which can change its names; None if it is none then."""
    start, end = edit.span
    statement = Statement(use.statement.text[:start] + edit.text + use.statement.text[end:])
    if statement.shape.errors or statement.kind is not Kind.INSTRUCTION:
        return None
    codes = []
    for token, _ in statement.shape.names:
        name = statement.word(token)
        symbol = use.visible(name)
        is_special = symbol is None and use.scope.lookup(name) is None
        special = special_code(name, use.module.version, use.module.target) if is_special else 0
        codes.append(symbol.code if symbol is not None else special)
    return use.module.matcher.match(statement.shape, tuple(codes), statement, values=True)


def _reported(found: Match) -> int:
    """How many mismatches :func:`mismatches` lets through."""
    problems = [one.problem for one in found.mismatches]
    hides = not OF_QUALIFIERS.isdisjoint(problems)
    return sum(not (hides and one in _OF_OPERANDS) for one in problems)


_NEWER = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET})


def written_opcode(use: Use) -> str:
    """The opcode as it stands in the text, without blanks."""
    tree = use.instruction
    assert tree is not None
    return "".join(tree.opcode)


def mnemonic(use: Use) -> str:
    """The name of the page that was matched."""
    tree = use.instruction
    assert tree is not None
    written = written_opcode(use)
    names = use.match.instruction.names if use.match is not None else ()
    fitting = [name for name in names if written == name or written.startswith(name + ".")]
    return max(fitting, key=len, default=tree.opcode[0])
