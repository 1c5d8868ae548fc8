"""The speed on sources with inline assembly: ``check`` of a tree, a large header in the server, keystrokes in it.

    python -m benchmarks.embedded.speed FOLDER … [--lines N] [--statements N] [--header FILE] [--keys N] [--write]

FOLDER is a checkout of a public repository, such as CUTLASS and CCCL. A tree of so many lines with so many statements
is chosen from the folders, the same one in each run, and copied to a temporary folder. Prints a table of wall-clock
time and of processor time: of the server its event loop. On a busy machine only the latter counts. With ``--write`` the
table in ``docs/inline-assembly.md`` is replaced.

The server is a process of its own, asked over its standard input and output. A keystroke is measured from the
notification of the change to the arrival of its findings.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.embedded.sources import sources
from benchmarks.speed.client import CAPABILITIES, Client
from benchmarks.speed.percentile import percentile
from benchmarks.speed.processes import ROOT, adopt_orphans, run
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import Certainty, Site

_HEADER_LINES = 8000
_FEWEST = 40
"""Statements that a header for the measurement has at least."""
_PAUSE = 0.03
_PROCESSES = 2
"""Processes of the ``check`` for which there is a bound."""
_DOCUMENT = ROOT / "docs" / "inline-assembly.md"
_BEGIN, _END = "<!-- speed -->\n", "<!-- end of speed -->\n"


class Row(NamedTuple):
    """A line of the table, in seconds."""

    what: str
    wall: float
    processor: float
    bound: float | None = None
    """The most that the wall-clock time may be; None for a figure without one."""

    def __str__(self) -> str:
        bound = _shown(self.bound) if self.bound is not None else ""
        return f"| {self.what} | {_shown(self.wall)} | {_shown(self.processor)} | {bound} |"


class Source(NamedTuple):
    """A file of a folder."""

    path: str
    text: str
    host: str
    sites: int

    @property
    def lines(self) -> int:
        """Its lines."""
        return self.text.count("\n")


def read(folders: list[str]) -> Iterator[Source]:
    """The files below some folders, in an order that does not depend on their places."""
    found = [
        Source(path, text, host, len(find_sites(text, host)))
        for folder in folders
        for path, text, host in sources(folder)
    ]
    return iter(sorted(found, key=lambda one: hashlib.sha256(one.text.encode("utf-8", "replace")).digest()))


def chosen(every: list[Source], lines: int, statements: int) -> list[Source]:
    """Files with together about so many lines and statements: first some with statements, then some without."""
    picked: list[Source] = []
    left, missing = lines, statements
    for one in every:
        if 0 < one.sites <= missing and one.lines <= left:
            picked.append(one)
            left, missing = left - one.lines, missing - one.sites
    for one in every:
        if not one.sites and one.lines <= left:
            picked.append(one)
            left -= one.lines
    return picked


def copied(picked: list[Source], folder: Path) -> None:
    """Write files to a folder, a hundred in each folder below."""
    for number, one in enumerate(picked):
        place = folder / str(number // 100) / f"{number}{Path(one.path).suffix}"
        place.parent.mkdir(exist_ok=True)
        place.write_text(one.text, encoding="utf-8", errors="surrogateescape", newline="")


class Header:
    """A source in a server that was started for it.

    Args:
        text: its text.
        language: the id of its language.

    """

    def __init__(self, text: str, language: str) -> None:
        self._lines = text.split("\n")
        self._document = {"uri": "file:///nowhere/header.cuh"}
        self._version = 1
        self.client = Client()
        self.client.request("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES})
        self.client.notify("initialized", {})
        self.client.wait_until_idle()
        begin, work = time.perf_counter(), self.client.work()
        item = {**self._document, "languageId": language, "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        self.client.diagnostics(1)
        self.opened = self.client.arrived - begin, self.client.work() - work
        """Seconds from ``didOpen`` to the first findings: wall-clock time, and the work of the server."""
        self.client.wait_until_idle()

    def type(self, places: list[tuple[int, int]], letter: str = "1") -> list[tuple[float, float]]:
        """Type a letter at each place and delete it again; seconds to the findings: wall-clock time and work."""
        times = []
        for line, column in places:
            times.append(self._edit((line, column), (line, column), letter))
            times.append(self._edit((line, column), (line, column + 1), ""))
        return times

    def _edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> tuple[float, float]:
        time.sleep(_PAUSE)
        self._version += 1
        places = {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        }
        document = {**self._document, "version": self._version}
        work, begin = self.client.work(), time.perf_counter()
        self.client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": places, "text": text}]}
        )
        self.client.diagnostics(self._version)
        return self.client.arrived - begin, self.client.work() - work


def places_in(text: str, sites: list[Site], count: int, *, is_inside: bool) -> list[tuple[int, int]]:
    """Random places at the ends of words within templates, or at the ends of lines outside of statements."""
    chance = random.Random(1)
    found: list[tuple[int, int]] = []
    spans = [site.span for site in sites]
    while len(found) < count:
        if is_inside:
            site = chance.choice(sites)
            piece = chance.choice(site.pieces)
            offset = site.start + piece.start + text[site.start + piece.start : site.start + piece.end].find(";")
        else:
            offset = text.find(";\n", chance.randrange(len(text)))
        is_free = all(not span.start <= offset <= span.end for span in spans)
        if offset >= 0 and text[offset : offset + 1] == ";" and is_free is not is_inside:
            line = text.count("\n", 0, offset)
            found.append((line, len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2))
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedded.speed", description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--lines", type=int, default=500_000)
    parser.add_argument("--statements", type=int, default=3000)
    parser.add_argument("--header", help="a file of the server's measurement; default: one of about 8,000 lines")
    parser.add_argument("--jobs", type=int, default=_PROCESSES)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="replace the table of the document")
    options = parser.parse_args()
    every = list(read(options.folders))
    head = "| measurement | wall | processor | bound |\n|---|---:|---:|---:|"
    print(head, flush=True)
    rows = []
    for row in (*(_tree(every, options) if options.lines else ()), *(_header(every, options) if options.keys else ())):
        print(row, flush=True)
        rows.append(row)
    if options.write:
        page = _DOCUMENT.read_text("utf-8")
        before, after = page.partition(_BEGIN)[0], page.partition(_END)[2]
        table = "\n".join([head, *map(str, rows)])
        _DOCUMENT.write_text(f"{before}{_BEGIN}\n{table}\n\n{_END}{after}", "utf-8")
    return 0


def _tree(every: list[Source], options: argparse.Namespace) -> Iterator[Row]:
    picked = chosen(every, options.lines, options.statements)
    adopt_orphans()
    with tempfile.TemporaryDirectory() as place:
        copied(picked, Path(place))
        command = [sys.executable, "-m", "ptx_lsp", "check", "--jobs", str(options.jobs), place]
        run(command)  # the compiled modules of Python are written now
        runs = [run(command) for _ in range(options.runs)]
    lines, statements = sum(one.lines for one in picked), sum(one.sites for one in picked)
    name = f"`check --jobs {options.jobs}` of {len(picked):,} files, {lines:,} lines, {statements:,} statements, cold"
    wall, work = (statistics.median(column) for column in zip(*runs, strict=True))
    yield Row(name, wall, work, 6 if options.jobs == _PROCESSES else None)


def _header(every: list[Source], options: argparse.Namespace) -> Iterator[Row]:
    if options.header:
        path = Path(options.header).resolve()
        one = next(one for one in every if Path(one.path).resolve() == path)
    else:
        one = min((one for one in every if one.sites >= _FEWEST), key=lambda one: abs(one.lines - _HEADER_LINES))
    sites = [site for site in find_sites(one.text, one.host) if site.certainty is not Certainty.HOST]
    openings = []
    for _ in range(options.runs):
        header = Header(one.text, one.host)
        openings.append(header.opened)
        if len(openings) < options.runs:
            header.client.stop()
    name = f"a header of {one.lines:,} lines, {len(sites)} statements: from `didOpen` to its findings"
    wall, work = (statistics.median(column) for column in zip(*openings, strict=True))
    yield Row(name, wall, work, 0.6)
    for where, is_inside, bound in (("in a template", True, 0.01), ("outside", False, 0.002)):
        times = header.type(places_in(one.text, sites, options.keys // 2, is_inside=is_inside))
        for percent in (50, 99):
            wall, work = (percentile(column, percent) for column in zip(*times, strict=True))
            which = "median" if percent == 50 else "99th percentile"
            yield Row(f"a keystroke {where}, {which}", wall, work, bound if percent == 99 else None)
    header.client.stop()


def _shown(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
