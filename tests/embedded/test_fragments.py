"""Fragments: the text of templates, their operands, and text that is not known."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.symbols.given_names import GivenKind

from .fragments import fragment_of


def check_text(source: str, text: str, host: str = "cuda-cpp") -> None:
    """Fail unless a statement has this PTX."""
    assert fragment_of(source, host).text == text


def check_operands(source: str, operands: str) -> None:
    """Fail unless the given names are these, as older and newer compilers declare them."""
    fragment = fragment_of(source)
    found = []
    for old, new in zip(fragment.given(older=True), fragment.given(), strict=True):
        kind = (
            new.kind.name.lower()
            if new.kind is not GivenKind.REGISTER
            else " ".join(dict.fromkeys((old.type, new.type)))
        )
        found.append(f"{new.name} {kind}")
    assert ", ".join(found) == operands


def test_escapes_count_where_there_are_operands() -> None:
    """Tried with nvcc 13.0: lists without operands, as in ``::: "memory"``, do not count."""
    check_text('asm("mov.u32 %0, %%laneid; // %= %{%|%}" : "=r"(d));', "mov.u32 %0, %laneid; // 0 ")
    check_text('asm("mov.u32 t, %%laneid;");', "mov.u32 t, %%laneid;")
    check_text('asm("mov.u32 t, %%laneid;" ::: "memory");', "mov.u32 t, %%laneid;")


def test_a_percent_sign_takes_the_next_character_with_it() -> None:
    """Tried with nvcc 13.0: ``%-1`` is ``1``."""
    check_text('asm("mov.u32 %0, %-1;" : "=r"(d));', "mov.u32 %0, 1;")


def test_escapes_are_kept_as_text_only() -> None:
    """A template may have one for each two characters: what is kept of it must not be an object for each of them."""
    fragment = fragment_of(f'asm("{"%[" * 5000}L%=: mov.u32 %0, %%laneid;" : "=r"(d));')
    assert fragment.text == "L0: mov.u32 %0, %laneid;"
    assert [fragment.text[mark.span.start : mark.span.end] for mark in fragment.marks] == ["%0"]
    assert fragment.replaced.unique == [1]
    assert fragment.map.to_host(0) == fragment.site.text.index("L")


def test_the_operands_of_rust_count_without_what_is_none() -> None:
    source = (
        'fn f() { asm!("{}, {a b}, {:e}, {{, {x}, {1}, {}", in(reg32) a, in(reg32) b, in(reg32) c, x = in(reg32) d); }'
    )
    fragment = fragment_of(source, "rust")
    assert fragment.text == "$0, {a b}, $1, {, $x, $1, $2"
    assert [mark.number for mark in fragment.marks] == [0, 1, -1, 1, 2]


def test_literals_are_joined() -> None:
    check_text('asm("add.s32 " /* one */ "%0,"\n  "%1, 1;\\n" : "=r"(d) : "r"(a));', "add.s32 %0,%1, 1;\n")
    check_text('asm(R"(add.s32 %0, %1, 1;)" : "=r"(d) : "r"(a));', "add.s32 %0, %1, 1;")


def test_letters() -> None:
    check_operands(
        'asm("// %0 %1 %2 %3 %4 %5 %6" : "=h"(d), "=r"(d), "+l"(d) : "q"(d), "f"(d), "d"(d), "n"(1));',
        "%0 .b16, %1 .b32, %2 .b64, %3 .b128, %4 .f32 .b32, %5 .f64 .b64, %6 constant",
    )


def test_only_what_is_named_is_given() -> None:
    check_operands('asm("ret;" : "=r"(d));', "")


def test_a_constant_in_an_expression_is_a_number() -> None:
    fragment = fragment_of('asm("ld.global.b32 %0, [%1 + %2];" : "=r"(d) : "l"(p), "n"(8));')
    assert fragment.checked == "ld.global.b32 %0, [%1 + 00];"
    assert fragment_of('asm("shl.b32 %0, %0, %1;" : "+r"(d) : "n"(8));').checked == "shl.b32 %0, %0, %1;"


@pytest.mark.parametrize(
    ("template", "checked"),
    [
        ("add.s32 %0, %0, %1*17+8;", "add.s32 %0, %0, 00*00+0;"),
        ("bar.sync 5+%1, 64;", "bar.sync 0+00, 64;"),
        ("mov.b32 %0, (3+%1)*0x11;", "mov.b32 %0, (0+00)*0x11;"),
        ("ld.shared.b32 %0, [%1+12];", "ld.shared.b32 %0, [00+12];"),
        ("mov.b32 %0, 5+7; mov.b32 %0, %1+7 8;", "mov.b32 %0, 5+7; mov.b32 %0, 00+7 8;"),
    ],
)
def test_numbers_that_a_constant_of_unknown_value_is_computed_with_do_not_matter(template: str, checked: str) -> None:
    assert fragment_of(f'asm("{template}" : "=r"(d) : "n"(N));').checked == checked


def test_a_constant_in_a_word_makes_it_unknown() -> None:
    fragment = fragment_of('asm("bar.sync 0; mov.b%1 %0, 1;" : "=r"(d) : "n"(32));')
    (unknown,) = fragment.unknown.opaque
    assert fragment.text[unknown.start : unknown.end].startswith(" mov.b")


def test_the_notation_of_llvm() -> None:
    source = 'inline_asm_elementwise("L${:uid}: add.s32 $0, ${1}, $$x; mov.u32 $0, %laneid;", "=r,r", [a], 1, 1, 1)'
    assert fragment_of(source, "python").text == "L0: add.s32 $0, $1, $x; mov.u32 $0, %laneid;"


def test_an_unknown_number_of_registers() -> None:
    source = 'inline_asm_elementwise(f".reg .b32 r<{n}>; mov.b32 r7, $1; mov.b32 $0, r7;", "=r,r", [a], 1, 1, 1)'
    assert fragment_of(source, "python").checked.startswith(".reg .b32 r<9999   >;")


def test_unknown_text_in_python() -> None:
    source = 'inline_asm_elementwise(f"add.{t} $0, $1, {x}; mov.b32 $0, {x};", "=r,r", [a], 1, 1, 1)'
    fragment = fragment_of(source, "python")
    assert fragment.text == "add.hole_0_ $0, $1, hole_1_; mov.b32 $0, hole_1_;"
    assert len(fragment.unknown.opaque) == 1
    assert [one.name for one in fragment.given()] == ["$0", "$1", "hole_0_", "hole_1_"]
