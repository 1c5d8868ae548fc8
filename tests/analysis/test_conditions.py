"""Conditions of predicates: only from definitions that reach on all paths, and valid for all register values."""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable

import pytest

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.hover.parts.conditions import condition_after, condition_before

HEAD = """\
.version 8.6
.target sm_90
.address_size 64
.visible .entry kernel(.param .u32 given)
{
    .reg .pred %p<20>;
    .reg .b32 %r<20>;
    .reg .f32 %f<8>;
    .reg .b32 %h<8>;
"""


def before(body: str, name: str, *, negated: bool = False) -> str:
    """The condition of a predicate in the last line that names it; empty if it is unknown."""
    text = f"{HEAD}{body}\n    ret;\n}}\n"
    cursor = at(
        Checker(text).semantics, re.search(rf"{re.escape(name)}\b(?!.*{re.escape(name)}\b)", text, re.S).start()
    )
    assert cursor is not None
    found = condition_before(cursor.semantics, cursor.context, name, negated=negated)
    return found.text if found is not None else ""


def after(statement: str, name: str) -> str:
    text = f"{HEAD}{statement}\n    ret;\n}}\n"
    cursor = at(Checker(text).semantics, text.index(name, len(HEAD)))
    assert cursor is not None
    found = condition_after(cursor.semantics, cursor.context, cursor.token)
    return found.text if found is not None else ""


@pytest.mark.parametrize(
    ("written", "words", "opposite"),
    [
        ("lt.s32 P, %r1, %r2", "`%r1 < %r2` (signed)", "`%r1 >= %r2` (signed)"),
        ("ge.u32 P, %r1, 5", "`%r1 >= 5` (unsigned)", "`%r1 < 5` (unsigned)"),
        ("hi.u32 P, %r1, %r2", "`%r1 > %r2` (unsigned)", "`%r1 <= %r2` (unsigned)"),
        ("ls.u32 P, %r1, %r2", "`%r1 <= %r2` (unsigned)", "`%r1 > %r2` (unsigned)"),
        ("eq.s32 P, %r1, %r2", "`%r1 == %r2`", "`%r1 != %r2`"),
        ("ne.b32 P, %r1, 0", "`%r1 != 0`", "`%r1 == 0`"),
        ("lt.f32 P, %f1, %f2", "`%f1 < %f2`", "`%f1 >= %f2` (or unordered)"),
        ("ltu.f32 P, %f1, %f2", "`%f1 < %f2` (or unordered)", "`%f1 >= %f2`"),
        ("geu.ftz.f32 P, %f1, %f2", "`%f1 >= %f2` (or unordered)", "`%f1 < %f2`"),
        ("eq.f32 P, %f1, 0f00000000", "`%f1 == 0f00000000`", "`%f1 != 0f00000000` (or unordered)"),
        ("ne.f32 P, %f1, %f2", "`%f1 != %f2` (and neither is NaN)", "`%f1 == %f2` (or unordered)"),
        ("neu.f32 P, %f1, %f2", "`%f1 != %f2` (or unordered)", "`%f1 == %f2`"),
        ("num.f32 P, %f1, %f2", "no NaN among `%f1`, `%f2`", "a NaN among `%f1`, `%f2`"),
        ("nan.f32 P, %f1, %f1", "a NaN among `%f1`, `%f1`", "no NaN among `%f1`, `%f1`"),
    ],
)
def test_comparisons(written: str, words: str, opposite: str) -> None:
    body = f"setp.{written.replace('P', '%p1')};\n@%p1 ret;"
    assert before(body, "%p1") == words
    assert before(body, "%p1", negated=True) == opposite
    assert after(f"setp.{written.replace('P', '%p1')};", "%p1") == words
    if "x2" not in written:
        assert after(f"setp.{written.replace('P', '%p1|%p2')};", "%p2") == opposite


