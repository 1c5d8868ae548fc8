"""Reads the interfaces of files in a process of its own, so that the server answers while a large workspace is read."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial

from ptx_lsp.analysis.module.interface import CallSite, ExportedSymbol, Interface
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.transport.waiting import in_thread
from ptx_lsp.server.workspace import frames
from ptx_lsp.server.workspace.reading_process import EndOfFile, FileRequest, InterfacePart

log = logging.getLogger(__name__)

_START = "import sys; sys.path[:] = sys.argv[1:]; from ptx_lsp.server.workspace.reading_process import main; main()"
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""On Windows: no console appears."""
_ATTEMPTS = 2
"""Number of times that the process may end during one file: the file need not be the cause."""
_MOST_ENDS = 8
"""Number of unexpected ends of the process after which it is not started again."""


class NoProcessError(Exception):
    """No process can be started."""


class FileReader:
    """A process that reads one file at a time; it is started when needed.

    Args:
        encoding: the unit of columns in the interfaces.

    """

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._process: subprocess.Popen[bytes] | None = None
        self._ends = 0

    async def read(self, path: str) -> Interface[str] | None:
        """The interface of a file; None if it cannot be read.

        Raises:
            NoProcessError: no process can be started, or it has ended too often.

        """
        for _ in range(_ATTEMPTS):
            process = self._process = self._process or self._started()
            try:
                answer = await in_thread(partial(_answer, process, FileRequest(path, self._encoding)))
            except (OSError, EOFError):
                self._ends += 1
                self.stop()
            except BaseException:  # cancelled: the rest of the answer is still to come
                self.stop()
                raise
            else:
                if answer.problem:
                    log.error("%s could not be read: %s", path, answer.problem)
                return answer.interface
        log.warning("%s could not be read: the process that read it has ended", path)
        return None

    def stop(self) -> None:
        """EndOfFile the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            threading.Thread(target=_await_end, args=(process,), name="end", daemon=True).start()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._ends >= _MOST_ENDS or not sys.executable:
            raise NoProcessError
        # Isolated: a file of the current folder, which may be the workspace, must not be taken for a module.
        isolated = ["-I", *(["-S"] if sys.flags.no_site else []), *(["-X", "utf8"] if sys.flags.utf8_mode else [])]
        command = [sys.executable, *isolated, "-c", _START, *filter(os.path.isabs, sys.path)]
        try:
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_NO_WINDOW)
        except OSError as error:
            raise NoProcessError from error


class _Answer(NamedTuple):
    interface: Interface[str] | None
    problem: str


def _answer(process: subprocess.Popen[bytes], request: FileRequest) -> _Answer:
    """Send a request, and wait for all parts of the interface; raises EOFError if the process ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frames.packed(request))
    process.stdin.flush()
    entries: list[ExportedSymbol[str]] = []
    calls: list[CallSite[str]] = []
    while not isinstance(answer := frames.read(process.stdout), EndOfFile):
        if not isinstance(answer, InterfacePart):
            raise EOFError
        entries += answer.entries
        calls += answer.calls
    return _Answer(Interface(tuple(entries), tuple(calls)) if answer.was_read else None, answer.problem)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a killed process, which a file system that does not respond may delay, and close its pipes."""
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()
