"""The process that reads the files of a large workspace for the server, see ``file_reader``.

It answers each :class:`FileRequest` with the parts of the file's interface and an :class:`EndOfFile`. It exits when its
input ends, which it does with the server, even in the middle of a file.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import BinaryIO

from ptx_lsp.analysis.module.interface import CallSite, ExportedSymbol
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.workspace import frames
from ptx_lsp.server.workspace.module_reading import reading_interface_json, text_of
from ptx_lsp.stepwise import run_to_completion

PART = 256
"""Entries or calls in one part: the server unpacks it in about a millisecond."""
_NICENESS = 5
"""The server, which answers the user, comes first."""
_COLLECTED = 4 << 20
"""Number of characters read after which memory is freed."""


class FileRequest(NamedTuple):
    """A file to read."""

    path: str
    encoding: Encoding
    """The unit of columns."""


class InterfacePart(NamedTuple):
    """Entries and calls of an interface, in order."""

    entries: tuple[ExportedSymbol[str], ...]
    calls: tuple[CallSite[str], ...]


class EndOfFile(NamedTuple):
    """The end of a file."""

    was_read: bool
    problem: str = ""
    """An error of the analysis, which is logged; empty if the file cannot be opened."""
    size: int = 0
    """Characters."""


def main() -> None:
    """Answer requests until the input ends."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all its processes
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # no other output gets between the answers
    requests: SimpleQueue[FileRequest] = SimpleQueue()
    threading.Thread(target=_receive, args=(source, requests), daemon=True).start()
    gc.disable()
    gc.freeze()
    characters = 0
    while True:
        request = requests.get()
        try:
            for answer in _answers(request):
                sink.write(frames.packed(answer))
                characters += answer.size if isinstance(answer, EndOfFile) else 0
            sink.flush()
        except OSError:  # the server has ended
            os._exit(0)
        if characters >= _COLLECTED:
            characters = 0
            gc.collect()


def _receive(source: BinaryIO, requests: SimpleQueue[FileRequest]) -> None:
    """Read requests ahead; end the process with the input."""
    with suppress(Exception):
        while isinstance(request := frames.read(source), FileRequest):
            requests.put(request)
    os._exit(0)


def _answers(request: FileRequest) -> Iterator[InterfacePart | EndOfFile]:
    """The parts of the interface of a file."""
    text = text_of(request.path)
    if text is None:
        yield EndOfFile(was_read=False)
        return
    try:
        found = run_to_completion(reading_interface_json(text, request.encoding))
    except Exception as error:  # noqa: BLE001  # the server logs it
        yield EndOfFile(was_read=False, problem=f"{type(error).__name__}: {error}", size=len(text))
        return
    for start in range(0, max(len(found.entries), len(found.calls)), PART):
        part = slice(start, start + PART)
        yield InterfacePart(found.entries[part], found.calls[part])
    yield EndOfFile(was_read=True, size=len(text))


if __name__ == "__main__":
    main()
