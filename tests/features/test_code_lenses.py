"""Code lenses: a line ``//> …`` says what stands above the line that follows, parts between bars."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features import code_lenses as code_lenses_module
from ptx_lsp.features.code_lenses import code_lenses, resource_usage, title
from ptx_lsp.preferences import CodeLenses
from ptx_lsp.text import Span

from ..annotated import read

_MARK = "//> "
_BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


def only(*kinds: str) -> CodeLenses:
    """Settings with some kinds of lenses alone."""
    return CodeLenses(**{name: name in kinds for name in CodeLenses._fields})


def shown(checker: Checker, wanted: CodeLenses | None) -> dict[int, list[str]]:
    """What stands above each line."""
    found: dict[int, list[str]] = {}
    for lens in code_lenses(checker.semantics, wanted):
        said = title(checker.semantics, lens)
        assert said is not None
        found.setdefault(checker.document.position(lens.offset)[0], []).append(said.text)
    return found


def check_lenses(source: str, *kinds: str) -> None:
    """The lenses that the source announces are there, and no others; of all kinds by default.

    ``(peak)`` stands for the line that ends in ``// peak``.
    """
    text = read("//- module sm_80 ptx 7.0\n" + source.strip("\n")).text
    lines = text.split("\n")
    peak = next((number for number, line in enumerate(lines, 1) if line.endswith("// peak")), 0)
    lines = [line.replace("(peak)", f"(line {peak})") for line in lines]
    expected = {
        number + 1: line.removeprefix(_MARK).split(" | ") for number, line in enumerate(lines) if line.startswith(_MARK)
    }
    assert shown(Checker(text), only(*kinds) if kinds else None) == expected


# ---------------------------------------------------------------------- references and callers


def test_references_of_a_function() -> None:
    check_lenses(
        """
//> 2 references
.func f() { ret; }
.func g() { call f; call f; ret; }
""",
        "references",
    )


def test_texts_that_compilers_name_have_no_lenses() -> None:
    """A file has dozens of them, before its first kernel."""
    check_lenses(
        """
.global .align 1 .b8 __unnamed_1[2] = {65, 0};
.global .align 1 .b8 $str[2] = {65, 0};
.entry k() { .reg .b64 %rd<4>; mov.b64 %rd1, __unnamed_1; mov.b64 %rd2, $str; ret; }
""",
        "references",
    )


def test_references_of_variables() -> None:
    check_lenses(
        """
//> 3 references
.global .u32 counter;
//> 1 reference
.global .u64 pointer = counter;
.const .f32 unused;
.entry k()
{
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.global.u32 %r1, [counter];
st.global.u32 [counter+0], %r1;
mov.u64 %rd1, pointer;
ret;
}
""",
        "references",
    )


def test_comments_and_other_names_do_not_count() -> None:
    check_lenses(
        """
//> 1 reference
.global .u32 x;
.global .u32 x1;
.entry k(.param .u32 x_param) // x
{
.reg .b32 %r<4>;
/* x1 */ ld.global.u32 %r1, [x];
{ .reg .b32 x1; mov.u32 x1, 0; }
ret;
}
""",
        "references",
    )


def test_a_group_of_variables_has_no_lens_even_if_something_else_has_its_name() -> None:
    check_lenses(
        """
.global .b32 cell<3>;
//> 1 reference
.global .b32 other;
.global .b32 cell;
.func f()
{
    .reg .b32 %r<9>;
    ld.global.b32 %r1, [cell1];
    ld.global.b32 %r2, [cell];
    ld.global.b32 %r2, [other];
    ret;
}
""",
        "references",
    )


def test_names_in_tables_and_lists_count() -> None:
    check_lenses(
        """
//> 2 references
.func f() { ret; }
.global .u64 table[1] = { f };
.entry k()
{
list: .calltargets f;
ret;
}
""",
        "references",
    )


def test_of_several_declarations_the_definition_has_them() -> None:
    check_lenses(
        """
.func f();
//> called by g
.extern .func outside();
.func g() { call f; call outside; ret; }
//> called by g
.func f() { ret; }
""",
        "callers",
    )


def test_one_or_two_callers_are_named() -> None:
    check_lenses(
        """
//> called by first, second
.func f() { ret; }
.func first() { call f; call f; ret; }
.func second() { call f; ret; }
""",
        "callers",
    )


def test_more_callers_are_counted() -> None:
    check_lenses(
        """
//> 3 callers
.func f() { ret; }
.entry a() { call f; ret; }
.entry b() { call f; ret; }
.entry c() { call f; ret; }
""",
        "callers",
    )


def test_a_function_that_calls_itself() -> None:
    check_lenses("//> called by itself\n.func f() { call f; ret; }", "callers")


def test_callers_have_their_names_of_the_source() -> None:
    text = read("//- module sm_80 ptx 7.0\n.func f() { ret; }\n.entry _Z4axpyIfEvPT_() { call f; ret; }\n").text
    checker = Checker(text)
    (lens,) = code_lenses(checker.semantics, only("callers"))
    shown = title(checker.semantics, lens)
    plain = title(checker.semantics, lens, demangles=False)
    assert shown is not None
    assert plain is not None
    assert (shown.text, plain.text) == ("called by axpy<float>", "called by _Z4axpyIfEvPT_")


def test_long_names_of_callers_are_counted() -> None:
    name = "a_name_" * 10
    check_lenses(f"//> 1 caller\n.func f() {{ ret; }}\n.entry {name}() {{ call f; ret; }}", "callers")


def test_an_address_that_is_taken_is_no_call() -> None:
    check_lenses(
        """
