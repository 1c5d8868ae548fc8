"""``ptx-lsp check`` of sources with inline assembly: which files, for which targets, in all formats."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from ptx_lsp.cli.entry import main


class Result(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Write a file below an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    return write


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """TextRun a command line: ``run("check", "a.cu")``."""

    def run(*arguments: str) -> Result:
        return Result(main(list(arguments)), *capsys.readouterr())

    return run


KERNEL = """__global__ void k(int *p) {
    int d;
    asm volatile("wgmma.fence.sync.aligned;");
    asm("mov.b32 %0, 1;\\n\\t"
        "foo.b32 %0;" : "=r"(d));
    *p = d;
}
"""
FINE = '__device__ void f() { asm volatile("wgmma.fence.sync.aligned;"); }\n'


def errors(text: str) -> list[str]:
    """The places and codes of the errors in the text format."""
    found = []
    for line in text.splitlines():
        place, _, rest = line.partition(": error[")
        if rest:
            found.append(f"{place} {rest[:4]}")
    return found


def test_a_finding_has_its_place_in_the_source(run, write):
    write("k.cu", KERNEL)
    result = run("check", "k.cu")
    assert errors(result.out) == ["k.cu:5:10 E301"]
    assert result.status == 1


def test_folders_are_searched_for_sources(run, write):
    for name in ("a.cu", "b/c.cuh", "b/d.h", "e.cpp", "f.ptx", "g.txt"):
        write(name, KERNEL if not name.endswith("ptx") else "wrong")
    found = errors(run("check", ".").out)
    assert list(dict.fromkeys(one.partition(":")[0] for one in found)) == ["a.cu", "e.cpp", "f.ptx", "b/c.cuh", "b/d.h"]


def test_sources_without_inline_assembly_do_not_count(run, write):
    write("a.cu", FINE)
    write("b.cu", "int main() { return 0; }\n")
    write("c.h", "// asm in a comment\n")
    summary = json.loads(run("check", "--format=json", ".").out)
    assert [file["path"] for file in summary["files"]] == ["a.cu"]
    assert summary["summary"]["files"] == 1


def test_a_folder_without_inline_assembly(run, write):
    write("b.cu", "int main() { return 0; }\n")
    result = run("check", ".")
    assert (result.status, result.out) == (0, "no PTX found\n")


def test_the_language_of_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(KERNEL.encode())))
    assert errors(run("check", "--language", "cuda-cpp", "-").out) == ["<stdin>:5:10 E301"]


@pytest.mark.parametrize("style", ["github", "sarif", "json"])
def test_all_formats(run, write, style):
    write("k.cu", KERNEL)
    out = run("check", f"--format={style}", "k.cu").out
    assert "E301" in out
    assert "k.cu" in out


def test_targets_of_the_command_line(run, write):
    write("f.cu", FINE)
    assert run("check", "f.cu").status == 0
    assert run("check", "--target", "sm_80", "f.cu").status == 1
    assert run("check", "--target", "sm_80,sm_90a", "f.cu").status == 0
    assert "not for sm_80" in run("check", "--target", "sm_80,sm_90a", "f.cu").out


def test_an_unknown_target(run, write):
    write("f.cu", FINE)
    result = run("check", "--target", "sm_80,sm_81", "f.cu")
    assert result.status == 2
    assert "'sm_81', which is unknown" in result.err


def test_several_targets_are_not_for_ptx(run, write):
    write("f.ptx", "ret;")
    result = run("check", "--target", "sm_80,sm_90a", "f.ptx")
    assert result.status == 2
    assert "several targets" in result.err


def test_targets_by_patterns_of_paths(run, write):
    write("ptx-lsp.toml", '[targets]\n"**" = ["sm_80"]\n"hopper/**" = ["sm_90a"]\n')
    write("hopper/f.cu", FINE)
    write("other/f.cu", FINE)
    assert errors(run("check", ".").out) == ["other/f.cu:1:37 E502"]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("targets = 1", "'targets' must be a table"),
        ('[targets]\n"*" = "sm_80"', "must be a list of targets"),
        ('[targets]\n"*" = ["volta"]', "must be a target such as"),
    ],
)
def test_a_wrong_table_of_targets(run, write, table, problem):
    write("ptx-lsp.toml", table)
    write("f.cu", FINE)
    assert problem in run("check", "f.cu").err


def test_targets_of_the_build(run, write):
    write("f.cu", FINE)
    write("g.cuh", FINE)
    command = "nvcc -gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_86,code=[compute_86,sm_86] -c f.cu"
    write("build/compile_commands.json", json.dumps([{"file": "f.cu", "directory": ".", "command": command}]))
    shown = run("check", ".").out
    assert "requires sm_90a; this is compiled for sm_80, sm_86" in shown
    assert len(errors(shown)) == 2


@pytest.mark.parametrize("text", ["", "{", "[1, null, {}]", '[{"file": 3, "command": 4}]', '{"a": 1}', "[" * 100_000])
def test_a_broken_compile_commands_names_no_targets(run, write, text):
    write("f.cu", FINE)
    write("compile_commands.json", text)
    assert run("check", "f.cu").status == 0


def test_several_processes_report_in_order(run, write):
    for number in range(6):
        write(f"{number}.cu", KERNEL)
    assert run("check", "--jobs=2", ".").out == run("check", "--jobs=1", ".").out
