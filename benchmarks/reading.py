"""The cost of reading a large file: ``python -m benchmarks.reading FILE.ptx [-n COUNT] [--seed N]``.

The handlers of the server answer requests at random words of the file, as in a session: one after the other, so that a
function that was visited before is known. Cold is the first request of a kind after the document was opened and its
findings were sent, each in a server of its own. The time is that of the processor, so that it does not depend on what
else the machine does; of an answer that comes late it is the sum of its slices. The exit status is 1 if a budget is
missed: 10 ms for 99 of 100 hovers and definitions, 150 ms for folding ranges, 2 s for what is cold.

Before a hover or definition the lines around it are shown: the hints of a screen are requested, and the server prepares
the function while nobody waits. Both have rows of their own, without a budget.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import math
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types

from ptx_lsp.features.code_lenses import code_lenses, title
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.handlers.code_lenses import lenses
from ptx_lsp.server.handlers.hover import hover
from ptx_lsp.server.handlers.inlay_hints import hints
from ptx_lsp.server.handlers.navigation import definition
from ptx_lsp.server.handlers.structure import folding_ranges
from ptx_lsp.server.server import Server

_WORD = re.compile(r"%?[A-Za-z_$][\w$]*")
_REGISTER = re.compile(r"%[a-z]+\d+")
_FIRST_LENSES = 30
"""The lenses that are visible at first."""
_CAPABILITIES: dict[str, Any] = {
    "capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "definition": {"linkSupport": True}}}
}


class Measured(NamedTuple):
    """The times of one kind of requests in milliseconds, ascending, with the budget of 99 of 100."""

    name: str
    times: list[float]
    budget: float

    @property
    def worst(self) -> float:
        """The time that 99 of 100 stay below."""
        return self.times[min(len(self.times) - 1, int(len(self.times) * 0.99))]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a budget is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("-n", type=int, default=500, help="hovers and definitions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    measured = asyncio.run(measure(options.file.read_text(encoding="utf-8"), options.n, options.seed))
    print(f"{'request':30}{'median':>9}{'p99':>9}{'budget':>9}  ms of processor time")
    for one in measured:
        print(
            f"{one.name:30}{one.times[len(one.times) // 2]:9.1f}{one.worst:9.1f}{one.budget:9.0f}".replace("inf", "   ")
        )
    return int(any(one.worst > one.budget for one in measured))


async def measure(text: str, count: int, seed: int) -> list[Measured]:
    """Open a text and ask; in the order in which an editor does."""
    cold = [await _cold(text, name, ask, seed) for name, ask in _COLD]
    server, document, place = _opened(text)
    first = await _timed(lambda: _first_lenses(server, types.CodeLensParams(place)))
    while not document.follow(1):
        pass
    await asyncio.sleep(1)  # what the server does after it has read a document ends
    folding = await _timed(lambda: folding_ranges(server, types.FoldingRangeParams(place)))
    chance = random.Random(seed)
    positions = [_position(text, chance.randrange(len(text))) for _ in range(count)]
    hovers, definitions = list[float](), list[float]()
    screens, prepared = list[float](), list[float]()
    for at in positions:
        screens.append(await _timed(lambda at=at: hints(server, _screen(place, at))))  # type: ignore[misc]
        prepared.append(await _timed(lambda: _idle(server)))
        hovers.append(await _timed(lambda at=at: hover(server, types.HoverParams(place, at))))  # type: ignore[misc]
    chance.shuffle(positions)
    for at in positions:
        await _timed(lambda at=at: hints(server, _screen(place, at)))  # type: ignore[misc]
        await _idle(server)
        params = types.DefinitionParams(place, at)
        definitions.append(await _timed(lambda params=params: definition(server, params)))  # type: ignore[misc]
    again = await _timed(lambda: folding_ranges(server, types.FoldingRangeParams(place)))
    edited = [await _edited(server, document, at) for at in positions[:10]]
    edited.sort()
    return [
        *cold,
        Measured("hints of a screen", sorted(screens), math.inf),
        Measured("prepared while quiet", sorted(prepared), math.inf),
        Measured("hover", sorted(hovers), 10),
        Measured("definition", sorted(definitions), 10),
        Measured("folding ranges, first", [folding], 2000),
        Measured("folding ranges, again", [again], 150),
        Measured("folding ranges, after an edit", edited, 150),
        Measured("first lenses", [first], 2000),
    ]


_SCREEN = 50
"""Number of lines that an editor shows."""


def _screen(place: types.TextDocumentIdentifier, at: types.Position) -> types.InlayHintParams:
    first = max(at.line - _SCREEN // 2, 0)
    return types.InlayHintParams(place, types.Range(types.Position(first, 0), types.Position(first + _SCREEN, 0)))


async def _idle(server: Server) -> None:
    """Wait until the server has prepared what it shows."""
    while not server.documents.ahead.is_idle:
        await asyncio.sleep(0)


async def _edited(server: Server, document: OpenDocument, at: types.Position) -> float:
    """The time of the folding ranges after a line is inserted, without that of the edit."""
    start = Position(at.line, 0)
    place = types.TextDocumentIdentifier(document.uri)
    server.documents.change(document.uri, (document.version or 0) + 1, [TextChange("\n", start, start)])
    return await _timed(lambda: folding_ranges(server, types.FoldingRangeParams(place)))


def _opened(text: str) -> tuple[Server, OpenDocument, types.TextDocumentIdentifier]:
    """A server with one document, whose first findings are sent."""
    server, uri = Server(_CAPABILITIES), "file:///reading.ptx"
    server.documents.open(uri, 1, text)
    document = server.documents.find(uri)
    assert document is not None
    while not document.work(1):
        pass
    return server, document, types.TextDocumentIdentifier(uri)


_Asking = Callable[[Server, types.TextDocumentIdentifier, types.Position], object]
_COLD: tuple[tuple[str, _Asking], ...] = (
    ("definition, cold", lambda server, place, at: definition(server, types.DefinitionParams(place, at))),
    ("hover, cold", lambda server, place, at: hover(server, types.HoverParams(place, at))),
    ("folding ranges, cold", lambda server, place, _: folding_ranges(server, types.FoldingRangeParams(place))),
)


async def _cold(text: str, name: str, ask: _Asking, seed: int) -> Measured:
    """The first request after a document was opened, at a random register."""
    server, _, place = _opened(text)
    found = _REGISTER.search(text, random.Random(seed).randrange(len(text)))
    at = _position(text, found.start() if found is not None else 0)
    times = [await _timed(lambda: ask(server, place, at))]
    server.documents.close(place.uri)  # its checks would go on during the next measurement
    return Measured(name, times, 2000)


def _first_lenses(server: Server, params: types.CodeLensParams) -> None:
    lenses(server, params)
    document = server.documents.find(params.text_document.uri)
    assert document is not None
    found = code_lenses(document.checker.semantics, document.settings.code_lenses)
    for lens in found[:_FIRST_LENSES]:
        title(document.checker.semantics, lens)


async def _timed(ask: Callable[[], object]) -> float:
    """The milliseconds of processor time until an answer is there."""
    start = time.process_time()
    answer = ask()
    if inspect.isawaitable(answer):
        await answer
    return 1000 * (time.process_time() - start)


def _position(text: str, offset: int) -> types.Position:
    """The start of the first word after an offset."""
    found = _WORD.search(text, offset)
    at = found.start() if found is not None else offset
    start = text.rfind("\n", 0, at) + 1
    return types.Position(text.count("\n", 0, start), at - start)


if __name__ == "__main__":
    sys.exit(main())
