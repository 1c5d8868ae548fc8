"""Code actions that set a field of a descriptor: which are offered, and what the literal is afterwards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.code_actions import ActionRequest
from ptx_lsp.features.code_actions.packed_fields import packed_fields
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.load import layouts
from ptx_lsp.text import Span

from .actions import actions_at, offered

BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))
REFACTOR = ["refactor"]

BLACKWELL = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u32 given)
{
    .reg .pred %p<4>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
BODY
    ret;
}
"""
HOPPER = BLACKWELL.replace("sm_100a", "sm_90a").replace(".reg .pred", ".reg .f32 %f<8>;\n    .reg .pred")

F16 = "tcgen05.mma.cta_group::1.kind::f16 [%r30], %rd1, %rd2, %r1, %p1;"
PAIR = "tcgen05.mma.cta_group::2.kind::f16 [%r30], %rd1, %rd2, %r1, %p1;"
F8 = "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r30], %rd1, %rd2, %r1, %p1;"
I8 = "tcgen05.mma.cta_group::1.kind::i8 [%r30], %rd1, %rd2, %r1, %p1;"
WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;"


def actions(body: str, kernel: str = BLACKWELL) -> dict[str, str]:
    """By title: the literal of the first ``mov`` afterwards."""
    found = actions_at(kernel.replace("BODY", body), REFACTOR)
    literals = {}
    for title, text in found.items():
        if title.startswith("set "):
            literal = re.search(r"mov\.b\d+ %\w+, (\w+);", text)
            assert literal is not None
            literals[title] = literal[1]
    return literals


def check_set(body: str, title: str, literal: str, kernel: str = BLACKWELL) -> None:
    found = actions(body, kernel)
    assert title in found, list(found)
    assert found[title] == literal


def values_of(found: dict[str, str], field: str) -> list[str]:
    """What a field can be set to."""
    begin = f"set {field} to "
    return [title.removeprefix(begin) for title in found if title.startswith(begin)]


def test_m_is_set_in_the_literal_that_is_moved() -> None:
    check_set(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}", "set M to 64", "0x04200490")


def test_the_register_at_the_instruction_stands_for_the_literal() -> None:
    check_set(f"mov.b32 %r1, 0x08200490;\n{F16.replace('%r1', '%r<|>1')}", "set M to 64", "0x04200490")


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("0x082<|>00490", "0x04200490"),
        ("0x82<|>00490", "0x4200490"),
        ("1363<|>15024", "69206160"),
        ("1363<|>15024U", "69206160U"),
        ("0X082004<|>90U", "0X04200490U"),
        ("0b10000010<|>00000000010010010000", "0b0100001000000000010010010000"),
    ],
)
def test_the_spelling_stays(written: str, after: str) -> None:
    check_set(f"mov.b32 %r1, {written};\n{F16}", "set M to 64", after)


def test_the_case_of_the_digits_stays() -> None:
    body = "mov.b32 %r1, 0x08<|>2004{};\n" + F16
    assert actions(body.replace("{}", "9a"))["set M to 64"] == "0x0420049a"


def test_m_is_legal_for_the_cta_group() -> None:
    assert values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}"), "M") == ["64"]
    assert values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{PAIR}"), "M") == ["256"]


def test_of_n_the_nearest_legal_values_are_offered() -> None:
    one = ["96", "104", "112", "120", "136", "144", "152", "160"]
    two = ["64", "80", "96", "112", "144", "160", "176", "192"]
    assert values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}"), "N") == one
    assert values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{PAIR}"), "N") == two


def test_types_of_the_kind() -> None:
    found = actions(f"mov.b32 %r1, 0x0820<|>0010;\n{F8}")
    assert values_of(found, "A type") == ["e5m2", "e2m3", "e3m2", "e2m1"]
    assert found["set A type to e5m2"] == "0x08200090"
    assert found["set B type to e5m2"] == "0x08200410"


def test_types_that_must_agree_are_set_together() -> None:
    found = actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}")
    assert found["set A type and B type to f16"] == "0x08200010"
    assert found["set D type, A type and B type to f16"] == "0x08200000"
    assert "set B type and A type to f16" not in found, "the same again"
    assert not values_of(found, "A type")
    assert not values_of(found, "D type"), "f16 needs another A"


