"""Records of module directives and debugging information."""

from __future__ import annotations

from ptx_lsp.syntax.tree import Data, Directive, File, Header, Location, Operand, OperandKind, Pragma, Section
from ptx_lsp.syntax.tree_base import Children, TreeBase


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
