"""Literals replaced by values with a name, and comments that say what a literal means."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.code_actions import ActionRequest
from ptx_lsp.features.code_actions.field_comments import field_comments
from ptx_lsp.features.code_actions.named_values import named_values
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.text import Span

from .actions import actions_at, applied, errors_of, offered, whole_after
from .completions import items
from .test_packed_fields import BLACKWELL, F16, HOPPER, WGMMA

REFACTOR = ["refactor"]
BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))
SELECTOR = "prmt.b32 %r1, %r2, %r3, 0x32<|>10;"
SHFL = "//- sm_80 ptx 7.0\nshfl.sync.{}.b32 %r1, %r2, 1, {}, {};"


def replacements(source: str) -> list[str]:
    titles = actions_at(source, REFACTOR)
    return [title.removeprefix("replace with ") for title in titles if title.startswith("replace with")]


def comments(source: str) -> list[str]:
    return [title for title in actions_at(source, REFACTOR) if "comment" in title]


def check_comment(source: str, title: str, wanted: str) -> None:
    found = actions_at(source, REFACTOR)
    assert title in found, list(found)
    assert found[title].endswith(wanted), found[title]


# ---------------------------------------------------------------------- values with a name


@pytest.mark.parametrize(
    ("source", "offer"),
    [
        (SELECTOR, "0x5410: low halves of a and b"),
        (SELECTOR, "0x0123: swaps the bytes of a"),
        ("prmt.b32 %r1, %r2, %r3, 215<|>20;", "0x7632: high halves of a and b"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 0x8<|>0;", "0xEA: (%r2 & %r3) | %r4"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 12<|>8;", "0xCA: %r2 ? %r3 : %r4"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 12<|>8;", "0xE8: majority of %r2, %r3, %r4"),
        (SHFL.format("down", "3<|>1", "-1"), "0x101f: segments of 16 lanes"),
        (SHFL.format("up", "<|>0", "-1"), "0x1000: segments of 16 lanes"),
        (SHFL.format("down", "31", "0x<|>ff"), "0xffffffff: all lanes"),
        (SHFL.format("down", "31", "-<|>1"), "0x0000ffff: lanes 0 to 15"),
        ("//- sm_80 ptx 7.0\nbar.warp.sync 1<|>5;", "0xffffffff: all lanes"),
        ("//- sm_80 ptx 7.0\nvote.sync.ballot.b32 %r1, %p1, 1<|>5;", "0xffff0000: lanes 16 to 31"),
        (BLACKWELL.replace("BODY", f"mov.b32 %r1, 0x081<|>00490;\n{F16}"), "0x08200490: bf16→f32 M128 N128"),
        (BLACKWELL.replace("BODY", f"mov.b32 %r1, 1352<|>67472;\n{F16}"), "136314896: f16→f32 M128 N128"),
    ],
)
def test_a_value_with_a_name(source: str, offer: str) -> None:
    assert offer in replacements(source)
    text = whole_after(source, f"replace with {offer}", REFACTOR)
    assert offer.partition(":")[0] in text
    assert ".version" in source or errors_of(text) == []


@pytest.mark.parametrize(
    "source",
    [
        "prmt.b32.f4e %r1, %r2, %r3, <|>1;",
        "add.s32 %r1, %r2, <|>1;",
        "prmt.b32 %r1, %r2, %r3, %r<|>4;",
        "prmt.b32 %r1, %r2, <|>0, 0x3210;",
        "lop3.b32 %r1, %r2, %r3, <|>0, 0x80;",
        "mov.b32 %r1, 0x54<|>10;",
        "prmt.b32 %r1, %r2, %r3, (1 << <|>4);",
        HOPPER.replace("BODY", f"mov.b64 %rd1, 0x40000040000<|>10000;\n{WGMMA}"),
    ],
)
def test_no_names_elsewhere(source: str) -> None:
    assert replacements(source) == []


def test_what_is_written_is_not_offered_again() -> None:
    assert "0x5410: low halves of a and b" not in replacements("prmt.b32 %r1, %r2, %r3, 215<|>20;")
    assert "0xffffffff: all lanes" not in replacements(SHFL.format("down", "31", "-<|>1"))
    assert not [one for one in replacements("lop3.b32 %r1, %r2, %r3, %r4, 0x8<|>0;") if one.startswith("0x80:")]


def test_the_sign_of_a_literal_goes_with_it() -> None:
    found = actions_at(SHFL.format("down", "31", "-<|>1"), REFACTOR)
    assert found["replace with 0x0000ffff: lanes 0 to 15"].endswith("31, 0x0000ffff;")


def test_nothing_is_looked_for_while_the_cursor_moves() -> None:
    _, _, found = offered(SELECTOR, REFACTOR, is_automatic=True)
    assert not [one for one in found if "replace" in one.title or "comment" in one.title]


def test_each_action_is_there_once_and_changes_something() -> None:
    for source in (SELECTOR, "lop3.b32 %r1, %r2, %r3, %r4, 0x6<|>A;", f"{SELECTOR}  // prmt: old"):
        checker, _, found = offered(source, REFACTOR)
        text = checker.document.text
        results = [applied(text, one.resolved_edits()) for one in found]
        assert len({one.title for one in found}) == len(found)
        assert len(set(results)) == len(results)
        assert text not in results
        assert {one.kind for one in found} == {"refactor.rewrite"}


def test_every_named_value_is_legal_where_it_is_named() -> None:
    cases = {
        "prmt": "prmt.b32 %r1, %r2, %r3, {};",
        "shfl": SHFL,
        "vote": "vote.sync.all.pred %p1, %p2, {};",
        "bar": "bar.warp.sync {};",
    }
    for named in catalogue().vocabulary.named_values:
        for instruction in sorted(named.instructions & cases.keys()):
            modes = sorted(named.words) if instruction == "shfl" else [""]
            for mode in modes or ["down"]:
                operands = (mode, named.text, "-1") if "c" in named.operands else (mode, "31", named.text)
                line = cases[instruction].format(
                    *((operand.removeprefix(".") for operand in operands) if instruction == "shfl" else (named.text,))
                )
                header = ".version 7.0\n.target sm_80\n.address_size 64\n"
                text = f"{header}.entry k() {{ .reg .pred %p<4>; .reg .b32 %r<5>; {line.rpartition(chr(10))[2]} ret; }}"
                told = [one for one in Checker(text).diagnostics() if one.code[:2] == "E4" or one.code[:3] == "W61"]
                assert not told, (line, told)


# ---------------------------------------------------------------------- comments


def test_a_literal_gets_its_meaning_and_loses_it_again() -> None:
    source = "prmt.b32 %r1, %r2, %r3, 215<|>20;"
    with_comment = "prmt.b32 %r1, %r2, %r3, 0x5410;  // prmt: b1 b0 a1 a0, low halves of a and b"
    check_comment(source, "write '0x5410' with its meaning in a comment", with_comment)
    check_comment(
        with_comment.replace("54", "5<|>4", 1), "remove the comment with its meaning", "prmt.b32 %r1, %r2, %r3, 0x5410;"
    )
    assert comments(with_comment.replace("54", "5<|>4", 1)) == ["remove the comment with its meaning"]


@pytest.mark.parametrize(
    ("source", "title", "end"),
    [
        (SELECTOR, "write its meaning in a comment", "0x3210;  // prmt: a3 a2 a1 a0, a unchanged"),
        (
            "lop3.b32 %r1, %r2, %r3, %r4, 10<|>6;",
            "write '0x6a' with its meaning in a comment",
            "0x6a;  // lop3: (%r2 & %r3) ^ %r4",
        ),
        (
            SHFL.format("down", "3<|>1", "-1"),
            "write '0x1f' with its meaning in a comment",
            "-1;  // shfl-c: the whole warp",
        ),
        (
            SHFL.format("down", "0x1<|>0", "-1"),
            "write its meaning in a comment",
            "-1;  // shfl-c: clamp 16, segment mask 0",
        ),
        (
            SELECTOR + " // prmt: something else",
            "update the comment with its meaning",
            "0x3210;  // prmt: a3 a2 a1 a0, a unchanged",
        ),
    ],
)
def test_the_meaning_in_a_comment(source: str, title: str, end: str) -> None:
    check_comment(source, title, end)
    assert errors_of(whole_after(source, title, REFACTOR)) == []


def test_a_descriptor_says_its_fields() -> None:
    body = BLACKWELL.replace("BODY", f"    mov.b32 %r1, 0x0820<|>0490;\n    {F16}")
    text = whole_after(body, "write its meaning in a comment", REFACTOR)
    assert "    mov.b32 %r1, 0x08200490;  // idesc: bf16→f32 M128 N128\n" in text


@pytest.mark.parametrize(
    "source",
    [
        SELECTOR + " // mine",
        SELECTOR + " add.s32 %r1, %r2, 3;",
        SELECTOR + " /* prmt: x */",
        "add.s32 %r1, %r2, 1<|>6;",
        "lop3.b32 %r1, %r2, %r3, %r4, 99<|>9;",
        "prmt.b32 %r1, %r2, %r3, 0x32<|>10",
        BLACKWELL.replace("BODY", f"mov.b32 %r1, 0xFFFF<|>FFFF;\n{F16}"),
    ],
)
def test_no_comment_where_another_stands_or_nothing_is_known(source: str) -> None:
    assert comments(source) == []


def test_windows_line_ends_stay() -> None:
    text = ".version 7.0\r\n.target sm_80\r\n.entry k() { .reg .b32 %r<4>;\r\n"
    text += "prmt.b32 %r1, %r2, %r3, 0x3210;\r\nret; }\r\n"
    asked = ActionRequest(Checker(text).semantics, [], Span(text.index("0x3210") + 2, text.index("0x3210") + 2))
    (action,) = field_comments(asked)
    after = applied(text, action.resolved_edits())
    assert "0x3210;  // prmt: a3 a2 a1 a0, a unchanged\r\nret;" in after


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_nothing_raises_on_broken_text(path: Path) -> None:
    text = path.read_text("utf-8").replace("mov.b32", "prmt.b32").replace("add.s32", "lop3.b32")
    semantics = Checker(text).semantics
    for offset in range(0, len(text), 9):
        asked = ActionRequest(semantics, [], Span(offset, offset))
        for action in (*named_values(asked), *field_comments(asked)):
            assert applied(text, action.resolved_edits()) != text


# ---------------------------------------------------------------------- expressions of lop3


@pytest.mark.parametrize(
    ("written", "table"),
    [
        ("(<|>a & b) | c", "0xEA"),
        ("a <|>& b | c", "0xEA"),
        ("a<|>^b^c", "0x96"),
        ("a <|>| b & c", "0xF8"),
        ("%r2 <|>& ~%r4", "0x50"),
        ("(<|>%r3 | %r2) & %r4", "0xA8"),
    ],
)
def test_an_expression_is_mended_to_its_table(written: str, table: str) -> None:
    found = actions_at(f"lop3.b32 %r1, %r2, %r3, %r4, {written};", ["quickfix"])
    assert found.get(f"write '{table}'") == f"lop3.b32 %r1, %r2, %r3, %r4, {table};", found


@pytest.mark.parametrize("written", ["a <|>& d", "a <|>+ b", "a &<|>", "(a <|>& b", "a <|>&& b", "%r9 <|>& %r2"])
def test_what_cannot_be_read_is_not_mended(written: str) -> None:
    assert not [one for one in actions_at(f"lop3.b32 %r1, %r2, %r3, %r4, {written};", ["quickfix"]) if "'0x" in one]


# ---------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("source", "label", "detail"),
    [
        ("prmt.b32 %r1, %r2, %r3, <|>;", "0x5410", "low halves of a and…"),
        ("prmt.b32 %r1, %r2, %r3, 0x<|>;", "0x0123", "swaps the bytes of a"),
        (SHFL.format("bfly", "<|>", "-1"), "0x1f", "the whole warp"),
        (SHFL.format("up", "<|>", "-1"), "0x1000", "segments of 16 lanes"),
        (SHFL.format("down", "31", "<|>"), "0xffffffff", "all lanes"),
    ],
)
def test_named_values_are_offered(source: str, label: str, detail: str) -> None:
    assert [one.detail for one in items(source) if one.label == label] == [detail]


def test_named_values_of_other_places_are_not_offered() -> None:
    for source in ("prmt.b32.f4e %r1, %r2, %r3, <|>;", "prmt.b32 %r1, %r2, <|>, 0x3210;", "add.s32 %r1, %r2, <|>;"):
        assert not [one for one in items(source) if one.label == "0x5410"]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("%r2 & ~%r4<|>", "0x50"),
        ("%r3 ? %r2 : %r4<|>", "0xE2"),
        ("a ? b : c & a<|>", "0xC0"),
        ("(a | b) ? c : a<|>", "0xA8"),
    ],
)
def test_expressions_of_registers_and_choices(typed: str, number: str) -> None:
    found = items(f"lop3.b32 %r1, %r2, %r3, %r4, {typed};")
    assert number in [one.insert for one in found]
