"""What the loader refuses, with the line and column of the word that is wrong."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.build.strict import check_page
from ptx_lsp.isa.model.deviation import Deviation, DeviationCondition
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.ordering import OrderingFact, Verb
from ptx_lsp.isa.pages.load import load_page
from ptx_lsp.isa.pages.source import PageError

PAGE = """# add: a sum

```isa
{}
```
"""


def errors(fence, heading="# add: a sum"):
    """The errors of a page with this fence, which begins in line 4."""
    text = PAGE.format(fence).replace("# add: a sum", heading)
    try:
        return [str(error) for error in check_page(load_page("isa/x.md", text))]
    except PageError as error:
        return [str(error)]


def test_a_page_without_errors():
    assert (
        errors("add{.sat}.type  d, a, b\n    .type = .s32 .u32\n    d, a, b : .type\n    -- .sat requires .s32") == []
    )


@pytest.mark.parametrize(
    ("fence", "expected"),
    [
        ("add.type  d, a\n    .type = .s32\n    d, a : .type\n    !", "isa/x.md:7:5: does not follow the notation"),
        ("add.type  d\n    d : .b32", "isa/x.md:4:1: '.type' is neither defined nor in the vocabulary"),
        ("add.s32  d\n    .rnd2 = .rn .rz\n    d : .s32", "isa/x.md:5:5: '.rnd2' is defined, but no form uses it"),
        ("add.s32  d, a\n    d : .s32", "isa/x.md:4:1: nothing says what the operand 'a' can be"),
        ("add.s32  d\n    d : .s32\n    d : .b32", "isa/x.md:6:5: operand 'd' has a kind already"),
        ("add.s32  d\n    d, e : .s32", "isa/x.md:5:8: no form has an operand 'e'"),
        ("add.s32  d                    @ 8.0 sm_91\n    d : .s32", "isa/x.md:4:37: no target is called 'sm_91'"),
        (
            "add.a.b  d\n    .a, .b\n        = .lo, .s32\n        | .hi\n    d : .s32",
            "isa/x.md:7:11: 1 cells in a row of 2 columns",
        ),
        (
            "add.a.b  d  @ sm_90a\n    .a, .b\n        = .lo, .s32\n        | .hi, .u32   @ sm_100a\n    d : .s32",
            "isa/x.md:7:11: no spelling and no module reaches this row",
        ),
        (
            "add.a.b  d\n    .a, d\n        = .lo, .s32\n    .b = .u32\n    d : .s32",
            "isa/x.md:5:9: operand 'd' has a column here and a line of its own",
        ),
        ("add.s32  d\n    d : .s32\n    e ~ 0..3", "isa/x.md:6:5: no form has the operand 'e'"),
        ("add.s32  d\n    d : .s32\n    ordering = begins copies", "isa/x.md:6:16: 'begins' is no fact about order"),
        ("add.s32  d\n    d : .s32\n    ordering = waits loads", "isa/x.md:6:16: 'loads' cannot follow 'waits'"),
        (
            "add.s32  d\n    d : .s32\n    ordering = writes d | reads e",
            "isa/x.md:6:27: no form has the operand 'e' that 'reads' names",
        ),
        (
            "add.s32  d\n    d : .s32\n    lenient = any-base | short-base d",
            "isa/x.md:6:26: 'short-base' is no behaviour of 'lenient'",
        ),
        (
            "add.s32  d\n    d : .s32\n    strict = short-base a",
            "isa/x.md:6:14: no form has the part 'a' that 'short-base' is about",
        ),
        (
            "add.s32  d\n    d : .s32\n    lenient = any-base d if .u32",
            "isa/x.md:6:15: no form has the part '.u32' that 'any-base' is about",
        ),
        ("add.s32  d\n    d : .s32\n    d ~ 0..3", "isa/x.md:6:5: nothing says why 'd' should be so"),
        (
            "add{.lo}{.hi}  d\n    .lo = .lo .rn\n    .hi = .hi .rn\n    d : .s32",
            "isa/x.md:4:1: '.rn' can stand in the places '.lo' and '.hi', which have no order",
        ),
        (
            "add.a{.sat}  d\n    .a = .s32 .u32\n    d : .s32\n    -- .sat requires .f32",
            "isa/x.md:7:5: no form has the parts that this rule is about",
        ),
        (
            "add.a{.sat}  d\n    .a = .s32 .u32\n    d : .s32\n    -- .sat requires .s32 .f32",
            "isa/x.md:7:27: no form has the part '.f32' that this rule names",
        ),
        (
            "add.a  d\n    .a = .s32 .u32\n    d : .s32\n    -- .a is .s32",
            "isa/x.md:4:1: '.u32' can never stand for '.a': rules and tables exclude it",
        ),
        (
            "add.s32  d\n    d : .s32\nadd.a  d\n    .a = .s32 .u32\n    d : .s32",
            "isa/x.md:4:1: 'add.s32' is a spelling of this form and of the one in line 6",
        ),
    ],
)
def test_what_is_refused(fence, expected):
    found = errors(fence)
    assert any(error.startswith(expected) for error in found), found


def test_deviations_of_ptxas():
    fence = """    strict = references
