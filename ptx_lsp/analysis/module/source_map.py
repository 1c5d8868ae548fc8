"""From PTX to source lines and back: the ``.loc`` lines of a module.

Source: PTX ISA, "Debugging Directives: .loc".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_files import declared_files
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.nearby import runs_before
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import File
from ptx_lsp.syntax.trivia import trivia_length
from ptx_lsp.text import Span

SourcePlace = tuple[int, int, int]
"""The number of a file, line and column, counted from 1."""

_LOC = compile_pattern(
    r"\.loc\s++(\d{1,9})\s++(\d{1,9})\s++(\d{1,9})"
    r"(?:\s*+,\s*+function_name\s++([\w$%]++)(?:\s*+\+\s*+\d++)?\s*+,\s*+inlined_at\s++(\d{1,9})\s++(\d{1,9})\s++(\d{1,9}))?"
)
_NEAR = 512
"""Statements: a compiler writes a line for every few."""
_MOST_FRAMES = 32
_MOST_LETTERS = 4000
_PER_LETTER = 8
"""Characters of a letter of a name that is written as numbers."""


class SourceLine(NamedTuple):
    """A ``.loc`` line."""

    statement: int
    """Its index in its chunk."""
    place: SourcePlace
    caller: SourcePlace | None
    """The call that was inlined; None outside of inlined code."""
    function: str
    """The label of the name of the inlined function; empty outside of inlined code."""


class Frame(NamedTuple):
    """A place in the source, and the function that it is in, as the compiler names it; empty if unknown."""

    place: SourcePlace
    function: str


class _LinesOfChunk:
    def __init__(self, chunk: Chunk) -> None:
        self.lines: list[SourceLine] = []
        at = chunk.kinds.find(Kind.LOCATION)
        while at >= 0:
            part = chunk.part(at)
            found = _LOC.match(part, trivia_length(part))
            if found is not None:
                numbers = [int(word) if word else 0 for word in (*found.groups()[:3], *found.groups()[4:])]
                caller = (numbers[3], numbers[4], numbers[5]) if found[4] else None
                self.lines.append(SourceLine(at, (numbers[0], numbers[1], numbers[2]), caller, found[4] or ""))
            at = chunk.kinds.find(Kind.LOCATION, at + 1)


def source_lines(chunk: Chunk) -> list[SourceLine]:
    """The ``.loc`` lines of a chunk, in order."""
    return chunk.derived(_LinesOfChunk).lines


class _CallsOfChunk:
    """The ``.loc`` lines of inlined code in a chunk by their places, the first of each."""

    def __init__(self, chunk: Chunk) -> None:
        self.lines: dict[SourcePlace, SourceLine] = {}
        for one in source_lines(chunk):
            if one.caller is not None:
                self.lines.setdefault(one.place, one)


def preparing_frames(module: Module, function: Function) -> Iterator[None]:
    """Read what :func:`frames` needs, in steps of about a millisecond; kept for chunks that an edit does not touch."""
    is_inlined = False
    for chunk in function.chunks:
        is_inlined |= bool(chunk.derived(_CallsOfChunk).lines)
        yield
    if is_inlined:
        for chunk in module.document.chunks:
            if Kind.DATA in chunk.kinds or Kind.SECTION in chunk.kinds:
                chunk.derived(_NamesOfData)
                yield


def line_at(function: Function, chunk: Chunk, index: int) -> tuple[Chunk, SourceLine] | None:
    """The last ``.loc`` line up to a statement, of a few hundred statements; None if there is none."""
    for run in runs_before(function.chunks, chunk, index + 1, _NEAR):
        lines = source_lines(run.chunk)
        last = bisect_left(lines, run.end, key=lambda line: line.statement)
        if last and lines[last - 1].statement >= run.first:
            return run.chunk, lines[last - 1]
    return None


def frames(module: Module, function: Function, line: SourceLine) -> list[Frame]:
    """The place of a ``.loc`` line and the calls around it that were inlined, innermost first."""
    found: list[Frame] = []
    current: SourceLine | None = line
    while current is not None and len(found) < _MOST_FRAMES:
        found.append(Frame(current.place, _name(module, current.function)))
        if current.caller is None:
            break
        outer = _line_of(function, current.caller)
        if outer is None or outer is current:
            own = function.symbol.name if function.symbol is not None else ""
            found.append(Frame(current.caller, own))
            break
        current = outer
    return found


def _line_of(function: Function, place: SourcePlace) -> SourceLine | None:
    """The first ``.loc`` line of inlined code with a place."""
    for chunk in function.chunks:
        found = chunk.derived(_CallsOfChunk).lines.get(place)
        if found is not None:
            return found
    return None


def _name(module: Module, label: str) -> str:
    """The name at a label of a debug section, which has it letter by letter; empty if there is none."""
    if not label:
        return ""
    chunks = module.document.chunks
    for number in range(len(chunks) - 1, -1, -1):
        held = chunks[number].derived(_NamesOfData)
        start = held.starts.get(label)
        if start is None:
            continue
        left = _MOST_LETTERS * _PER_LETTER
        name = held.spelled.get(label)
        if name is None:
            name = held.spelled[label] = _spelled(chunks[number].text[start : start + left])
        if name or len(chunks[number].text) >= start + left:
            return name
        # Each letter can be a statement, so that a long name is in several chunks.
        parts = [chunks[number].text[start:]]
        while sum(map(len, parts)) < left and number + 1 < len(chunks):
            number += 1
            parts.append(chunks[number].text)
        return _spelled("".join(parts)[:left])
    return ""


class _NamesOfData:
    """The labels of a chunk that has lines of debug sections, with the offsets after them; none of any other chunk."""

    def __init__(self, chunk: Chunk) -> None:
        self.starts: dict[str, int] = {}
        self.spelled: dict[str, str] = {}
        """The names that were read; empty where the chunk has no zero after them."""
        if Kind.DATA in chunk.kinds or Kind.SECTION in chunk.kinds:
            self.starts = {match[1]: match.end() for match in _LABEL.finditer(chunk.text)}


def _spelled(text: str) -> str:
    """The characters whose codes a text begins with, up to a zero; empty if there is none."""
    letters = bytearray()
    for match in _NUMBERS.finditer(text):
        if not match[1]:
            continue
        letter = int(match[1])
        if not letter:
            return letters.decode("utf-8", "replace")
        letters.append(letter)
    return ""


_LABEL = re.compile(r"([\w$%]++):")
_NUMBERS = re.compile(r"//[^\n]*+|(?<![\w.])(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])(?!\w)", re.ASCII)
"""Comments, in which compilers repeat the name and say where it stands, and the codes of letters."""


def file_names(module: Module) -> dict[int, str]:
    """The paths that ``.file`` lines give to numbers."""
    found: dict[int, str] = {}
    for function in module.functions:
        for place, _, number in declared_files(function):
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if isinstance(tree, File):
                found.setdefault(number, statement.word(tree.name).strip('"'))
    return found


class _Calls:
    """The calls that were inlined in a function."""

    def __init__(self, function: Function, numbers: frozenset[int]) -> None:
        self._numbers = numbers
        self._callers: dict[SourcePlace, SourcePlace] = {}
        self._lines: dict[SourcePlace, int] = {}
        for chunk in function.chunks:
            for one in source_lines(chunk):
                if one.caller is not None:
                    self._callers.setdefault(one.place, one.caller)

    def line_of(self, place: SourcePlace | None) -> int:
        """The line of the innermost call around a place that is in one of the files; 0 if none is."""
        if place is None:
            return 0
        known = self._lines.get(place)
        if known is not None:
            return known
        line, current = 0, place
        for _ in range(_MOST_FRAMES):
            if current[0] in self._numbers:
                line = current[1]
                break
            outer = self._callers.get(current)
            if outer is None:
                break
            current = outer
        self._lines[place] = line
        return line


class SourceUse(NamedTuple):
    """Statements that were generated from one source line, without a gap."""

    line: int
    span: Span
    """From the ``.loc`` line to the last instruction before the next one."""
    instructions: int


def uses_of_files(module: Module, numbers: frozenset[int]) -> Iterator[SourceUse]:
    """The statements generated from lines of some files, in the order of the text; calls that were inlined count."""
    positions = module.positions
    for function in module.functions:
        if not function.has_body:
            continue
        calls = _Calls(function, numbers)
        for chunk in function.chunks:
            lines = source_lines(chunk)
            if not lines:
                continue
            starts = chunk.starts()
            base = positions.chunk_start(chunk)
            for at, one in enumerate(lines):
                line = one.place[1] if one.place[0] in numbers else calls.line_of(one.caller)
                if not line:
                    continue
                end = lines[at + 1].statement if at + 1 < len(lines) else len(chunk)
                count = chunk.kinds.count(Kind.INSTRUCTION, one.statement, end)
                if count:
                    last = max(index for index in range(one.statement, end) if chunk.kinds[index] == Kind.INSTRUCTION)
                    lead = chunk.statement(one.statement).lead
                    yield SourceUse(line, Span(base + starts[one.statement] + lead, base + starts[last + 1]), count)
