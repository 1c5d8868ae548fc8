"""The identity of registers: which names in which scopes mean the same one; and the statements that name one.

A register has two forms. Its *key* is a string, and cheap: the name itself in the outermost block of the function, and
in a block inside that declares it the name, a blank and the number of the block. Graphs and sets of registers work with
keys. A :class:`Register` also has the declaration; whoever asks about declarations and writes works with these.

Source: PTX ISA, "Scoping" of names in blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import takewhile
from typing import TypeVar

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind, split_number
from ptx_lsp.derived_values import once
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk

_ValueT = TypeVar("_ValueT")

_DIGITS = "0123456789"
_CHUNKS_IN_A_STEP = 16
_SCOPES_IN_A_STEP = 4096


class Register:
    """A name and the declaration that it means: a register, a variable or a parameter; there is one object of each."""

    __slots__ = ("declared", "key", "name")

    def __init__(self, name: str, key: str, declared: Place) -> None:
        self.name = name
        self.key = key
        self.declared = declared


def name_of(key: str) -> str:
    """The name in the key of a register, without the number of a block."""
    return key.partition(" ")[0]


def group_of(key: str) -> str:
    """The key of the numbered group that a register may be of: ``%r 2`` of ``%r17 2``."""
    name, blank, block = key.partition(" ")
    return f"{name.rstrip(_DIGITS)}{blank}{block}"


class Registers:
    """The registers of one function."""

    def __init__(self, function: Function, module: Scope) -> None:
        """Of a function; ``module`` is the scope around it."""
        self._function = function
        self._module = module
        self._renames: dict[Scope, bool] = {function.scope: False, module: False}
        self._borders: dict[Chunk, tuple[list[int], list[Scope]]] = {}
        self._meanings: dict[Scope, dict[str, Register | None]] = {}
        self._declared: dict[tuple[str, Place], Register] = {}

    # ------------------------------------------------------------------ keys

    def key(self, name: str, scope: Scope) -> str:
        """The string that stands for what ``name`` means in ``scope``; equal strings, equal registers."""
        if not self.renames(scope):
            return name
        if name in scope.names:
            return self.own_key(name, scope)
        single, grouped = self._declaring
        if name not in single and scope in self._blocks and scope.own(name) is not None:
            return self.own_key(name, scope)
        around = self._innermost(single.get(name, ()), scope, lambda one: name in one.names)
        parts = split_number(name) if around is None and grouped else None
        if parts is not None:
            around = self._innermost(grouped.get(parts[0], ()), scope, lambda one: one.own(name) is not None)
        return name if around is None else self.own_key(name, around)

    def keys(self, names: dict[str, _ValueT], scope: Scope) -> dict[str, _ValueT]:
        """A dictionary by names as one by keys."""
        if not self.renames(scope):
            return names
        return {self.key(name, scope): at for name, at in names.items()}

    def renames(self, scope: Scope) -> bool:
        """Whether some name means another register in ``scope`` than in the function's outermost block."""
        known = self._renames.get(scope)
        if known is not None:
            return known
        passed = []
        around: Scope | None = scope
        while around is not None and (known := self._renames.get(around)) is None:
            passed.append(around)
            if around.names or around.groups:
                known = True
                break
            around = around.parent
        found = bool(known)
        self._renames.update(dict.fromkeys(passed, found))
        return found

    def own_key(self, name: str, scope: Scope) -> str:
        """The key of a name, or of the prefix of a group, that ``scope`` itself declares."""
        return name if scope is self._function.scope else f"{name} {self._blocks.get(scope, 0)}"

    @once
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes inside the function in the order of the text, outer ones first."""
        return run_to_completion(self._finding_scopes())

    def preparing(self) -> Iterator[None]:
        """Find the blocks inside and what they declare, in steps of a few milliseconds."""
        made = self.__dict__  # where a cached property keeps its value
        if "scopes" not in made:
            made["scopes"] = yield from self._finding_scopes()
        if "_reach" not in made:
            made["_reach"] = yield from self._finding_reach()
        if "_declaring" not in made:
            made["_declaring"] = yield from self._finding_declaring()

    def _finding_scopes(self) -> Generator[None, None, tuple[Scope, ...]]:
        found: dict[Scope, None] = {}
        for number, segments in enumerate(self._function.segments.values(), 1):
            if not number % _CHUNKS_IN_A_STEP:
                yield
            for segment in segments:
                inner = []
                scope: Scope | None = segment.scope if segment.inside else None
                while scope is not None and scope is not self._module and scope not in found:
                    inner.append(scope)
                    scope = scope.parent
                found.update(dict.fromkeys(reversed(inner)))
        return tuple(found)

    @once
    def _blocks(self) -> dict[Scope, int]:
        inner = [scope for scope in self.scopes if scope is not self._function.scope]
        return {scope: number for number, scope in enumerate(inner, 1)}

    @once
    def _reach(self) -> dict[Scope, tuple[int, int, int]]:
        """Of each scope inside its place in their order, the end of the places of those in it, and its depth."""
        return run_to_completion(self._finding_reach())

    def _finding_reach(self) -> Generator[None, None, dict[Scope, tuple[int, int, int]]]:
        places = {scope: at for at, scope in enumerate(self.scopes)}
        ends = [at + 1 for at in range(len(places))]
        depths = [0] * len(places)
        for scope, at in places.items():
            if scope.parent in places:
                depths[at] = depths[places[scope.parent]] + 1
            if at % _SCOPES_IN_A_STEP == _SCOPES_IN_A_STEP - 1:
                yield
        for scope, at in reversed(places.items()):
            if scope.parent in places:
                above = places[scope.parent]
                ends[above] = max(ends[above], ends[at])
            if at % _SCOPES_IN_A_STEP == _SCOPES_IN_A_STEP - 1:
                yield
        return {scope: (at, ends[at], depths[at]) for scope, at in places.items()}

    @once
    def _declaring(self) -> tuple[dict[str, list[Scope]], dict[str, list[Scope]]]:
        """The blocks inside that declare a name, and a group, in the order of the text."""
        return run_to_completion(self._finding_declaring())

    def _finding_declaring(self) -> Generator[None, None, tuple[dict[str, list[Scope]], dict[str, list[Scope]]]]:
        single: dict[str, list[Scope]] = {}
        grouped: dict[str, list[Scope]] = {}
        for scope, number in self._blocks.items():
            if not number % _SCOPES_IN_A_STEP:
                yield
            for name in scope.names:
                single.setdefault(name, []).append(scope)
            for prefix in scope.groups:
                grouped.setdefault(prefix, []).append(scope)
        return single, grouped

    def _innermost(self, declaring: Sequence[Scope], scope: Scope, declares: Callable[[Scope], bool]) -> Scope | None:
        """The innermost of some blocks that ``scope`` is in, or is, and that declares something."""
        if not declaring:
            return None
        reach = self._reach
        here = reach.get(scope)
        if here is not None and len(declaring) < here[2]:  # few blocks are looked at rather than all around
            inside = (one for one in reversed(declaring) if reach[one][0] <= here[0] < reach[one][1])
            return next(filter(declares, inside), None)
        inner = takewhile(lambda one: one is not self._function.scope and one is not self._module, scope.chain())
        return next(filter(declares, inner), None)

    # ------------------------------------------------------------------ declarations

    def declaration(self, key: str, scope: Scope) -> Symbol | None:
        """The declaration of a register of this function as seen from ``scope``; None for anything else.

        Parameters, special registers and registers of the module count as anything else: they hold a value
        when the function begins.
        """
        symbol = scope.lookup(name_of(key))
        if symbol is None or symbol.kind is not SymbolKind.REGISTER:
            return None
        chunk, statement, _ = symbol.place
        is_inside = chunk in self._function.segments and self._function.is_inside(chunk, statement)
        return symbol if is_inside else None

    def register(self, name: str, chunk: Chunk, statement: int) -> Register | None:
        """The register that a name means in a statement; None if nothing declares it."""
        scope = self._scope_at(chunk, statement)
        known = self._meanings.get(scope)
        if known is None:
            known = self._meanings[scope] = {}
        try:
            return known[name]
        except KeyError:
            found = known[name] = self._find(name, scope)
            return found

    def _find(self, name: str, scope: Scope) -> Register | None:
        symbol = scope.lookup(name)
        if symbol is None:
            return None
        identity = (name, symbol.place)
        found = self._declared.get(identity)
        if found is None:
            found = self._declared[identity] = Register(name, self.key(name, scope), symbol.place)
        return found

    def _scope_at(self, chunk: Chunk, statement: int) -> Scope:
        known = self._borders.get(chunk)
        if known is None:
            segments = self._function.segments[chunk]
            known = self._borders[chunk] = ([one.end for one in segments], [one.scope for one in segments])
        at = bisect_right(known[0], statement)
        return known[1][at] if at < len(known[1]) else self._module


# ------------------------------------------------------------------ mentions

_REGISTERS = compiled_on_use(r"%[\w$]++", re.ASCII)
OF_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
"""The characters that continue a name."""


class RegisterMentions:
    """The statements of a function by the names in them, comments included."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def chunks(self, name: str) -> list[Chunk]:
        """The chunks that name something."""
        if name.startswith("%"):
            return [chunk for chunk, names in self._registers if name in names]
        return [chunk for chunk in self._function.chunks if name in chunk.text]

    def of(self, name: str) -> Iterator[tuple[Chunk, int]]:
        """All statements that name something, in the order of the text."""
        for chunk in self.chunks(name):
            for index, _ in naming(chunk, name):
                yield chunk, index

    @once
    def _registers(self) -> list[tuple[Chunk, frozenset[str]]]:
        return [(chunk, chunk.derived(_registers_in)) for chunk in self._function.chunks]


def _registers_in(chunk: Chunk) -> frozenset[str]:
    """They depend on the text of a chunk alone, so that an edit costs one chunk."""
    return frozenset(_REGISTERS().findall(chunk.text))


def naming(chunk: Chunk, name: str, first: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The statements of a chunk that name something, each with the offset of the first place in the chunk.

    Args:
        chunk: a chunk.
        name: a word.
        first: the statement to begin with.
        end: the statement to stop before; None for all.

    """
    text, starts = chunk.text, chunk.starts()
    length = len(name)
    limit = len(text) if end is None else starts[end]
    at = text.find(name, starts[first], limit)
    while at >= 0:
        after = at + length
        if text[after : after + 1] in OF_NAMES:
            at = text.find(name, after, limit)
            continue
        index = bisect_right(starts, at) - 1
        yield index, at
        at = text.find(name, starts[index + 1], limit)
