"""What the comparison takes for a syntax error that a fix brings."""

from __future__ import annotations

import pytest

from .comparison import brings_syntax_error
from .places import ENCODINGS, Edit, Text

HEADER = ".version 8.0\n.target sm_90\n"


@pytest.mark.parametrize(
    ("text", "edit", "brings"),
    [
        (f"{HEADER}.global .b32 a;\n", Edit(len(HEADER) + 13, len(HEADER) + 14, "7"), True),
        (f"{HEADER}.global .b32 a;\n", Edit(len(HEADER), len(HEADER), " "), False),
        (f"{HEADER}.global .b32 7a;\n", Edit(len(HEADER) + 13, len(HEADER) + 14, ""), False),
    ],
    ids=["a right statement is broken", "a right statement stays right", "a broken statement is repaired"],
)
def test_a_fix_brings_what_it_breaks(text: str, edit: Edit, *, brings: bool) -> None:
    assert brings_syntax_error(Text(text, ENCODINGS[1]), [edit]) is brings


def test_what_a_broken_statement_hid_is_not_brought() -> None:
    """The rest of the line of the first mistake is not reported: the '.0' is seen once the number is one."""
    text = ".version 7.version 7.0\n.0\n.target sm_90\n"
    assert not brings_syntax_error(Text(text, ENCODINGS[1]), [Edit(10, 10, " ")])


def test_edits_that_break_another_statement_bring_its_error() -> None:
    text = ".version 7.version 7.0\n.0\n.target sm_90\n.global .b32 a;\n"
    edits = [Edit(10, 10, " "), Edit(text.index("a;"), text.index("a;") + 1, "7")]
    assert brings_syntax_error(Text(text, ENCODINGS[1]), edits)


def test_the_next_brace_that_closes_nothing_is_not_brought() -> None:
    text = ".m{twice, twice}innctaperet;\n}\nm\n"
    at = text.index("}")
    assert not brings_syntax_error(Text(text, ENCODINGS[1]), [Edit(at, at + 1, "")])
    function = Text(f"{HEADER}.func f() {{\nret;\n}}\n", ENCODINGS[1])
    assert brings_syntax_error(function, [Edit(len(HEADER), len(HEADER), "}\n")])
    nested = Text(f"{HEADER}.func f() {{\n{{\nret;\n}}\n}}\n", ENCODINGS[1])
    inner = nested.text.rindex("{")
    assert brings_syntax_error(nested, [Edit(inner, inner + 1, "")])
