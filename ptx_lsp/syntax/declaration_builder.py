"""Records of declarations, their declarators and initializers."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import repeat
from typing import Any

from ptx_lsp.stepwise import mapped, run_to_completion
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Attribute, Declaration, Declarator, Operand, OperandKind, Pointer
from ptx_lsp.syntax.tree_base import Children, TreeBase

_MANY = 4
"""So many numbers with commas between are one terminal of the grammar."""
_LONGEST_OF_FEW = 3 * (_MANY - 1) - 1
"""The most tokens of fewer numbers, each with a sign."""

_NEW = tuple.__new__
"""The constructor of a named tuple takes five times as long, and one table may have a hundred thousand rows."""
_LONG = 4096
"""Declarations and braces of more tokens are read in steps."""
_OF_A_NAME = Operand(OperandKind.NAME, 0, 0)[4:]
_NOTHING_MORE = Operand(OperandKind.VECTOR, 0, 0)[7:]
"""The last fields of an operand that has none of them."""


def _named(field: tuple[OperandKind, int, int, int]) -> Operand:
    """The operand that is a name."""
    return _NEW(Operand, (*field, *_OF_A_NAME))


class DeclarationBuilder(TreeBase):
    """Builds declarations of variables, registers and parameters."""

    def _declaration(self, children: Children) -> Declaration | Generator[None, None, Declaration]:
        steps = self._declaring(children)
        return run_to_completion(steps) if self.last - self.first < _LONG else steps

    def _parameter(self, children: Children) -> Declaration:
        dimensions: tuple[int, ...] = ()
        if isinstance(children[-1], tuple):
            dimensions = children.pop()
        children[-1] = Declarator(self._token(children[-1]), dimensions=dimensions)
        return run_to_completion(self._declaring(children))

    def _declaring(self, children: Children) -> Generator[None, None, Declaration]:
        values: dict[str, Any] = {}
        attributes: list[Attribute] = []
        declarators: list[Declarator] = []
        for child in children:
            if isinstance(child, Declarator):
                declarators.append(child)
            elif isinstance(child, Pointer):
                values["pointer"] = child
            elif isinstance(child, int) and self.names[child] == "NAMES":
                yield
                declarators += yield from self._declarators_of(child)
                yield
            elif isinstance(child, dict):
                attributes += child.pop("attributes", [])
                values |= child
            else:
                values |= self._modifier(child)
        return Declaration(
            self.first, self.last, attributes=tuple(attributes), declarators=tuple(declarators), **values
        )

    def _modifier(self, terminal: int) -> dict[str, Any]:
        token, word = self._token(terminal), self._word(terminal)
        match self.names[terminal]:
            case "LINKAGE":
                return {"linkage": token}
            case "VECTOR":
                return {"vector": word, "vector_token": token}
            case _:
                return {"space": word, "space_token": token}

    def _space(self, children: Children) -> dict[str, Any]:
        bank = {"bank": self._token(children[1])} if len(children) > 1 else {}
        return self._modifier(children[0]) | bank

    def _bank(self, children: Children) -> int:
        index: int = children[0]
        return index

    def _align(self, children: Children) -> dict[str, Any]:
        return {"align": self._token(children[1])}

    def _type(self, children: Children) -> dict[str, Any]:
        return {"type": self._word(children[0]), "type_token": self._token(children[0])}

    def _attribute(self, children: Children) -> dict[str, Any]:
        return {"attributes": children[1:]}

    def _property(self, children: Children) -> Attribute:
        return Attribute(self._token(children[0]), self._all(children[1:]))

    def _declarator(self, children: Children) -> Declarator:
        name = self._token(children[0])
        count, dimensions, initializer = -1, (), None
        for child in children[1:]:
            if isinstance(child, dict):
                count = child["count"]
            elif isinstance(child, Operand):
                initializer = child
            elif isinstance(child, int):
                initializer = self._list(child)
            else:
                dimensions = child
        return Declarator(name, count, dimensions, initializer)

    def _count(self, children: Children) -> dict[str, int]:
        return {"count": self._token(children[0])}

    def _dimensions(self, children: Children) -> tuple[int, ...]:
        found: list[int] = []
        for child in children:
            if isinstance(child, range):
                found += child
            else:
                found.append(child)
        return tuple(found)

    def _empty(self, _: Children) -> int:
        return -1

    def _size(self, children: Children) -> int:
        return self._token(children[0])

    def _sizes(self, _: Children) -> range:
        return range(self.first + 1, self.last, 3)

    def _row(self, _: Children) -> Operand:
        first, last = self.first, self.last
        parts: tuple[Operand, ...] = ()
        if last - first == 3:
            parts = (self._unsigned(first + 1),)
        elif last - first == 5 and self.word(first + 2) == ",":
            parts = self._unsigned(first + 1), self._unsigned(first + 3)
        elif last - first > 2:
            parts = tuple(self._numbers(first + 1, last - 1))
        return _NEW(Operand, (OperandKind.VECTOR, first, last, -1, "", (), parts, *_NOTHING_MORE))

    def _unsigned(self, token: int) -> Operand:
        kind = OperandKind.INTEGER if self.kind(token) is TokenKind.INTEGER else OperandKind.FLOAT
        return _NEW(Operand, (kind, token, token + 1, -1, "", (), (), *_NOTHING_MORE))

    def _numbers(self, start: int, end: int) -> Iterator[Operand]:
        """The numbers at some tokens, with commas between and at most one sign: one by one, or as a LIST if many."""
        words = [self.word(at) for at in range(start, end)] if end - start <= _LONGEST_OF_FEW else ()
        if not words or words.count(",") >= _MANY - 1:
            yield Operand(OperandKind.LIST, start, end)
            return
        for at, word in enumerate(words, start):
            if word not in "-,":
                number = self._unsigned(at)
                yield number._replace(first=at - 1, sign="-") if at > start and words[at - start - 1] == "-" else number

    def _braced(self, children: Children) -> Operand | Generator[None, None, Operand]:
        steps = self._bracing(children)
        return run_to_completion(steps) if self.last - self.first < _LONG else steps

    def _bracing(self, children: Children) -> Generator[None, None, Operand]:
        parts: list[Operand] = []
        for child in children:
            if not isinstance(child, int):
                parts.append(child)
            elif self.names[child] == "NAMES":
                tokens = self._names_of(child)
                self.uses += tokens
                fields = zip(repeat(OperandKind.NAME), tokens, range(tokens.start + 1, tokens.stop + 1, 2), tokens)
                parts += yield from mapped(_named, fields)
            else:
                parts.append(self._list(child))
        return Operand(OperandKind.VECTOR, self.first, self.last, parts=tuple(parts))

    def _field(self, children: Children) -> Operand:
        value = children[1]
        if isinstance(value, int):
            value = Operand(OperandKind.NAME, self._token(value), self._token(value) + 1, self._token(value))
        return Operand(OperandKind.FIELD, self.first, self.last, self._token(children[0]), parts=(value,))

    def _symbol(self, children: Children) -> Operand:
        return Operand(OperandKind.NAME, self.first, self.last, self._use(children[0]))

    def _symbol_offset(self, children: Children) -> Operand:
        operand: Operand = children[0]
        return operand._replace(last=self.last, offset=children[1])

    def _generic(self, children: Children) -> Operand:
        name, part = children
        return Operand(OperandKind.GENERIC, self.first, self.last, self._token(name), parts=(self._single(part),))

    def _mask(self, children: Children) -> Operand:
        return Operand(OperandKind.MASK, self.first, self.last, parts=(children[1],))
