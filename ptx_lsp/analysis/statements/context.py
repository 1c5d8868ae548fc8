"""A statement in its surroundings: what checks and features look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.examine import depends_on_values
from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.deriving import Deriving
from ptx_lsp.isa.match import Match
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module


TAKES_LABELS = frozenset({"bra", "brx"})
"""The instructions whose undeclared names are meant to be labels."""
_OFTEN_WRONG_OTHERWISE = TAKES_LABELS | {"call"}


@dataclass(eq=False)
class StatementContext(Deriving):
    """One statement with its function, scope and meanings. Spans are relative to the statement's text."""

    module: Module
    function: Function
    chunk: Chunk
    index: int

    @cached_property
    def statement(self) -> Statement:
        """The statement itself."""
        return self.chunk.statement(self.index)

    @cached_property
    def scope(self) -> Scope:
        """The innermost scope with declarations around it."""
        return self.module.scope_of(self.chunk, self.index)

    @property
    def is_inside(self) -> bool:
        """Whether it stands in the body of a function."""
        return self.function.is_inside(self.chunk, self.index)

    @property
    def instruction(self) -> Instruction | None:
        """The tree, if this is an instruction without syntax errors."""
        if self.statement.shape.errors:
            return None
        tree = self.statement.shape.tree
        return tree if isinstance(tree, Instruction) else None

    @cached_property
    def symbols(self) -> dict[int, Symbol]:
        """The declaration behind each used name token that has one and is visible here."""
        found = {}
        for token, _ in self.statement.shape.names:
            symbol = self.visible(self.statement.word(token))
            if symbol is not None:
                found[token] = symbol
        return found

    def visible(self, name: str) -> Symbol | None:
        """The innermost declaration of ``name`` that holds at this statement."""
        for scope in self.scope.chain():
            symbol = scope.own(name)
            if symbol is None:
                continue
            if symbol.kind.may_be_used_before or not self.module.is_before(self.chunk, self.index, symbol.place):
                return symbol
        return None

    def is_half_declared(self, name: str) -> bool:
        """Whether a declaration with a syntax error seems to declare ``name``: nothing is said of it then."""
        stem = name.rstrip("0123456789")
        both = (self.function.half_declared, self.module.half_declared)
        return any(name in words or stem in words for words in both if words)

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """What each used name means, as indices into ``OPERANDS``; 0 where it has no meaning here."""
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
        """What the name at a token means; 0 if it is no used name."""
        pairs = zip(self.statement.shape.names, self.codes, strict=True)
        return next((code for (name, _), code in pairs if name == token), 0)

    @cached_property
    def match(self) -> Match | None:
        """The form that the instruction fits, or the nearest."""
        if self.instruction is None:
            return None
        return self.module.matcher.match(self.statement.shape, self.codes, self.statement, values=True)

    @cached_property
    def undeclared(self) -> tuple[int, ...]:
        """The used names, by token, that nothing in sight declares, in whatever place."""
        return tuple(
            token
            for (token, _), code in zip(self.statement.shape.names, self.codes, strict=True)
            if not code and self.scope.lookup(self.word(token)) is None and self.word(token) not in special_names()
        )

    @property
    def lacks_only_declarations(self) -> bool:
        """Whether an instruction is right but for undeclared names, which fit everywhere."""
        shape, codes = self.statement.shape, self.codes
        if shape.errors or shape.kind != Kind.INSTRUCTION or shape.opcode[0] in _OFTEN_WRONG_OTHERWISE:
            return False
        if not self.undeclared or len(self.undeclared) != codes.count(0) or depends_on_values(shape):
            return False
        return self.module.matcher.is_fine_but_for_names(shape, codes, self.statement)

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
        """An operand as it is written."""
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
        """This statement as a place."""
        return Place(self.chunk, self.index, 0)

    def operand_at(self, path: tuple[int, ...]) -> Operand | None:
        """The operand that a path of the matcher names: ``(2, 1)`` is the second part of the third, -1 the pair."""
        tree = self.instruction
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
