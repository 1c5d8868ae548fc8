"""``ptx-lsp locate``: from a line of compiled PTX to the ``asm`` statement of the source."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from ptx_lsp.cli.entry import main

SOURCE = """\
__device__ unsigned scaled(unsigned a) {
  unsigned result;
  asm volatile("{ .reg .pred %%p0;\\n\\t"
               "setp.ne.b32 %%p0, %1, 0;\\n"
               "@%%p0 mul.lo.u3 %0, %1, 7; }"
               : "=r"(result) : "r"(a));
  asm("add.u32 %0, %0, %1;" : "+r"(result) : "r"(a));
  asm("add.u32 %0, %0, 1;" : "+r"(result));
  return result;
}
"""
COMPILED = """\
.version 9.0
.target sm_90
.address_size 64
.visible .entry k()
{
	.loc	1 6 37
	// begin inline asm
	{ .reg .pred %p0;
	setp.ne.b32 %p0, %r2, 0;
@%p0 mul.lo.u3 %r4, %r2, 7; }
	// end inline asm
	.loc	1 8 3
	// begin inline asm
	add.u32 %r4, %r4, 1;
	// end inline asm
	ret;
}
	.file	1 "SOURCE"
"""


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiled PTX beside its source, as nvcc 13.0 writes it; its folder is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernel.cu").write_text(SOURCE)
    path = tmp_path / "kernel.ptx"
    path.write_text(COMPILED.replace("SOURCE", str(tmp_path / "kernel.cu")))
    return path


def located(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit status of ``ptx-lsp locate``, and what it prints."""
    status = main(["locate", *arguments])
    return status, capsys.readouterr().out


def test_a_line_of_a_statement(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = located(capsys, f"{compiled}:9")
    assert status == 0
    assert found.endswith("kernel.cu:4:17: setp.ne.b32 %p0, %r2, 0; [asm statement in line 3]\n")


def test_statements_differ_by_their_operands(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``1`` can be the operand of line 7; the line that ``.loc`` names decides."""
    _, found = located(capsys, f"{compiled}:14")
    assert "kernel.cu:8:8: " in found
    assert found.count("\n") == 1


def test_without_loc_the_text_decides(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled.write_text("\n".join(line for line in COMPILED.splitlines() if ".loc" not in line))
    _, found = located(capsys, f"{compiled}:9")
    assert found.startswith("kernel.cu:5:17: @%p0 mul.lo.u3")


def test_messages_of_ptxas(compiled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    message = f"ptxas {compiled}, line 10; error   : Unknown modifier '.u3'\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"compiling\n{message}done\n"))
    status, found = located(capsys)
    assert status == 0
    first, copied, place, last = found.splitlines()
    assert (first, copied + "\n", last) == ("compiling", message, "done")
    assert place.endswith("kernel.cu:5:29: error: Unknown modifier '.u3' [asm statement in line 3]")


@pytest.mark.parametrize("place", ["kernel.ptx:5", "kernel.ptx:999", "missing.ptx:3"])
def test_a_line_without_a_statement(compiled: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    assert located(capsys, place) == (1, "")


@pytest.mark.parametrize("place", ["kernel.ptx", "kernel.ptx:x"])
def test_wrong_usage(compiled: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    assert located(capsys, place) == (2, "")
