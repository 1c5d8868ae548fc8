"""The surroundings of a chunk: all of its function that the meaning of its statements depends on.

What is found in the statements of a chunk depends on the chunk, on the header and the names of the module, and on
its function. Of the function these count, and nothing else:

* its head, whether it has a body, whether its braces pair, and the words of its broken declarations;
* which scope each statement is in, and what the scopes around it declare, by the texts of the declarations;
* of names that are declared in a later chunk than the one in which their scope begins: whether that is after this
  chunk. All other declarations are before, or in the chunk itself, which says where.

So an edit in one chunk leaves the surroundings of the others equal unless it changes one of these. Symbols of labels
can be used before they are declared, and of them only the names count.

All of a function that is a single chunk follows from the chunk: nothing is read for it. Of a block that stands in one
chunk with all blocks in it, what it declares follows from the chunk and what is declared around it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Hashable, Iterator
from itertools import count

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update
from ptx_lsp.analysis.module.set_aside import SetAside
from ptx_lsp.analysis.symbols.scopes import outside_in
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk

_MOST_SYMBOLS = 1 << 12
"""Contents of scopes with so many symbols together keep their numbers, or twice those of the function that was read
last if it has more. Of a content that is forgotten some chunks are examined again when their function is edited."""
_MOST_UNUSED = 1 << 8
"""The symbols in the latest contents that no function has any more: if an edit is undone, one has them again."""
_ALONE = "alone"
"""The surroundings of a chunk that is all of its function."""
_CHUNKS_IN_A_STEP = 16
_SCOPES_IN_A_STEP = 32
_SYMBOLS_IN_A_STEP = 256


class _Read(NamedTuple):
    """The surroundings of the chunks of a function."""

    chunks: dict[Chunk, Hashable]
    """The surroundings of each."""
    numbers: frozenset[int]
    """Those of the contents in them."""


class Surroundings:
    """The surroundings of the chunks of a module as values that can be compared."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._numbers: dict[tuple[Hashable, ...], int] = {}
        """A number for each content of scopes, that of the latest use last. A number is never used for another one."""
        self._next = count(1)
        self._held = 0
        """The size of these contents, in symbols."""
        self._left = 0
        """Their size when some were forgotten last."""
        self._known: dict[Function, _Read] = {}
        self._swallowed: SetAside[Function, _Read] = SetAside()

    def finding(self, function: Function, chunk: Chunk) -> Generator[None, None, Hashable]:
        """Find the surroundings of a chunk of a function, in steps; equal values give equal findings."""
        if len(function.chunks) == 1:
            return _ALONE
        known = self._known.get(function)
        if known is None:
            reading = _FunctionSurroundings(function, self._module.globals, self._number)
            known = self._known[function] = yield from reading.finding()
            self._forget(max(_MOST_SYMBOLS, 2 * reading.size))
        return known.chunks[chunk]

    def known(self, function: Function, chunk: Chunk) -> Hashable | None:
        """The surroundings of a chunk if they were found already."""
        if len(function.chunks) == 1:
            return _ALONE
        known = self._known.get(function)
        return known.chunks[chunk] if known is not None else None

    def update(self, update: Update) -> None:
        """Take over an edit."""
        swallowed = update.swallowing.swallowed
        if swallowed:
            self._swallowed.take(self._known, [one for one in update.gone if swallowed.issuperset(one.chunks)])
        for function in update.gone:
            self._known.pop(function, None)
        if update.swallowing.given_back:
            self._swallowed.give_back(self._known, update.fresh)

    def _number(self, content: tuple[Hashable, ...]) -> int:
        found = self._numbers.pop(content, None)
        if found is None:
            found = next(self._next)
            self._held += len(content)
        self._numbers[content] = found
        return found

    def _forget(self, most: int) -> None:
        """Forget contents that no function has, and the least recently used until those that are left are small."""
        if self._held > 2 * self._left + _MOST_UNUSED:
            used = frozenset[int]().union(*(read.numbers for read in self._known.values()))
            unused = [content for content, number in self._numbers.items() if number not in used]
            room = _MOST_UNUSED
            for content in reversed(unused):
                room -= len(content)
                if room < 0:
                    self._remove(content)
            self._left = self._held
        while self._held > most:
            self._remove(next(iter(self._numbers)))

    def _remove(self, content: tuple[Hashable, ...]) -> None:
        del self._numbers[content]
        self._held -= len(content)


