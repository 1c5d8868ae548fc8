"""Facts that the pages of arithmetic, comparison and logic state for the right spelling; their tables are computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ptx_lsp.checks.rules.suspicious import unlikely_value
from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.page_words import PageWords

from ..features.hovering import check_hover, check_not_said

INTEGERS = (".u16", ".u32", ".u64", ".s16", ".s32", ".s64")
FLOATS = (".f16", ".f16x2", ".bf16", ".bf16x2", ".f32", ".f64")
ALL_ONES = 0xFFFFFFFF


def words_of(opcode: str) -> PageWords:
    """The words of the page of an opcode."""
    name, *qualifiers = opcode.split(".")
    page = catalogue().instruction((name, *(f".{one}" for one in qualifiers)))
    assert page is not None, opcode
    return page.words


def spelling(opcode: str, *more: str) -> Spelling:
    """A spelling: an opcode, and the operands and places that it fills."""
    return Spelling(opcode, frozenset({*(f".{one}" for one in opcode.split(".")[1:]), *more}))


def check_lead(opcode: str, *more: str, says: str) -> None:
    """The lead of a spelling, whole."""
    assert " ".join(words_of(opcode).lead_of(spelling(opcode, *more))) == says


def check_label(label: str, opcode: str, *more: str, says: str) -> None:
    """A label is shown for a spelling, and says this."""
    texts = [one.text for one in words_of(opcode).labels_of(spelling(opcode, *more)) if one.name == label]
    assert any(says in text for text in texts), texts


def check_no_label(label: str, opcode: str, *more: str, says: str) -> None:
    """No label of a spelling says this."""
    texts = [one.text for one in words_of(opcode).labels_of(spelling(opcode, *more)) if one.name == label]
    assert not any(says in text for text in texts), texts


def check_meaning(opcode: str, part: str, says: str) -> None:
    """The bullet of a part, for a spelling, begins with this."""
    assert words_of(opcode).meaning(part, spelling(opcode)).startswith(says)


def below(opcode: str) -> str:
    """The text below the rule of a page, in one line."""
    return " ".join(words_of(opcode).below.split())


def table(page: str, heading: str) -> Iterator[list[str]]:
    """The rows of the table of a page whose heading begins so, without Markdown."""
    lines = read_grammar(f"isa/{page}.md").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(heading))
    yield _cells(lines[at])
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            return
        yield _cells(line)


def _cells(line: str) -> list[str]:
    return [cell.replace("`", "").replace(r"\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


@pytest.mark.parametrize(
    ("opcode", "more", "says"),
    [
        ("add.s32", (), "`d = a + b`. The result wraps around."),
        ("sub.u64", (), "`d = a - b`. The result wraps around."),
        ("add.sat.s32", (), "`d = a + b`."),
        ("add.f32", (), "`d = a + b`. The result is rounded to nearest even."),
        ("sub.rz.f64", (), "`d = a - b`."),
        ("min.s32", (), "`d` is the smaller of `a` and `b`."),
        ("max.f32", (), "`d` is the larger of `a` and `b`. `-0.0` is less than `+0.0`."),
        ("max.f32", ("c",), "`d` is the largest of `a`, `b` and `c`. `-0.0` is less than `+0.0`."),
        ("mul.hi.u32", (), "`d` is the high half of `a * b`."),
        ("mul.f32", (), "`d = a * b`. The product is rounded to nearest even."),
        ("mad.rn.f32", (), "`d = a * b + c`, rounded once: the same as `fma`."),
        ("mad.hi.sat.s32", (), "`d = hi + c`; `hi` is the high half of `a * b`."),
        ("or.b32", (), "`d = a | b`."),
        ("setp.lt.s32", (), "`p = a cmp b`."),
        ("setp.lt.s32", ("q",), "`p = a cmp b`, `q = !(a cmp b)`."),
        ("setp.lt.and.s32", (".bool", "c"), "`p = (a cmp b) bool c`."),
        ("setp.lt.and.s32", (".bool", "c", "q"), "`p = (a cmp b) bool c`, `q = !(a cmp b) bool c`."),
        ("setp.lt.f16x2", ("q",), "`p` is the result for the low halves. `q` is the same for the high halves."),
    ],
)
def test_the_lead_is_about_what_is_written(opcode: str, more: tuple[str, ...], says: str) -> None:
    check_lead(opcode, *more, says=says)


@pytest.mark.parametrize("kind", FLOATS)
def test_comparisons_of_floats_are_false_with_a_nan(kind: str) -> None:
    check_label("Pitfall", f"setp.ne{kind}", says="Write `.neu`")
    check_label("Pitfall", f"setp.lt{kind}", says="the opposite is `.geu`")
    check_no_label("Pitfall", f"setp.geu{kind}", says="NaN")


@pytest.mark.parametrize("kind", INTEGERS)
def test_a_nan_is_no_concern_of_integers(kind: str) -> None:
    for opcode in (f"setp.lt{kind}", f"setp.ne{kind}", f"min{kind}", f"max{kind}"):
        check_no_label("Pitfall", opcode, says="NaN")
    assert "NaN" not in words_of("setp").meaning(".cmp", spelling(f"setp.lt{kind}"))


def test_a_minimum_of_floats_ignores_a_nan() -> None:
    check_label("Pitfall", "min.f32", says="Write `.NaN`")
    check_no_label("Pitfall", "min.NaN.f32", says="NaN")
    check_label("Pitfall", "min.f64", says="there is no `.NaN`")


def test_the_halves_of_a_product_are_not_comparisons() -> None:
    check_hover("//- sm_80 ptx 7.0\nsetp.l<|>o.u32 %p1, %r1, %r2;", "lower, unsigned")
    check_not_said("//- sm_80 ptx 7.0\nsetp.l<|>o.u32 %p1, %r1, %r2;", "half", "product", "NaN")


def test_saturation_is_told_only_where_it_is_written() -> None:
    check_not_said("//- sm_80 ptx 7.0\nma<|>d.hi.s32 %r1, %r2, %r3, %r4;", ".sat", "clamps")
    check_not_said("//- sm_80 ptx 7.0\nmad.h<|>i.s32 %r1, %r2, %r3, %r4;", ".sat", "clamps")
    check_hover("//- sm_80 ptx 7.0\nmad.h<|>i.sat.s32 %r1, %r2, %r3, %r4;", "clamps the sum to")
    check_meaning("add.sat.s32", ".sat", "clamps the result to the range of the type")
    check_meaning("add.sat.f32", ".sat", "clamps the result to `0.0 .. 1.0`. A NaN result becomes `+0.0`")


def test_a_shift_by_the_width_is_well_defined() -> None:
    assert "clamped to the width, and `d` is 0" in " ".join(words_of("shl.b32").lead_of(spelling("shl.b32")))
    assert "so that `d` is 0 or -1" in " ".join(words_of("shr.s32").lead_of(spelling("shr.s32")))
    assert "well defined: 0, or copies of the sign" in " ".join((unlikely_value.check.__doc__ or "").split())


@pytest.mark.parametrize("count", ["%h3", "%rd3"])
def test_the_count_of_a_shift_has_32_bits(count: str) -> None:
    width, narrower = (16, "Widen it with `cvt.u32.u16`") if count == "%h3" else (64, "Narrow it with `cvt.u32.u64`")
    for name in (f"shl.b{width}", f"shr.s{width}"):
        check_hover(f"{name[:2]}<|>{name[2:]} {count[:-1]}1, {count[:-1]}2, {count};", narrower)


def test_zeros_are_normal_numbers() -> None:
    """Manual 9.7.3.1; ptxas 13.5 makes true of ``testp.normal.f32 p, 0.0``."""
    check_meaning("testp.normal.f32", ".normal", "true if `a` is a normal number or a zero")
    check_label("Pitfall", "testp.normal.f32", ".op", says="a zero is a normal number here")
    assert "zeros count as normal" in catalogue().vocabulary.meaning(".normal")


def test_a_test_without_a_kind_writes_nothing() -> None:
    check_label("Pitfall", "testp.f32", says="`p` is not written")
    check_no_label("Pitfall", "testp.finite.f32", ".op", says="`p` is not written")
    check_not_said("tes<|>tp.f32 %p1, %f1;", "reads", "writes")


@pytest.mark.parametrize("name", ["div", "rem"])
def test_integer_divisions_by_constants_are_not_made_shorter(name: str) -> None:
    check_label("Pitfall", f"{name}.u32", "constant", says="ptxas 12.9 to 13.5 make a long sequence")
    check_no_label("Pitfall", f"{name}.u32", says="a long sequence")
    assert "multiplies and shifts" not in words_of(name).meaning("b", spelling(f"{name}.u32"))
    check_label("Undefined", f"{name}.u32", says="`b` is 0")


def test_a_division_by_zero_is_defined_for_floats() -> None:
    check_no_label("Undefined", "div.rn.f32", ".rnd", says="`b` is 0")


@pytest.mark.parametrize(
    ("opcode", "says"),
    [
        ("rcp.approx.f32", "approximation, at most 1 ulp off"),
        ("rcp.approx.ftz.f64", "gross approximation from the upper 20 bits of the mantissa"),
        ("ex2.approx.f32", "at most 2 ulp off; required"),
        ("ex2.approx.f16", "relative error at most `2^-9.9`; required"),
        ("ex2.approx.ftz.bf16", "relative error at most `2^-7`; required"),
        ("tanh.approx.f32", "relative error at most `2^-11`; required"),
        ("tanh.approx.f16x2", "absolute error at most `2^-10.987`; required"),
        ("tanh.approx.bf16", "absolute error at most `2^-8`; required"),
    ],
)
def test_the_error_is_that_of_the_type(opcode: str, says: str) -> None:
    check_meaning(opcode, ".approx", says)


def test_carries_are_of_sums_and_borrows_of_differences() -> None:
    for name in ("add", "addc"):
        check_meaning(f"{name}.cc.u32", ".cc", "also writes the carry to `CC.CF`")
        check_meaning(f"{name.replace('add', 'sub')}.cc.u32", ".cc", "also writes the borrow to `CC.CF`")


def bfind(bits: int, *, signed: bool, shift: bool) -> int:
    """What ``bfind`` gives for 32 bits."""
    found = bits ^ ALL_ONES if signed and bits >> 31 else bits
    position = found.bit_length() - 1
    if position < 0:
        return ALL_ONES
    return 31 - position if shift else position


def test_the_table_of_bfind() -> None:
    (_, *opcodes), *rows = table("arithmetic/bfind", "| `a` | `.u32`")
    assert opcodes == [".u32", ".s32", ".shiftamt.u32", ".shiftamt.s32"]
    for a, *found in rows:
        expected = [bfind(int(a, 0), signed=".s32" in one, shift="shiftamt" in one) for one in opcodes]
        assert [int(one, 0) for one in found] == expected, a


def fns(mask: int, base: int, offset: int) -> str:
    """What ``fns`` gives, as the page writes it."""
    if offset == 0:
        return str(base) if mask >> base & 1 else "none"
    positions = range(base, 32) if offset > 0 else range(base, -1, -1)
    ones = [position for position in positions if mask >> position & 1]
    return str(ones[abs(offset) - 1]) if len(ones) >= abs(offset) else "none"


def test_the_table_of_fns() -> None:
    (_, *arguments), (_, *found) = table("arithmetic/fns", "| `base`, `offset`")
    assert "With `mask = 0b10110`" in below("fns.b32")
    pairs = (tuple(map(int, one.split(","))) for one in arguments)
    assert found == [fns(0b10110, base, offset) for base, offset in pairs]


def table_of(function: str) -> int:
    """The table of ``lop3`` for a function as the page writes it."""
    if "?" in function:
        return 0xF0 & 0xCC | ~0xF0 & 0xAA & 0xFF
    return eval(function, {"__builtins__": {}}, {"a": 0xF0, "b": 0xCC, "c": 0xAA}) & 0xFF


def test_the_table_of_lop3() -> None:
    _, *rows = table("logic/lop3", "| function | `immLut`")
    assert rows
    for row in rows:
        for function, lut in zip(row[::2], row[1::2], strict=True):
            assert int(lut, 0) == table_of(function), function


def test_a_sign_is_copied_to_halves_by_a_table() -> None:
    """``c ? a : b``, with the mask of the signs as ``c``."""
    expected = 0xAA & 0xF0 | ~0xAA & 0xCC & 0xFF
    assert f"lop3.b32 d, a, b, 0x80008000, 0x{expected:X}" in below("copysign.f32")


@pytest.mark.parametrize("name", ["add", "mul", "abs", "setp", "min", "sqrt"])
def test_oldest_targets_flush_subnormals(name: str) -> None:
    assert re.search(r"On `sm_1x`, [^.]*`[^`]*\.f32`[^.]* flush", below(name)), below(name)