add{.sat}.type  d, a
    lenient = short-values a if .sat and not .s32 .u32 @ 8.0 ptxas until 13.1
    .type = .s32 .u32
    d, a : .type
sub.s32  d
    d : .s32"""
    add, sub = load_page("isa/x.md", PAGE.format(fence)).instruction.forms
    conditions = (DeviationCondition((".sat",)), DeviationCondition((".s32", ".u32"), negated=True))
    gate = Gate.parse("8.0 ptxas until 13.1")
    assert add.deviations == (Deviation("short-values", ("a",), conditions, gate), Deviation("references"))
    assert sub.deviations == (Deviation("references"),)
    assert all(Deviation.parse(one.written, one.gate) == one for one in add.deviations)


def test_facts_about_order_concern_the_forms_that_have_their_operands():
    fence = """    ordering = starts copies | reads a | writes d
add.s32  d, a
    d, a : .s32
sub.s32  d
    ordering = waits copies all
    d : .s32"""
    add, sub = load_page("isa/x.md", PAGE.format(fence)).instruction.forms
    starts = OrderingFact(Verb.STARTS, "copies")
    assert add.ordering == (starts, OrderingFact(Verb.READS, "", ("a",)), OrderingFact(Verb.WRITES, "", ("d",)))
    wait = OrderingFact(Verb.WAITS, "copies", ("all",))
    assert sub.ordering == (wait, starts, OrderingFact(Verb.WRITES, "", ("d",)))
    assert all(OrderingFact.parse(one.written) == one for one in (*add.ordering, *sub.ordering))


def test_advice_and_what_is_deprecated():
    fence = """add{.sat}.type  d, a, b
    .type = .b16 .b32
    d, a, b : .type
    a, b ~ 0..7 "no more"
    .type, d ~ .b16, 1..2 | .b32, -3..4  "a reason"
    deprecated = .sat @ 6.0
    deprecated = add @ 7.0 "sub ..., 1"
    loose = .sat .other"""
    (form,) = load_page("isa/x.md", PAGE.format(fence)).instruction.forms
    assert [(one.table.columns, one.message) for one in form.advice] == [
        (("a",), "no more"),
        (("b",), "no more"),
        ((".type", "d"), "a reason"),
    ]
    assert [(one.word, str(one.gate), one.instead) for one in form.deprecated] == [
        (".sat", "6.0", ""),
        ("add", "7.0", "sub ..., 1"),
    ]
    assert form.loose == (".sat",)


def test_a_name_in_the_heading_must_begin_a_form():
    assert errors("add.s32  d\n    d : .s32", "# add, add.lo: a sum") == [
        "isa/x.md:1:3: no form begins with the name 'add.lo'"
    ]


def test_a_page_has_one_fence_and_a_heading():
    with pytest.raises(PageError, match="a page begins with '# name, name: title'"):
        load_page("isa/x.md", "add\n")
    with pytest.raises(PageError, match="2 fences"):
        load_page("isa/x.md", PAGE.format("") + "\n```isa\n```\n")
