"""Statements with their context: the input of checks and features."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.statements.names_in_scope import visible_in
from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.derived_values import Deriving, once
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import in_parts
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand
from ptx_lsp.text import Span


class UsedNames(NamedTuple):
    """The meanings of the used names of a statement."""

    symbols: dict[int, Symbol]
    """The visible declaration of each that has one, by token."""
    codes: tuple[int, ...]
    """Their operand codes."""
    undeclared: tuple[int, ...]
    """Those without a declaration in any enclosing scope, by token."""
    late: tuple[int, ...]
    """Those that are declared after the statement, by token."""


_Meanings = tuple[dict[int, Symbol], list[int], list[int], list[int]]
"""The fields of :class:`UsedNames` while they are found."""
_Known = dict[str, tuple[Symbol | None, int, list[int] | None]]
"""By text; a table may have one name a hundred thousand times."""


class StatementContext(Deriving):
    """One statement with its function, scope and symbols. Spans are relative to the statement's text."""

    def __init__(self, module: Module, function: Function, chunk: Chunk, index: int) -> None:
        self.module = module
        self.function = function
        self.chunk = chunk
        self.index = index

    @once
    def statement(self) -> Statement:
        """The statement."""
        return self.chunk.statement(self.index)

    @once
    def scope(self) -> Scope:
        """The innermost enclosing scope with declarations."""
        return self.module.scope_of(self.chunk, self.index)

    @property
    def is_inside(self) -> bool:
        """Whether it is in the body of a function."""
        return self.function.is_inside(self.chunk, self.index)

    @once
    def instruction(self) -> Instruction | None:
        """The tree of an instruction without syntax errors; else None."""
        if self.statement.shape.errors:
            return None
        tree = self.statement.shape.tree
        return tree if isinstance(tree, Instruction) else None

    @once
    def symbols(self) -> dict[int, Symbol]:
        """The visible declaration of each used name that has one, by token."""
        return self.names.symbols

    def visible(self, name: str) -> Symbol | None:
        """The innermost declaration of ``name`` that is visible at this statement."""
        first = visible_in(self.module, self.scope)[name]
        return first if first is None else self._visible_from(first, name)

    def _visible_from(self, first: Symbol, name: str) -> Symbol | None:
        """The innermost visible declaration of a name, given the innermost one."""
        is_before = self.module.positions.is_before
        if first.kind.may_be_used_before or not is_before(self.chunk, self.index, first.place):
            return first
        for scope in self.scope.chain():
            symbol = scope.own(name)
            if symbol is None:
                continue
            if symbol.kind.may_be_used_before or not is_before(self.chunk, self.index, symbol.place):
                return symbol
        return None

    @once
    def codes(self) -> tuple[int, ...]:
        """The operand codes of the used names (indices into ``OPERANDS``); 0 without a visible declaration."""
        return self.names.codes

    @once
    def names(self) -> UsedNames:
        """The meanings of the used names."""
        found: _Meanings = {}, [], [], []
        self._add_meanings(self.statement.shape.names, found, {})
        symbols, codes, undeclared, late = found
        made = symbols, tuple(codes), tuple(undeclared), tuple(late)
        return tuple.__new__(UsedNames, made)  # the constructor takes twice as long

    def _add_meanings(self, names: Sequence[tuple[int, str]], found: _Meanings, known: _Known) -> None:
        """Add the meanings of some of the used names; those that are ``known`` by their text are not sought again."""
        symbols, codes, undeclared, late = found
        word, visible, specials = self.statement.word, visible_in(self.module, self.scope), special_names()
        outer, outer_groups = self.module.globals.names, self.module.globals.groups
        # Then all names that the function declares are declared before its instructions.
        is_early = not self.function.late and self.statement.shape.kind is Kind.INSTRUCTION
        for token, _ in names:
            name = word(token)
            meaning = known.get(name)
            if meaning is None:
                first = visible[name]
                if first is None or is_early and first.name not in outer and first.name not in outer_groups:
                    symbol = first
                else:
                    symbol = self._visible_from(first, name)
                if symbol is not None:
                    meaning = symbol, symbol.code, None
                elif first is not None:
                    meaning = None, 0, late
                elif name in specials:
                    meaning = None, special_code(name, self.module.version, self.module.target), None
                else:
                    meaning = None, 0, undeclared
                known[name] = meaning
            symbol, code, unknown = meaning
            codes.append(code)
            if symbol is not None:
                symbols[token] = symbol
            elif unknown is not None:
                unknown.append(token)

    def code_of(self, token: int) -> int:
        """The operand code of the name at a token; 0 if it is not a used name."""
        return self._codes_by_token.get(token, 0)

    @once
    def _codes_by_token(self) -> dict[int, int]:
        return {token: code for (token, _), code in zip(self.statement.shape.names, self.codes, strict=True)}

    @once
    def match(self) -> Match | None:
        """The form that the instruction fits, or the nearest one."""
        if self.instruction is None:
            return None
        return matcher_of(self.module).match(self.statement.shape, self.codes, self.statement, values=True)

    def word(self, token: int) -> str:
        """The text of a token."""
        return self.statement.word(token)

    def span(self, token: int) -> Span:
        """The span of a token."""
        return self.statement.span(token)

    def operand_span(self, operand: Operand) -> Span:
        """The span of an operand with its sign, brackets and selector."""
        first, last = self.span(operand.first), self.span(operand.last - 1)
        return Span(first.start, last.end)

    def text_of(self, operand: Operand) -> str:
        """The text of an operand."""
        if operand.last - operand.first == 1:
            return self.word(operand.first)
        span = self.operand_span(operand)
        return self.statement.text[span.start : span.end]

    def opcode_span(self) -> Span:
        """The span of the opcode with its qualifiers."""
        tree = self.instruction
        assert tree is not None
        first, last = self.span(tree.opcode_tokens[0]), self.span(tree.opcode_tokens[-1])
        return Span(first.start, last.end)

    @property
    def place(self) -> Place:
        """The place of this statement."""
        return Place(self.chunk, self.index, 0)


def is_broken(context: StatementContext) -> bool:
    """Whether a statement has a syntax error, or a character that ptxas refuses."""
    broken = context.module.summaries.broken(context.chunk)
    at = bisect_left(broken, context.index)
    return at < len(broken) and broken[at] == context.index


def means_the_same_around(context: StatementContext, symbol: Symbol) -> bool:
    """Whether the name of a declaration that is visible in a statement means it in each statement of its scope.

    The meaning of another name depends on the place: it is one of the module, or the function declares a name late.
    """
    outer = context.module.globals
    return not context.function.late and symbol.name not in outer.names and symbol.name not in outer.groups


def preparing_names(context: StatementContext) -> Iterator[None]:
    """Find :attr:`StatementContext.names` in steps, for a statement with very many."""
    yield from context.statement.reading()
    found: _Meanings = {}, [], [], []
    known: _Known = {}
    for part in in_parts(context.statement.shape.names):
        yield
        context._add_meanings(part, found, known)  # noqa: SLF001 - a part of the class
    symbols, *others = found
    context.__dict__["names"] = UsedNames(symbols, *map(tuple, others))
