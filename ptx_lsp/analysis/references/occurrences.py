"""Occurrences of a declared name: its declarations and its uses, with the access of each."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache, partial

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.given_names import is_given
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind, split_number
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.text import Span


class Access(IntEnum):
    """The access of an occurrence to the thing that is named."""

    DECLARE = 0
    READ = 1
    WRITE = 2
    BOTH = 3
    """Read and written, as accumulators are."""
    MENTION = 4
    """Neither: the name of a function, label or variable in an operand."""


class Occurrence(NamedTuple):
    """One place where a name stands."""

    chunk: Chunk
    statement: int
    start: int
    """The offset of the name in its statement."""
    length: int
    access: Access

    def span(self, module: Module) -> Span:
        """The span of the name in the document."""
        start = module.positions.statement_start(self.chunk, self.statement) + self.start
        return Span(start, start + self.length)


def occurrences(
    semantics: Semantics, symbol: Symbol, name: str | None = None, among: Sequence[Chunk] | None = None
) -> Iterator[Occurrence]:
    """All places where a name stands that means ``symbol``, in the order of the text.

    Args:
        semantics: the module that declares it.
        symbol: what the name means.
        name: of a parameterised declaration ``%r<100>`` the one register that is wanted (``%r7``; its declaration is
            among the answers); without it all registers of the group.
        among: the chunks that are looked into, if others are known to hold none, in the order of the text.

    """
    name = name or symbol.name
    is_group = symbol.count is not None and name == symbol.name
    find = _finder(name, rf"{'[0-9]*' if is_group else ''}(?![\w$])")
    find_prefix = _finder(symbol.name, r"(?=\s*<)") if symbol.count is not None and not is_group else None
    alike = cache(partial(_declarations, symbol.name))
    for function, chunk in _chunks(semantics.module, symbol, among):
        found = list(find(chunk.text))
        if find_prefix is not None and chunk is symbol.place.chunk:
            found = sorted({*found, *find_prefix(chunk.text)})
        if found:
            yield from _in_chunk(semantics.effects, function, chunk, symbol, alike, found)


def placed(module: Module, found: Iterable[Occurrence]) -> Iterator[tuple[Occurrence, Span]]:
    """Occurrences with their spans in the document; quicker for many than :meth:`Occurrence.span`."""
    before: Chunk | None = None
    base, starts = 0, array("Q")
    for one in found:
        chunk, statement, start, length, _ = one
        if chunk is not before:
            before, starts = chunk, chunk.starts()
            base = module.positions.statement_start(chunk, 0)
        begin = base + starts[statement] + start
        yield one, Span(begin, begin + length)


def mentions(text: str, name: str) -> int:
    """The number of times that a name stands in a text, in comments and strings, too."""
    return sum(1 for _ in _finder(name, r"(?![\w$])")(text))


def _finder(name: str, rest: str) -> Callable[[str], Iterator[tuple[int, int]]]:
    """A function that yields the places in a text where a word begins with ``name`` and goes on as the pattern says."""
    if len(name) > _LONG:
        return partial(_long_names, name, re.compile(rest, re.ASCII))
    literal = re.escape(name)  # it comes first, so that the engine skips to it
    pattern = re.compile(rf"{literal}(?<![\w$%.]{literal}){rest}", re.ASCII)
    return lambda text: (match.span() for match in pattern.finditer(text))


_LONG = 64
"""The engine takes milliseconds to compile the mangled name of a template, of some thousand characters."""
_IN_WORD = re.compile(r"[\w$%.]", re.ASCII)


def _long_names(name: str, rest: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        after = rest.match(text, end)
        if after is not None and (not start or _IN_WORD.match(text, start - 1) is None):
            end = after.end()
            yield start, end
        start = text.find(name, end)


def _chunks(module: Module, symbol: Symbol, among: Sequence[Chunk] | None) -> Iterator[tuple[Function, Chunk]]:
    """The chunks in which ``symbol`` can be named, of some or of all."""
    owner = module.function_of(symbol.place.chunk) if not is_given(symbol) else None
    is_global = owner is None or module.globals.own(symbol.name) is symbol or symbol in owner.globals
    if among is not None:
        for chunk in among:
            function = module.function_of(chunk)
            if is_global or function is owner:
                yield function, chunk
        return
    for function in module.functions if owner is None or is_global else [owner]:
        for chunk in function.chunks:
            yield function, chunk


def _in_chunk(
    effects: Effects,
    function: Function,
    chunk: Chunk,
    symbol: Symbol,
    alike: Callable[[Function], _Places],
    found: Iterable[tuple[int, int]],
) -> Iterator[Occurrence]:
    module = effects.module
    text, starts, kinds, shapes = chunk.text, chunk.starts(), chunk.kinds, chunk.shapes
    segments = function.segments[chunk]
    borders = [segment.start for segment in segments]
    is_accessed = symbol.kind in (SymbolKind.REGISTER, SymbolKind.PARAMETER)
    means: dict[tuple[int, str], bool] = {}
    accesses: dict[tuple[int, int], Access] = {}
    before, first, part, names = -1, 0, "", None
    for start, end in found:
        index = bisect_right(starts, start) - 1
        if index != before:
            before, first = index, starts[index]
            part = text[first : starts[index + 1]]
            names = _names(chunk, index, part)
            counted = number = 0
        at = start - first
        if names is not None and at not in names:
            continue
        is_instruction = kinds[index] == Kind.INSTRUCTION
        if not is_instruction and _declares(module, symbol, partial(alike, function), chunk, index, at):
            yield Occurrence(chunk, index, at, end - start, Access.DECLARE)
            continue
        word = text[start:end]
        segment = bisect_right(borders, index) - 1
        is_meant = means.get((segment, word))
        if is_meant is None:
            meaning = segments[segment].scope.lookup(word)
            is_meant = means[segment, word] = meaning is symbol or _is_same_global(module, meaning, symbol)
        if not is_meant:
            continue
        access = Access.MENTION
        if is_instruction and is_accessed:
            number += len(words(part[counted : at + end - start]))
            counted = at + end - start
            position = number - 1
            known = accesses.get((shapes[index], position))
            if known is None:
                known = accesses[shapes[index], position] = _access(effects, chunk, index, position)
            access = known
        yield Occurrence(chunk, index, at, end - start, access)


def _names(chunk: Chunk, index: int, part: str) -> set[int] | None:
    """The places of the names in a statement that has comments or strings; None if it has neither."""
    if "/" not in part and '"' not in part:
        return None
    return {start for kind, start, _ in chunk.statement(index).tokens if kind == TokenKind.NAME}


_Places = dict[tuple[Chunk, int], set[int]]
"""Places of names in statements, by the chunk and the number of the statement."""


def _declarations(name: str, function: Function) -> _Places:
    """The places where a function and the text before it declare a name for the module."""
    tokens: dict[tuple[Chunk, int], list[int]] = {}
    for one in function.globals:
        if one.name == name:
            tokens.setdefault(one.place[:2], []).append(one.place.token)
    found: _Places = {}
    for (chunk, index), numbers in tokens.items():
        all_tokens = chunk.statement(index).tokens
        found[chunk, index] = {all_tokens[number].start for number in numbers}
    return found


def _declares(module: Module, symbol: Symbol, alike: Callable[[], _Places], chunk: Chunk, index: int, at: int) -> bool:
    """Whether a name outside of instructions declares ``symbol``, or the same function or variable of the module.

    ``alike`` are the places of this name that the function or the text before it declares.
    """
    place = symbol.place
    if (place.chunk, place.statement) == (chunk, index):
        return bool(chunk.statement(index).tokens[place.token].start == at)
    if module.globals.own(symbol.name) is None:
        return False
    return at in alike().get((chunk, index), ())


def _is_same_global(module: Module, meaning: Symbol | None, symbol: Symbol) -> bool:
    """Whether both are declarations of one function or variable of the module."""
    if meaning is None or meaning.name != symbol.name:
        return False
    own = module.globals.own(symbol.name)
    return meaning is own and not is_given(symbol) and symbol in module.function_of(symbol.place.chunk).globals


def _access(effects: Effects, chunk: Chunk, index: int, position: int) -> Access:
    """The access of an instruction to the register that is the name ``position`` in it."""
    effect = effects.of(chunk, index)
    if position in effect.updates:
        return Access.BOTH
    if position not in effect.writes:
        return Access.READ
    return Access.BOTH if position in effect.reads else Access.WRITE


def member(symbol: Symbol, word: str) -> str | None:
    """The one register that ``word`` names out of a parameterised declaration; None for its prefix."""
    if symbol.count is None:
        return None
    return word if word != symbol.name and split_number(word) is not None else None
