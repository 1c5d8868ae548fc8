"""Statements with their context: the input of checks and features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.examine import depends_on_values
from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.isa.match import Match
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module


TAKES_LABELS = frozenset({"bra", "brx"})
"""The instructions whose undeclared names are intended as labels."""
_OFTEN_WRONG_OTHERWISE = TAKES_LABELS | {"call"}


@dataclass(eq=False)
class StatementContext:
    """One statement with its function, scope and symbols. Spans are relative to the statement's text."""

    module: Module
    function: Function
    chunk: Chunk
    index: int

    @cached_property
    def statement(self) -> Statement:
        """The statement."""
        return self.chunk.statement(self.index)

    @cached_property
    def scope(self) -> Scope:
        """The innermost enclosing scope with declarations."""
        return self.module.scope_of(self.chunk, self.index)

    @property
    def is_inside(self) -> bool:
        """Whether it is in the body of a function."""
        return self.function.is_inside(self.chunk, self.index)

    @property
    def instruction(self) -> Instruction | None:
        """The tree of an instruction without syntax errors; else None."""
        if self.statement.shape.errors:
            return None
        tree = self.statement.shape.tree
        return tree if isinstance(tree, Instruction) else None

    @cached_property
    def symbols(self) -> dict[int, Symbol]:
        """The visible declaration of each used name that has one, by token."""
        found = {}
        for token, _ in self.statement.shape.names:
            symbol = self.visible(self.statement.word(token))
            if symbol is not None:
                found[token] = symbol
        return found

    def visible(self, name: str) -> Symbol | None:
        """The innermost declaration of ``name`` that is visible at this statement."""
        for scope in self.scope.chain():
            symbol = scope.own(name)
            if symbol is None:
                continue
            if symbol.kind.may_be_used_before or not self.module.is_before(self.chunk, self.index, symbol.place):
                return symbol
        return None

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The operand codes of the used names (indices into ``OPERANDS``); 0 without a visible declaration."""
        codes = []
        for token, _ in self.statement.shape.names:
            symbol = self.symbols.get(token)
            name = self.statement.word(token)
            if symbol is not None:
                codes.append(symbol.code)
            elif self.scope.lookup(name) is None:
                codes.append(special_code(name, self.module.version, self.module.target))
            else:
                codes.append(0)
        return tuple(codes)

    def code_of(self, token: int) -> int:
        """The operand code of the name at a token; 0 if it is not a used name."""
        pairs = zip(self.statement.shape.names, self.codes, strict=True)
        return next((code for (name, _), code in pairs if name == token), 0)

    @cached_property
    def match(self) -> Match | None:
        """The form that the instruction fits, or the nearest one."""
        if self.instruction is None:
            return None
        return self.module.matcher.match(self.statement.shape, self.codes, self.statement, values=True)

    @cached_property
    def undeclared(self) -> tuple[int, ...]:
        """The used names, by token, without a declaration in any enclosing scope."""
        return tuple(
            token
            for (token, _), code in zip(self.statement.shape.names, self.codes, strict=True)
            if not code and self.scope.lookup(self.word(token)) is None and self.word(token) not in special_names()
        )

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


def is_half_declared(context: StatementContext, name: str) -> bool:
    """Whether a declaration with a syntax error seems to declare ``name``; findings about it are then suppressed."""
    stem = name.rstrip("0123456789")
    both = (context.function.half_declared, context.module.half_declared)
    return any(name in words or stem in words for words in both if words)


def lacks_only_declarations(context: StatementContext) -> bool:
    """Whether the only faults of an instruction are undeclared names, which fit every operand."""
    shape, codes = context.statement.shape, context.codes
    if shape.errors or shape.kind != Kind.INSTRUCTION or shape.opcode[0] in _OFTEN_WRONG_OTHERWISE:
        return False
    if not context.undeclared or len(context.undeclared) != codes.count(0) or depends_on_values(shape):
        return False
    return context.module.matcher.is_fine_but_for_names(shape, codes, context.statement)


def operand_on_path(context: StatementContext, path: tuple[int, ...]) -> Operand | None:
    """The operand at a path of the matcher: ``(2, 1)`` is the second part of the third operand, -1 the pair."""
    tree = context.instruction
    if tree is None or not path:
        return None
    operands: tuple[Operand, ...] = tree.operands
    found: Operand | None = None
    for step in path:
        if step == -1:
            found = found.pair if found is not None else None
            if found is None:
                return None
        elif step < len(operands):
            found = operands[step]
        else:
            return found
        operands = found.parts
    return found
