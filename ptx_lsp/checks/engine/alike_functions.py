"""Functions whose texts differ in nothing but names, or numbers: what is not found in one is not in the others.

A check of the flow depends on the text of the function, and on what the module declares under the names that stand in
it. So a check that finds nothing in a function finds nothing in those alike. Of the names of the module only functions
and variables may stand in them: functions count by their signatures, variables by their declarations, in which only
functions may be named. Its findings are not kept: they name statements of their function.

Some checks do not depend on the numbers in instructions either (``ignores_numbers``). These numbers count for nothing
in short functions without comments.

The checks of statements depend on no more, so that the statements of functions that are alike are examined once. There
the shapes count too: a name of the module may also be the word of an opcode.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from zlib import crc32

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_MOST = 512
"""So many functions are remembered, those that were asked for last."""
_TRIES = 8
"""After so many functions of the same shapes of which none is like another the next ones are not compared."""
_SHORT = 1024
"""In functions, and declarations, of more characters no other names are looked for: what they call counts little."""
_NAME = re.compile(r"([\w$]+)")
"""All names in a text, those that begin with a percent sign without it."""
_OWN, _OTHER = "\0", "\1"
"""In place of the name of the function itself, and around the number of what counts of something else."""
_INSTRUCTIONS = re.compile(rb"%c+" % Kind.INSTRUCTION)
"""Consecutive instructions, in the kinds of statements."""
_NUMBER = re.compile(r"(?<![\w$.%])(\d{1,9})(?![\w$.])")
_ANY_NUMBER = "\2"
"""In place of a number in an instruction."""
_UNUSUAL = re.compile(r"[/\\\"\0-\2]")
"""Signs of comments and strings, in which a number may count for more."""
_OF_BODIES = re.compile(
    b"[%b]*+"
    % re.escape(
        bytes(
            (
                *(Kind.EMPTY, Kind.INSTRUCTION, Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.REGISTERS, Kind.VARIABLE),
                *(Kind.FUNCTION, Kind.PROTOTYPE, Kind.TARGETS),
            )
        )
    )
).fullmatch
"""Functions, and variables after them, in which no statement refers to anything but names."""

_Key = tuple[int, int]
"""Two hashes of a text, 96 bits in all."""


class Quiet(NamedTuple):
    """The names of checks that find nothing in functions that are alike, to be completed."""

    by_text: set[str] | None
    """Of those in functions that differ in names; None if the function is like no other."""
    by_structure: set[str] | None
    """Of those in functions that differ in the numbers of instructions too."""

    def names(self) -> set[str]:
        """The checks that need not be asked."""
        return (self.by_text or set()) | (self.by_structure or set())


class _Known:
    """The facts that are known of functions that are alike."""

    __slots__ = ("is_alone", "quiet")

    def __init__(self) -> None:
        self.is_alone: bool | None = None
        """Whether they name nothing else of the module; None before a second one is seen."""
        self.quiet: set[str] = set()
        """The names of the checks that find nothing in them."""


class _Keys(NamedTuple):
    """The keys of a function: those that have equal ones are alike."""

    by_text: _Key
    by_structure: _Key | None
    """Without the numbers in instructions; None if there are no numbers."""


class StatementsKey(NamedTuple):
    """The key of the statements of a function: in those that have equal ones the same is found."""

    by_text: _Key
    shapes: bytes


class AlikeFunctions:
    """The checks that find nothing in functions that are alike; :meth:`forget` them after each edit."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[_Key, _Known] = {}
        self._keys: dict[Function, _Keys] = {}
        """Of functions whose statements were compared and whose flow will be, with calls."""
        self._tries: dict[bytes, int] = {}
        """The number of functions with some shapes that are still compared, if none of them is like another one."""
        self._in_statements: dict[StatementsKey, bool | None] = {}
        """Of functions in whose statements nothing is found: whether no statement is flagged. None: they are alone."""
        self._meanings: dict[Hashable, int] = {}
        """A number for all that counts of a name."""
        self._declarations: dict[tuple[Chunk, int], str | None] = {}
        """The texts of declarations of variables without names."""

    def forget(self) -> None:
        """The module has changed."""
        self._known.clear()
        self._keys.clear()
        self._tries.clear()
        self._in_statements.clear()
        self._meanings.clear()
        self._declarations.clear()

    def quiet(self, function: Function, *, is_about_kernels: bool) -> Quiet:
        """The names of checks that find nothing in a function.

        If a check is about all that a kernel does, it depends on the bodies of the functions that are called.
        """
        if not self._may_be_alike(function):
            return Quiet(None, None)
        keys = None if is_about_kernels else self._keys.pop(function, None)
        if keys is None:
            keys = self._keys_of(function, with_calls=not is_about_kernels)
        by_text = self._in_those_like(function, keys.by_text, with_calls=not is_about_kernels)
        if keys.by_structure is None or by_text:
            return Quiet(by_text, None)
        return Quiet(by_text, self._in_those_like(function, keys.by_structure, with_calls=not is_about_kernels))

    def statements_key(self, function: Function) -> StatementsKey | None:
        """The key of the statements of a short function; None for others, and for the first one of its shapes."""
        chunk = function.chunks[0]
        if len(function.chunks) > 1 or chunk.length > _SHORT or _OF_BODIES(chunk.kinds) is None:
            return None
        shapes = chunk.shapes.tobytes()
        tries = self._tries.get(shapes)
        if tries is None:
            self._tries[shapes] = _TRIES
        if not tries or not self._may_be_alike(function) or self._module.summaries.broken(chunk):
            return None
        symbol = function.symbol
        if symbol is None or symbol.name in self._module.redeclared.names:
            return None
        keys = self._keys[function] = self._keys_of(function, with_calls=True)
        key = StatementsKey(keys.by_text, shapes)
        self._tries[shapes] = _TRIES if key in self._in_statements else tries - 1
        return key

    def are_unobjectionable(self, key: StatementsKey) -> bool:
        """Whether nothing was found in the statements of a function with this key."""
        return self._in_statements.get(key) is not None

    def are_unflagged(self, key: StatementsKey) -> bool:
        """Whether moreover none of them was flagged."""
        return self._in_statements.get(key) or False

    def add_unobjectionable(self, function: Function, key: StatementsKey, *, are_unflagged: bool) -> None:
        """Note that nothing was found in the statements of a function."""
        if key not in self._in_statements:
            if len(self._in_statements) >= _MOST:
                self._in_statements.clear()
            is_alone = self._are_alone(self._text_of(function, _without_numbers(function), with_calls=True))
            self._in_statements[key] = are_unflagged if is_alone else None

    def _may_be_alike(self, function: Function) -> bool:
        """Whether a function may be like another one."""
        symbol = function.symbol
        is_first = symbol is not None and function.globals[:1] == [symbol]
        return is_first and not function.faults and not self._module.globals.groups

    def _in_those_like(self, function: Function, key: _Key, *, with_calls: bool) -> set[str] | None:
        """The names of checks that find nothing in functions with a key; None if a function is like no other."""
        known = self._known.pop(key, None)
        if known is None:
            known = _Known()
            if len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
        elif known.is_alone is None:
            known.is_alone = self._are_alone(self._text_of(function, _without_numbers(function), with_calls=with_calls))
        self._known[key] = known
        return None if known.is_alone is False else known.quiet

    def _are_alone(self, text: str) -> bool:
        """Whether no name of the module is left in the text of a function."""
        names = self._module.globals.names
        return not any(word in names or f"%{word}" in names for word in {*_NAME.findall(text)})

    def _keys_of(self, function: Function, *, with_calls: bool) -> _Keys:
        numbered = _without_numbers(function)
        text = self._text_of(function, numbered, with_calls=with_calls)
        key = _key(text)
        if numbered is None or not numbered.numbers:
            return _Keys(key, None)
        return _Keys(_key("".join([text, *(f"{_OWN}{number}" for number in numbered.numbers)])), key)

    def _text_of(self, function: Function, numbered: _Numbered | None, *, with_calls: bool) -> str:
        """The text of a function, or that without numbers, without the first place of its name: mostly in its head.

        Functions with equal ones that have other names differ in this place only, so that it is the head in both. In
        short ones what counts of other functions and of variables stands in place of their names.
        """
        symbol = function.symbol
        assert symbol is not None
        found = [chunk.text for chunk in function.chunks] if numbered is None else [numbered.text]
        at = function.chunks.index(symbol.place.chunk)
        found[at] = found[at].replace(symbol.name, _OWN, 1)
        if with_calls and len(found) == 1 and len(found[0]) <= _SHORT and _OTHER not in found[0]:
            return self._without_names(found[0], symbol.place)
        return "".join(found)

    def _without_names(self, text: str, place: Place) -> str:
        """The text of a function, or of a declaration, at a place, with what counts of other names instead of them."""
        names = self._module.globals.names
        parts = _NAME.split(text)
        meanings: dict[str, str] = {}
        for name in sorted(names.keys() & {*parts[1::2]}, key=parts.index):
            symbol = names[name]
            counts = self._what_counts(symbol, place) if f"%{name}" not in names else None
            if counts is not None:
                is_declared = self._module.positions.is_before(symbol.place.chunk, symbol.place.statement, place)
                number = self._meanings.setdefault((counts, is_declared), len(self._meanings))
                meanings[name] = f"{_OTHER}{number}:{len(meanings)}{_OTHER}"
        return "".join(map(meanings.get, parts, parts)) if meanings else text

    def _what_counts(self, symbol: Symbol, place: Place) -> Hashable:
        """All that counts of a symbol besides its name in the statement at a place; None if its name does too."""
        if symbol.kind is SymbolKind.FUNCTION:
            return symbol[3:]
        if symbol.kind is not SymbolKind.VARIABLE or symbol.name in self._module.redeclared.names:
            return None
        chunk, statement, token = symbol.place
        if (chunk, statement) == place[:2]:
            return token
        if (chunk, statement) not in self._declarations:
            self._declarations[chunk, statement] = self._declaration(symbol.place)
        text = self._declarations[chunk, statement]
        return (text, token) if text is not None else None

    def _declaration(self, place: Place) -> str | None:
        """The text of a short declaration with what counts of names instead of them; None if other variables do."""
        starts = place.chunk.starts()
        if starts[place.statement + 1] - starts[place.statement] > _SHORT:
            return None
        names = self._module.globals.names
        text = place.chunk.part(place.statement)
        named = [names[word] for word in {*_NAME.findall(text)} & names.keys()]
        if _OTHER in text or any(one.kind is not SymbolKind.FUNCTION and one.place[:2] != place[:2] for one in named):
            return None
        return self._without_names(text, place)


class _Numbered(NamedTuple):
    """The text of a short function with one sign for all numbers in its instructions."""

    text: str
    numbers: list[str]


def _key(text: str) -> _Key:
    return hash(text), crc32(text.encode("utf-8", "surrogatepass"))  # hashlib takes 8 ms to import


def _without_numbers(function: Function) -> _Numbered | None:
    """The text of a short function without the numbers in its instructions; None if it is long or has comments."""
    text = function.chunks[0].text
    if len(function.chunks) > 1 or len(text) > _SHORT or _UNUSUAL.search(text) is not None:
        return None
    chunk, parts, numbers, last = function.chunks[0], list[str](), list[str](), 0
    starts = chunk.starts()
    for run in _INSTRUCTIONS.finditer(chunk.kinds):
        start, end = starts[run.start()], starts[run.end()]
        found = _NUMBER.split(text[start:end])
        parts += text[last:start], _ANY_NUMBER.join(found[::2])
        numbers += found[1::2]
        last = end
    return _Numbered("".join([*parts, text[last:]]), numbers)
