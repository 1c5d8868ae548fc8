"""Work in a second process: its result, and what happens without it."""

from __future__ import annotations

import os

import pytest

from ptx_lsp.cli import checking as work
from ptx_lsp.cli.background_process import BackgroundProcess
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


def test_two_processes_find_what_one_does(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(work, "_LARGE", 1)
    path = tmp_path / "many.ptx"
    kernels = "".join(KERNEL.format(number, 2 if number % 3 else 1) for number in range(40))
    path.write_text(f".version 8.0\n.target sm_90\n.address_size 64\n{kernels}")
    task = work.Task(InputFile(str(path), path.stat().st_size), Settings())
    assert work.check_one(task, jobs=2) == work.check_one(task)
    assert work.check_one(task, jobs=2).findings
