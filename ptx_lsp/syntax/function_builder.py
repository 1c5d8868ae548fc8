"""Records of function heads, prototypes, lists of targets and aliases."""

from __future__ import annotations

from ptx_lsp.syntax.tree import (
    Alias,
    Attribute,
    Declaration,
    Declarator,
    FunctionHead,
    Pointer,
    Prototype,
    Targets,
    Tuning,
)
from ptx_lsp.syntax.tree_base import Children, TreeBase


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

    def _targets(self, children: Children) -> Targets:
        names: list[Declarator] = []
        for child in children[1:]:
            if isinstance(child, int):
                self.uses += self._names_of(child)
                names += self._declarators_of(child)
            else:
                names.append(child)
        return Targets(self._token(children[0]), tuple(names))

    def _target_name(self, children: Children) -> Declarator:
        return Declarator(self._use(children[0]), children[1]["count"] if len(children) > 1 else -1)

    def _alias(self, children: Children) -> Alias:
        word, name, target = children
        return Alias(self._token(word), self._use(name), self._use(target))
