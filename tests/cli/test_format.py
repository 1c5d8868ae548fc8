"""``ptx-lsp format``."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

BAD = "add.s32   %r1,%r2 , 4 ;\n"
GOOD = "add.s32 %r1, %r2, 4;\n"


def test_files_are_laid_out_in_place(run, write, folder):
    write("a/bad.ptx", BAD)
    write("a/good.ptx", GOOD)
    found = run("format", "a")
    assert (found.status, found.out) == (0, "")
    assert found.err == "1 file reformatted, 1 file left unchanged\n"
    assert (folder / "a/bad.ptx").read_text() == GOOD
    assert run("format", "a").err == "2 files left unchanged\n"


def test_check_writes_nothing(run, write, folder):
    write("bad.ptx", BAD)
    write("good.ptx", GOOD)
    found = run("format", "--check", ".")
    assert (found.status, found.out) == (1, "would reformat bad.ptx\n")
    assert found.err == "1 file would be reformatted, 1 file already formatted\n"
    assert (folder / "bad.ptx").read_text() == BAD
    assert run("format", "--check", "good.ptx").status == 0


def test_diff(run, write, folder):
    write("bad.ptx", BAD)
    found = run("format", "--diff", "bad.ptx")
    assert found.status == 0
    assert f"-{BAD}+{GOOD}" in found.out
    assert found.out.startswith("--- bad.ptx\n+++ bad.ptx\n@@")
    assert (folder / "bad.ptx").read_text() == BAD
    assert run("format", "--diff", "--check", "bad.ptx").status == 1


def test_diff_of_a_file_without_a_last_newline(run, write):
    write("bad.ptx", "ret ;")
    assert "-ret ;\n\\ No newline at end of file\n+ret;\n" in run("format", "--diff", "bad.ptx").out


def test_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(BAD.encode())))
    found = run("format", "-")
    assert found.status == 0
    assert (found.out, found.err) == (GOOD, "")


def test_the_style(run, write, folder):
    write("bad.ptx", BAD)
    assert run("format", "--style", "nvcc", "bad.ptx").status == 0
    assert (folder / "bad.ptx").read_text() == "add.s32 \t%r1, %r2, 4;\n"
    assert run("format", "--style", "gnu", "bad.ptx").status == 2


def test_the_table_of_the_settings(run, write, folder):
    write("ptx-lsp.toml", "[format]\nindent = 2\nlabel-indent = 1\n")
    write("a.ptx", ".entry k()\n{\nL: ret;\n}\n")
    run("format", "a.ptx")
    assert (folder / "a.ptx").read_text() == ".entry k()\n{\n L:\n  ret;\n}\n"


def test_a_wrong_setting_is_told(run, write, folder):
    write("ptx-lsp.toml", "[format]\nindent = 99\n")
    write("a.ptx", BAD)
    found = run("format", "a.ptx")
    assert found.status == 2
    assert "'indent' must be a number from 0 to 16" in found.err
    assert (folder / "a.ptx").read_text() == GOOD


def test_what_cannot_be_read_is_told_and_the_rest_done(run, write, folder):
    write("bad.ptx", BAD)
    write("binary.ptx", b"\x7fELF\0")
    found = run("format", "missing.ptx", "binary.ptx", "bad.ptx")
    assert found.status == 2
    assert "missing.ptx: No such file or directory" in found.err
    assert "binary.ptx: an ELF file" in found.err
    assert (folder / "bad.ptx").read_text() == GOOD
    assert (folder / "binary.ptx").read_bytes() == b"\x7fELF\0"


def test_modes_links_and_bytes_stay(run, write, folder):
    write("real/bad.ptx", BAD.encode() + b"// \xff caf\xc3\xa9\n")
    os.chmod(folder / "real/bad.ptx", 0o640)
    os.symlink("real/bad.ptx", folder / "link.ptx")
    assert run("format", "link.ptx").status == 0
    assert (folder / "link.ptx").is_symlink()
    assert (folder / "real/bad.ptx").read_bytes() == GOOD.encode() + b"// \xff caf\xc3\xa9\n"
    assert (folder / "real/bad.ptx").stat().st_mode & 0o777 == 0o640
    assert os.listdir(folder / "real") == ["bad.ptx"]


def test_a_file_that_cannot_be_written_stays(run, write, folder, monkeypatch):
    write("bad.ptx", BAD)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    found = run("format", "bad.ptx")
    assert found.status == 2
    assert found.err == "ptx-lsp: bad.ptx: No space left on device\n"
    assert os.listdir(folder) == ["bad.ptx"]
    assert (folder / "bad.ptx").read_text() == BAD


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_stay(run, write, folder, ending):
    write("bad.ptx", (BAD + BAD).replace("\n", ending))
    run("format", "bad.ptx")
    assert (folder / "bad.ptx").read_bytes() == (GOOD + GOOD).replace("\n", ending).encode()
