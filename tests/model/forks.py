"""Server processes that start in a few milliseconds: forks of a process that has imported everything.

A fork runs the code of ``ptx_lsp.server.startup.boot`` from the first byte on, over its own pipes. Only the imports
take no time, so the hand-over from the first findings to the full server is steered instead: before each import the
fork waits until as many messages have arrived as the session has planned.

Linux and other systems with ``fork`` only. This file runs as ``python -m tests.model.forks FD``.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from types import ModuleType
from typing import Any, NamedTuple

from cattrs.errors import StructureHandlerNotFoundError

ROOT = Path(__file__).parent.parent.parent
_LONGEST_WAIT = 0.25
"""Seconds for which a fork waits for the messages that were planned: a client may wait for an answer before."""

KNOBS = {
    "quiet": ("ptx_lsp.server.documents.background_checker", "QUIET"),
    "pause": ("ptx_lsp.server.documents.background_checker", "PAUSE"),
    "longest pause": ("ptx_lsp.server.documents.background_checker", "LONGEST_PAUSE"),
    "flow slice": ("ptx_lsp.server.documents.background_checker", "SLICE"),
    "reader slice": ("ptx_lsp.server.documents.reader", "SLICE"),
    "work slice": ("ptx_lsp.server.transport.slices", "SLICE"),
    "first slice": ("ptx_lsp.server.startup.first_findings", "_SLICE"),
    "first longest": ("ptx_lsp.server.startup.first_findings", "LONGEST"),
    "start delay": ("ptx_lsp.server.workspace.workspace_files", "START_DELAY"),
    "walk age": ("ptx_lsp.server.workspace.workspace_files", "_MAX_AGE"),
    "walk share": ("ptx_lsp.server.workspace.workspace_files", "_WALK_SHARE"),
    "warm up": ("ptx_lsp.server.handlers.completion", "_DELAY"),
    "background pause": ("ptx_lsp.server.workspace.workspace_files", "_PAUSE"),
    "statements of a chunk": ("ptx_lsp.syntax.chunk", "CHUNK_SIZE"),
}
"""What a session may choose of the server, times in seconds; each by module and name."""


class Plan:
    """The course of a server process.

    Args:
        early: the number of messages that have arrived before each of the imports of the full server.
        times: values of :data:`KNOBS`.

    """

    def __init__(self, early: tuple[int, ...] = (), times: dict[str, float] | None = None) -> None:
        self.early = early
        self.times = times or {}

    @property
    def json(self) -> dict[str, Any]:
        """As plain data."""
        return {"early": list(self.early), "times": self.times}


class Forked(NamedTuple):
    """A server that was forked."""

    status: int
    """The descriptor from which its exit status can be read."""
    process: int


class Forks:
    """The process that forks servers; started with the first of them."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, plan: Plan, files: tuple[int, int, int]) -> Forked:
        """Fork a server.

        Args:
            plan: its course.
            files: the descriptors of its input, output and error output; closed in this process.

        """
        if self._control is None:
            self._begin()
        assert self._control is not None
        reading, writing = os.pipe()
        socket.send_fds(self._control, [json.dumps(plan.json).encode()], [*files, writing])
        for one in (*files, writing):
            os.close(one)
        return Forked(reading, int(self._control.recv(16)))

    def _begin(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.model.forks", str(theirs.fileno())]
        self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])
        theirs.close()
        self._control = ours
        ours.recv(1)

    def close(self) -> None:
        """End the process; servers that still run are not affected."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.wait()
            self._process = None


def _main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    boot = import_module("ptx_lsp.server.startup.boot")
    for name in (*boot._THE_REST, "ptx_lsp.server.startup.first_findings", *(one for one, _ in KNOBS.values())):
        import_module(name)
    _import_all()
    _read_pages()
    _share_converter()
    gc.collect()
    gc.freeze()
    control.send(b"!")
    while True:
        data, files, *_ = socket.recv_fds(control, 1 << 16, 4)
        if not data:
            return
        process = os.fork()
        if process == 0:
            control.close()
            _serve(boot, json.loads(data), files)
        for one in files:
            os.close(one)
        control.send(b"%d" % process)


def _import_all() -> None:
    """Import what a server imports at its first use: rules, features, hosts."""
    package = import_module("ptx_lsp")
    for module in pkgutil.walk_packages(package.__path__, "ptx_lsp."):
        if not module.name.startswith(("ptx_lsp.cli", "ptx_lsp.isa.build")) and not module.name.endswith("__main__"):
            import_module(module.name)


def _share_converter() -> None:
    """Let all servers use one converter of messages, which has the functions for all types.

    Each server would generate them again, which takes as long as a hundred of its steps. No server changes them.
    """
    types = import_module("lsprotocol.types")
    converter = import_module("pygls.protocol").default_converter()
    for kinds in types.METHOD_TO_TYPES.values():
        for kind in filter(None, kinds):
            with contextlib.suppress(StructureHandlerNotFoundError):  # options of registrations, which no server reads
                converter.get_structure_hook(kind)
                converter.get_unstructure_hook(kind)
    server = import_module("pygls.lsp._base_server").BaseLanguageServer
    protocol, _, workers = server.__init__.__defaults__
    server.__init__.__defaults__ = protocol, lambda: converter, workers


def _read_pages() -> None:
    """Read what a server reads of the instruction set and never changes."""
    catalogue = import_module("ptx_lsp.isa.catalogue").catalogue()
    for instruction in catalogue.each_instruction():
        for _ in instruction.prepared:
            pass
    import_module("ptx_lsp.layouts.load").layouts()


def _serve(boot: ModuleType, plan: dict[str, Any], files: list[int]) -> None:
    """Run one server and exit."""
    status = 70
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, one in enumerate(files[:3]):
            os.dup2(one, number)
            os.close(one)
        for name, value in plan["times"].items():
            module, attribute = KNOBS[name]
            setattr(sys.modules[module], attribute, value)
        _steer(boot, plan["early"])
        status = boot.main(["--stdio"])
    finally:
        with contextlib.suppress(OSError):
            os.write(files[3], b"%d" % status)
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(status)


def _steer(boot: ModuleType, early: list[int]) -> None:
    """Let each import of the full server wait for messages."""
    incoming: list[Any] = []
    kind, counts = boot.Incoming, iter(early)

    def recorded(source: Any) -> Any:
        incoming.append(kind(source))
        return incoming[0]

    def wait(_: str) -> None:
        count, end = next(counts, 0), monotonic() + _LONGEST_WAIT
        while len(incoming[0].waiting(0)) < count and monotonic() < end:
            sleep(0.001)

    names: dict[str, Callable[..., Any]] = {"Incoming": recorded, "import_module": wait}
    for name, value in names.items():
        setattr(boot, name, value)


if __name__ == "__main__":
    _main()
