"""A computation in a forked process, on data that this process has in memory.

A fork takes a few milliseconds for a module of any size, while a new process would have to read it again. Without
``fork``, or if the child process dies, the work is done in this process when its result is requested.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar

WorkResult = TypeVar("WorkResult")


class BackgroundProcess(Generic[WorkResult]):
    """``with BackgroundProcess(work) as other: …; other.result()``. The result must be picklable."""

    def __init__(self, work: Callable[[], WorkResult]) -> None:
        self._work = work
        self._child = 0
        self._source = -1

    def __enter__(self) -> BackgroundProcess[WorkResult]:
        """Start the work."""
        if not hasattr(os, "fork"):
            return self
        sys.stdout.flush()
        sys.stderr.flush()
        source, sink = os.pipe()
        try:
            self._child = os.fork()
        except OSError:  # no more processes
            os.close(source)
            os.close(sink)
            return self
        self._source = source
        if not self._child:
            status = 1
            try:
                import pickle

                os.close(source)
                with os.fdopen(sink, "wb") as stream:
                    pickle.dump(self._work(), stream, pickle.HIGHEST_PROTOCOL)
                status = 0
            finally:
                os._exit(status)  # run no exit handlers of the parent process and flush none of its buffers
        os.close(sink)
        return self

    def result(self) -> WorkResult:
        """The result of the work."""
        if self._child:
            source, self._source = self._source, -1
            with os.fdopen(source, "rb") as stream:
                data = stream.read()
            if not self._wait():
                import pickle

                result: WorkResult = pickle.loads(data)
                return result
        return self._work()

    def _wait(self) -> int:
        """Wait for the child process; its status."""
        child, self._child = self._child, 0
        return os.waitpid(child, 0)[1]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the child process if its result was not requested."""
        if self._source >= 0:
            os.close(self._source)
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            self._wait()