class _FunctionSurroundings:
    """The surroundings of the chunks of one function."""

    def __init__(self, function: Function, module: Scope, number: Callable[[tuple[Hashable, ...]], int]) -> None:
        self.size = 0
        """The size of the contents that were read, in symbols."""
        self._function = function
        self._order = {chunk: at for at, chunk in enumerate(function.chunks)}
        self._number = number
        self._scopes = 0
        """The number of scopes that are read."""
        self._begins: dict[Scope, int] = {}
        """The first chunk that has statements of a scope."""
        self._contents: dict[Scope, int] = {module: 0}
        """A number for what is declared in a scope and around it. A block in one chunk has that of the scope around."""
        self._in_several: set[Scope] = {module}
        """The scopes with statements in several chunks, those in the blocks within them included."""
        self._spread: dict[Scope, tuple[list[int], list[int]]] = {}
        """The chunks of the names, and of the groups, that are declared in a later chunk than the first of their scope;
        in the order of their declarations, and so ascending."""
        self._spread_around: dict[Scope, Scope | None] = {}
        """Of scopes without such names the innermost one around them that has some."""

    def finding(self) -> Generator[None, None, _Read]:
        """Find those of all chunks, in steps."""
        function = self._function
        head = self._numbered(_head(function))
        yield from self._finding_blocks()
        segments: dict[Chunk, tuple[tuple[int, int, bool], ...]] = {}
        for at, chunk in enumerate(function.chunks):
            if not (at + 1) % _CHUNKS_IN_A_STEP:
                yield
            for _, _, scope, _ in function.segments[chunk]:
                if scope not in self._contents:
                    yield from self._read(scope, at)
            segments[chunk] = tuple(
                [(start, self._contents[scope], inside) for start, _, scope, inside in function.segments[chunk]]
            )
        found: dict[Chunk, Hashable] = {}
        for chunk, around in segments.items():
            found[chunk] = head, around, self._later(chunk) if self._spread else ()
            if self._spread:
                yield
        return _Read(found, frozenset((head, *self._contents.values())))

    def _finding_blocks(self) -> Iterator[None]:
        """Find the scopes that are in several chunks, in steps."""
        several = self._in_several
        seen: dict[Scope, Chunk] = {}
        for number, chunk in enumerate(self._function.chunks, 1):
            for segment in self._function.segments[chunk]:
                one: Scope | None = segment.scope
                while one is not None and one not in several:
                    known = seen.get(one)
                    if known is not None and known is not chunk:
                        several.update(outside_in(one, lambda around: around not in several))
                    if known is not None:
                        break  # those around it were seen with it
                    seen[one] = chunk
                    one = one.parent
            if not number % _CHUNKS_IN_A_STEP:
                yield

    def _read(self, scope: Scope, at: int) -> Generator[None, None, None]:
        """A number for what is declared in a scope and around it; chunk ``at`` is the first that is asked about it."""
        path = []
        around: Scope | None = scope
        while around is not None and around not in self._contents:
            path.append(around)
            around = around.parent
        outer = self._contents[around] if around is not None else -1
        for one in reversed(path):
            if one not in self._in_several and one not in self._function.late:
                self._contents[one] = outer
                continue
            self._begins[one] = at
            declared = yield from self._declared(one)
            outer = self._contents[one] = self._numbered((outer, *declared))
            self._scopes += 1
            if not self._scopes % _SCOPES_IN_A_STEP:
                yield

    def _numbered(self, content: tuple[Hashable, ...]) -> int:
        self.size += len(content)
        return self._number(content)

    def _declared(self, scope: Scope) -> Generator[None, None, list[Hashable]]:
        late = self._function.late.get(scope, {})
        content: list[Hashable] = []
        last: tuple[Chunk, int] | None = None
        for kind, symbols in enumerate((scope.names, scope.groups)):
            content.append(len(symbols))
            for number, symbol in enumerate(symbols.values(), 1):
                if not number % _SYMBOLS_IN_A_STEP:
                    yield
                if symbol.kind.may_be_used_before:
                    content.append(symbol.name)
                    continue
                chunk, statement, token = symbol.place
                if last != (chunk, statement):  # one that declares thousands of names is long: its text counts once
                    last = chunk, statement
                    content.append((chunk.part(statement),))
                content.append((symbol.meaning, token, late.get(symbol.name) is symbol))
                if self._order.get(chunk, 0) > self._begins[scope]:
                    self._spread.setdefault(scope, ([], []))[kind].append(self._order[chunk])
        return content

    def _later(self, chunk: Chunk) -> tuple[tuple[int, int, int], ...]:
        """The number of names and groups around a chunk that are declared after it, by the contents of their scopes.

        The contents say in which order they are declared; so these numbers say which ones are after the chunk.
        """
        at = self._order[chunk]
        found: dict[tuple[int, int, int], None] = {}
        seen: set[Scope] = set()
        for segment in self._function.segments[chunk]:
            around = self._with_spread(segment.scope)
            while around is not None and around not in seen:
                seen.add(around)
                names, groups = (len(one) - bisect_right(one, at) for one in self._spread[around])
                if names or groups:
                    found[self._contents[around], names, groups] = None
                around = self._with_spread(around.parent)
        return tuple(found)

    def _with_spread(self, scope: Scope | None) -> Scope | None:
        """The innermost scope from ``scope`` outwards some of whose names are declared in later chunks."""
        passed = []
        while scope is not None and scope not in self._spread and scope not in self._spread_around:
            passed.append(scope)
            scope = scope.parent
        found = scope if scope is None or scope in self._spread else self._spread_around[scope]
        self._spread_around.update(dict.fromkeys(passed, found))
        return found


def _head(function: Function) -> tuple[Hashable, ...]:
    symbol: Symbol | None = function.symbol
    return (
        symbol.place.chunk.part(symbol.place.statement) if symbol is not None else None,
        symbol.is_definition if symbol is not None else None,
        function.has_body,
        function.has_unbalanced_braces,
        function.half_declared,
        bool(function.late),
    )
