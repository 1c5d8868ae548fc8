"""Construction of the records of ``tree.py``, bottom-up, as the parser reduces.

One method per rule of the grammar, named after it. ``children`` are indices of
terminals and results of other methods, in text order; literal marks of the grammar
are omitted.
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


class TreeBuilder:
    """Builds the tree of one statement and collects in ``uses`` the tokens of the names that it uses."""

    def __init__(self, text: str, tokens: list[Token], terminals: Terminals) -> None:
        self.text = text
        self.tokens = tokens
        self.names = terminals.names
        self.firsts = terminals.firsts
        self.uses: list[int] = []
        self.first = self.last = 0
        """The range of tokens that is being reduced."""

    def __call__(self, origin: str, children: Children, first: int, last: int) -> Any:
        """Reduce by the rule ``origin``; satisfies :class:`ptx_lsp.syntax.parser.Reducer`."""
        self.first, self.last = self.firsts[first], self.firsts[last]
        return getattr(self, "_" + origin)(children)

    def _token(self, index: int) -> int:
        return self.firsts[index]

    def _word(self, index: int) -> str:
        token = self.tokens[self.firsts[index]]
        return self.text[token.start : token.end]

    def _use(self, index: int) -> int:
        """Record a use of the name at terminal ``index`` and return its token."""
        token = self.firsts[index]
        if self._word(index) != "_":
            self.uses.append(token)
        return token

    def _all(self, children: Children) -> tuple[int, ...]:
        return tuple(self.firsts[child] for child in children)

    def _single(self, index: int) -> Operand:
        """The operand that consists of the name at terminal ``index``."""
        token = self._use(index)
        if self._word(index) == "_":
            return Operand(OperandKind.SINK, token, token + 1)
        return Operand(OperandKind.NAME, token, token + 1, token)

    # instructions

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
        name, *selector = children
        return self._single(name)._replace(last=self.last, selector=self._all(selector))

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
        if last - start == 2 and self.text[self.tokens[start].start] in "+-":
            sign = self.text[self.tokens[start].start].replace("+", "")
            start += 1
        kind = OperandKind.CONSTANT
        if last - start == 1:
            number = self.tokens[start].kind
            if number is TokenKind.INTEGER:
                kind = OperandKind.INTEGER
            elif number is TokenKind.FLOAT:
                kind = OperandKind.FLOAT
        return Operand(kind, self.first, self.last, sign=sign if kind is not OperandKind.CONSTANT else "")

    # declarations

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
        return tuple(children)

    def _empty(self, _: Children) -> int:
        return -1

    def _size(self, children: Children) -> int:
        return self._token(children[0])

    def _list(self, terminal: int) -> Operand:
        """The RUN at ``terminal``."""
        return Operand(OperandKind.LIST, self.firsts[terminal], self.firsts[terminal + 1])

    def _braced(self, children: Children) -> Operand:
        parts = tuple(self._list(child) if isinstance(child, int) else child for child in children)
        return Operand(OperandKind.VECTOR, self.first, self.last, parts=parts)

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

    # functions

    def _function(self, children: Children) -> FunctionHead:
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
        """Return parameters, name, and parameters; None for absent parentheses."""
        sides: list[tuple[Declaration, ...] | None] = [None, None]
        name = -1
        for child in children:
            if isinstance(child, dict) and "name" in child:
                name = child["name"]
            elif isinstance(child, dict) and "parameters" in child:
                sides[name >= 0] = child["parameters"]
        return sides[0], name, sides[1]

    def _function_name(self, children: Children) -> dict[str, int]:
        return {"name": self._token(children[0])}

    _prototype_name = _function_name

    def _parameters(self, children: Children) -> dict[str, tuple[Declaration, ...]]:
        return {"parameters": tuple(children)}

    def _pointer(self, children: Children) -> Pointer:
        space = align = -1
        for child in children[1:]:
            if isinstance(child, dict):
                align = child["align"]
            else:
                space = self._token(child)
        return Pointer(self._token(children[0]), space, align)

    def _tuning(self, children: Children) -> Tuning:
        return Tuning(self._token(children[0]), self._all(children[1:]))

    _flag = _language = _tuning

    def _head_pragma(self, children: Children) -> Tuning:
        return self._tuning(children)

    def _prototype(self, children: Children) -> Prototype:
        returns, name, parameters = self._signature(children)
        tuning = tuple(child for child in children if isinstance(child, Tuning))
        return Prototype(self._token(children[0]), returns, name, parameters, tuning)

    def _targets(self, children: Children) -> Targets:
        return Targets(self._token(children[0]), tuple(children[1:]))

    def _target_name(self, children: Children) -> Declarator:
        return Declarator(self._use(children[0]), children[1]["count"] if len(children) > 1 else -1)

    def _alias(self, children: Children) -> Alias:
        word, name, target = children
        return Alias(self._token(word), self._use(name), self._use(target))

    # module, debugging

    def _version(self, children: Children) -> Header:
        return Header(self._token(children[0]), self._all(children[1:]))

    _target = _address_size = _version

    def _pragma(self, children: Children) -> Pragma:
        return Pragma(
            self._token(children[0]), self._all([child for child in children[1:] if self.names[child] == "STRING"])
        )

    def _file(self, children: Children) -> File:
        word, index, name, *values = self._all(children)
        return File(word, index, name, tuple(values))

    def _location(self, children: Children) -> Location:
        function = offset = -1
        places = []
        for child in children[1:]:
            if isinstance(child, tuple):
                places.append(child)
            elif isinstance(child, dict):
                offset = child["offset"]
            elif self.names[child] == "NAME":
                function = self._use(child)
            elif self.names[child] == "DOT":
                function = self._token(child)
        return Location(self._token(children[0]), places[0], function, offset, places[1] if len(places) > 1 else ())

    def _place(self, children: Children) -> tuple[int, ...]:
        return self._all(children)

    def _function_offset(self, children: Children) -> dict[str, int]:
        return {"offset": self._token(children[-1])}

    def _section(self, children: Children) -> Section:
        return Section(self._token(children[0]), self._token(children[1]))

    def _data(self, children: Children) -> Data:
        items = tuple(self._list(child) if isinstance(child, int) else child for child in children[1:])
        return Data(self._token(children[0]), items)

    def _number(self, children: Children) -> Operand:
        return Operand(OperandKind.INTEGER, self.first, self.last, sign="-" if len(children) == 2 else "")

    def _data_symbol(self, children: Children) -> Operand:
        name = self._use(children[0])
        if len(children) == 1:
            return Operand(OperandKind.NAME, self.first, self.last, name)
        other = children[2]
        token = self._token(other)
        if self.names[other] == "INTEGER":
            offset = Operand(OperandKind.INTEGER, token, token + 1)
        else:
            offset = Operand(OperandKind.NAME, token, token + 1, self._use(other))
        return Operand(
            OperandKind.NAME, self.first, self.last, name, sign=self._word(children[1]).replace("+", ""), offset=offset
        )

    def _directive(self, children: Children) -> Directive:
        return Directive(self._token(children[0]), self._all(children[1:]))
