"""The mismatches of an instruction and their places, for the checks of the E3, E4 and E5 families."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.directives import directive_needs, part_at, type_needs, value_needs
from ptx_lsp.analysis.statements.function_heads import head_needs
from ptx_lsp.analysis.statements.matcher import matcher_of, meanings
from ptx_lsp.analysis.statements.operands import operand_at
from ptx_lsp.analysis.statements.role_misuse import role_needs
from ptx_lsp.analysis.symbols.special_names import special_code, special_need
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import OperandKind
from ptx_lsp.text import Span

_OF_OPERANDS = frozenset(
    {
        Problem.OPERAND_COUNT,
        Problem.OPERAND_KIND,
        Problem.OPERAND_TYPE,
        Problem.OPERAND_VALUE,
        Problem.VECTOR_LENGTH,
        Problem.OPERAND_PART,
        Problem.OPERAND_SIGN,
    }
)
OF_QUALIFIERS = frozenset(
    {
        Problem.UNKNOWN_QUALIFIER,
        Problem.MISSING_QUALIFIER,
        Problem.DUPLICATE_QUALIFIER,
        Problem.CONFLICT,
        Problem.ORDER,
    }
)
"""Problems with the words of an opcode."""


def mismatches(context: StatementContext, *problems: Problem) -> Iterator[Mismatch]:
    """The mismatches of these kinds between the instruction and its nearest form.

    Operands are not judged as long as the qualifiers, which decide their types, are wrong.
    """
    if context.match is not None:
        found = {mismatch.problem for mismatch in context.match.mismatches}
        if found & OF_QUALIFIERS and _OF_OPERANDS.issuperset(problems):
            return
        for mismatch in context.match.mismatches:
            if mismatch.problem in problems and not _holds_in_kernels_only(context, mismatch):
                yield mismatch


def _holds_in_kernels_only(context: StatementContext, mismatch: Mismatch) -> bool:
    """Whether ptxas minds something in kernels, and this is a function: registers as addresses of ``.param::func``."""
    symbol, tree = context.function.symbol, context.instruction
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
    """The requirement that its version or target does not meet."""
    what: str
    """The words for it in a message: the word itself in quotes, mostly."""


def other_needs(context: StatementContext) -> tuple[OtherNeed, ...]:
    """Directives, special registers, types and initializers of variables that the module does not have."""
    return context.derived(_other_needs)


def _other_needs(context: StatementContext) -> tuple[OtherNeed, ...]:
    return tuple(_needs_of_others(context))


def _needs_of_others(context: StatementContext) -> Iterator[OtherNeed]:
    module, statement = context.module, context.statement
    if statement.kind is not Kind.INSTRUCTION:
        yield from _needs_of_directives(context)
    for (token, _), code in zip(statement.shape.names, context.codes, strict=True):
        if not code and context.scope.lookup(context.word(token)) is None:
            lacking = special_need(context.word(token), module.version, module.target)
            if lacking is not None:
                yield OtherNeed(token, lacking, f"'{context.word(token)}'")


def _needs_of_directives(context: StatementContext) -> Iterator[OtherNeed]:
    module, statement = context.module, context.statement
    for token, need in directive_needs(statement, module.version, module.target):
        yield OtherNeed(token, need, part_at(statement, token) or f"'{context.word(token)}'")
    for token, need in type_needs(statement, module.version, module.target):
        yield OtherNeed(token, need, f"'{context.word(token)}'")
    yield from map(OtherNeed._make, value_needs(context))


def feature_needs(context: StatementContext) -> Iterator[tuple[int, str, Need]]:
    """Further features of a statement that the module does not have: token, words for it, and what the module lacks."""
    version, target = context.module.version, context.module.target
    yield from head_needs(context.statement, version, target)
    if context.instruction is not None:
        yield from role_needs(context.instruction, meanings(context.statement.shape, context.codes), version, target)


def notes(context: StatementContext, problem: Problem) -> Iterator[Mismatch]:
    """The mismatches that ptxas accepts all the same."""
    if context.match is not None:
        for note in context.match.notes:
            if note.problem is problem:
                yield note


def lacks(context: StatementContext, problem: Problem) -> Iterator[tuple[Span, str, Mismatch]]:
    """The parts of an instruction that this module's version or target does not have: place, text and mismatch."""
    for mismatch in mismatches(context, problem):
        span = place_of(context, mismatch)
        yield span, context.statement.text[span.start : span.end], mismatch


