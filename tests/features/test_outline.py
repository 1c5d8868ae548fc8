"""The outline, written as an indented list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.outline import MOST_DEPTH, OutlineItem, outline, outline_with_loops
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import chunk

MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[16];
.func (.param .b32 result) helper(.param .b32 first);
.visible .entry kernel(.param .u64 input, .param .u64 output)
{
    .reg .pred %p<3>;
    .reg .b32 %r<5>, single;
    .shared .b32 tile[32];
START:
    {
        .reg .v2 .f32 inner;
    }
    bra START;
}
.global .b32 last;
"""


def written(entries: Iterable[OutlineItem], depth: int = 0) -> Iterator[str]:
    for entry in entries:
        kind = entry.kind.name.lower() if entry.kind else "block"
        yield "  " * depth + " ".join(filter(None, [kind, entry.name, entry.detail]))
        yield from written(entry.children, depth + 1)


def test_the_outline_of_a_module() -> None:
    assert list(written(outline(Checker(MODULE).module))) == [
        "variable table .global .b8",
        "function helper .func",
        "  parameter result .param .b32",
        "  parameter first .param .b32",
        "function kernel .entry",
        "  parameter input .param .u64",
        "  parameter output .param .u64",
        "  register %p<3> .reg .pred",
        "  register %r<5> .reg .b32",
        "  register single .reg .b32",
        "  variable tile .shared .b32",
        "  label START",
        "  block { }",
        "    register inner .reg .v2 .f32",
        "variable last .global .b32",
    ]


def test_a_function_reaches_from_its_head_to_its_closing_brace() -> None:
    entries = outline(Checker(MODULE).module)
    kernel = next(entry for entry in entries if entry.name == "kernel")
    text = MODULE[slice(*kernel.span)]
    assert text.startswith(".visible .entry kernel(")
    assert text.endswith("bra START;\n}")


def test_every_name_lies_in_its_entry_and_every_entry_in_its_parent() -> None:
    def check(entry: OutlineItem) -> None:
        assert entry.span.start <= entry.name_span.start <= entry.name_span.end <= entry.span.end
        for child in entry.children:
            assert entry.span.start <= child.span.start <= child.span.end <= entry.span.end
            check(child)

    for entry in outline(Checker(MODULE).module):
        check(entry)


def test_a_function_that_a_body_declares_stands_in_it() -> None:
    text = ".entry k()\n{\n.func f(.param .b32 x);\n.reg .b32 a;\n}\n.func g();\n"
    assert list(written(outline(Checker(text).module))) == [
        "function k .entry",
        "  function f .func",
        "  register a .reg .b32",
        "function g .func",
    ]


def test_an_empty_module_has_no_outline() -> None:
    assert outline(Checker("").module) == []


def test_blocks_nested_too_deep_are_no_entries_but_their_names_are() -> None:
    depth = MOST_DEPTH + 50
    text = ".func f()\n{\n" + "".join(f"{{ .reg .b32 a{number};\n" for number in range(depth)) + "}\n" * (depth + 1)
    found = list(written(outline(Checker(text).module)))
    assert found[:5] == [
        "function f .func",
        "  block { }",
        "    register a0 .reg .b32",
        "    block { }",
        "      register a1 .reg .b32",
    ]
    assert sum("block" in line for line in found) == MOST_DEPTH
    last = "  " * (MOST_DEPTH + 1)
    assert found[-51:] == [f"{last}register a{number} .reg .b32" for number in range(MOST_DEPTH - 1, depth)]


def test_hundreds_of_registers_that_are_declared_one_by_one_are_one_entry() -> None:
    declared = "\n".join(f".reg .b32 %r{number};" for number in range(100))
    text = MODULE.replace("    .reg .b32 %r<5>, single;", declared)
    assert list(written(outline(Checker(text).module)))[4:10] == [
        "function kernel .entry",
        "  parameter input .param .u64",
        "  parameter output .param .u64",
        "  register %p<3> … %r99 101 registers",
        "    register %p<3> .reg .pred",
        "    register %r0 .reg .b32",
    ]
    for entry in outline(Checker(text).module):
        for child in entry.children:
            assert all(child.span.start <= one.span.start <= one.span.end <= child.span.end for one in child.children)


def test_dozens_of_variables_before_the_first_kernel_are_one_entry() -> None:
    declared = "".join(f".global .align 1 .b8 flag{number}[1];\n" for number in range(30))
    head, entry = MODULE.split(".visible .entry", 1)
    items = run_to_completion(outline_with_loops(Checker(f"{head}{declared}.visible .entry{entry}").semantics))
    group = next(one for one in items if one.name.endswith(" variables"))
    assert [one.name for one in group.children][-30:] == [f"flag{number}" for number in range(30)]
    assert all(group.span.start <= one.span.start <= one.span.end <= group.span.end for one in group.children)


CALL = """\
.func helper(.param .b32 first);
.visible .entry kernel()
{
    .reg .b32 %r<3>;
    mov.b32 %r1, 1;
    { // callseq 1, 0
    .reg .b32 temp_param_reg;
    .param .b32 param0;
    st.param.b32 [param0], %r1;
    call.uni helper, (param0);
    } // callseq 1
    { // asm
    .reg .b32 %inner;
    mov.b32 %inner, %r1;
    }
    ret;
}
"""


def test_the_block_of_a_call_is_no_entry_wherever_chunks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(written(outline(Checker(CALL).module)))
    assert [line.split()[0] for line in whole].count("block") == 1, whole
    for size in range(1, 12):
        monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
        assert list(written(outline(Checker(CALL).module))) == whole, size