@pytest.mark.parametrize(
    ("body", "name", "words"),
    [
        ("setp.ge.and.s32 %p1, %r1, %r2, %p3;\n@%p1 ret;", "%p1", "`%r1 >= %r2` (signed) and `%p3`"),
        ("setp.ge.or.s32 %p1|%p2, %r1, %r2, !%p3;\n@%p2 ret;", "%p2", "`%r1 < %r2` (signed) or not `%p3`"),
        ("setp.eq.xor.s32 %p1, %r1, %r2, %p3;\n@%p1 ret;", "%p1", "`%r1 == %r2` xor `%p3`"),
        (
            "setp.eq.s32 %p3, %r4, 0;\nsetp.lt.and.s32 %p1, %r1, %r2, %p3;\n@%p1 ret;",
            "%p1",
            "`%r1 < %r2` (signed) and `%r4 == 0`",
        ),
        ("setp.eq.s32 %p1, %r1, 0;\nnot.pred %p2, %p1;\n@%p2 ret;", "%p2", "`%r1 != 0`"),
        ("setp.eq.s32 %p1, %r1, 0;\nmov.pred %p2, %p1;\n@%p2 ret;", "%p2", "`%r1 == 0`"),
        ("mov.pred %p2, 0;\n@%p2 ret;", "%p2", "false"),
        (
            """setp.eq.s32 %p1, %r1, 0;
setp.lt.f32 %p2, %f1, %f2;
and.pred %p3, %p1, %p2;
not.pred %p4, %p3;
@%p4 ret;""",
            "%p4",
            "`%r1 != 0` or `%f1 >= %f2` (or unordered)",
        ),
        ("setp.lt.f16x2 %p1|%p2, %h1, %h2;\n@%p2 ret;", "%p2", "`%h1 < %h2` in the high halves"),
        ("setp.lt.f16x2 %p1|%p2, %h1, %h2;\n@%p1 ret;", "%p1", "`%h1 < %h2` in the low halves"),
        ("testp.finite.f32 %p1, %f1;\n@%p1 ret;", "%p1", "`testp.finite.f32` of `%f1`: the result of the test"),
        ("elect.sync _|%p1, -1;\n@%p1 ret;", "%p1", "this lane is the chosen one (`elect.sync` of `-1`)"),
    ],
)
def test_chains(body: str, name: str, words: str) -> None:
    assert before(body, name) == words


def test_the_same_condition_on_both_ways_is_one() -> None:
    both = "@%p9 bra L;\nsetp.eq.s32 %p1, %r1, 0;\nbra M;\nL:\nsetp.{}.s32 %p1, %r1, 0;\nM:\n@%p1 ret;"
    assert before(both.format("eq"), "%p1") == "`%r1 == 0`"
    assert before(both.format("ne"), "%p1") == ""


def test_a_guarded_definition_is_not_sure() -> None:
    assert before("setp.eq.s32 %p1, %r1, 0;\n@%p2 setp.ne.s32 %p1, %r2, 0;\n@%p1 ret;", "%p1") == ""


def test_a_predicate_that_nothing_writes() -> None:
    assert before("@%p1 ret;", "%p1") == ""


def test_registers_that_change_in_between_are_not_said_again() -> None:
    chain = "setp.eq.s32 %p3, %r4, 0;\n{}setp.lt.and.s32 %p1, %r1, %r2, %p3;\n@%p1 ret;"
    assert before(chain.format(""), "%p1").endswith("`%r4 == 0`")
    assert before(chain.format("add.s32 %r4, %r4, 1;\n"), "%p1").endswith("and `%p3`")
    looped = "L:\nsetp.eq.s32 %p3, %r4, 0;\nbra M;\nM:\nsetp.lt.and.s32 %p1, %r1, %r2, %p3;\n"
    looped += "add.s32 %r4, %r4, 1;\n@%p1 bra L;"
    assert before(looped.replace("add.s32 %r4, %r4, 1;\n", ""), "%p1").endswith("and `%r4 == 0`")
    assert before("mov.u32 %r4, 5;\n" + looped, "%p1").endswith("and `%p3`")


def test_a_predicate_that_is_joined_with_itself() -> None:
    assert before("setp.ge.and.s32 %p1, %r1, %r2, %p1;\n@%p1 ret;", "%p1") == (
        "`%r1 >= %r2` (signed) and the former `%p1`"
    )
    twice = "setp.eq.s32 %p1, %r3, 0;\nsetp.ge.and.s32 %p1, %r1, %r2, %p1;\n@%p1 ret;"
    assert before(twice, "%p1") == "`%r1 >= %r2` (signed) and `%r3 == 0`"
    swapped = "and.pred %p2, %p3, %p4;\nnot.pred %p3, %p2;\nnot.pred %p4, %p3;\n@%p4 ret;"
    assert before(swapped, "%p3") == "not `%p2`"
    assert before(swapped, "%p4") == "`%p2`"


def test_a_long_chain_ends_in_names() -> None:
    lines = ["setp.eq.s32 %p0, %r0, 0;"]
    lines += [f"setp.eq.and.s32 %p{at}, %r{at}, 0, %p{at - 1};" for at in range(1, 9)]
    found = before("\n".join([*lines, "@%p8 ret;"]), "%p8")
    assert found == "`%r8 == 0` and `%r7 == 0` and `%r6 == 0` and `%r5 == 0` and `%p4`"


