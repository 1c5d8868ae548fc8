"""Work in other processes: its result, and what happens without it."""

from __future__ import annotations

import os

import pytest

from ptx_lsp.checks.engine import shard_findings as engine
from ptx_lsp.cli import checking as work
from ptx_lsp.cli.background_process import BackgroundProcess
from ptx_lsp.cli.commands import FORMATS
from ptx_lsp.cli.entry import main
from ptx_lsp.cli.files import InputFile
from ptx_lsp.settings import Settings

KERNEL = """.visible .entry kernel{0}(.param .u64 out)
{{
    .reg .b32 %r<4>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    add.s32 %r1, %r{1}, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}}
"""


def test_the_result_of_another_process() -> None:
    with BackgroundProcess(os.getpid) as other:
        found = other.result()
    assert (found != os.getpid()) is hasattr(os, "fork")


def test_work_that_fails_there_is_done_here() -> None:
    here = os.getpid()

    def work_only_here() -> str:
        if os.getpid() != here:
            os._exit(3)
        return "done"

    with BackgroundProcess(work_only_here) as other:
        assert other.result() == "done"


def test_an_error_is_raised_where_the_result_is_wanted() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), BackgroundProcess(fail) as other:
        other.result()


def test_a_result_that_nobody_wants() -> None:
    with BackgroundProcess(lambda: "x" * 1_000_000):
        pass


@pytest.fixture
def many(tmp_path, monkeypatch):
    """A file of many kernels, which is large enough for a process for each of them."""
    monkeypatch.setattr(work, "LARGE_FILE", 1)
    monkeypatch.setattr(work, "_SHARD", 1)
    path = tmp_path / "many.ptx"
    kernels = "".join(KERNEL.format(number, 2 if number % 3 else 1) for number in range(40))
    path.write_text(f".version 8.0\n.target sm_90\n.address_size 64\n{kernels}")
    return path


def check(path, jobs):
    return work.check_one(work.Task(InputFile(str(path), path.stat().st_size), Settings()), jobs)


def forked(monkeypatch) -> list[int]:
    """The processes that are begun from now on."""
    begun: list[int] = []
    fork = os.fork

    def counted() -> int:
        begun.append(fork())
        return begun[-1]

    monkeypatch.setattr(os, "fork", counted)
    return begun


@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_several_processes_find_what_one_does(many, monkeypatch, jobs):
    begun = forked(monkeypatch)
    assert check(many, jobs) == check(many, 1)
    assert check(many, 1).findings
    assert len(begun) == jobs - 1


@pytest.mark.parametrize("format_", FORMATS)
def test_several_processes_write_what_one_does(many, capsys, format_):
    written = []
    for jobs in ("1", "4"):
        status = main(["check", "--format", format_, "--jobs", jobs, str(many)])
        written.append((status, *capsys.readouterr()))
    assert written[0] == written[1]


def test_what_cannot_be_divided_gets_a_second_process(many, monkeypatch):
    many.write_text(many.read_text() + "/* a comment\n*/\n")
    begun = forked(monkeypatch)
    assert check(many, 8) == check(many, 1)
    assert len(begun) == 1


def test_what_is_divided_at_a_wrong_place_is_checked_as_a_whole(many):
    many.write_text(many.read_text().replace("ret;\n}", "ret;\n}\n}", 1))
    assert check(many, 8) == check(many, 1)


def test_without_fork_one_process_does_all(many, monkeypatch):
    found = check(many, 1)
    monkeypatch.delattr(os, "fork")
    assert check(many, 8) == found


def test_the_shard_of_a_process_that_is_killed_is_checked_here(many, monkeypatch):
    found = check(many, 1)
    here, original = os.getpid(), engine.shard_findings

    def killed(*arguments):
        if os.getpid() != here:
            os._exit(9)
        return original(*arguments)

    monkeypatch.setattr(engine, "shard_findings", killed)
    assert check(many, 4) == found


def test_an_error_in_another_process_is_reported(many, monkeypatch):
    def fail(_division, number, _settings):
        raise ValueError(number)

    monkeypatch.setattr(engine, "shard_findings", fail)
    assert "ValueError" in check(many, 4).problem
