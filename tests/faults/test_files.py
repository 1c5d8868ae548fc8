"""Files of a workspace that cannot be read, change while they are read, or are no files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from ptx_lsp.server.workspace.module_reading import text_of
from ptx_lsp.server.workspace.walk import LARGEST, walk
from ptx_lsp.source_file import UnreadableError, read_source
from tests.faults.conftest import Start, complete, fill, found, function

NOBODY = 65534
needs_unix = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and users of Unix")
needs_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become another user")


def as_nobody(work: Callable[[], object]) -> bool:
    """Whether work succeeds as a user without rights; in a process of its own."""
    child = os.fork()
    if not child:
        status = 1
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            status = 0 if work() else 1
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


@needs_unix
@pytest.mark.parametrize("statements", [10, 4_000], ids=["read by the server", "by a process"])
def test_pipes_and_devices_are_passed_over(start: Start, tmp_path: Path, statements: int) -> None:
    fill(tmp_path, 40, statements)
    os.mkfifo(tmp_path / "pipe.ptx")
    (tmp_path / "endless.ptx").symlink_to("/dev/zero")
    (tmp_path / "terminal.ptx").symlink_to("/dev/tty")
    (tmp_path / "circle.ptx").symlink_to(tmp_path / "circle.ptx")
    (tmp_path / "folder.ptx").mkdir()
    client = start(tmp_path)
    complete(client, [f"f{number}" for number in range(40)])
    assert client.leave() == 0


@needs_unix
@pytest.mark.parametrize("statements", [10, 4_000], ids=["read by the server", "by a process"])
def test_a_file_that_becomes_a_pipe_between_walk_and_reading(start: Start, tmp_path: Path, statements: int) -> None:
    fill(tmp_path, 40, statements)
    victim = tmp_path / "3.ptx"
    patch = f"""
from ptx_lsp.server.workspace import workspace_files as w
import os
real = w.walk
def walk(folders):
    yield from real(folders)
    os.unlink({str(victim)!r}); os.mkfifo({str(victim)!r})
    os.unlink({str(tmp_path / "5.ptx")!r})
w.walk = walk
"""
    complete(start(tmp_path, patch), [f"f{number}" for number in range(40) if number not in (3, 5)])


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ptx"
    path.write_text(function("f", 10_000))
    status = os.fstat

    def cut(number: int) -> os.stat_result:
        found = status(number)
        os.truncate(path, 100)
        return found

    monkeypatch.setattr(os, "fstat", cut)
    assert text_of(str(path)) == function("f", 10_000)[:100]


def test_a_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ptx"
    path.write_text(function("f"))
    status = os.fstat

    def grow(number: int) -> os.stat_result:
        found = status(number)
        os.truncate(path, LARGEST + 1)
        return found

    monkeypatch.setattr(os, "fstat", grow)
    assert text_of(str(path)) is None
    with pytest.raises(UnreadableError, match="larger than 16 MB"):
        read_source(str(path), at_most=LARGEST)


@needs_root
def test_files_and_folders_without_permission(tmp_path: Path) -> None:
    for folder in [tmp_path, *tmp_path.parents[:3]]:
        folder.chmod(0o755)
    fill(tmp_path, 3, statements=1)
    (tmp_path / "1.ptx").chmod(0)
    (tmp_path / "closed").mkdir(mode=0o700)
    (tmp_path / "closed" / "a.ptx").write_text(function("hidden"))

    def read() -> bool:
        files = [found.path for found in walk([str(tmp_path)]) if found is not None]
        texts = [text_of(path) for path in files]
        return [text is not None for text in texts] == [True, False, True]

    assert as_nobody(read)


def test_a_file_with_another_time_is_read_again(start: Start, tmp_path: Path) -> None:
    """A clock that was set back, or an archive that was unpacked: the time of a file may be older than before."""
    path = tmp_path / "a.ptx"
    path.write_text(function("first"))
    client = start(tmp_path)
    complete(client, ["first"])
    for number, time in enumerate([0, 2**33, 10**9]):
        path.write_text(function(f"f{number}"))
        os.utime(path, (time, time))
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
        complete(client, [f"f{number}"])


def test_ten_thousand_files(start: Start, tmp_path: Path) -> None:
    for number in range(100):
        folder = tmp_path / str(number)
        folder.mkdir()
        for other in range(100):
            (folder / f"{other}.ptx").write_text(f".func f{number}_{other}() {{ ret; }}")
    client = start(tmp_path)
    complete(client, ["f99_99"], query="f99_99")
    assert len(found(client)) == 1000, "an answer has at most so many"
    assert client.leave() == 0


def test_two_servers_on_one_workspace(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, 40)
    clients = [start(tmp_path), start(tmp_path)]
    for client in clients:
        complete(client, [f"f{number}" for number in range(40)])
    for client in clients:
        assert client.leave() == 0
    assert sorted(os.listdir(tmp_path)) == sorted(f"{number}.ptx" for number in range(40)), "nothing is written"


@pytest.mark.skipif(sys.platform == "win32", reason="HOME of Unix")
def test_a_home_that_cannot_be_written_to(start: Start, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    work = tmp_path / "work"
    work.mkdir()
    fill(work, 40)
    for place in (str(home), "/nonexistent", "/dev/null", ""):
        client = start(work, env={"HOME": place, "TMPDIR": place})
        complete(client, [f"f{number}" for number in range(40)])
        assert client.leave() == 0
    assert os.listdir(home) == []


SLOW = """
import time
from ptx_lsp.server.workspace import workspace_files as w
walk, text_of = w.walk, w.text_of
def slow_walk(folders):
    for found in walk(folders):
        time.sleep(0.2)
        yield found
def slow_text_of(path):
    time.sleep(1)
    return text_of(path)
w.walk, w.text_of = slow_walk, slow_text_of
"""


def test_a_slow_file_system_does_not_keep_the_editor_waiting(start: Start, tmp_path: Path) -> None:
    """A file system over a network: the answer that needs all files comes last."""
    fill(tmp_path, 6, statements=10)
    client = start(tmp_path, SLOW)
    uri = (tmp_path / "open.ptx").as_uri()
    client.open(function("open"), uri=uri)
    client.published(1)
    client.request(1000, "workspace/diagnostic", {"previousResultIds": []})
    answered = []
    for number in range(1001, 1040):
        sleep(0.02)
        client.request(
            number, "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 1}}
        )
    while len(answered) < 40:
        message = client.read()
        if message.get("id", 0) in range(1000, 1040) and "method" not in message:
            answered.append(message["id"])
    assert answered[-1] == 1000
    client.ask("shutdown")
    client.notify("exit")
    assert client.process.wait(20) == 0


def test_a_file_system_that_never_answers_does_not_keep_the_server_from_ending(start: Start, tmp_path: Path) -> None:
    fill(tmp_path, 2, statements=10)
    client = start(tmp_path, SLOW.replace("sleep(1)", "sleep(1000)"))
    uri = (tmp_path / "open.ptx").as_uri()
    client.open(function("open"), uri=uri)
    client.published(1)
    sleep(1)
    assert client.leave() == 0
