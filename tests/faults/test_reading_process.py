"""The process that reads a large workspace for the server: what happens when it, or the server, ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from time import sleep

import pytest

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.workspace import file_reader
from ptx_lsp.server.workspace.file_reader import FileReader, NoProcessError
from tests.faults.conftest import Start, children, complete, fill, function, is_alive, reading_process
from tests.server.conftest import MODULE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

NAMES = [f"f{number}" for number in range(40)]


def test_a_large_workspace_is_read_by_a_process_that_ends_afterwards(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, len(NAMES))
    client = start(tmp_path)
    process = reading_process(client)
    complete(client, NAMES)
    while is_alive(process):
        sleep(0.01)
    assert client.leave() == 0


def test_a_small_workspace_is_read_without_one(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, 3, statements=10)
    client = start(tmp_path)
    complete(client, NAMES[:3])
    assert children(client.process.pid) == []


def test_a_killed_process_is_replaced_and_nothing_is_missing(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, len(NAMES))
    client = start(tmp_path)
    os.kill(reading_process(client), signal.SIGKILL)
    client.open(MODULE)
    assert client.published(1) == []
    complete(client, NAMES)


def test_a_file_that_kills_the_process_costs_only_itself(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, len(NAMES))
    (tmp_path / "deadly.ptx").write_text(function("deadly", 4_000))
    patch = """
import os
from ptx_lsp.server.workspace import file_reader
file_reader._START = file_reader._START.replace("main()", "_text = R.text_of; "
    "R.text_of = lambda path: os._exit(9) if 'deadly' in path else _text(path); main()")
file_reader._START = "import os; " + file_reader._START.replace("import main", "import main; "
    "from ptx_lsp.server.workspace import reading_process as R")
"""
    client = start(tmp_path, patch)
    logged = client.wait(lambda message: message.get("method") == "window/logMessage")
    assert "deadly.ptx could not be read: the process that read it has ended" in logged["params"]["message"]
    complete(client, NAMES)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_a_killed_server(start: Start, tmp_path: Path, number: int) -> None:
    fill(tmp_path, len(NAMES))
    client = start(tmp_path)
    process = reading_process(client)
    client.process.send_signal(number)
    client.process.wait(20)
    while is_alive(process):
        sleep(0.01)


@pytest.mark.parametrize("is_asked", [True, False], ids=["shutdown", "end of input"])
def test_it_ends_with_a_server_that_ends(start: Start, tmp_path: Path, *, is_asked: bool) -> None:
    fill(tmp_path, len(NAMES))
    client = start(tmp_path)
    process = reading_process(client)
    if is_asked:
        assert client.leave() == 0
    else:
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(20) == 1
    while is_alive(process):
        sleep(0.01)


def ignores(process: int, number: int) -> bool:
    """Whether a process has begun to ignore a signal."""
    status = Path(f"/proc/{process}/status").read_text()
    return bool(int(status.partition("SigIgn:")[2].split()[0], 16) >> (number - 1) & 1)


def test_an_interrupt_of_a_terminal_does_not_end_it(start: Start, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal; only the server decides when they end."""
    fill(tmp_path, len(NAMES))
    client = start(tmp_path)
    process = reading_process(client)
    while not ignores(process, signal.SIGINT):
        sleep(0.005)
    os.kill(process, signal.SIGINT)
    complete(client, NAMES)


def test_modules_of_the_workspace_are_not_imported(start: Start, tmp_path: Path) -> None:
    """The folder in which an editor starts the server may contain anything."""
    fill(tmp_path, len(NAMES))
    trap = f"open({str(tmp_path / 'trapped')!r}, 'w')"
    for name in ("ptx_lsp", "pickle", "signal", "queue", "lark", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(trap)
    root = str(Path(__file__).parents[2])
    patch = f"import sys; sys.path[:] = [{root!r}, *filter(None, sys.path)]"
    complete(start(tmp_path, patch, cwd=tmp_path), NAMES)
    assert not (tmp_path / "trapped").exists()


def test_without_processes_the_server_reads_itself(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, 4, statements=30_000)
    patch = "import subprocess\ndef refuse(*_, **__): raise OSError\nsubprocess.Popen = refuse"
    complete(start(tmp_path, patch), NAMES[:4])


def test_a_process_that_always_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_reader, "_START", "raise SystemExit(1)")

    async def read() -> int:
        one = FileReader(Encoding.UTF_16)
        for count in range(100):
            try:
                assert await one.read(str(tmp_path / "a.ptx")) is None
            except NoProcessError:
                return count
        return 100

    assert asyncio.run(read()) == 4


def test_the_user_can_cancel_it(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, 200)
    client = start(tmp_path, capabilities={"window": {"workDoneProgress": True}})
    create = client.wait(lambda message: message.get("method") == "window/workDoneProgress/create")
    client.answer(create, None)
    begin = client.wait(lambda message: message.get("method") == "$/progress")
    assert begin["params"]["value"]["cancellable"]
    process = reading_process(client)
    client.notify("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    logged = client.wait(lambda message: message.get("method") == "window/logMessage")
    assert "PTX files of the workspace are not read" in logged["params"]["message"]
    while is_alive(process):
        sleep(0.01)
    assert len(client.ask("workspace/symbol", {"query": ""})["result"]) < 200
    assert client.leave() == 0