def test_sparsity_follows_the_opcode() -> None:
    assert not values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}"), "sparsity")
    assert values_of(actions(f"mov.b32 %r1, 0x0820<|>0494;\n{F16}"), "sparsity") == ["dense"]


def test_what_is_wrong_elsewhere_does_not_matter() -> None:
    """The reserved bit 6 stays for its own finding."""
    check_set(f"mov.b32 %r1, 0x0820<|>04d0;\n{F16}", "set M to 64", "0x042004d0")


def test_a_field_that_is_not_legal_is_set_to_what_is() -> None:
    assert values_of(actions(f"mov.b32 %r1, 0x0020<|>0490;\n{F16}"), "M") == ["64", "128"]


def test_swizzles_of_the_two_generations() -> None:
    tcgen05 = f"mov.b64 %rd1, 0x40004<|>04000010000;\nmov.b32 %r1, 0x08200490;\n{F16}"
    check_set(tcgen05, "set swizzle to 64B", "0x8000404000010000")
    check_set(f"mov.b64 %rd1, 0x40000<|>04000010000;\n{WGMMA}", "set swizzle to 64B", "0x8000004000010000", HOPPER)
    check_set(f"mov.b64 %rd1, 461168<|>6293305294848;\n{WGMMA}", "set swizzle to 32B", str(0xC000004000000000), HOPPER)


def test_addresses_and_strides_are_no_lists() -> None:
    found = actions(f"mov.b64 %rd1, 0x40000<|>04000010000;\n{WGMMA}", HOPPER)
    assert not [title for title in found if "address" in title or "dimension" in title]


def test_a_change_is_right_for_every_instruction_that_takes_the_literal() -> None:
    i8 = I8.replace("%rd2, %r1", "%rd2, %r1").replace("kind::i8", "kind::tf32")
    assert not values_of(actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}\n{i8}"), "A type and B type")


def test_an_instruction_that_takes_it_with_another_bit_counts_too() -> None:
    """N of ``.ws`` is 64, 128 or 256."""
    ws = "tcgen05.mma.ws.cta_group::1.kind::f16 [%r30], %rd1, %rd2, %r2, %p1;"
    found = actions(f"mov.b32 %r1, 0x0820<|>0490;\n{F16}\nor.b32 %r2, %r1, 0x40000000;\n{ws}")
    assert values_of(found, "N") == ["64", "256"]


def test_a_literal_that_is_a_part_only_is_left_alone() -> None:
    assert not actions(f"mov.b32 %r2, 0x0820<|>0490;\nor.b32 %r1, %r2, %r3;\n{F16}")


def test_a_register_with_several_values_is_left_alone() -> None:
    body = "mov.b32 %r1, 0x08200490;\n@%p1 mov.b32 %r1, 0x04200490;\n" + F16.replace("%r1", "%r<|>1")
    assert not actions(body)


def test_an_ordinary_number_has_no_fields() -> None:
    assert not actions(f"mov.b32 %r2, 0x0820<|>0490;\n{F16}")


def test_nothing_unasked() -> None:
    source = BLACKWELL.replace("BODY", f"mov.b32 %r1, 0x0820<|>0490;\n{F16}")
    assert not [one for one in offered(source, is_automatic=True)[2] if one.title.startswith("set ")]


@pytest.mark.parametrize(
    ("opcode", "literal"),
    [
        (F16, 0x08200490),
        (PAIR, 0x10200490),
        (F8, 0x08200010),
        (I8, 0x08200020),
        (F16, 0),
        (F16, 0xFFFFFFFF),
        (F8, 0x08210010),
    ],
)
def test_no_action_makes_anything_wrong(opcode: str, literal: int) -> None:
    context = frozenset({*re.findall(r"\.[a-z]\w*(?:::\w+)?", opcode.split(maxsplit=1)[0]), "sm_100a"})
    layout = layouts()["idesc"]
    before = {one.says for one in decode(layout, literal, context).findings}
    found = actions(f"mov.b32 %r1, <|>{literal:#x};\n{opcode}")
    assert len(found) <= 24
    for title, text in found.items():
        after = decode(layout, int(text, 16), context)
        assert {one.says for one in after.findings} <= before, title


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    checker = Checker(path.read_text(encoding="utf-8"))
    for offset in range(0, checker.document.length, 7):
        asked = ActionRequest(checker.semantics, (), Span(offset, offset))
        assert len(list(packed_fields(asked))) <= 24
