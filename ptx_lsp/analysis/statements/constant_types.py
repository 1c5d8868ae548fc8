"""The types, and so the widths, of the integer constants of a statement."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operand_advice import advised_operands, is_about_constants
from ptx_lsp.analysis.symbols.storage import bits_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.language_level import LanguageLevel, language_level
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.constants import evaluate, integer_or_none
from ptx_lsp.syntax.lexical import overflows
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Declaration, Operand, OperandKind
from ptx_lsp.text import Span

LARGEST = 64
"""The width of integer literals; longer ones are truncated."""


class Constant(NamedTuple):
    """An integer constant with its span and type."""

    span: Span
    value: int
    bits: int
    """The width of its type."""
    type: str
    """The expected type."""

    @property
    def fits(self) -> bool:
        """Whether it is representable as a signed or unsigned number of the width."""
        return -(1 << self.bits - 1) <= self.value < 1 << self.bits


def typed_constants(context: StatementContext) -> Iterator[Constant]:
    """The integer constants of an instruction, or of the initializers of a declaration, whose type is known."""
    tree = context.statement.shape.tree
    if isinstance(tree, Declaration):
        kind = catalogue().vocabulary.types.get(tree.type)
        if kind is not None and "float" not in kind.kind and bits_of(tree.type):
            for declarator in tree.declarators:
                if declarator.initializer is not None:
                    yield from _constants(context, declarator.initializer, tree.type)
    elif context.instruction is not None and context.match is not None and context.match.fits:
        found = context.match
        about = {one.advice.operand for one in advised_operands(context) if is_about_constants(one.advice)}
        for operand, role in zip(context.instruction.operands, found.roles, strict=False):
            name = _type(context, found, role) if role and role not in about and _may_hold(operand) else None
            if name is not None:
                yield from _constants(context, operand, name)


def _may_hold(operand: Operand) -> bool:
    return operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT, OperandKind.VECTOR)


def _type(context: StatementContext, found: Match, role: str) -> str | None:
    """The largest possible type of an operand's constants."""
    mnemonic = found.form.mnemonic
    form = next((one for one in found.instruction.prepared[mnemonic] if one.form is found.form), None)
    if form is None:
        return None
    return _type_in(form, found.values, role, language_level(context.module.version, context.module.target))


@memoized(1024)
def _type_in(form: PreparedForm, values: tuple[str | None, ...], role: str, level: LanguageLevel) -> str | None:
    """The largest type of an operand of a form with these words in its places."""
    fitting = Fitting(form, list(values), level)
    alternatives = [one for kind in fitting.kinds(role) for one in kind.alternatives if not one.register]
    if any(one.what == "imm" for one in alternatives):
        return None
    types = [fitting.value(one.type) or "" for one in alternatives if one.what == "type"]
    vocabulary = catalogue().vocabulary
    known = [name for name in types if name in vocabulary.types and "float" not in vocabulary.types[name].kind]
    return max(known, key=lambda name: vocabulary.types[name].bits, default=None)


_WITH_INTEGERS = frozenset({OperandKind.VECTOR, OperandKind.LIST, OperandKind.INTEGER, OperandKind.CONSTANT})


def _constants(context: StatementContext, operand: Operand, name: str) -> Iterator[Constant]:
    bits = catalogue().vocabulary.types[name].bits
    pending = [operand]  # braces may be nested without a bound
    while pending:
        one = pending.pop()
        if one.kind is OperandKind.VECTOR:
            pending += [part for part in reversed(one.parts) if part.kind in _WITH_INTEGERS]
        elif one.kind is OperandKind.LIST:
            yield from _listed(context, one, bits, name)
        elif one.kind is OperandKind.INTEGER:
            text = context.word(one.last - 1)
            value = integer_or_none(text)
            if value is not None and not overflows(text.removesuffix("U")):  # reported as an error
                value = -value if one.sign == "-" else value
                yield Constant(context.operand_span(one), value, bits, name)
        elif one.kind is OperandKind.CONSTANT:
            found = evaluate(context.statement, one)
            if isinstance(found, int):
                # Expressions are evaluated with 64 bits, where a negative number may have become a large one.
                value = found - (1 << LARGEST) if found >= 1 << LARGEST - 1 else found
                yield Constant(context.operand_span(one), value, bits, name)


def _listed(context: StatementContext, operand: Operand, bits: int, name: str) -> Iterator[Constant]:
    for token in range(operand.first, operand.last):
        if context.statement.tokens[token].kind is TokenKind.INTEGER:
            value = integer_or_none(context.word(token))
            is_negative = token > operand.first and context.word(token - 1) == "-"
            if value is not None:
                start = token - 1 if is_negative else token
                span = Span(context.span(start).start, context.span(token).end)
                yield Constant(span, -value if is_negative else value, bits, name)
