"""Inline assembly in LLVM IR and MLIR."""

from __future__ import annotations

import pytest
from host_texts import check_places, operands, template

from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import Certainty, Site


def only(text: str, host: str) -> Site:
    (site,) = find_sites(text, host)
    check_places(text, [site])
    return site


def test_a_call_of_llvm():
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        '%1 = tail call i32 asm sideeffect "add.s32 $0, $1, $2;\\0A\\09exit;", "=r,r,n,~{memory}"(i32 %a, i32 5) #1\n'
    )
    site = only(text, "llvm")
    assert template(site) == "add.s32 $0, $1, $2;\n\texit;"
    assert operands(site) == [("=r", ""), ("r", "%a"), ("n", "5")]
    assert [one.text for one in site.variants[0].clobbers] == ["memory"]
    assert (site.certainty, site.dialect) == (Certainty.DEVICE, "llvm")


def test_assembly_of_the_host_in_llvm():
    site = only('call void asm sideeffect "nop", "~{dirflag},~{fpsr},~{flags}"()', "llvm")
    assert site.certainty == Certainty.HOST


def test_an_operation_of_mlir():
    text = (
        "%1 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "
        '"@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b" %ptr, %p : (!llvm.ptr<1>, i1) -> i32'
    )
    site = only(text, "mlir")
    assert template(site) == "@$2 ld.global.b32 { $0 }, [ $1 + 0 ];"
    assert operands(site) == [("=r", ""), ("l", "%ptr"), ("b", "%p")]


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("llvm", '; call void asm "exit;", ""()'),
        ("llvm", '@s = constant [9 x i8] c"asm \\22x\\22, ()"'),
        ("llvm", "declare void @plasm()"),
        ("llvm", 'module asm "exit;"'),
        ("mlir", '// llvm.inline_asm "exit;", ""'),
        ("mlir", 'my.op "llvm.inline_asm \\"x\\""'),
    ],
)
def test_comments_and_strings_are_no_calls(host: str, text: str):
    assert find_sites(text, host) == []


@pytest.mark.parametrize(("host", "word"), [("llvm", "asm"), ("mlir", "llvm.inline_asm")])
def test_a_call_that_is_half_typed(host: str, word: str):
    site = only(f'{word} "add.s32 $0, ', host)
    assert template(site) == "add.s32 $0, "
    assert site.problems
    assert not site.are_operands_known


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("", []),
        ("ro (%a, %b : !llvm.ptr, i32)", [("!llvm.ptr", "%a"), ("i32", "%b")]),
        ("ro(%a : f32) rw(%b : i64) -> f32, f64", [("+i64", "%b"), ("=f32", ""), ("=f64", ""), ("f32", "%a")]),
        ("\n  ro (%a : i32),\n  predicate = %p {x = 1} -> i32", [("=i32", ""), ("i32", "%a")]),
        (
            "(%a, %b), predicate = %p : !llvm.ptr<3>, i32 -> (f32)",
            [("=f32", ""), ("!llvm.ptr<3>", "%a"), ("i32", "%b")],
        ),
        ("ro (%c0, %a : i32, vector<2xf16>)", [(None, "%c0"), ("vector<2xf16>", "%a")]),
    ],
)
def test_the_operands_of_inline_ptx_have_types(rest: str, expected: list[tuple[str | None, str]]):
    text = f'%c0 = arith.constant 1 : i32\nnvvm.inline_ptx "exit;" {rest}\nreturn\n'
    site = only(text, "mlir")
    assert template(site) == "exit;"
    assert operands(site) == expected
    assert (site.dialect, site.certainty) == ("nvvm", Certainty.DEVICE)
    assert text[site.span.end :].strip() == "return"


def test_the_names_of_operands_of_inline_ptx():
    site = only('nvvm.inline_ptx "x" ro (%a, %b : i32, i32) rw (%c : i32) -> f32, f32', "mlir")
    assert [one.name for one in site.operands] == ["rw0", "w0", "w1", "r0", "r1"]


def test_inline_ptx_that_is_half_typed():
    assert only('nvvm.inline_ptx "exit; ', "mlir").problems
    assert not only('nvvm.inline_ptx "exit;" ro (%a : i32', "mlir").are_operands_known