//> 1 reference
.func f() { ret; }
.entry k() { .reg .b64 %rd1; mov.u64 %rd1, f; ret; }
""",
        "references",
        "callers",
    )


def test_nobody_refers_to_a_kernel() -> None:
    check_lenses(".entry k() { ret; }", "references", "callers")


# ---------------------------------------------------------------------- needs


def test_what_a_function_needs() -> None:
    check_lenses(
        """
//> requires PTX 7.0, sm_80
.entry a()
{
.reg .b64 %rd<4>;
cp.async.ca.shared.global [%rd1], [%rd2], 4;
ret;
}
//> requires PTX 5.1, sm_30
.entry b()
{
.reg .b32 %r<4>;
shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;
ret;
}
""",
        "needs",
    )


def test_long_functions_have_all_lenses() -> None:
    lines = "cp.async.wait_all;\nadd.f32 %f1, %f1, %f2;\n" * 4000
    check_lenses(
        f"""
//> requires PTX 7.0, sm_80 | at most 2 registers live (peak)
.entry long()
{{
.reg .f32 %f<4>; // peak
{lines}st.global.f32 [0], %f1;
ret;
}}
""".replace("%f<4>; // peak", "%f<4>;").replace("cp.async", "mov.f32 %f2, 1.0; // peak\ncp.async", 1),
        "needs",
        "registers",
    )


def test_a_function_without_a_body_needs_nothing() -> None:
    check_lenses(".extern .func f();", "needs", "registers", "memory")


def test_the_instruction_that_needs_it() -> None:
    source = """//- module sm_90 ptx 8.0
.entry a()
{
.reg .b64 %rd<4>;
mov.u64 %rd1, 0;
cp.async.ca.shared.global [%rd1], [%rd2], 4;
cp.async.wait_all;
ret;
}
"""
    checker = Checker(read(source).text)
    (lens,) = code_lenses(checker.semantics, only("needs"))
    said = title(checker.semantics, lens)
    assert said is not None
    assert said.text == "requires PTX 7.0, sm_80"
    assert [checker.document.slice(place) for place in said.places] == ["cp"]


def test_only_instructions_count_for_the_size_of_a_function() -> None:
    declared = "".join(f".reg .b32 %a{number};\n" for number in range(6000))
    source = f"//- module sm_90 ptx 8.0\n.entry a()\n{{\n{declared}mov.b32 %a1, 0;\nret;\n}}\n"
    assert [lens.kind for lens in code_lenses(Checker(read(source).text).semantics)] == ["needs", "registers"]


# ---------------------------------------------------------------------- registers


def test_registers_that_live_at_once() -> None:
    check_lenses(
        """
//> at most 2 registers live (peak)
.entry k()
{
.reg .b32 %r<8>;
mov.u32 %r2, 2;
mov.u32 %r1, 1; // peak
add.s32 %r3, %r1, %r2;
st.global.u32 [0], %r3;
ret;
}
""",
        "registers",
    )


def test_wide_registers_count_twice_and_predicates_not() -> None:
    check_lenses(
        """
//> at most 5 registers live (peak)
.entry k()
{
.reg .b64 %rd<8>;
.reg .pred %p<2>;
.reg .b16 %h;
mov.b16 %h, 1;
mov.u64 %rd1, 1;
mov.u64 %rd2, 2; // peak
setp.eq.u64 %p1, %rd1, %rd2;
@%p1 st.global.u64 [0], %rd1;
@%p1 st.global.u64 [8], %rd2;
@%p1 st.global.u16 [8], %h;
ret;
}
""",
        "registers",
    )


def test_what_a_loop_needs_lives_all_the_time() -> None:
    check_lenses(
        """
//> at most 3 registers live (peak)
.entry k()
{
.reg .b32 %r<8>;
.reg .pred %p1;
mov.u32 %r1, 0;
mov.u32 %r2, 10;
LOOP:
add.s32 %r3, %r1, %r2; // peak
st.global.u32 [0], %r3;
add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, %r2;
@%p1 bra LOOP;
ret;
}
""",
        "registers",
    )


def test_registers_of_inner_blocks_are_others() -> None:
    check_lenses(
        """
//> at most 2 registers live (peak)
.entry k()
{
.reg .b32 t;
mov.u32 t, 0;
{
.reg .b32 t;
mov.u32 t, 1; // peak
st.global.u32 [0], t;
}
st.global.u32 [0], t;
ret;
}
""",
        "registers",
    )


def test_parameters_in_registers_count() -> None:
    check_lenses(
        """
