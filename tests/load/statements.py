"""Statements that declare much at once, or again and again, and lists of thousands of names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, half, repeated, word


def listed(size: int, name: Callable[[int], str]) -> str:
    """Names with commas between them, of about so many characters."""
    return repeated(size, lambda n: (", " if n else "") + name(n))


def alone(text: str) -> str:
    """A module of one piece."""
    return f"{HEADER}{text}\n"


def statement(text: str) -> str:
    """A kernel of one statement."""
    return body(lambda n: text, 1)


def long_statements(size: int, piece: Callable[[int, int], str]) -> str:
    """A kernel of statements that are as long as a statement that is read may be, each with its number and length."""
    length = min(size, LONGEST)
    return body(lambda n: piece(n, length) + "\n", size)


def opcode(mnemonic: str, qualifiers: str, operands: str) -> Callable[[int], str]:
    """A kernel of instructions with some qualifiers again and again, in each fewer of them."""

    def piece(number: int, length: int) -> str:
        return f"{mnemonic}{qualifiers * max(1, length // len(qualifiers) + 1 - number)} {operands};"

    return lambda size: long_statements(size, piece)


LONGEST = 30_000
"""Longer statements are not read."""

GENERATORS: dict[str, Callable[[int], str]] = {
    "one declaration of many arrays": lambda size: alone(f".shared .b8 {listed(size, lambda n: f'a{n}[4]')};"),
    "one declaration of one name again and again": lambda size: alone(f".global .b32 {listed(size, lambda n: 'a')};"),
    "one declaration of many names, twice": lambda size: alone(
        f".global .b32 {listed(size // 2, lambda n: f'n{n}')};\n" * 2
    ),
    "a long table, declared again and again": lambda size: (
        alone(f".global .b32 a[] = {{ {listed(size // 2, lambda n: '1')} }};")
        + repeated(size // 2, lambda n: ".extern .global .b32 a[];\n")
    ),
    "one kernel of many performance directives": lambda size: alone(
        f".entry k() {repeated(size, lambda n: '.maxnreg 32 ')} {{ ret; }}"
    ),
    "one function of many performance directives": lambda size: alone(
        f".func f() {repeated(size, lambda n: '.abi_preserve 3 ')} {{ ret; }}"
    ),
    "groups of registers with the prefixes of single names": partial(
        half, lambda n: f".reg .b32 q{word(n)}_1;\n", lambda n: f".reg .b32 q{word(n)}_<1>;\n"
    ),
    "one group of registers again and again, after one of its members": partial(
        half, lambda n: f".reg .b32 x{n + 9};\n", lambda n: f"{'' if n else '.reg .b32 x5; '}.reg .b32 x<9>;\n"
    ),
    "a long name in a broken declaration": lambda size: alone(f".reg .b32 a{'1' * size}b x y;"),
    "one call of many undeclared arguments": lambda size: statement(
        f".reg .b32 {listed(size // 2, 'n{}'.format)};\ncall f, ({listed(min(size // 2, LONGEST), 'n{}x'.format)});"
    ),
    "one vector of many undeclared names": lambda size: long_statements(
        size, lambda number, length: f"mov.b64 %rd1, {{{listed(length - number, lambda n: f'n{number}_{n}')}}};"
    ),
    "one opcode of one qualifier again and again": lambda size: long_statements(
        size, lambda number, length: f"add{'.sat' * max(1, length // 4 + 1 - number)}.s32 %r1, %r2, %r3;"
    ),
    "one opcode of qualifiers that conflict": opcode(
        "ld", ".global.nc.L1::no_allocate.v4.u32.relaxed.gpu", "%r1, [%rd1]"
    ),
    "one opcode of parts of its name": opcode(
        "tcgen05", ".mma.cta_group::1.kind::f16.ws.sp.block_scale", "[%r1], %rd1, %rd2, %r2, %p1"
    ),
    "one opcode of types": opcode("cvt", ".u8.s8.u16.rn.f32.sat", "%r1, %r2"),
    "calls inlined at a place of the first function": lambda size: alone(
        '.file 1 "a.cu"\n.func first() {\n.loc 1 1 1\nret; }\n'
        + repeated(size, lambda n: f".func f{n}() {{\n.loc 1 {n + 2} 5, function_name x, inlined_at 1 1 1\nret; }}\n")
    ),
    "lists of numbered labels that are missing": lambda size: body(
        lambda n: f"T{n}: .branchtargets a<1000>, a<1000>, a<1000>; brx.idx %r1, T{n};\n", size
    ),
}
"""All of them, by what is hostile in their texts."""
