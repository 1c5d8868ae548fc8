"""The command as a process of its own, with the real checks: pipes, terminals, start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "ptx_lsp"]


def test_the_examples(examples):
    ran = subprocess.run([*COMMAND, "check", "--format=json", examples], capture_output=True, text=True, check=False)
    answer = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert answer["summary"]["files"] == 6
    assert answer["summary"]["errors"] == 12


def test_standard_input(examples):
    text = (examples / "saxpy.ptx").read_bytes()
    ran = subprocess.run([*COMMAND, "check", "-"], input=text, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, b"nothing wrong in 1 file\n")


def test_a_reader_that_has_seen_enough_is_no_failure(examples):
    ran = subprocess.run(
        f"'{sys.executable}' -m ptx_lsp check '{examples}' | true", shell=True, capture_output=True, check=False
    )
    assert ran.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_colour_on_a_terminal(examples):
    assert "\x1b[1;31merror[E105]" in on_terminal("check", str(examples))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_progress_bar_on_long_runs_that_is_gone_in_the_end(tmp_path):
    (tmp_path / "long.ptx").write_text(".version 8.0\n.target sm_80\n" + "// many words\n" * 400_000)
    shown = on_terminal("check", str(tmp_path))
    assert "checking" in shown
    assert shown.rstrip().endswith("nothing wrong in 1 file")


def on_terminal(*arguments):
    """All that the command writes to a pseudo-terminal."""
    import pty

    master, slave = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
    with subprocess.Popen([*COMMAND, *arguments], stdout=slave, stderr=slave, env=environment | {"TERM": "xterm"}):
        os.close(slave)
        written = b""
        try:
            while chunk := os.read(master, 65536):
                written += chunk
        except OSError:  # the other end is closed
            pass
    os.close(master)
    return written.decode()


def test_what_a_check_does_not_import(examples):
    """Start-up counts: no server, no drawing, no network, no process pools for one small file."""
    script = "import sys; from ptx_lsp.cli.entry import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    arguments = [sys.executable, "-c", script, "check", examples / "saxpy.ptx"]
    loaded = subprocess.run(arguments, capture_output=True, text=True, check=True).stderr.split()
    unwanted = {"pygls", "lsprotocol", "rich", "asyncio", "concurrent.futures", "socket", "tomllib", "difflib"}
    assert unwanted.intersection(loaded) == set()
