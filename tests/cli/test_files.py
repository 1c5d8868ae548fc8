"""Which files are checked, and what happens with those that cannot be."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from threading import Thread
from types import SimpleNamespace

import pytest

from ptx_lsp.cli.files import read_source


def test_exit_status_0_without_errors_1_with_errors(run, write):
    write("clean.ptx", "odd")
    write("bad.ptx", "wrong")
    assert run("check", "clean.ptx").status == 0
    assert run("check", "clean.ptx", "bad.ptx").status == 1


def test_folders_are_walked_in_order_hidden_ones_and_other_files_are_not(run, write):
    for name in ("b/2.ptx", "b/1.PTX", "a/x.ptx", "c/.git/no.ptx", "notes.txt"):
        write(name, "odd")
    shown = run("check", "--format=github", ".").out
    assert [line.split("file=")[1].split(",")[0] for line in shown.splitlines()] == ["a/x.ptx", "b/1.PTX", "b/2.ptx"]


def test_a_named_file_need_not_end_in_ptx(run, write):
    write("kernel.s", "wrong")
    assert run("check", "kernel.s").status == 1


def test_a_file_named_twice_is_checked_once(run, write):
    write("a.ptx", "wrong")
    assert "1 error in 1 file\n" in run("check", "a.ptx", "./a.ptx", ".").out


def test_a_dash_is_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"ret;\nwrong")))
    result = run("check", "-")
    assert result.out.startswith("<stdin>:2:1: error[E301]")
    assert result.status == 1


def test_an_empty_file_is_fine(run, write):
    write("a.ptx", "")
    assert run("check", "a.ptx").status == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x7fELF\x02\x01\x01\x00", "an ELF file (a cubin or a program), not PTX text"),
        (b"\x50\xed\x55\xba\x01\x00", "a fat binary, not PTX text"),
        (b".\x00v\x00", "a binary file, not PTX text"),
        (b"\x00" * 100_000, "a binary file, not PTX text"),
        (b".version 8.0\n" + b"// many words\n" * 300 + b"\x00\x01", "a binary file, not PTX text"),
        ("ret;".encode("utf-16"), "UTF-16 text; save it as ASCII or UTF-8"),
    ],
)
def test_a_binary_file_is_named_and_the_others_are_checked(run, write, content, reason):
    write("a.ptx", content)
    write("b.ptx", "wrong")
    result = run("check", "a.ptx", "b.ptx")
    assert result.status == 2
    assert result.err.startswith(f"ptx-lsp: a.ptx: {reason}")
    assert "b.ptx:1:1: error[E301]" in result.out
    assert "1 error in 1 file (1 more could not be checked)" in result.out


def test_a_missing_file(run):
    result = run("check", "missing.ptx")
    assert (result.status, result.err) == (2, "ptx-lsp: missing.ptx: No such file or directory\n")


def test_a_file_that_vanishes_between_finding_and_reading(run, write, folder, monkeypatch):
    from ptx_lsp.cli import checking as work

    def vanish_then_read(path):
        os.remove(path)
        return read_source(path)

    write("a.ptx", "wrong")
    monkeypatch.setattr(work, "read_source", vanish_then_read)
    result = run("check", "a.ptx")
    assert (result.status, result.err) == (2, "ptx-lsp: a.ptx: No such file or directory\n")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(run, write, folder):
    write("a.ptx", "wrong")
    (folder / "a.ptx").chmod(0)
    assert run("check", "a.ptx").err == "ptx-lsp: a.ptx: Permission denied\n"


def test_a_refused_read_is_told_in_the_system_s_words(run, write, monkeypatch):
    def refuse(path, mode, opener):
        raise PermissionError(13, "Permission denied", path)

    write("a.ptx", "wrong")
    monkeypatch.setattr("ptx_lsp.source_file.open", refuse, raising=False)
    result = run("check", "a.ptx")
    assert (result.status, result.err) == (2, "ptx-lsp: a.ptx: Permission denied\n")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs an endless device")
def test_an_endless_device_is_refused(run):
    result = run("check", "/dev/zero")
    assert (result.status, result.err) == (2, "ptx-lsp: /dev/zero: a pipe, device or socket, not a file\n")


needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@needs_pipes
@pytest.mark.parametrize("command", ["check", "format", "symbols"])
def test_a_pipe_in_a_folder_is_not_waited_for(run, write, folder, command):
    write("a.ptx", "ret;")
    os.mkfifo(folder / "b.ptx")
    result = run(command, ".")
    assert result.status == 2
    assert "ptx-lsp: b.ptx: a pipe, device or socket, not a file\n" in result.err


@needs_pipes
def test_a_pipe_that_is_named_is_read(run, folder):
    os.mkfifo(folder / "pipe")
    writer = Thread(target=(folder / "pipe").write_text, args=("ret;\nwrong",))
    writer.start()
    assert run("check", "pipe").out.startswith("pipe:2:1: error[E301]")
    writer.join()


@needs_pipes
def test_what_a_shell_substitutes_for_a_command_is_read(examples):
    line = f"'{sys.executable}' -m ptx_lsp check <(cat '{examples / 'saxpy.ptx'}')"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "nothing wrong in 1 file\n", "")


def test_a_folder_without_ptx_is_not_taken_for_success(run, write):
    write("folder/notes.txt", "")
    result = run("check", "folder")
    assert (result.status, result.err) == (2, "ptx-lsp: folder: no .ptx file in this folder\n")


def test_no_byte_is_lost_in_reading(write):
    write("a.ptx", bytes(range(1, 256)) + "漢\r\n\r".encode())
    assert read_source("a.ptx").encode("utf-8", "surrogateescape") == bytes(range(1, 256)) + "漢\r\n\r".encode()


def test_the_nul_at_the_end_of_an_extracted_file_is_left_to_the_checks(write):
    write("a.ptx", "ret;\n\0")
    assert read_source("a.ptx") == "ret;\n\0"


def test_a_mistake_of_ours_in_one_file_does_not_hide_the_others(run, write):
    write("a.ptx", "crash")
    write("b.ptx", "wrong")
    result = run("check", "a.ptx", "b.ptx")
    assert result.status == 2
    assert "a.ptx: internal error in ptx-lsp, please report it: KeyError at " in result.err
    assert "b.ptx:1:1: error[E301]" in result.out


@pytest.mark.skipif(sys.platform != "linux", reason="the stand-in checker travels by fork")
def test_several_processes_answer_in_the_same_order(run, write):
    for number in range(20):
        write(f"{number:02}.ptx", "odd " * number + "wrong")
    write("10.ptx", b"\x7fELF")
    alone, together = run("check", "."), run("check", "--jobs", "3", ".")
    assert together == alone
