"""Records of directives: heads of functions and what refers to functions, the module, debugging information."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.tree import (
    Alias,
    Attribute,
    Data,
    Declaration,
    Declarator,
    Directive,
    File,
    FunctionHead,
    Header,
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
from ptx_lsp.syntax.tree_base import Children, TreeBase

_LONG = 4096
"""Lists of more tokens are read in steps."""


class FunctionBuilder(TreeBase):
    """Builds heads of functions and what refers to functions."""

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

    def _targets(self, children: Children) -> Targets | Generator[None, None, Targets]:
        steps = self._listing_targets(children)
        return run_to_completion(steps) if self.last - self.first < _LONG else steps

    def _listing_targets(self, children: Children) -> Generator[None, None, Targets]:
        names: list[Declarator] = []
        for child in children[1:]:
            if isinstance(child, int):
                self.uses += self._names_of(child)
                yield
                names += yield from self._declarators_of(child)
                yield
            else:
                names.append(child)
        return Targets(self._token(children[0]), tuple(names))

    def _target_name(self, children: Children) -> Declarator:
        return Declarator(self._use(children[0]), children[1]["count"] if len(children) > 1 else -1)

    def _alias(self, children: Children) -> Alias:
        word, name, target = children
        return Alias(self._token(word), self._use(name), self._use(target))


class DirectiveBuilder(TreeBase):
    """Builds directives of the module and of debugging."""

    def _version(self, children: Children) -> Header:
        return Header(self._word(children[0]), self._token(children[0]), self._all(children[1:]))

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
