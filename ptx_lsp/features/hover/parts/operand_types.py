"""Legal types and ranges of an operand, with the written qualifiers substituted."""

from __future__ import annotations

from itertools import islice

from ptx_lsp.analysis.references.occurrences import Access, occurrences
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import OPAQUE
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.hover.parts.availability import prepared_form
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.operand_pattern import Alternative, OperandPattern, ranges_in_words, read_kind, shape_of
from ptx_lsp.syntax.documents.nearby import runs_after
from ptx_lsp.syntax.tree import Operand, OperandKind

CONSTANTS = frozenset({OperandKind.INTEGER, OperandKind.CONSTANT})
"""Integer constants and constant expressions."""
_MOST_RANGES = 4
_NEAR = 512
"""Number of statements that are searched for uses of a register."""
_MOST_READERS = 4


def type_of(context: StatementContext, match: Match, role: str) -> str:
    """Return the unique type of an operand with the written qualifiers substituted, else ``""``."""
    kind = next(iter(_kinds(context, match, role)), None)
    found = {_value(one.type, match) for one in kind.alternatives if one.what == "type"} if kind is not None else set()
    return found.pop() if len(found) == 1 else ""


def float_uses(semantics: Semantics, context: StatementContext, symbol: Symbol, name: str) -> dict[str, int]:
    """Return the float types in which the next instructions read a register, each with a line."""
    found: dict[str, int] = {}
    runs = {run.chunk: run for run in runs_after(context.function.chunks, context.chunk, context.index, _NEAR)}
    near = (
        one
        for one in occurrences(semantics, symbol, name, tuple(runs))
        if one.access is Access.READ and runs[one.chunk].first <= one.statement < runs[one.chunk].end
    )
    for one in islice(near, _MOST_READERS):
        reader = StatementContext(context.module, context.function, one.chunk, one.statement)
        tree, match = reader.instruction, reader.match
        if tree is None or match is None or not match.fits:
            continue
        for operand, role in zip(tree.operands, match.roles, strict=False):
            if role and operand.kind is OperandKind.NAME and reader.word(operand.name) == name:
                type_ = type_of(reader, match, role)
                word = catalogue().vocabulary.types.get(type_)
                if word is not None and "float" in word.kind:
                    found.setdefault(type_, context.module.positions.line_of(reader.place))
    return found


def type_in_words(context: StatementContext, match: Match, role: str, operand: Operand) -> str:
    """Return the legal types of an operand of this syntactic kind, with the written qualifiers substituted."""
    kinds = _kinds(context, match, role)
    for kind in kinds:
        alike = tuple(one for one in kind.alternatives if _is_like(one, operand, context, match))
        if alike:
            return _in_words(kind._replace(alternatives=alike), match)
    return _in_words(kinds[0], match) if kinds else ""


def _kinds(context: StatementContext, match: Match, role: str) -> list[OperandPattern]:
    """Return the operand patterns, from the form or from the applicable rows of its table."""
    if any(role in table.columns for table in match.form.tables):
        module = context.module
        level = language_level(module.version, module.target)
        rows = prepared_form(match).operand_rows(list(match.values), level).get(role, [])
        if rows:  # the vocabulary has another kind for some operands with a row
            return [read_kind(row) for row in rows]
    kind = match.form.kinds.get(role)
    return [] if kind is None else [read_kind(kind)]


def _is_like(one: Alternative, operand: Operand, context: StatementContext, match: Match) -> bool:
    """Whether an alternative has the kind of the operand: constant, vector of this length, reference, register."""
    if operand.kind in CONSTANTS:
        return one.what == "imm"
    if operand.kind is OperandKind.VECTOR:
        if one.what == "vector":
            return len(one.elements) == len(operand.parts)
        return one.what == "type" and _count(one, match) == len(operand.parts)
    if operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1:
        operand = operand.parts[0]
    if operand.kind is not OperandKind.NAME:
        return True
    return one.what == "type" and one.length is None and (one.type in OPAQUE) == _is_reference(context, operand)


def _is_reference(context: StatementContext, operand: Operand) -> bool:
    """Whether an operand is a texture, sampler or surface variable rather than its handle in a register."""
    symbol = context.symbols.get(operand.name)
    return symbol is not None and symbol.type in OPAQUE


def _count(one: Alternative, match: Match) -> int | None:
    """Return the vector length of an alternative; None if it is scalar."""
    if one.length is None:
        return None
    shape = shape_of(list(match.values)) if one.length.base in "mnk" else _value(one.length.base, match)
    return one.length.of(shape)


def names_code(match: Match, role: str) -> bool:
    """Whether an operand is the name of a label or function, which is not read."""
    kind = match.form.kinds.get(role)
    return kind is not None and any(one.what in ("label", "function") for one in read_kind(kind).alternatives)


def is_unused(context: StatementContext, match: Match, role: str) -> bool:
    """Whether ptxas makes no code that reads or writes an operand."""
    return any(kind.direction == "unused" for kind in _kinds(context, match, role))


def _in_words(kind: OperandPattern, match: Match) -> str:
    """Return a pattern as text with the qualifiers substituted, without rarely meant alternatives."""
    found = dict.fromkeys(filter(None, (_alternative(one, match) for one in kind.alternatives)))
    return " or ".join(found) + (" or wider" if found and kind.wider else "")


def _alternative(one: Alternative, match: Match) -> str:
    if one.what == "imm":
        *others, last = ranges_in_words(one.ranges) or ("",)
        if not last or len(others) >= _MOST_RANGES:
            return "constant"
        return f"constant {', '.join(others)} or {last}" if others else f"constant {last}"
    if one.what == "vector" and len(one.elements) == 1:
        return f"1 × {_in_words(one.elements[0], match)}"
    if one.what == "vector":
        return "{" + ", ".join(_in_words(element, match) for element in one.elements) + "}"
    if one.what != "type":
        return ""
    type_ = _value(one.type, match)
    count = _count(one, match) if type_ else None
    return type_ if count is None else f"{count} × {type_}"


def _value(word: str, match: Match) -> str:
    """Return the word in the slot called ``word``, or the word itself if there is no such slot."""
    place = match.form.slot_numbers.get(word)
    return word if place is None else match.values[place] or ""
