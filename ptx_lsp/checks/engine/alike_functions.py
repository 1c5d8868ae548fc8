"""Functions whose texts differ in nothing but their names: what is not found in one is not found in the others.

A check of the flow depends on the text of the function, and on what the module declares under the names that stand in
it. So a check that finds nothing in a function without such names finds nothing in the functions alike. Its findings
are not kept: they name statements of their function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.check import Check

_MOST = 64
"""So many functions are remembered, those that were asked for last."""
_words = re.compile(r"[\w$]+").findall
"""All names in a text, those that begin with a percent sign without it."""


class _Known:
    """What is known of functions that are alike."""

    __slots__ = ("is_alone", "quiet")

    def __init__(self) -> None:
        self.is_alone: bool | None = None
        """Whether they name nothing of the module; None before a second one is seen."""
        self.quiet: set[Check] = set()


class AlikeFunctions:
    """The checks that find nothing in functions that are alike; :meth:`forget` them after each edit."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[bytes, _Known] = {}

    def forget(self) -> None:
        """The module has changed."""
        self._known.clear()

    def quiet(self, function: Function) -> set[Check] | None:
        """The checks that are known to find nothing in a function, to be completed; None if it is like no other."""
        symbol = function.symbol
        if symbol is None or function.faults or function.globals != [symbol] or self._module.globals.groups:
            return None
        digest = _digest(function)
        known = self._known.pop(digest, None)
        if known is None:
            known = _Known()
            if len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
        elif known.is_alone is None:
            known.is_alone = self._is_alone(function)
        self._known[digest] = known
        return None if known.is_alone is False else known.quiet

    def _is_alone(self, function: Function) -> bool:
        """Whether no name of the module stands in the text of a function but its own in its head."""
        names = self._module.globals.names
        words = {word for text in _texts(function) for word in _words(text)}
        return not any(word in names or f"%{word}" in names for word in words)


def _digest(function: Function) -> bytes:
    digest = blake2b(digest_size=16)
    for text in _texts(function):
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _texts(function: Function) -> Iterator[str]:
    """The texts of the chunks of a function, without the first place of its name: mostly that in its head.

    Functions with equal ones that have other names differ in this place only, so that it is the head in both.
    """
    symbol = function.symbol
    assert symbol is not None
    for chunk in function.chunks:
        text = chunk.text
        yield text.replace(symbol.name, "\0", 1) if chunk is symbol.place.chunk else text
