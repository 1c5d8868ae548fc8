"""How runs end that are stopped half-way: no reader, a full disk, closed streams, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and streams of Unix")

COMMAND = f"'{sys.executable}' -m ptx_lsp"
BROKEN = ".version 8.0\n.target sm_80\n.entry k() {\n" + "".join(f"bogus{number};\n" for number in range(1000)) + "}\n"
"""More findings than a pipe holds."""
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.fixture(autouse=True)
def _interrupts_are_not_ignored() -> Iterator[None]:
    """A shell starts what runs in the background with SIGINT ignored, and processes inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def shell(write):
    """What a shell makes of a line with ``ptx-lsp`` in it: exit status, output, complaint."""
    write("broken.ptx", BROKEN)
    write("ptx-lsp.toml", "max-diagnostics = 5000\n")

    def shell(line: str) -> tuple[int, str, str]:
        line = f'ptx-lsp() {{ {COMMAND} "$@"; }}; {line}'
        ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env=BUFFERED)
        return ran.returncode, ran.stdout, ran.stderr

    return shell


@pytest.mark.parametrize("arguments", ["check broken.ptx", "check --format=json broken.ptx", "explain mma"])
def test_a_reader_that_has_seen_enough(shell, arguments):
    assert shell(f"ptx-lsp {arguments} | true; exit ${{PIPESTATUS[0]}}") == (141, "", "")


def test_the_first_line_of_many(shell):
    status, shown, complaint = shell("ptx-lsp check broken.ptx | head -1; exit ${PIPESTATUS[0]}")
    assert (status, shown.count("\n"), complaint) == (141, 1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is full")
@pytest.mark.parametrize(
    "arguments",
    [
        "check broken.ptx",
        "check --format=json broken.ptx",
        "format - <broken.ptx",
        "format --diff broken.ptx",
        "explain mma",
        "--help",
        "decode list",
    ],
)
def test_a_full_disk(shell, arguments):
    assert shell(f"ptx-lsp {arguments} >/dev/full") == (2, "", "ptx-lsp: standard output: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is full")
def test_a_full_disk_for_errors(shell):
    assert shell("ptx-lsp check missing.ptx 2>/dev/full")[0] == 2


def test_standard_output_is_closed(shell):
    assert shell("ptx-lsp check broken.ptx >&-") == (2, "", "ptx-lsp: standard output: Bad file descriptor\n")


def test_standard_error_is_closed(shell):
    status, shown, _ = shell("ptx-lsp check --format=json missing.ptx 2>&-")
    assert status == 2
    assert shown.startswith("{")


@pytest.mark.parametrize("command", ["check", "format", "symbols"])
def test_standard_input_is_closed(shell, command):
    status, _, complaint = shell(f"ptx-lsp {command} - <&-")
    assert (status, complaint) == (2, "ptx-lsp: <stdin>: standard input is closed\n")


@pytest.mark.parametrize("streams", ["<&-", ">&- </dev/null", "<&- >&- 2>&-"])
def test_a_server_without_streams(shell, streams):
    status, shown, complaint = shell(f"ptx-lsp --stdio {streams}")
    assert (status, shown) == (1, "")
    assert "Traceback" not in complaint


def test_the_current_folder_is_gone(shell, folder):
    (folder / "gone").mkdir()
    line = "cd gone; rmdir ../gone; PYTHONPATH=$ROOT ptx-lsp check a.ptx"
    status, _, complaint = shell(f"ROOT='{Path(__file__).parents[2]}'; {line}")
    assert status == 2
    assert complaint.splitlines()[-1] == "ptx-lsp: the current folder: No such file or directory"
    assert "Traceback" not in complaint


@pytest.mark.parametrize(
    "module", ["ptx_lsp.cli.commands", "ptx_lsp.checks.engine.checker", "ptx_lsp.server.startup.loop"]
)
def test_an_interrupt_while_modules_are_imported(write, module):
    write("a.ptx", "ret;")
    script = f"""
import sys
from ptx_lsp.cli.entry import command
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
command()
"""
    arguments = ["--stdio"] if "server" in module else ["check", "a.ptx"]
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    ran = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        input=b"Content-Length: %d\r\n\r\n%b" % (len(body), body),
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (130, b"")


def test_an_interrupt_takes_effect_that_comes_in_a_destructor():
    """Python drops the exception there; the command is interrupted again, and nothing is printed."""
    script = """
import os, signal, sys, time
import ptx_lsp.cli.commands
from ptx_lsp.cli.entry import command
class Fragile:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):
            pass
def run(_):
    Fragile()
    time.sleep(60)
    return 0
ptx_lsp.cli.commands.run = run
command()
"""
    ran = subprocess.run([sys.executable, "-c", script, "check", "a.ptx"], capture_output=True, check=False, timeout=50)
    assert (ran.returncode, ran.stderr) == (130, b"")


LONG = (
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n"
    + "{ .reg .b32 %r<4>; add.u32 %r1, %r2, %r3; }\n" * 40_000
)
"""A file that takes seconds, and is large enough for two processes."""
DIVIDED = ".version 8.0\n.target sm_80\n.address_size 64\n" + "".join(
    f".entry k{number}()\n{{\n.reg .b32 %r<4>;\n{'add.u32 %r1, %r2, %r3;' * 15_000}\n}}\n" for number in range(4)
)
"""Another one, which is divided between two processes."""


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("is_of_a_terminal", [True, False], ids=["group", "process"])
@pytest.mark.parametrize(("files", "text"), [(1, LONG), (1, DIVIDED), (4, LONG)], ids=["flow", "shards", "files"])
def test_an_interrupt_leaves_no_processes_behind(write, is_of_a_terminal, files, text):
    """Ctrl-C on a terminal goes to all processes of the command, ``kill`` to the first alone."""
    for number in range(files):
        write(f"many/{number}.ptx", text)
    pipe = subprocess.PIPE
    arguments = [sys.executable, "-m", "ptx_lsp", "check", "--jobs", "2", "many"]
    with subprocess.Popen(arguments, stdout=pipe, stderr=pipe, start_new_session=True) as process:
        while len(others := others_of(process.pid)) < min(files, 2):
            assert process.poll() is None, "it ended before it could be interrupted"
            sleep(0.01)
        (os.killpg if is_of_a_terminal else os.kill)(process.pid, signal.SIGINT)
        shown, complaint = process.communicate()
    assert (process.returncode, shown, complaint) == (130, b"", b"")
    while any(map(is_alive, others)):  # if they stay, the test does
        sleep(0.01)


def others_of(process: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
