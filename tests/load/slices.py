"""How long the loop of the server is held by a hostile file: the longest of the slices in which the server works on it.

What the server does when a file is opened, when its findings are sent, when it is followed while the client is idle,
and when a character is typed in its middle, with the same objects and the same lengths of slices: those of the reader,
the publisher and the background checker, and the messages that it writes. The same for a source with inline assembly.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.checks.embedded.host_checker import HostText
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents import round_robin
from ptx_lsp.server.documents.background_checker import SLICE
from ptx_lsp.server.documents.diagnostic_json import publish_message
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.startup.loop import COLLECTIONS
from ptx_lsp.settings import Settings


class Slice(NamedTuple):
    """What held the loop, and for how long."""

    seconds: float
    """CPU time."""
    work: str


def longest(file: HostText) -> Slice:
    """The longest slice of a file that is opened, sent, followed to the end, edited, and followed again."""
    return max(all_slices(file))


def opened(file: HostText) -> OpenDocument | HostDocument:
    """A document that was opened and not read."""
    if file.host == "ptx":
        return OpenDocument("file:///a.ptx", 1, file.text, Settings(), Encoding.UTF_16)
    return HostDocument("file:///a.cu", 1, Settings(), Encoding.UTF_16, file, lambda *_: ())


def all_slices(file: HostText) -> list[Slice]:
    """All slices of such a file, in their order."""
    text = file.text
    slices: list[Slice] = []

    def measured(work: str, step: Callable[[], object]) -> object:
        begin = time.process_time()
        done = step()
        slices.append(Slice(time.process_time() - begin, work))
        return done

    def in_turn(work: Callable[[float], bool], seconds: float) -> bool:
        is_done = work(seconds)
        round_robin.collect_young(len(slices))
        return is_done

    gc.set_threshold(*COLLECTIONS)  # as the server does
    gc.disable()  # while it reads
    document = opened(file)
    while not measured("reading", lambda: in_turn(document.work, round_robin.SLICE)):
        pass
    gc.freeze()
    gc.enable()
    send(document, "sending", measured)
    while not measured("following", lambda: in_turn(document.follow, SLICE)):
        pass
    send(document, "sending all", measured)
    place = Position(text.count("\n", 0, len(text) // 2), 0)
    measured("typing", lambda: document.change(TextChange("x", place, place)))
    while not measured("applying the change", lambda: in_turn(document.work, round_robin.SLICE)):
        pass
    send(document, "sending after typing", measured)
    while not measured("following again", lambda: in_turn(document.follow, SLICE)):
        pass
    send(document, "sending the last time", measured)
    return slices


def send(
    document: OpenDocument | HostDocument, work: str, measured: Callable[[str, Callable[[], object]], object]
) -> None:
    """Send the findings as the publisher does: listed in slices, and written with the last of them."""

    def publish() -> bool:
        is_listed = document.list_findings(round_robin.SLICE)
        if is_listed:
            publish_message(document.uri, document.version, document.findings)
        return is_listed

    while not measured(work, publish):
        pass
