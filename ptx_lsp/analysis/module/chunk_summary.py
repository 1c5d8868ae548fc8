"""The contribution of one chunk to the structure of its function: its marks.

A mark is a statement that opens, closes or declares something. Instructions are
none, so a chunk of 256 statements has a handful. Summaries depend on their chunk
alone and are made once for each.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence

from ptx_lsp.analysis.module.module_statements import is_of_modules
from ptx_lsp.analysis.symbols.declarations import declaring, symbols_of
from ptx_lsp.analysis.symbols.locations import SourcePosition, open_call_sites
from ptx_lsp.analysis.symbols.symbols import Symbol, split_number
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement


class Mark(NamedTuple):
    """A statement that shapes the structure."""

    statement: int
    kind: Kind
    symbols: tuple[Symbol, ...]
    """The declared symbols; of a function head the function, then its parameters."""


class PlainDeclarations(NamedTuple):
    """The labels and declarations of a chunk whose marks are nothing else."""

    names: dict[str, Symbol]
    prefixes: frozenset[str]
    """The beginnings of those names that end in a number, without the number."""
    last: int
    """The last statement that declares a register or variable; -1 if there are only labels."""
    has_labels: bool
    misplaced: tuple[Symbol, ...]
    """Those in a state space that has no variables outside of functions in some versions."""


class ChunkSummary(NamedTuple):
    """The marks of a chunk, and the statements with syntax errors."""

    marks: tuple[Mark, ...]
    broken: tuple[int, ...]
    half_declared: frozenset[str] = frozenset()
    """The words of its broken declarations."""
    call_sites: tuple[tuple[int, SourcePosition], ...] = ()
    """The ``.loc`` lines whose ``inlined_at`` names a place that no earlier ``.loc`` of the chunk has."""
    braces: tuple[int, int] = (0, 0)
    """The net number of braces that it closes, then opens."""
    has_broken_file: bool = False
    """Whether one of its broken statements was meant to be a ``.file``."""
    essential: tuple[Mark, ...] = ()
    """The marks without the braces of blocks that begin and end in the chunk and declare nothing."""
    plain: PlainDeclarations | None = None
    """If all of its marks are labels and declarations of single names, no two alike: these."""


_DECLARING = frozenset({Kind.LABEL, Kind.REGISTERS, Kind.VARIABLE, *HEADS})
_BRACES = frozenset({Kind.OPEN, Kind.CLOSE})
MARKS = (
    _DECLARING
    | _BRACES
    | {
        Kind.HEADER,
        Kind.FILE,
        Kind.ALIAS,
        Kind.SECTION,
        Kind.DIRECTIVE,
        Kind.PROTOTYPE,
        Kind.TARGETS,
    }
)
"""The kinds of statements that shape the structure."""


def any_of(kinds: Iterable[Kind]) -> re.Pattern[bytes]:
    """A pattern that finds statements of these kinds in ``Chunk.kinds``."""
    return re.compile(b"[" + b"".join(re.escape(bytes([kind])) for kind in sorted(kinds)) + b"]")


_FIND_MARKS = any_of(MARKS)
_FIND_DECLARING = any_of(_DECLARING)
_LONG = 1 << 15
"""The symbols of a declaration of more characters are found in steps."""
_KINDS = tuple(Kind)

_HEAD = re.compile(r"\.(?:entry|func)\b")
_WORDS = re.compile(r"(?<![\w$.:])[%$_A-Za-z][\w$]*+", re.ASCII)


def summarise(chunk: Chunk) -> ChunkSummary:
    """Find the marks of a chunk and the symbols that they declare."""
    return run_to_completion(summarising(chunk))


def summarising(chunk: Chunk) -> Generator[None, None, ChunkSummary]:
    """:func:`summarise` in steps: a declaration may be as long as a file."""
    if chunk.length > _LONG:
        for found in _FIND_DECLARING.finditer(chunk.kinds):
            at = found.start()
            if len(chunk.part(at)) > _LONG:
                chunk.derived(_long_declarations)[at] = yield from declaring(chunk, at)
            yield
    broken = tuple(chunk.flawed())
    return (yield from _of_broken(chunk, broken)) if broken else _of_whole(chunk)


def _long_declarations(_: Chunk) -> dict[int, tuple[Symbol, ...]]:
    """The symbols of the long declarations, which are found in steps."""
    return {}


def _symbols(chunk: Chunk, at: int, kind: Kind) -> tuple[Symbol, ...]:
    """The symbols that a statement declares."""
    if kind not in _DECLARING:
        return ()
    known = chunk.derived(_long_declarations).get(at) if chunk.length > _LONG else None
    return symbols_of(chunk, at) if known is None else known


def _of_whole(chunk: Chunk) -> ChunkSummary:
    """The summary of a chunk without broken statements."""
    outline = _outline(chunk.kinds)
    new = tuple.__new__  # the constructor of a named tuple takes twice as long
    marks = tuple([new(Mark, (at, kind, _symbols(chunk, at, kind))) for at, kind in outline.marks])
    return ChunkSummary(
        marks,
        (),
        call_sites=open_call_sites(chunk),
        braces=outline.braces,
        essential=marks if outline.essential is None else tuple([marks[number] for number in outline.essential]),
        plain=_plain(marks) if outline.is_plain else None,
    )


class _Outline(NamedTuple):
    """The structure of a chunk without broken statements, as far as it follows from their kinds."""

    marks: tuple[tuple[int, Kind], ...]
    braces: tuple[int, int]
    essential: tuple[int, ...] | None
    """The numbers of the essential marks; None if all are."""
    is_plain: bool
    """Whether there are marks, and all of them labels and declarations."""


@memoized(512)
def _outline(kinds: bytes) -> _Outline:
    found = [(match.start(), _KINDS[kinds[match.start()]]) for match in _FIND_MARKS.finditer(kinds)]
    of_marks = [kind for _, kind in found]
    is_plain = bool(found) and _PLAIN.issuperset(of_marks)
    return _Outline(tuple(found), _balance(of_marks), _essential(of_marks), is_plain)


def _of_broken(chunk: Chunk, broken: tuple[int, ...]) -> Generator[None, None, ChunkSummary]:
    """The summary of a chunk in which some statements are broken: braces on their lines may belong to them."""
    kinds = chunk.kinds
    lines = _Lines(chunk, broken)
    parts = chunk.parts()
    for at in broken if chunk.length > _LONG else ():
        if len(parts[at]) > _LONG:
            yield from lines.reading(at)
    with_words = [at for at in broken if parts[at].strip() != ";"]
    heads = [at for at in with_words if _is_broken_head(chunk, at)] if _may_have_heads(chunk) else []
    marks = [Mark(at, Kind.FUNCTION, ()) for at in heads]
    for found in _FIND_MARKS.finditer(kinds):
        at = found.start()
        kind = _KINDS[kinds[at]]
        if kind in _BRACES and lines.belongs_to_broken(at, kind):
            continue
        marks.append(Mark(at, kind, _symbols(chunk, at, kind)))
    marks.sort(key=lambda mark: mark.statement)
    of_marks = [mark.kind for mark in marks]
    essential = _essential(of_marks)
    return ChunkSummary(
        tuple(marks),
        broken,
        half_declared=frozenset[str]().union(*map(lines.half_declared, with_words)),
        call_sites=open_call_sites(chunk),
        braces=_balance(of_marks),
        has_broken_file=Kind.FILE in meant_kinds(chunk, broken),
        essential=tuple(marks if essential is None else [marks[number] for number in essential]),
    )


def _essential(marks: Sequence[Kind]) -> tuple[int, ...] | None:
    """The numbers of the essential marks; None if all are."""
    kept: list[int] = []
    for number, kind in enumerate(marks):
        if kind == Kind.CLOSE and kept and marks[kept[-1]] == Kind.OPEN:
            kept.pop()
        else:
            kept.append(number)
    return tuple(kept) if len(kept) < len(marks) else None


def ends_on_broken_line(chunk: Chunk) -> bool | None:
    """Whether the last line of a chunk has a broken statement; None if that depends on the chunks before."""
    broken = chunk.derived(summarise).broken
    if broken:
        return "\n" not in chunk.text[end_of(chunk, broken[-1]) :]
    return False if "\n" in chunk.text else None


def end_of(chunk: Chunk, statement: int) -> int:
    """The offset in its chunk of the end of a statement, without the blanks that one without ``;`` may have there."""
    known = chunk.derived(_ends)
    end = known.get(statement)
    if end is None:
        end = known[statement] = chunk.starts()[statement] + chunk.statement(statement).end
    return end


def _ends(_: Chunk) -> dict[int, int]:
    """The ends of statements that were asked for: all tokens of a statement are read for its end."""
    return {}


def meant_kinds(chunk: Chunk, broken: Iterable[int]) -> Iterator[Kind]:
    """The kinds that statements of a chunk with syntax errors were meant to be."""
    return (SHAPES[chunk.shapes[at]].meant for at in broken)


_PLAIN = frozenset({Kind.LABEL, Kind.REGISTERS, Kind.VARIABLE})


def _plain(marks: Sequence[Mark]) -> PlainDeclarations | None:
    """The declarations of some labels and declarations; None if not each introduces single names of its own."""
    if not all(mark.symbols for mark in marks):
        return None
    symbols = [symbol for mark in marks for symbol in mark.symbols]
    names = {symbol.name: symbol for symbol in symbols}
    if len(names) < len(symbols) or any(symbol.count is not None for symbol in symbols):
        return None
    return PlainDeclarations(
        names,
        frozenset(parts[0] for name in names if (parts := split_number(name)) is not None),
        max((mark.statement for mark in marks if mark.kind != Kind.LABEL), default=-1),
        any(mark.kind == Kind.LABEL for mark in marks),
        tuple(symbol for symbol in symbols if symbol.space and not is_of_modules(symbol.space)),
    )


def _balance(marks: Iterable[Kind]) -> tuple[int, int]:
    closes = opens = 0
    for kind in marks:
        if kind == Kind.OPEN:
            opens += 1
        elif kind == Kind.CLOSE and opens:
            opens -= 1
        elif kind == Kind.CLOSE:
            closes += 1
    return closes, opens


def _is_broken_head(chunk: Chunk, statement: int) -> bool:
    """Whether a statement with a syntax error was meant to begin a function."""
    is_wrong = chunk.kinds[statement] not in HEADS and SHAPES.errors[chunk.shapes[statement]]  # not only its comment
    return bool(is_wrong) and _HEAD.search(chunk.part(statement)) is not None


def _may_have_heads(chunk: Chunk) -> bool:
    """Whether the words that begin functions stand anywhere in the text of a chunk."""
    return ".entry" in chunk.text or ".func" in chunk.text


class _Lines:
    """Tells braces of the structure from those of a vector that fell apart in a broken line.

    In ``mov.b64 {%r1 ?%r2}, %rd1;`` the braces end up as statements of their own. Were they
    taken for a block, one stray character would turn the rest of the function upside down.
    """

    def __init__(self, chunk: Chunk, broken: tuple[int, ...]) -> None:
        self._chunk = chunk
        self._parts = chunk.parts()
        self._statements: dict[int, Statement] = {}
        self._flawed = broken
        self._may_have_heads = _may_have_heads(chunk)

    def _statement(self, number: int) -> Statement:
        """A statement of the chunk, which is divided into tokens once."""
        found = self._statements.get(number)
        if found is None:
            found = self._statements[number] = Statement(self._parts[number], self._chunk.shapes[number])
        return found

    def reading(self, number: int) -> Iterator[None]:
        """Find the tokens of a statement in steps."""
        yield from self._statement(number).reading()

    @once
    def _broken(self) -> frozenset[int]:
        parts = self._parts
        return frozenset(
            at
            for at in self._flawed
            if self._statement(at).lead < len(parts[at]) and not (self._may_have_heads and _HEAD.search(parts[at]))
        )

    def half_declared(self, number: int) -> frozenset[str]:
        """The words of a broken declaration, without their numbers: what it may have been meant to declare."""
        part, meant = self._parts[number], SHAPES[self._chunk.shapes[number]].meant
        if meant not in _DECLARING and "." not in part:
            return frozenset()  # neither a directive nor a head: a lone bracket, mostly
        found = self._statement(number)
        is_directive = part.startswith(".", found.lead)
        is_head = self._may_have_heads and _is_broken_head(self._chunk, number)
        if meant not in _DECLARING and not is_directive and not is_head:
            return frozenset()
        words = _WORDS.findall(" ".join(set(found.words)))
        return frozenset([word.rstrip("0123456789") for word in words])

    def _same_line(self, number: int) -> bool:
        """Whether a statement starts on the line on which the one before it ends."""
        if not 0 < number < len(self._parts) or self._chunk.kinds[number] == Kind.EMPTY:
            return False  # the text ends as a line does
        part, text = self._parts[number], self._parts[number - 1]
        if "\n" in part and "\n" in part[: self._statement(number).lead]:
            return False
        if "\n" not in text:
            return True  # without a look at its tokens: a table in braces can fall apart into very many statements
        before = self._statement(number - 1)  # without its ';' it reaches to where this one begins
        return before.lead == len(before.text) or "\n" not in before.text[before.end :]

    def belongs_to_broken(self, number: int, kind: Kind) -> bool:
        """Whether a brace is a piece of a broken line."""
        if kind == Kind.OPEN:
            is_beside = number - 1 in self._broken and self._same_line(number)
        else:
            is_beside = number + 1 in self._broken
        return is_beside and self._same_line(number + 1)
