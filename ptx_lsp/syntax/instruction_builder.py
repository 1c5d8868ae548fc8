"""Records of labels, instructions and their operands."""

from __future__ import annotations

from typing import Any

from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Guard, Instruction, Label, Operand, OperandKind
from ptx_lsp.syntax.tree_base import Children, TreeBase


class InstructionBuilder(TreeBase):
    """Builds labels, instructions and operands."""

    def _statement(self, children: Children) -> Any:
        return children[0]

    def _label(self, children: Children) -> Label:
        return Label(self._token(children[0]))

    def _instruction(self, children: Children) -> Instruction:
        guard = children.pop(0) if isinstance(children[0], Guard) else None
        words, tokens = children[0]
        return Instruction(guard, words, tokens, tuple(children[1:]))

    def _call(self, children: Children) -> Instruction:
        guard = children.pop(0) if isinstance(children[0], Guard) else None
        opcode = [child for child in children if isinstance(child, int)]
        operands = tuple(child for child in children if isinstance(child, Operand))
        return Instruction(guard, tuple(map(self._word, opcode)), self._all(opcode), operands)

    def _guard(self, children: Children) -> Guard:
        return Guard(len(children) == 2, self._use(children[-1]))

    def _opcode(self, children: Children) -> tuple[tuple[str, ...], tuple[int, ...]]:
        return tuple(map(self._word, children)), self._all(children)

    def _reference(self, children: Children) -> Operand:
        found = self._single(children[0])
        return found._replace(last=self.last, selector=self._all(children[1:])) if len(children) > 1 else found

    def _name(self, children: Children) -> Operand:
        return self._single(children[0])

    def _negated(self, children: Children) -> Operand:
        operand: Operand = children[1]
        return operand._replace(first=self.first, sign=self._word(children[0]))

    def _pair(self, children: Children) -> Operand:
        one, other = (self._single(child) if isinstance(child, int) else child for child in children)
        return one._replace(last=self.last, pair=other)

    def _offset(self, children: Children) -> Operand:
        return Operand(OperandKind.NAME, self.first, self.last, self._use(children[0]), offset=children[1])

    def _indexed(self, children: Children) -> Operand:
        name, index, *unified = children
        selector = self._all(unified)
        return Operand(
            OperandKind.NAME, self.first, self.last, self._use(name), selector=selector, offset=index, indexed=True
        )

    def _address(self, children: Children) -> Operand:
        selector = self._all([child for child in children if isinstance(child, int)])
        parts = tuple(child for child in children if isinstance(child, Operand))
        return Operand(OperandKind.ADDRESS, self.first, self.last, selector=selector, parts=parts)

    def _vector(self, children: Children) -> Operand:
        return Operand(OperandKind.VECTOR, self.first, self.last, parts=tuple(children))

    def _arguments(self, children: Children) -> Operand:
        return Operand(OperandKind.ARGUMENTS, self.first, self.last, parts=tuple(children))

    def _constant(self, _: Children) -> Operand:
        """A literal with at most one sign is INTEGER or FLOAT, anything else CONSTANT."""
        sign = ""
        start, last = self.first, self.last
        if last - start == 2 and (mark := self.word(start)) in "+-":
            sign = mark.replace("+", "")
            start += 1
        kind = OperandKind.CONSTANT
        if last - start == 1:
            number = self.kind(start)
            if number is TokenKind.INTEGER:
                kind = OperandKind.INTEGER
            elif number is TokenKind.FLOAT:
                kind = OperandKind.FLOAT
        return Operand(kind, self.first, self.last, sign=sign if kind is not OperandKind.CONSTANT else "")