@pytest.mark.parametrize(
    "body",
    [
        "setp.eq.s32 %p1, %r1;\n@%p1 ret;",
        "setp.eq.s32 %p1, , 0;\n@%p1 ret;",
        "setp %p1, %r1, 0;\n@%p1 ret;",
        "setp.eq.s32 %p1|%p1, %r1, 0;\n@%p1 ret;",
        "setp.eq.and.s32 %p1, %r1, 0;\n@%p1 ret;",
        "and.pred %p1, %p2;\n@%p1 ret;",
        "mov.pred %p1, %r1;\n@%p1 ret;",
        "setp.lt.b32 %p1, %r1, 0;\n@%p1 ret;",
        "call (%p1), f;\n@%p1 ret;",
    ],
)
def test_nothing_is_said_of_what_is_wrong(body: str) -> None:
    assert before(body, "%p1") == ""


# ---------------------------------------------------------------------- against what the instructions do

SIGNS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def true(words: str, predicates: dict[str, bool], registers: dict[str, int]) -> bool:
    """Whether a condition in words holds."""

    def compared(found: re.Match[str]) -> str:
        one, sign, two = found[1].split()
        return str(SIGNS[sign](registers[one], registers.get(two, 0) if two[0] == "%" else int(two)))

    text = re.sub(r"`(%r\S+ \S+ \S+)`(?: \(signed\))?", compared, words)
    text = re.sub(r"(?:the former )?`(%p\d+)`", lambda found: str(predicates[found[1]]), text)
    return bool(eval(text.replace("xor", "^").replace("not True", "False").replace("not False", "True")))


def test_conditions_hold_when_the_predicates_do() -> None:
    chance = random.Random(11)
    told = 0
    for _ in range(150):
        lines, names = [], [f"%p{at}" for at in range(1, 6)]
        for _ in range(8):
            kind, target = chance.choice(("setp", "setp", "joined", "not", "mov", "add")), chance.choice(names)
            one, two = (chance.choice(("", "!")) + chance.choice(names) for _ in range(2))
            name, register = chance.choice(list(COMPARISONS)), f"%r{chance.randrange(1, 4)}"
            other = chance.choice((f"%r{chance.randrange(1, 4)}", "1"))
            operation = chance.choice(("and", "or", "xor"))
            lines.append(
                {
                    "setp": f"setp.{name}.s32 {target}, {register}, {other};",
                    "joined": f"setp.{name}.{operation}.s32 {target}, {register}, {other}, {one};",
                    "not": f"not.pred {target}, {two.lstrip('!')};",
                    "mov": f"{operation}.pred {target}, {one.lstrip('!')}, {two.lstrip('!')};",
                    "add": f"add.s32 {register}, {register}, 1;",
                }[kind]
            )
        told += sum(check_program(lines, name, chance) for name in names)
    assert told > 150


def check_program(lines: list[str], name: str, chance: random.Random) -> bool:
    words = before("\n".join([*lines, f"@{name} ret;"]), name)
    written = [at for at, line in enumerate(lines) if re.match(rf"\S+ {name},", line) and not line.startswith("add")]
    if not words:
        assert not written
        return False
    for _ in range(6):
        predicates = {f"%p{at}": chance.random() < 0.5 for at in range(1, 6)}
        registers = {f"%r{at}": chance.randrange(3) for at in range(1, 4)}
        for number, line in enumerate(lines):
            before_it = dict(predicates), dict(registers)
            run(line, predicates, registers)
            if number == written[-1]:  # as of this line
                assert true(words, *before_it) == predicates[name], (lines, name, words)
                break
    return True


def run(line: str, predicates: dict[str, bool], registers: dict[str, int]) -> None:
    opcode, *operands = re.split(r",? ", line.rstrip(";"))
    parts = opcode.split(".")
    join: dict[str, Callable[[bool, bool], bool]] = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
    values = [predicates[one.lstrip("!")] ^ one.startswith("!") for one in operands[1:] if "%p" in one]
    if parts[0] == "add":
        registers[operands[0]] += 1
    elif parts[0] == "setp":
        second = registers[operands[2]] if operands[2][0] == "%" else int(operands[2])
        found = SIGNS[COMPARISONS[parts[1]]](registers[operands[1]], second)
        predicates[operands[0]] = join[parts[2]](found, values[0]) if values else found
    else:
        predicates[operands[0]] = not values[0] if parts[0] == "not" else join[parts[0]](*values)
