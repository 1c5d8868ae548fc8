"""The records of ``tree.py``, built bottom-up as the parser reduces.

One method per rule of the grammar, of the rule's name. ``children`` are the indices
of terminals and what other methods have returned, in the order of the text; marks
that the grammar writes in quotes are left out.
"""

from __future__ import annotations

from typing import Any

from ptx_lsp.syntax.terminals import Terminals
from ptx_lsp.syntax.tokens import Token, TokenKind
from ptx_lsp.syntax.tree import (
    Alias,
    Attribute,
    Data,
    Declaration,
    Declarator,
    Directive,
    File,
    FunctionHead,
    Guard,
    Header,
    Instruction,
    Label,
    Location,
    Operand,
    OperandKind,
    Pointer,
    Pragma,
    Prototype,
    Section,
    Targets,
    Tuning,
)

Children = list[Any]


class Builder:
    """Builds the tree of one statement; afterwards ``uses`` holds the tokens of the names it uses."""

    def __init__(self, text: str, tokens: list[Token], terminals: Terminals) -> None:
        self.text = text
        self.tokens = tokens
        self.names = terminals.names
        self.firsts = terminals.firsts
        self.uses: list[int] = []

    def __call__(self, origin: str, children: Children, first: int, last: int) -> Any:
        """Reduce by the rule ``origin``; satisfies :class:`ptx_lsp.syntax.parser.Reducer`."""
        return getattr(self, origin)(children, self.firsts[first], self.firsts[last])

    def _token(self, index: int) -> int:
        return self.firsts[index]

    def _word(self, index: int) -> str:
        token = self.tokens[self.firsts[index]]
        return self.text[token.start : token.end]

    def _use(self, index: int) -> int:
        """Note a use of the name at terminal ``index``; its token."""
        token = self.firsts[index]
        if self._word(index) != "_":
            self.uses.append(token)
        return token

    def _all(self, children: Children) -> tuple[int, ...]:
        return tuple(self.firsts[child] for child in children)

    # instructions

    def statement(self, children: Children, first: int, last: int) -> Any:
        return children[0]

    def label(self, children: Children, first: int, last: int) -> Label:
        return Label(self._token(children[0]))

    def instruction(self, children: Children, first: int, last: int) -> Instruction:
        guard = children.pop(0) if isinstance(children[0], Guard) else None
        words, tokens = children[0]
        return Instruction(guard, words, tokens, tuple(children[1:]))

    def call(self, children: Children, first: int, last: int) -> Instruction:
        guard = children.pop(0) if isinstance(children[0], Guard) else None
        opcode = [child for child in children if isinstance(child, int)]
        operands = tuple(child for child in children if isinstance(child, Operand))
        return Instruction(guard, tuple(map(self._word, opcode)), self._all(opcode), operands)

    def guard(self, children: Children, first: int, last: int) -> Guard:
        return Guard(len(children) == 2, self._use(children[-1]))

    def opcode(self, children: Children, first: int, last: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        return tuple(map(self._word, children)), self._all(children)

    def reference(self, children: Children, first: int, last: int) -> Operand:
        name, *selector = children
        if not selector and self._word(name) == "_":
            return Operand(OperandKind.SINK, first, last)
        return Operand(OperandKind.NAME, first, last, self._use(name), selector=self._all(selector))

    def negated(self, children: Children, first: int, last: int) -> Operand:
        operand: Operand = children[1]
        return operand._replace(first=first, sign=self._word(children[0]))

    def pair(self, children: Children, first: int, last: int) -> Operand:
        one, other = (self.reference([child], self.firsts[child], self.firsts[child] + 1) for child in children)
        return one._replace(last=last, pair=other)

    def offset(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.NAME, first, last, self._use(children[0]), offset=children[1])

    def indexed(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.NAME, first, last, self._use(children[0]), offset=children[1], indexed=True)

    def address(self, children: Children, first: int, last: int) -> Operand:
        selector = self._all([child for child in children if isinstance(child, int)])
        parts = tuple(child for child in children if isinstance(child, Operand))
        return Operand(OperandKind.ADDRESS, first, last, selector=selector, parts=parts)

    def vector(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.VECTOR, first, last, parts=tuple(children))

    def arguments(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.ARGUMENTS, first, last, parts=tuple(children))

    def constant(self, children: Children, first: int, last: int) -> Operand:
        """A literal with at most one sign is INTEGER or FLOAT, anything else CONSTANT."""
        sign = ""
        start = first
        if last - first == 2 and self.text[self.tokens[first].start] in "+-":
            sign = self.text[self.tokens[first].start].replace("+", "")
            start += 1
        kind = OperandKind.CONSTANT
        if last - start == 1:
            number = self.tokens[start].kind
            if number is TokenKind.INTEGER:
                kind = OperandKind.INTEGER
            elif number is TokenKind.FLOAT:
                kind = OperandKind.FLOAT
        return Operand(kind, first, last, sign=sign if kind is not OperandKind.CONSTANT else "")

    # declarations

    def declaration(self, children: Children, first: int, last: int) -> Declaration:
        return self._declare(children, first, last)

    def parameter(self, children: Children, first: int, last: int) -> Declaration:
        dimensions: tuple[int, ...] = ()
        if isinstance(children[-1], tuple):
            dimensions = children.pop()
        children[-1] = Declarator(self._token(children[-1]), dimensions=dimensions)
        return self._declare(children, first, last)

    def _declare(self, children: Children, first: int, last: int) -> Declaration:
        values: dict[str, Any] = {}
        attributes: list[Attribute] = []
        declarators: list[Declarator] = []
        for child in children:
            if isinstance(child, Declarator):
                declarators.append(child)
            elif isinstance(child, Pointer):
                values["pointer"] = child
            elif isinstance(child, dict):
                attributes += child.pop("attributes", [])
                values |= child
            else:
                values |= self._modifier(child)
        return Declaration(first, last, attributes=tuple(attributes), declarators=tuple(declarators), **values)

    def _modifier(self, terminal: int) -> dict[str, Any]:
        token, word = self._token(terminal), self._word(terminal)
        match self.names[terminal]:
            case "LINKAGE":
                return {"linkage": token}
            case "VECTOR":
                return {"vector": word, "vector_token": token}
            case _:
                return {"space": word, "space_token": token}

    def space(self, children: Children, first: int, last: int) -> dict[str, Any]:
        bank = {"bank": self._token(children[1])} if len(children) > 1 else {}
        return self._modifier(children[0]) | bank

    def bank(self, children: Children, first: int, last: int) -> int:
        index: int = children[0]
        return index

    def align(self, children: Children, first: int, last: int) -> dict[str, Any]:
        return {"align": self._token(children[1])}

    def type(self, children: Children, first: int, last: int) -> dict[str, Any]:
        return {"type": self._word(children[0]), "type_token": self._token(children[0])}

    def attribute(self, children: Children, first: int, last: int) -> dict[str, Any]:
        return {"attributes": children[1:]}

    def property(self, children: Children, first: int, last: int) -> Attribute:
        return Attribute(self._token(children[0]), self._all(children[1:]))

    def declarator(self, children: Children, first: int, last: int) -> Declarator:
        name = self._token(children[0])
        count, dimensions, initialiser = -1, (), None
        for child in children[1:]:
            if isinstance(child, dict):
                count = child["count"]
            elif isinstance(child, Operand):
                initialiser = child
            elif isinstance(child, int):
                initialiser = self._list(child)
            else:
                dimensions = child
        return Declarator(name, count, dimensions, initialiser)

    def count(self, children: Children, first: int, last: int) -> dict[str, int]:
        return {"count": self._token(children[0])}

    def dimensions(self, children: Children, first: int, last: int) -> tuple[int, ...]:
        return tuple(children)

    def empty(self, children: Children, first: int, last: int) -> int:
        return -1

    def size(self, children: Children, first: int, last: int) -> int:
        return self._token(children[0])

    def _list(self, terminal: int) -> Operand:
        """The RUN at ``terminal``."""
        return Operand(OperandKind.LIST, self.firsts[terminal], self.firsts[terminal + 1])

    def braced(self, children: Children, first: int, last: int) -> Operand:
        parts = tuple(self._list(child) if isinstance(child, int) else child for child in children)
        return Operand(OperandKind.VECTOR, first, last, parts=parts)

    def field(self, children: Children, first: int, last: int) -> Operand:
        value = children[1]
        if isinstance(value, int):
            value = Operand(OperandKind.NAME, self._token(value), self._token(value) + 1, self._token(value))
        return Operand(OperandKind.FIELD, first, last, self._token(children[0]), parts=(value,))

    def symbol(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.NAME, first, last, self._use(children[0]))

    def symbol_offset(self, children: Children, first: int, last: int) -> Operand:
        operand: Operand = children[0]
        return operand._replace(last=last, offset=children[1])

    def generic(self, children: Children, first: int, last: int) -> Operand:
        part = self.symbol([children[1]], self._token(children[1]), self._token(children[1]) + 1)
        return Operand(OperandKind.GENERIC, first, last, self._token(children[0]), parts=(part,))

    def mask(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.MASK, first, last, parts=(children[1],))

    # functions

    def function(self, children: Children, first: int, last: int) -> FunctionHead:
        linkage = kind = -1
        semicolon = False
        attributes: list[Attribute] = []
        tuning: list[Tuning] = []
        for child in children:
            if isinstance(child, Tuning):
                tuning.append(child)
            elif isinstance(child, dict):
                attributes += child.get("attributes", [])
            elif isinstance(child, int):
                match self.names[child]:
                    case "LINKAGE":
                        linkage = self._token(child)
                    case "FUNCTION":
                        kind = child
                    case _:
                        semicolon = True
        returns, name, parameters = self._signature(children)
        return FunctionHead(
            linkage,
            self._word(kind),
            self._token(kind),
            name,
            returns,
            parameters,
            tuple(attributes),
            tuple(tuning),
            semicolon,
        )

    def _signature(
        self, children: Children
    ) -> tuple[tuple[Declaration, ...] | None, int, tuple[Declaration, ...] | None]:
        """Return parameters, name, parameters; None where there are no parentheses."""
        sides: list[tuple[Declaration, ...] | None] = [None, None]
        name = -1
        for child in children:
            if isinstance(child, dict) and "name" in child:
                name = child["name"]
            elif isinstance(child, dict) and "parameters" in child:
                sides[name >= 0] = child["parameters"]
        return sides[0], name, sides[1]

    def function_name(self, children: Children, first: int, last: int) -> dict[str, int]:
        return {"name": self._token(children[0])}

    def parameters(self, children: Children, first: int, last: int) -> dict[str, tuple[Declaration, ...]]:
        return {"parameters": tuple(children)}

    def pointer(self, children: Children, first: int, last: int) -> Pointer:
        space = align = -1
        for child in children[1:]:
            if isinstance(child, dict):
                align = child["align"]
            else:
                space = self._token(child)
        return Pointer(self._token(children[0]), space, align)

    def tuning(self, children: Children, first: int, last: int) -> Tuning:
        return Tuning(self._token(children[0]), self._all(children[1:]))

    flag = language = unknown = tuning

    def head_pragma(self, children: Children, first: int, last: int) -> Tuning:
        return self.tuning(children, first, last)

    def prototype(self, children: Children, first: int, last: int) -> Prototype:
        returns, name, parameters = self._signature(children)
        tuning = tuple(child for child in children if isinstance(child, Tuning))
        return Prototype(self._token(children[0]), returns, name, parameters, tuning)

    def targets(self, children: Children, first: int, last: int) -> Targets:
        return Targets(self._token(children[0]), tuple(children[1:]))

    def target_name(self, children: Children, first: int, last: int) -> Declarator:
        return Declarator(self._use(children[0]), children[1]["count"] if len(children) > 1 else -1)

    def alias(self, children: Children, first: int, last: int) -> Alias:
        word, name, target = children
        return Alias(self._token(word), self._token(name), self._use(target))

    # module, debugging

    def version(self, children: Children, first: int, last: int) -> Header:
        return Header(self._token(children[0]), self._all(children[1:]))

    target = address_size = version

    def pragma(self, children: Children, first: int, last: int) -> Pragma:
        return Pragma(
            self._token(children[0]), self._all([child for child in children[1:] if self.names[child] == "STRING"])
        )

    def file(self, children: Children, first: int, last: int) -> File:
        word, index, name, *values = self._all(children)
        return File(word, index, name, tuple(values))

    def location(self, children: Children, first: int, last: int) -> Location:
        function = offset = -1
        places = []
        for child in children[1:]:
            if isinstance(child, tuple):
                places.append(child)
            elif isinstance(child, dict):
                offset = child["offset"]
            elif self.names[child] == "NAME":
                function = self._use(child)
        return Location(self._token(children[0]), places[0], function, offset, places[1] if len(places) > 1 else ())

    def place(self, children: Children, first: int, last: int) -> tuple[int, ...]:
        return self._all(children)

    def function_offset(self, children: Children, first: int, last: int) -> dict[str, int]:
        return {"offset": self._token(children[-1])}

    def section(self, children: Children, first: int, last: int) -> Section:
        return Section(self._token(children[0]), self._token(children[1]))

    def data(self, children: Children, first: int, last: int) -> Data:
        items = tuple(self._list(child) if isinstance(child, int) else child for child in children[1:])
        return Data(self._token(children[0]), items)

    def number(self, children: Children, first: int, last: int) -> Operand:
        return Operand(OperandKind.INTEGER, first, last, sign="-" if len(children) == 2 else "")

    def data_symbol(self, children: Children, first: int, last: int) -> Operand:
        name = self._use(children[0])
        if len(children) == 1:
            return Operand(OperandKind.NAME, first, last, name)
        other = children[2]
        token = self._token(other)
        if self.names[other] == "INTEGER":
            offset = Operand(OperandKind.INTEGER, token, token + 1)
        else:
            offset = Operand(OperandKind.NAME, token, token + 1, self._use(other))
        return Operand(
            OperandKind.NAME, first, last, name, sign=self._word(children[1]).replace("+", ""), offset=offset
        )

    def directive(self, children: Children, first: int, last: int) -> Directive:
        return Directive(self._token(children[0]), self._all(children[1:]))
