"""Completion of descriptors and of the table of ``lop3``."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion.documentation import documentation
from ptx_lsp.features.completion.item import Item
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

from .completions import accepted, items
from .cursor import opened
from .test_packed_fields import BLACKWELL, F8, F16, HOPPER, I8, PAIR, WGMMA


def offered(body: str, kernel: str = BLACKWELL) -> dict[str, str]:
    """The templates at the cursor with their details."""
    return {one.label: one.detail for one in templates(body, kernel)}


def templates(body: str, kernel: str = BLACKWELL) -> list[Item]:
    return [one for one in items(kernel.replace("BODY", body)) if one.key[:1] == ("descriptor",)]


def check_offered(body: str, wanted: dict[str, str], kernel: str = BLACKWELL) -> None:
    """These templates and no others, in this order."""
    assert list(offered(body, kernel).items()) == list(wanted.items())


HALVES = {
    "0x08200010": "f16→f32 M128 N128",
    "0x08400010": "f16→f32 M128 N256",
    "0x08200490": "bf16→f32 M128 N128",
    "0x08400490": "bf16→f32 M128 N256",
}
OF_TCGEN05 = {
    "0x4000404000010000": "128B, SBO 1024",
    "0x8000402000010000": "64B, SBO 512",
    "0xc000401000010000": "32B, SBO 256",
    "0x0000400800800000": "none, SBO 128",
    "0x0000401000080000": "none, SBO 256",
}
OF_WGMMA = {
    "0x4000004000010000": "128B, SBO 1024",
    "0x8000002000010000": "64B, SBO 512",
    "0xc000001000010000": "32B, SBO 256",
    "0x0000000800400000": "none, SBO 128",
    "0x0000001000080000": "none, SBO 256",
}


# ---------------------------------------------------------------- descriptors


@pytest.mark.parametrize("typed", ["<|>;", "0x<|>;", "0x08<|>200;", "<|>\nadd.s32 %r2, %r3, %r4;"])
def test_an_instruction_descriptor_is_moved_into_its_register(typed: str) -> None:
    check_offered(f"mov.b32 %r1, {typed}\n{F16}", HALVES)


def test_an_instruction_descriptor_of_two_ctas() -> None:
    found = offered(f"mov.b32 %r1, <|>;\n{PAIR}")
    assert found["0x10400010"] == "f16→f32 M256 N256"
    assert HALVES.items() <= found.items()


def test_types_follow_the_kind() -> None:
    assert set(offered(f"mov.b32 %r1, <|>;\n{F8}").values()) == {
        f"{type_}→f32 M128 N{n}" for type_ in ("e4m3", "e5m2") for n in (128, 256)
    }
    assert {text.split()[0] for text in offered(f"mov.u32 %r1, <|>;\n{I8}").values()} == {"s8→s32", "u8→s32"}


def test_sparse_products_get_sparse_descriptors() -> None:
    sparse = "tcgen05.mma.sp.cta_group::1.kind::f16 [%r30], %rd1, %rd2, [%r4], %r1, %p1;"
    assert next(iter(offered(f"mov.b32 %r1, <|>;\n{sparse}"))) == "0x08200014"


def test_block_scaling_has_its_own_layouts() -> None:
    scaled = "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r30], %rd1, %rd2, %r1, [%r4], [%r5], %p1;"
    check_offered(
        f"mov.b32 %r1, <|>;\n{scaled}",
        {
            "0x08a00480": "e2m1 M128 N128 K64",
            "0x08c00480": "e2m1 M128 N256 K64",
        },
    )


def test_at_the_operand_itself() -> None:
    check_offered(F16.replace("%r1,", "<|>,"), HALVES)
    check_offered(F16.replace("%rd2", "<|>"), OF_TCGEN05)
    check_offered(WGMMA.replace("%rd2", "0x4<|>"), OF_WGMMA, HOPPER)


def test_matrix_descriptors_of_the_two_generations_differ() -> None:
    check_offered(f"mov.b64 %rd1, <|>;\n{F16}", OF_TCGEN05)
    check_offered(f"mov.b64 %rd1, <|>;\n{WGMMA}", OF_WGMMA, HOPPER)


def test_a_register_that_two_kinds_share_gets_what_both_take() -> None:
    assert not offered(f"mov.b32 %r1, <|>;\n{F16}\n{I8}"), "the two have no type in common"
    check_offered(f"mov.b32 %r1, <|>;\n{F16}\n{PAIR}", HALVES)


def test_a_constant_from_which_a_descriptor_is_made() -> None:
    check_offered(f"mov.b64 %rd5, 0x40<|>00;\nor.b64 %rd1, %rd5, %rd6;\n{F16}", OF_TCGEN05)


@pytest.mark.parametrize(
    "body",
    [
        "mov.b32 %r2, <|>;\n" + F16,
        "add.s32 %r1, %r2, <|>;\n" + F16,
        "mov.b64 %rd1, {%r2, <|>};\n" + F16,
        F16.replace("[%r30]", "[<|>]"),
        "mov.b32 <|>, 5;\n" + F16,
        "mov.b64 %rd1, <|>;\n// tcgen05.mma of %rd1",
    ],
)
def test_elsewhere_there_are_none(body: str) -> None:
    assert not offered(body)


def test_the_words_of_a_template() -> None:
    item = templates(f"mov.b64 %rd1, <|>;\n{F16}")[0]
    found = documentation(item.key, Version.parse("8.6"), Target.parse("sm_100a"))
    assert found is not None
    assert found.plain.split("\n\n") == [
        "matrix descriptor of tcgen05.mma and tcgen05.cp: K-major, rows of 128 bytes",
        "swizzle 128B, SBO 1024 B, LBO 16 B, at 0",
    ]


def test_words_of_templates_that_nobody_offered() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        documentation(("descriptor", "idesc", "x", "many", ""), Version.parse("8.6"), Target.parse("sm_100a"))
    assert documentation(("descriptor", "x", "x", "0x1", ""), Version.parse("8.6"), Target.parse("sm_100a")) is None


@pytest.mark.parametrize(
    "body",
    [
        f"mov.b32 %r1, <|>;\n{F16}",
        f"mov.b64 %rd1, 0x1<|>2;\n{PAIR}",
        f"mov.b32 %r1, <|>;\n{I8}",
    ],
)
def test_what_is_accepted_is_right(body: str) -> None:
    """No finding about packed values, and the literal that was there is replaced."""
    source = BLACKWELL.replace("BODY", body)
    checker, offset, _ = opened(source)
    for item in completion(checker.semantics, offset):
        if item.key[:1] == ("descriptor",):
            text = checker.document.text
            text = text[: item.typed.start] + item.label + text[item.typed.end :]
            assert re.search(rf"mov\.b\d+ %\w+, {item.label};", text)
            assert not [one for one in Checker(text).diagnostics() if one.code.startswith("W7")]


# ---------------------------------------------------------------- lop3

LOP3 = "lop3.b32 %r1, %r2, %r3, %r4, {};"


@pytest.mark.parametrize(
    ("typed", "label", "number"),
    [
        ("a & b | c<|>", "a & b | c", "0xEA"),
        ("a & b<|> | c", "a & b | c", "0xEA"),
        ("<|>a ^ b ^ c", "a ^ b ^ c", "0x96"),
        ("(a & <|>b) | ~c", "(a & b) | ~c", "0xD5"),
        ("(a & b)<|>", "(a & b)", "0xC0"),
        ("a ? b : c<|>", "a ? b : c", "0xCA"),
        ("~a<|>", "~a", "0x0F"),
        ("b<|>", "b", "0xCC"),
    ],
)
def test_an_expression_becomes_its_table(typed: str, label: str, number: str) -> None:
    assert accepted(LOP3.format(typed), label) == LOP3.format(number)


def test_an_expression_before_more_operands_and_without_an_end() -> None:
    with_predicate = "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, {}, %p2;"
    assert accepted(with_predicate.format("a & b<|>"), "a & b") == with_predicate.format("0xC0")
    assert accepted("lop3.b32 %r1, %r2, %r3, %r4, a & b<|>\nret;", "a & b") == LOP3.format("0xC0")[:-1] + "\nret;"


@pytest.mark.parametrize("typed", ["a & <|>", "a + b<|>", "0x1<|>", "<|>", "a & d<|>", "(a & b<|>", "%r5<|>"])
def test_no_table_of_what_is_no_expression(typed: str) -> None:
    assert not [one for one in items(LOP3.format(typed)) if one.insert.startswith("0x")]


def test_only_in_the_place_of_the_table() -> None:
    for source in ("lop3.b32 %r1, %r2, %r3, a & b<|>;", "mad.lo.s32 %r1, %r2, %r3, %r4, a & b<|>;"):
        assert not [one for one in items(source) if one.insert.startswith("0x")]


def test_the_expression_is_what_the_client_compares() -> None:
    (item,) = [one for one in items(LOP3.format("a & b | c<|>")) if one.insert == "0xEA"]
    assert item.match == "a & b | c"
    assert item.preselect
