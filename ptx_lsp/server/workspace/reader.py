"""Reads the interfaces of files in a process of its own, so that the server answers while a large workspace is read."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from contextlib import suppress

from ptx_lsp.analysis.module.interface import CallSite, ExportedSymbol, Interface
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.workspace import frames
from ptx_lsp.server.workspace.reading_process import End, Part, Request

log = logging.getLogger(__name__)

_START = "import sys; sys.path[:] = sys.argv[1:]; from ptx_lsp.server.workspace.reading_process import main; main()"
_ATTEMPTS = 2
"""How often the process may end while it reads a file: the file need not be the cause."""
_MOST_ENDS = 8
"""Number of unexpected ends of the process after which it is not started again."""


class NoProcessError(Exception):
    """No process can be started."""


class Reader:
    """A process that reads one file at a time; it is started when needed.

    Args:
        encoding: the unit of columns in the interfaces.

    """

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._process: asyncio.subprocess.Process | None = None
        self._ends = 0

    async def read(self, path: str) -> Interface[str] | None:
        """The interface of a file; None if it cannot be read.

        Raises:
            NoProcessError: no process can be started, or it has ended too often.

        """
        for _ in range(_ATTEMPTS):
            process = self._process = self._process or await self._started()
            try:
                return await _answer(process, Request(path, self._encoding))
            except (OSError, EOFError) as error:
                self._ends += 1
                await self.stop()
                log.debug("the process that reads the workspace has ended: %r", error)
            except BaseException:  # the answer has not been received completely
                await self.stop()
                raise
        log.warning("%s could not be read: the process that read it has ended", path)
        return None

    async def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._ends >= _MOST_ENDS or not sys.executable:
            raise NoProcessError
        # Isolated: a file of the current folder, which may be the workspace, must not be taken for a module.
        command = [sys.executable, "-I", "-c", _START, *filter(os.path.isabs, sys.path)]
        options = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}
        pipe = subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, **options)
        except (OSError, NotImplementedError) as error:
            raise NoProcessError from error


async def _answer(process: asyncio.subprocess.Process, request: Request) -> Interface[str] | None:
    """Send a request and receive the parts of the interface."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frames.packed(request))
    await process.stdin.drain()
    entries: list[ExportedSymbol[str]] = []
    calls: list[CallSite[str]] = []
    while True:
        head = await process.stdout.readexactly(frames.LENGTH)
        answer = frames.unpacked(await process.stdout.readexactly(frames.length_of(head)))
        if isinstance(answer, Part):
            entries += answer.entries
            calls += answer.calls
            await asyncio.sleep(0)
        elif isinstance(answer, End):
            if answer.problem:
                log.error("%s could not be read: %s", request.path, answer.problem)
            return Interface(tuple(entries), tuple(calls)) if answer.was_read else None
