"""A server ends with the process that started it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from threading import Thread

import pytest

from ptx_lsp.server.startup import parent
from ptx_lsp.server.startup.parent import exit_with, poll, wait_for_end

from .conftest import MODULE, RawClient

pytestmark = pytest.mark.starts_process

WAITING = [sys.executable, "-c", "input()"]
"""A process that stays until its input ends."""

ways = pytest.mark.parametrize(
    "wait",
    [
        wait_for_end,
        pytest.param(poll, marks=pytest.mark.skipif(sys.platform == "win32", reason="not on Windows")),
    ],
)


def ended_process() -> int:
    with subprocess.Popen(WAITING, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        return process.pid


def test_a_server_ends_with_its_parent_though_its_input_stays_open(raw: RawClient) -> None:
    with subprocess.Popen(WAITING, stdin=subprocess.PIPE) as editor:
        raw.initialize(processId=editor.pid)
        raw.open(MODULE)
        raw.published(1)
        assert raw.process.poll() is None
        editor.communicate(b"\n")
    assert raw.process.wait(30) == 1


def test_a_server_ends_with_its_parent_though_nobody_reads_its_output(raw: RawClient) -> None:
    with subprocess.Popen(WAITING, stdin=subprocess.PIPE) as editor:
        raw.initialize(processId=editor.pid)
        raw.open(MODULE)
        raw.published(1)  # the editor is watched from now on
        for number in range(20):
            raw.open(MODULE + ".entry k() { bogus; }\n" * 500, uri=f"file:///nowhere/{number}.ptx")
        editor.communicate(b"\n")
    assert raw.process.wait(30) == 1


@pytest.mark.parametrize("process", [None, 0, -1, True, "1", 1.5, 10**30, ended_process])
def test_a_number_that_is_no_process_is_passed_over(raw: RawClient, process: object) -> None:
    raw.initialize(processId=process() if callable(process) else process)
    raw.open(MODULE)
    assert raw.published(1) == []
    assert raw.leave() == 0


@ways
def test_waiting(wait: Callable[[int], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent, "PACE", 0.01)
    found: list[bool] = []
    with subprocess.Popen(WAITING, stdin=subprocess.PIPE) as process:
        waiting = Thread(target=lambda: found.append(wait(process.pid)))
        waiting.start()
        waiting.join(0.1)
        assert not found
        process.communicate(b"\n")
    waiting.join()
    assert found == [True]


@ways
@pytest.mark.parametrize("number", [ended_process, lambda: 10**30])
def test_there_is_no_such_process(wait: Callable[[int], bool], number: Callable[[], int]) -> None:
    assert not wait(number())


def test_nothing_is_watched_without_a_number() -> None:
    exit_with(None, lambda: pytest.fail("it was watched"))
