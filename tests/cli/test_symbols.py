"""``ptx-lsp symbols``."""

from __future__ import annotations

import json

MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .b32 table[4];
.entry kernel(.param .u64 input)
{
    .reg .b32 %r<5>;
LOOP:
    {
        .reg .pred inner;
    }
    bra LOOP;
}
"""


def test_a_tree(run, write):
    write("a.ptx", MODULE)
    found = run("symbols", "a.ptx")
    assert found.status == 0
    assert found.out.splitlines() == [
        "table  variable .global .b32 line 4",
        "kernel  function .entry line 5",
        "  input  parameter .param .u64 line 5",
        "  %r<5>  register .reg .b32 line 7",
        "  LOOP  label line 8",
        "  { }  block line 9",
        "    inner  register .reg .pred line 10",
    ]


def test_several_files_are_named(run, write):
    write("a.ptx", MODULE)
    write("b.ptx", MODULE)
    lines = run("symbols", ".").out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["a.ptx", "b.ptx"]


def test_json(run, write):
    write("a.ptx", MODULE)
    (file,) = json.loads(run("symbols", "--json", "a.ptx").out)["files"]
    table, kernel = file["symbols"]
    assert file["path"] == "a.ptx"
    assert (table["name"], table["kind"], table["line"], table["column"]) == ("table", "variable", 4, 14)
    assert kernel["range"] == {"line": 5, "column": 1, "end_line": 13, "end_column": 2}
    assert [child["kind"] for child in kernel["children"]] == ["parameter", "register", "label", "block"]


def test_a_query(run, write):
    write("a.ptx", MODULE)
    assert [line.split()[0] for line in run("symbols", "--query", "INN", "a.ptx").out.splitlines()] == [
        "kernel",
        "{",
        "inner",
    ]
    assert run("symbols", "--query", "nothing", "a.ptx").status == 1


def test_what_cannot_be_read(run, write):
    write("a.ptx", MODULE)
    found = run("symbols", "missing.ptx", "a.ptx")
    assert found.status == 2
    assert "missing.ptx: No such file" in found.err
    assert "kernel" in found.out
