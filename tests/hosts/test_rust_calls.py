"""Calls of ``asm!`` in Rust: what rustc 1.95 makes of each for nvptx64 is in the names of the tests."""

from __future__ import annotations

import pytest
from host_texts import check_places, operands, template

from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import Certainty, Site


def only(text: str) -> Site:
    (site,) = find_sites(text, "rust")
    check_places(text, [site])
    return site


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('"bar.sync 0;"', "bar.sync 0;"),
        (r'"a;\n\tb;\x41\u{1F}\\"', "a;\n\tb;A\x1f\\"),
        ('"a;\\\n       b;"', "a;b;"),
        ('"a;\n  b;"', "a;\n  b;"),
        ('r"a\\n"', "a\\n"),
        ('r##"a "# b"##', 'a "# b'),
        ('"a;", "b;", // of\n "c;"', "a;\nb;\nc;"),
        ('concat!("a", /* b */ ".b32", stringify!(c)), "d;"', "a.b32<?>\nd;"),
        ('core::concat!("a", concat!("b", "c"))', "abc"),
        ("$template", "<?>"),
        ('include_str!("a.ptx"), in(reg32) a', "<?>"),
    ],
)
def test_templates_are_literals_with_new_lines_between_them(arguments: str, expected: str):
    assert template(only(f"asm!({arguments})")) == expected


def test_operands_count_in_the_order_in_which_they_are_written():
    site = only(
        'asm!("x", in(reg64) p.as_ptr(), x = out(reg32) out[0], inout(reg16) a => b, lateout(reg32) _, '
        "const { 2 + 3 }, sym f::<u32>, options(nostack, preserves_flags))"
    )
    assert operands(site) == [
        *(("reg64", "p.as_ptr()"), ("=reg32", "out[0]"), ("+reg16", "a => b"), ("=reg32", "_")),
        *(("const", "{ 2 + 3 }"), ("sym", "f::<u32>")),
    ]
    assert [one.name for one in site.operands] == [None, "x", None, None, None, None]
    assert [site.text[slice(*one.constraint_span)] for one in site.operands][:3] == [
        "in(reg64)",
        "out(reg32)",
        "inout(reg16)",
    ]
    assert site.are_operands_known


@pytest.mark.parametrize(
    "operand", ["$($rest)*", '#[cfg(feature = "a")] in(reg32) b'], ids=["of a macro", "with a condition"]
)
def test_some_operands_are_unknown(operand: str):
    assert not only(f'asm!("x", in(reg32) a, {operand})').are_operands_known


def test_a_raw_template_has_no_operands():
    assert not only('asm!("{ x; }", options(raw))').variants[0].has_operand_lists
    assert only('asm!("{{ raw; }}", options(nostack))').variants[0].has_operand_lists


@pytest.mark.parametrize("call", ["asm!(X)", "asm![X]", "asm! {X}", "core::arch::asm!(X)"])
def test_any_brackets(call: str):
    assert template(only(call.replace("X", '"exit;"'))) == "exit;"


@pytest.mark.parametrize(
    "text",
    [
        '// asm!("exit;")',
        '/* /* */ asm!("exit;") */',
        '"asm!(x)"',
        'r#"asm!("exit;")"#',
        'global_asm!("exit;")',
        "let asm = !(a);",
        '\'"\' ; // asm!("exit;")',
    ],
)
def test_other_text_is_no_call(text: str):
    assert find_sites(text, "rust") == []


def test_lifetimes_and_characters():
    site = only("fn f<'a>(x: &'a str) { g('\\'', '\"', b'\"'); asm!(\"exit;\") }")
    assert template(site) == "exit;"


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ('asm!("add.s32 {}, {}, 1;", out(reg32) a, in(reg32) b)', Certainty.DEVICE),
        ('asm!("add {}, {}", inout(reg) a, in(reg) b)', Certainty.HOST),
        ('asm!("mov eax, 1", out("eax") a)', Certainty.HOST),
        ('asm!("mfence")', Certainty.HOST),
        ('asm!("bar.sync 0;")', Certainty.UNKNOWN),
        ('use cuda_std::*; fn f() { asm!("bar.sync 0;") }', Certainty.DEVICE),
        ('#[cfg(target_arch = "nvptx64")] fn f() { asm!("bar.sync 0;") }', Certainty.DEVICE),
        (
            '#[cfg(target_arch = "nvptx64")] mod a; #[cfg(target_arch = "x86_64")] fn f() { asm!("ret") }',
            Certainty.UNKNOWN,
        ),
    ],
)
def test_the_registers_or_the_file_say_whose_assembly_it_is(text: str, certainty: Certainty):
    assert find_sites(text, "rust")[0].certainty == certainty


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ('fn f() { asm!("exit;" ; g(); }', "; g(); }"),
        ('fn f() { asm!("exit;", in(reg32) a }\nfn g() {}', "}\nfn g() {}"),
        ('asm!("exit;', ""),
    ],
)
def test_a_call_that_is_half_typed(text: str, end: str):
    site = only(text)
    assert site.problems
    assert text[site.span.end :] == end
