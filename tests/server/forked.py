"""Servers for tests of what a server answers: forks of a process that has imported everything start at once."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from contextlib import suppress

from tests.model.forks import Forks, Plan


class ForkedProcess:
    """A forked server, used like ``subprocess.Popen``.

    Args:
        forks: the process that forks servers.

    """

    def __init__(self, forks: Forks) -> None:
        (their_input, ours), (output, their_output) = os.pipe(), os.pipe()
        errors = os.open(os.devnull, os.O_WRONLY)
        self._status, self.pid = forks.start(Plan(), (their_input, their_output, errors))
        self.stdin = os.fdopen(ours, "wb")
        self.stdout = os.fdopen(output, "rb")
        self.returncode: int | None = None

    def kill(self) -> None:
        """End the process at once."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, when the process has ended.

        Raises:
            subprocess.TimeoutExpired: it runs longer than ``timeout`` seconds.

        """
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked server", timeout or 0)
            self.returncode = int(os.read(self._status, 16) or -signal.SIGKILL)
            os.close(self._status)
        return self.returncode