//> at most 2 registers live (peak)
.func (.reg .u32 out) f(.reg .u32 a, .reg .u32 b)
{
add.u32 out, a, b; // peak
ret;
}
""",
        "registers",
    )


def test_a_function_without_registers() -> None:
    check_lenses(".entry k() { ret; }", "registers", "memory")


def test_functions_of_unusual_length_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_lenses_module, "LARGEST", 600)
    body = ".reg .b32 %r1; mov.u32 %r1, 0;\n" + "add.s32 %r1, %r1, 1;\n" * 600
    check_lenses(f".entry k() {{ {body} ret; }}", "registers", "needs")


def test_live_registers_that_would_take_too_much_memory_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_usage, "_MOST_BITS", 1)
    check_lenses(
        "//> too long to count live registers\n.entry k() { .reg .b32 %r<2>; L: add.s32 %r1, %r1, 1; bra L; }",
        "registers",
    )


# ---------------------------------------------------------------------- memory


def test_memory_of_a_kernel() -> None:
    check_lenses(
        """
.shared .align 8 .b8 tile[4096];
.shared .b8 of_others[100];
//> 12 bytes of parameters, 4,100 bytes shared
.entry k(.param .u64 p, .param .u32 n)
{
.shared .u32 flag;
.reg .b32 %r<4>;
ld.shared.u32 %r1, [tile];
ld.shared.u32 %r1, [flag];
ret;
}
""",
        "memory",
    )


def test_memory_that_the_launch_decides() -> None:
    check_lenses(
        """
.extern .shared .b8 dynamic[];
//> shared memory set at launch
.entry k()
{
.reg .b32 %r<4>;
ld.shared.u32 %r1, [dynamic];
ret;
}
""",
        "memory",
    )


# ---------------------------------------------------------------------- all of them

MODULE = """
//> 1 reference
.global .u32 x;
//> 1 reference | called by k | requires PTX 2.0, sm_20
.func f() { ret; }
//> requires PTX 2.0, sm_20 | at most 1 register live (peak)
.entry k()
{
.reg .b32 %r<4>;
ld.global.u32 %r1, [x];
st.global.u32 [0], %r1;
call f;
ret;
}
"""


def test_all_of_them_in_order() -> None:
    text = read("//- module sm_80 ptx 7.0" + MODULE).text
    found = shown(Checker(text), None)
    assert [len(parts) for parts in found.values()] == [1, 2, 2]
    assert [parts[0] for parts in found.values()][:2] == ["1 reference", "1 reference"]


def test_no_kind_no_lens() -> None:
    assert not code_lenses(Checker(MODULE).semantics, only())
    assert not code_lenses(Checker("").semantics)


def test_places_to_go_to() -> None:
    checker = Checker(read("//- module sm_80 ptx 7.0" + MODULE).text)
    for lens in code_lenses(checker.semantics, only("references", "callers")):
        said = title(checker.semantics, lens)
        assert said is not None
        assert [checker.document.slice(span) for span in said.places] == [lens.name]


def test_what_is_said_follows_edits() -> None:
    checker = Checker(read("//- module sm_80 ptx 7.0" + MODULE).text)
    lenses = code_lenses(checker.semantics, only("callers"))
    assert [title(checker.semantics, lens).text for lens in lenses] == ["called by k"]  # type: ignore[union-attr]
    at = checker.document.text.index("call f;")
    checker.edit(Span(at, at + 7), "")
    assert [title(checker.semantics, lens).text for lens in lenses] == ["no callers"]  # type: ignore[union-attr]
    end = checker.document.length
    checker.edit(Span(end, end), ".func g() { call f; call f; ret; }\n")
    assert [title(checker.semantics, lens).text for lens in lenses] == ["called by g"]  # type: ignore[union-attr]
    start = checker.document.text.index(".func f()")
    checker.edit(Span(start, start + len(".func f() { ret; }")), "")
    assert [title(checker.semantics, lens) for lens in lenses] == [None]


@pytest.mark.parametrize("path", _BROKEN, ids=lambda path: path.stem)
def test_broken_files(path: Path) -> None:
    """Whatever is cut off, every lens says something."""
    text = path.read_text("utf-8")
    for end in range(0, len(text), max(len(text) // 13, 7)):
        checker = Checker(text[:end])
        for lens in code_lenses(checker.semantics):
            assert title(checker.semantics, lens) is not None


@pytest.mark.parametrize(
    ("body", "is_told"),
    [("ret;", False), ("barrier.cluster.arrive;\nret;", True), ("mov.u32 %r1, %r2;\nret;", True)],
)
def test_what_an_empty_function_requires_is_not_told(body: str, is_told: bool) -> None:
    text = read(f"//- module sm_90 ptx 8.0\n.visible .entry k() {{\n.reg .b32 %r<3>;\n{body}\n}}\n").text
    assert any("requires" in part for parts in shown(Checker(text), None).values() for part in parts) is is_told
