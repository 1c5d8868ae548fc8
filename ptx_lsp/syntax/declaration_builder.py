"""Records of declarations, their declarators and initializers."""

from __future__ import annotations

from typing import Any

from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Attribute, Declaration, Declarator, Operand, OperandKind, Pointer
from ptx_lsp.syntax.tree_base import Children, TreeBase

_MANY = 4
"""So many numbers with commas between are one terminal of the grammar."""
_LONGEST_OF_FEW = 3 * (_MANY - 1) - 1
"""The most tokens of fewer numbers, each with a sign."""


class DeclarationBuilder(TreeBase):
    """Builds declarations of variables, registers and parameters."""

    def _declaration(self, children: Children) -> Declaration:
        return self._declare(children)

    def _parameter(self, children: Children) -> Declaration:
        dimensions: tuple[int, ...] = ()
        if isinstance(children[-1], tuple):
            dimensions = children.pop()
        children[-1] = Declarator(self._token(children[-1]), dimensions=dimensions)
        return self._declare(children)

    def _declare(self, children: Children) -> Declaration:
        values: dict[str, Any] = {}
        attributes: list[Attribute] = []
        declarators: list[Declarator] = []
        for child in children:
            if isinstance(child, Declarator):
                declarators.append(child)
            elif isinstance(child, Pointer):
                values["pointer"] = child
            elif isinstance(child, int) and self.names[child] == "NAMES":
                declarators += self._declarators_of(child)
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
        return Operand(OperandKind.VECTOR, self.first, self.last, parts=self._numbers(self.first + 1, self.last - 1))

    def _numbers(self, start: int, end: int) -> tuple[Operand, ...]:
        """The numbers at some tokens, with commas between: one by one, or as a LIST if there are many."""
        if end - start < 2:
            return (self._one_number(start, end),) if start < end else ()
        commas = [at for at in range(start, end) if self.word(at) == ","] if end - start <= _LONGEST_OF_FEW else ()
        if not commas and end - start > 2 or len(commas) >= _MANY - 1:
            return (Operand(OperandKind.LIST, start, end),)
        begins = [start, *(at + 1 for at in commas)]
        return tuple([self._one_number(first, last) for first, last in zip(begins, (*commas, end), strict=True)])

    def _one_number(self, start: int, end: int) -> Operand:
        """A number with at most one sign."""
        kind = OperandKind.INTEGER if self.kind(end - 1) is TokenKind.INTEGER else OperandKind.FLOAT
        return Operand(kind, start, end, sign="-" if end - start > 1 else "")

    def _braced(self, children: Children) -> Operand:
        parts: list[Operand] = []
        for child in children:
            if not isinstance(child, int):
                parts.append(child)
            elif self.names[child] == "NAMES":
                tokens = self._names_of(child)
                self.uses += tokens
                parts += [Operand(OperandKind.NAME, token, token + 1, token) for token in tokens]
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
