"""The scope of a module: what its functions and the text between them declare, kept up to date edit by edit."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from operator import is_

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.redeclarations import Redeclarations
from ptx_lsp.analysis.symbols.storage import Storage, layout_of, layouts_beside, preparing_layout
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, split_number
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import mapped
from ptx_lsp.syntax.chunk import Chunk

DeclarationOrder = list[tuple[str, object]]
"""The declarations of a module with the properties that the rest of it depends on: a name must precede its use."""

_SYMBOLS_IN_A_STEP = 256
_LONG = 1 << 15


class Rescan(NamedTuple):
    """The functions around a change, before and after it; some may be the same."""

    first: int
    """The number of the first of them."""
    before: list[Function]
    after: list[Function]

    @property
    def gone(self) -> list[Function]:
        """Those that are no more."""
        kept = set(self.after)
        return [one for one in self.before if one not in kept]

    @property
    def fresh(self) -> list[Function]:
        """Those that are new."""
        kept = set(self.before)
        return [one for one in self.after if one not in kept]


class ModuleScope:
    """The names that the functions of a module declare.

    Args:
        functions: the functions, in order; the list is kept up to date by whoever made it.
        outer: the scope around the module, if it is a fragment.

    """

    def __init__(self, functions: Sequence[Function], outer: Scope | None) -> None:
        self._functions = functions
        self.names = Scope(outer)
        self.redeclared = Redeclarations()
        self.definitions: dict[str, Symbol] = {}
        self.order: DeclarationOrder = []

    def reading(self) -> Iterator[None]:
        """Fill the scope, in steps of a few milliseconds."""
        order: DeclarationOrder = []
        last: tuple[Chunk | None, int] = (None, 0)
        layouts: dict[int, Storage | None] = {}
        for symbol in self._symbols():
            chunk, statement, token = symbol.place
            if last[1] != statement or last[0] is not chunk:
                last = chunk, statement
                if chunk.length > _LONG:
                    yield from preparing_layout(symbol)
                layouts = layouts_beside(symbol)
            order.append((symbol.name, (symbol.kind, symbol[3:], layouts.get(token))))  # as _declares() says
            if not len(order) % _SYMBOLS_IN_A_STEP:
                yield
        self.order = order
        yield from self._filling()

    def _symbols(self) -> Iterator[Symbol]:
        return (symbol for function in self._functions for symbol in function.globals)

    def updating(self, rescan: Rescan) -> Generator[None, None, frozenset[str] | None]:
        """Bring the module scope up to date; mostly the same names are declared by new symbols.

        In steps if the scope is filled anew.

        Only the symbols that are others than before are looked at: those of chunks that stay are the same objects.
        Returns the names that moved; None if the module declares what it declared.
        """
        before, after = ([symbol for one in part for symbol in one.globals] for part in (rescan.before, rescan.after))
        start, end = _equal_ends(before, after)
        old, new = before[start : len(before) - end], after[start : len(after) - end]
        if not old and not new:
            return None
        if len(before) > _SYMBOLS_IN_A_STEP:
            yield
        start += sum(len(function.globals) for function in islice(self._functions, rescan.first))
        order = self.order
        known = order[start : start + len(old)]
        if new and new[0].place.chunk.length > _LONG:
            yield from preparing_layout(new[0])
        found = yield from mapped(lambda symbol: (symbol.name, _declares(symbol)), new)
        again = self.redeclared.names
        is_again = bool(again) and any(symbol.name in again for symbol in new)
        if known == found and not is_again:
            self._renew(dict(zip(old, new, strict=True)))
            return None
        if known != found:
            self.order = [*order[:start], *found, *order[start + len(old) :]]
        if is_again or not self._replace(start, old, new):
            yield from self._filling()
        if known == found:
            return None
        if max(len(known), len(found)) <= _SYMBOLS_IN_A_STEP:
            return _moved(known, found)
        yield
        moved = _moved(known, found)
        del before, after, old, new, known, found  # which takes as long
        yield
        return moved

    def _renew(self, renewed: dict[Symbol, Symbol]) -> None:
        """Replace symbols by equal ones with another place."""
        for old, new in renewed.items():
            for names in (self.names.names, self.names.groups, self.definitions):
                if names.get(old.name) is old:
                    names[old.name] = new
        self.redeclared.renew(renewed)

    def _replace(self, at: int, old: list[Symbol], new: list[Symbol]) -> bool:
        """Put the symbols ``new`` in the place of ``old``, which are the first ``at`` and those after it of all.

        False, and nothing is done, if the module declares groups or a name more than once.
        """
        scope, definitions = self.names, self.definitions
        is_plain = not (self.redeclared.names or scope.groups or scope.parent is not None)
        if not is_plain or any(symbol.count is not None for symbol in new):
            return False
        removed, added = ({symbol.name for symbol in symbols} for symbols in (old, new))
        if len(added) < len(new) or not scope.names.keys().isdisjoint(added - removed):
            return False
        number = at if len(definitions) == len(scope.names) else sum(map(definitions.__contains__, [*scope.names][:at]))
        scope.names = _spliced(scope.names, at, len(old), new)
        defined = [symbol for symbol in new if symbol.is_definition]
        self.definitions = _spliced(definitions, number, sum(symbol.is_definition for symbol in old), defined)
        # Prefixes of names that are gone stay: without groups it does not matter.
        scope.numbered.update(parts[0] for name in added if (parts := split_number(name)) is not None)
        return True

    def _filling(self) -> Iterator[None]:
        """Fill the module scope from the records of the functions, in steps of a few milliseconds."""
        fresh = Scope()
        redeclared = Redeclarations()
        definitions: dict[str, Symbol] = {}
        last: tuple[Chunk | None, int] = (None, 0)
        for number, symbol in enumerate(self._symbols()):
            earlier = fresh.declare(symbol)
            if earlier is not None:
                redeclared.add(symbol, earlier, definitions.get(symbol.name))
                chunk, statement, _ = symbol.place
                if last[1] != statement or last[0] is not chunk:
                    last = chunk, statement
                    if chunk.length > _LONG:  # it may be a long table
                        yield
            if symbol.is_definition:
                definitions.setdefault(symbol.name, symbol)
            if not (number + 1) % _SYMBOLS_IN_A_STEP:
                yield
        old = self.names
        old.names, old.groups, old.numbered = fresh.names, fresh.groups, fresh.numbered
        self.redeclared = redeclared
        self.definitions = definitions


def _declares(symbol: Symbol) -> object:
    """The properties of a symbol that the rest of the module depends on: all but its place, and its layout."""
    return symbol.kind, symbol[3:], layout_of(symbol)


def _equal_ends(before: list[Symbol], after: list[Symbol]) -> tuple[int, int]:
    """The number of symbols that two lists have in common at their starts, then at their ends."""
    shorter = min(len(before), len(after))
    start = next((at for at, same in enumerate(map(is_, before, after)) if not same), shorter)
    backwards = enumerate(map(is_, reversed(before), reversed(after)))
    return start, min(next((at for at, same in backwards if not same), shorter), shorter - start)


def _spliced(names: dict[str, Symbol], at: int, count: int, symbols: list[Symbol]) -> dict[str, Symbol]:
    """A table of names with some symbols in the place of ``count`` others, in order."""
    pairs = [*names.items()]
    pairs[at : at + count] = [(symbol.name, symbol) for symbol in symbols]
    return dict(pairs)


def _moved(before: DeclarationOrder, after: DeclarationOrder) -> frozenset[str]:
    """The names that were added, removed or changed, or stand elsewhere among the others."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    changed = (*before[start : len(before) - end], *after[start : len(after) - end])
    return frozenset(name for name, _ in changed)
