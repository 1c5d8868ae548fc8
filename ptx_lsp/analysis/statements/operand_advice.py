"""Operand restrictions of the pages beyond those that ptxas checks: plausible constants, alignment of addresses."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import Matcher, matcher_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import Advice, Words, literals
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.operand_pattern import in_ranges, read_range
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import Bound, RecentlyUsed, memoized
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

ABOUT_ADDRESSES = frozenset({"align", "access"})
"""First words of advice about addresses; all other advice lists ranges of constants."""

_CONSTANTS = frozenset({OperandKind.INTEGER, OperandKind.CONSTANT})
_WORD_BITS = (16, 32, 64)
"""The word sizes in which a negative constant is interpreted as unsigned."""


class AdvisedOperand(NamedTuple):
    """An operand with advice of the matched form."""

    operand: Operand
    words: tuple[Words, ...]
    """The entries of the rows that apply; one of them must hold."""
    advice: Advice


_ADVICE = Bound(1 << 11)
"""Of the advice that all matchers know together."""


def _known_advice(_: Matcher) -> RecentlyUsed[tuple[int, int], tuple[Match, tuple[AdvisedOperand, ...]]]:
    """Those of matches of shapes, by the number of the shape and the identity of the match, which is kept with them."""
    return RecentlyUsed(_ADVICE)


def advised_operands(context: StatementContext) -> tuple[AdvisedOperand, ...]:
    """The operands with advice, for an instruction that fits a form."""
    found, tree = context.match, context.instruction
    if found is None or tree is None or not found.fits or not found.form.advice:
        return ()
    known = matcher_of(context.module).derived(_known_advice)
    key = context.statement.shape.id, id(found)
    kept = known.find(key)
    if kept is None:
        kept = known[key] = found, tuple(_advised_operands(context, tree, found))
    return kept[1]


def _advised_operands(context: StatementContext, tree: Instruction, found: Match) -> Iterator[AdvisedOperand]:
    for advice in found.form.advice:
        if advice.operand in found.roles:
            operand = tree.operands[found.roles.index(advice.operand)]
            words = tuple(_rows(context, found, advice))
            if words:
                yield AdvisedOperand(operand, words, advice)


def _rows(context: StatementContext, found: Match, advice: Advice) -> Iterator[Words]:
    *columns, _ = advice.table.columns
    values = [found.values[found.form.slot_numbers[name]] for name in columns]
    for row in advice.table.rows:
        fits = all(value in literals(tuple(map(str, cell))) for value, cell in zip(values, row.cells, strict=False))
        if fits and row.gate.allows(context.module.version, context.module.target):
            yield row.cells[-1]


def unlikely_constants(
    statement: Statement, operand: Operand, words: tuple[Words, ...]
) -> Iterator[tuple[Operand, int]]:
    """The constants of an operand that are in none of the given ranges, with their values."""
    for part in operand.parts if operand.kind is OperandKind.VECTOR else (operand,):
        value = evaluate(statement, part) if part.kind in _CONSTANTS else None
        if isinstance(value, int) and not any(is_likely(value, cell) for cell in words):
            yield part, value


def is_likely(value: int, words: Words) -> bool:
    """Whether a constant is in one of the ranges, as written or as the equivalent unsigned number."""
    ranges, bits = _ranges(words)
    return in_ranges(ranges, value) or -(1 << bits - 1) <= value < 0 and in_ranges(ranges, value % (1 << bits))


@memoized(1024)
def _ranges(words: Words) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """The ranges of likely constants, and the bits of the type that has them."""
    ranges = tuple(read_range(str(word)) for word in words)
    return ranges, next(bits for bits in _WORD_BITS if max(last for _, last, _ in ranges) >> bits == 0)


def is_about_constants(advice: Advice) -> bool:
    """Whether advice is about constants."""
    return advice.table.rows[0].cells[-1][0] not in ABOUT_ADDRESSES


def may_be_unlikely(shape: Shape, text: str) -> bool:
    """Whether some form of the opcode advises against a constant of a statement, for any meaning of its names."""
    tree = shape.tree
    assert isinstance(tree, Instruction)
    statement = Statement(text, shape)
    return any(
        any(unlikely_constants(statement, operand, (words,)))
        for at, words in _advised(tree.opcode)
        for operand in tree.operands[at : at + 1]
    )


@memoized(1024)
def _advised(opcode: tuple[str, ...]) -> tuple[tuple[int, Words], ...]:
    """The places of operands for whose constants some form of an opcode has advice, each with the likely ones."""
    written = {*opcode, None}
    found: dict[tuple[int, Words], None] = {}
    for page in catalogue().candidates(opcode):
        for form in page.forms:
            names = [operand.name for operand in form.operands]
            for advice in form.advice:
                if not is_about_constants(advice) or advice.operand not in names:
                    continue
                for row in advice.table.rows:
                    cells = (literals(tuple(map(str, cell))) for cell in row.cells[:-1])
                    if all(not written.isdisjoint(cell) for cell in cells):
                        found[names.index(advice.operand), row.cells[-1]] = None
    return tuple(found)