def removal(context: StatementContext, mismatch: Mismatch) -> tuple[str, Span, Fix]:
    """A superfluous qualifier: its word, its place, and the edit that removes it."""
    tree = context.instruction
    assert tree is not None
    span = qualifier_span(context, mismatch.qualifier)
    word = tree.opcode[mismatch.qualifier]
    return word, span, Fix(f"remove '{word}'", (Edit(span, ""),))


def qualifier_span(context: StatementContext, index: int) -> Span:
    """The span of the qualifier at ``index`` of the opcode, or of the whole opcode for -1."""
    tree = context.instruction
    assert tree is not None
    if 0 <= index < len(tree.opcode_tokens):
        return context.span(tree.opcode_tokens[index])
    return context.opcode_span()


def place_of(context: StatementContext, mismatch: Mismatch) -> Span:
    """The span that a mismatch speaks of: an operand, a qualifier, or the opcode."""
    if mismatch.operand:
        operand = operand_at(context.instruction, mismatch.operand)
        if operand is not None:
            return context.operand_span(operand)
    return qualifier_span(context, mismatch.qualifier)


def would_do(context: StatementContext, *edits: Edit) -> bool:
    """Whether the instruction would be right after edits that keep its names."""
    text = context.statement.text
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    statement = Statement(text)
    if statement.shape.errors or statement.kind is not Kind.INSTRUCTION:
        return False
    if len(statement.shape.names) != len(context.codes):
        return False
    found = matcher_of(context.module).match(statement.shape, context.codes, statement, values=True)
    return found is not None and not found.mismatches


def is_right_after(context: StatementContext, edit: Edit) -> bool:
    """Whether nothing but what is newer than the module is wrong with the instruction after an edit."""
    found = _match_after(context, edit)
    return found is not None and all(one.problem in _NEWER for one in found.mismatches)


def makes_no_mistake(context: StatementContext, edit: Edit) -> bool:
    """Whether no more is reported of the instruction after an edit; of what is no instruction nothing is known."""
    found = _match_after(context, edit)
    return found is None or _reported(found) <= (_reported(context.match) if context.match is not None else 1)


_DECLARATIONS = frozenset({Kind.REGISTERS, Kind.VARIABLE})


def _match_after(context: StatementContext, edit: Edit) -> Match | None:
    """The match of the instruction after an edit, which can change its names; None if it is none then."""
    if context.statement.shape.meant in _DECLARATIONS:
        return None  # one of many names would be read again for each of them
    start, end = edit.span
    statement = Statement(context.statement.text[:start] + edit.text + context.statement.text[end:])
    if statement.shape.errors or statement.kind is not Kind.INSTRUCTION:
        return None
    codes = []
    for token, _ in statement.shape.names:
        name = statement.word(token)
        symbol = context.visible(name)
        is_special = symbol is None and context.scope.lookup(name) is None
        special = special_code(name, context.module.version, context.module.target) if is_special else 0
        codes.append(symbol.code if symbol is not None else special)
    return matcher_of(context.module).match(statement.shape, tuple(codes), statement, values=True)


def _reported(found: Match) -> int:
    """The number of mismatches that :func:`mismatches` lets through."""
    problems = [one.problem for one in found.mismatches]
    hides = not OF_QUALIFIERS.isdisjoint(problems)
    return sum(not (hides and one in _OF_OPERANDS) for one in problems)


_NEWER = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET})


def written_opcode(context: StatementContext) -> str:
    """The opcode as it stands in the text, without blanks."""
    tree = context.instruction
    assert tree is not None
    return "".join(tree.opcode)


def mnemonic(context: StatementContext) -> str:
    """The name of the page that was matched."""
    tree = context.instruction
    assert tree is not None
    written = written_opcode(context)
    names = context.match.instruction.names if context.match is not None else ()
    fitting = [name for name in names if written == name or written.startswith(name + ".")]
    return max(fitting, key=len, default=tree.opcode[0])
