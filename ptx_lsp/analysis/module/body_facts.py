"""Facts of bodies that the findings about other functions depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update

BodyFactT = TypeVar("BodyFactT")


class BodyFacts:
    """The facts of bodies that were asked for, and who asked; derived from the module."""

    def __init__(self, _: Module) -> None:
        self._used: dict[Function, dict[Callable[[Function], object], object]] = {}
        self._users: set[Function] = set()

    def of(self, function: Function, fact: Callable[[Function], BodyFactT], user: Function) -> BodyFactT:
        """A fact of a function for the findings about ``user``; ``fact`` is a function at module level."""
        found = function.derived(fact)
        self._used.setdefault(function, {})[fact] = found
        self._users.add(user)
        return found

    @property
    def used(self) -> frozenset[Function]:
        """The functions of which facts were asked for."""
        return frozenset(self._used)

    def changed(self, update: Update) -> frozenset[Function]:
        """The functions that have asked for a fact that is another one after an edit; they will ask again."""
        self._users.difference_update(update.gone)
        gone = [(function, self._used.pop(function)) for function in update.gone if function in self._used]
        if not gone and not update.is_global:
            return frozenset()
        if len(gone) == len(update.gone) == len(update.fresh) == 1 and not update.is_global:
            facts, (fresh,) = gone[0][1], update.fresh
            if all(fresh.derived(fact) == value for fact, value in facts.items()):
                self._used[fresh] = facts
                return frozenset()
        users = frozenset(self._users)
        self._used.clear()
        self._users.clear()
        return users
