"""Signals to a server at any moment: it ends, without a traceback, and so do its processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from ptx_lsp.server.transport.framing import frame, read_body
from tests.faults.conftest import children, fill, function, is_alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")

COMMAND = [sys.executable, "-m", "ptx_lsp", "--stdio"]
MOMENTS = [0.0, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.5]
"""Seconds after the answer to ``initialize``: from further imports until the workspace is read."""


def session(folder: Path) -> bytes:
    """A client that opens a large document in a large workspace."""
    workspace = [{"uri": folder.as_uri(), "name": "work"}]
    item = {"uri": "file:///a.ptx", "languageId": "ptx", "version": 1, "text": function("f", 30_000)}
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "workspaceFolders": workspace}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 2, "method": "workspace/symbol", "params": {"query": "f"}},
    ]
    return b"".join(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()) for message in messages)


@pytest.fixture(autouse=True)
def hang_up_ends() -> Iterator[None]:
    """As in a terminal: under ``nohup`` all processes ignore this signal from the start."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_server_ends_on_a_signal(tmp_path: Path, number: signal.Signals, moment: float) -> None:
    fill(tmp_path, 20)
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(session(tmp_path))
        process.stdin.flush()
        assert read_body(process.stdout) is not None
        threading.Thread(target=process.stdout.read, daemon=True).start()
        sleep(moment)
        others = children(process.pid) if sys.platform == "linux" else []
        os.kill(process.pid, number)
        try:
            assert process.wait(30) == -number
        finally:
            process.kill()
        while any(map(is_alive, others)):
            sleep(0.01)
        assert b"Traceback" not in process.stderr.read()


def test_an_interrupt_ends_the_server_also_in_a_destructor() -> None:
    """Python drops an exception that is raised there, so SIGINT must not be an exception."""
    program = """if True:
        import os, signal, sys, time
        from ptx_lsp.cli.entry import command
        from ptx_lsp.server.startup import boot

        class Last:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGINT)

        def main(arguments):
            Last()
            time.sleep(3)
            return 0

        boot.main = main
        sys.argv = ["ptx-lsp", "--stdio"]
        command()
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, b"")
