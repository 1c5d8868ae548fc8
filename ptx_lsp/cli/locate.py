"""``ptx-lsp locate``: the ``asm`` statement of a source for a line of compiled PTX, such as one that ptxas names."""

from __future__ import annotations

import argparse
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator

from ptx_lsp.cli.files import collect
from ptx_lsp.cli.host_sources import host_finder
from ptx_lsp.cli.terminal import printable
from ptx_lsp.embedded.compiled import AsmBlock, CompiledFrom, block_at, statements_of
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.host_tables import host_of
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized

_MESSAGE = re.compile(r"ptxas (?P<path>.+?), line (?P<line>\d{1,9}); (?P<kind>\w+)\s*: (?P<message>.*)")
_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d{1,9})")
_QUOTED = re.compile(r"'([^']+)'")
_TEMPORARY = re.compile(r"tmpxft_\w+-\d+_(?P<stem>.+?)(?:\.compute_\w+|\.sm_\w+)*\.ptx")
_MOST = 4
"""The maximum number of statements that are named for one line."""


def locate(options: argparse.Namespace) -> int:
    """Name the statements; 0, or 1 if there is a line without one, or 2 for wrong usage."""
    finder = _Finder(options.source or [])
    if not options.places:
        return _messages(finder)
    status = 0
    for place in options.places:
        found = _PLACE.fullmatch(place)
        if found is None:
            print(f"ptx-lsp: '{printable(place)}' is not FILE.ptx:LINE", file=sys.stderr)
            return 2
        answers = list(finder.answers(found["path"], int(found["line"]), ""))
        for answer in answers:
            print(printable(answer))
        if finder.problem:
            print(f"ptx-lsp: {printable(finder.problem)}", file=sys.stderr)
            status = 1
    return status


def _messages(finder: _Finder) -> int:
    """Copy the output of a compiler; each message of ptxas is followed by its place in the source."""
    status = 0
    for line in sys.stdin:
        print(line, end="", flush=True)
        found = _MESSAGE.search(line)
        if found is None:
            continue
        for answer in finder.answers(found["path"], int(found["line"]), f": {found['kind']}: {found['message']}"):
            print(printable(answer), flush=True)
        if finder.problem:
            print(f"ptx-lsp: {printable(finder.problem)}", file=sys.stderr, flush=True)
            status = 1
    return status


class _Source(NamedTuple):
    """A source with its statements."""

    path: str
    text: str
    sites: list[Site]
    starts: list[int]
    """The offsets of its lines."""


class _Finder:
    """Finds statements in the sources that the PTX names, else in those that the user names."""

    def __init__(self, sources: list[str]) -> None:
        self._named = [one.path for one in collect(sources, host_finder(None))] if sources else []
        self.problem = ""
        """The reason why the last line has no answer."""

    def answers(self, path: str, number: int, message: str) -> Iterator[str]:
        """The places in sources for a line of PTX, followed by a message."""
        self.problem = ""
        text = _text(path)
        if text is None:
            self.problem = f"{path} cannot be read; with --keep, nvcc does not delete it"
            return
        block = block_at(text, number)
        if block is None:
            self.problem = f"{path} has no line {number}"
            return
        if not block.lines:
            place = f"{block.file}:{block.source_line}" if block.file else None
            self.problem = f"{path}:{number} is no inline assembly" + (
                f"; it is compiled from {place}" if place else ""
            )
            return
        word = next(iter(_QUOTED.findall(message)), None)
        found = [(one, source) for source in self._sources(block, path) for one in statements_of(block, source.sites)]
        found.sort(key=lambda pair: _distance(block, *pair))
        if block.source_line and found:
            nearest = _distance(block, *found[0])
            found = [pair for pair in found if _distance(block, *pair) == nearest]
        for one, source in found[:_MOST]:
            yield _answer(one, source, block, word, message)
        if not found:
            self.problem = f"no statement with the text of {path}:{number} found; name sources with --source"

    def _sources(self, block: AsmBlock, path: str) -> Iterator[_Source]:
        """The sources in which a statement may be: that of ``.loc``, those of the user, that of the same name."""
        paths = [block.file] if block.file else []
        paths += self._named
        name = os.path.basename(path)
        temporary = _TEMPORARY.fullmatch(name)
        stem = temporary["stem"] if temporary is not None else name.removesuffix(".ptx")
        paths += [f"{stem}.cu", os.path.join(os.path.dirname(path), f"{stem}.cu")]
        for one in {os.path.realpath(one): os.path.normpath(one) for one in reversed(paths)}.values():
            source = _source(one)
            if source is not None:
                yield source


def _distance(block: AsmBlock, one: CompiledFrom, source: _Source) -> int:
    """The number of lines between a statement and the line that ``.loc`` names."""
    if not block.source_line or block.file is None or os.path.realpath(block.file) != os.path.realpath(source.path):
        return 1 << 30 if block.source_line else 0
    first, last = (bisect_right(source.starts, at) for at in one.site.span)
    return max(first - block.source_line, block.source_line - last, 0)


def _answer(one: CompiledFrom, source: _Source, block: AsmBlock, word: str | None, message: str) -> str:
    offset = one.host_offset(block.line, word)
    line = bisect_right(source.starts, offset)
    place = f"{source.path}:{line}:{offset - source.starts[line - 1] + 1}"
    statement = bisect_right(source.starts, one.site.start)
    return f"{place}{message or f': {block.lines[block.line].strip()}'} [asm statement in line {statement}]"


@memoized(4)
def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError:
        return None


@memoized(256)
def _source(path: str) -> _Source | None:
    host = host_of(path, None)
    text = _text(path) if host is not None else None
    if host is None or text is None:
        return None
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    return _Source(path, text, find_sites(text, host), starts)
