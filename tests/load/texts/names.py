"""Names: long ones, ones that are alike, misspelt ones, and ones that nothing declares."""

from __future__ import annotations

import random
from functools import partial

from .shapes import (
    HEADER,
    LONGEST,
    Generator,
    Piece,
    alone,
    body,
    commas_between,
    cycle,
    file_of,
    half,
    kernel_of,
    long_statements,
    word,
)

LONG_NAME = "name_of_a_template_with_arguments_" * 9


def anagram(number: int) -> str:
    """Ten letters in an order that looks random."""
    return "".join(random.Random(number).sample("abcdefghij", 10))


def undeclared_arguments(size: int) -> str:
    """Declared registers, and a call with others that are named much like them."""
    declared = commas_between(size // 2, "n{}".format)
    arguments = commas_between(min(size // 2, LONGEST), "n{}x".format)
    return body(lambda n: f".reg .b32 {declared};\ncall f, ({arguments});", 1)


STATEMENTS: dict[str, Piece] = {
    "guards of undeclared predicates": lambda n: f"@%q{n} bra END;\n",
    "undeclared vectors": lambda n: f"ld.global.v4.u32 {{{word(n)}, %r1, %r2, %r3}}, [%rd1];\n",
    "names in capitals": lambda n: f"MOV.B32 %R{n % 9}, {n};\n",
    "uses before declarations": lambda n: f"mov.b32 late{n}, 1; .reg .b32 late{n};\n",
    "registers that differ in one letter": lambda n: f".reg .b32 {word(n)}a; mov.b32 {word(n)}b, 1;\n",
    "undeclared operands of addresses": lambda n: f"ld.shared.u32 %r1, [buffer{n}+{n}];\n",
    "long names that differ in their last letter": lambda n: (
        f".reg .b32 {LONG_NAME}{n}; mov.b32 %r1, {LONG_NAME}{n}_;\n"
    ),
    "names made of the words of the language": lambda n: (
        f"{{ .reg .b32 add, bra, reg, entry, v4, x, version, s{n}; "
        f"bra: mov.b32 add, x; add.s32 v4, reg, s{n}; bra bra; }}\n"
    ),
    "names used as what other names are": lambda n: (
        f"L{n}: bra %r{n % 9}; call %p{n % 9}, (L{n}); mov.b32 L{n}, k; @L{n // 3} bra k; brx.idx L{n}, %r1;\n"
        f"ld.param.u32 k, [L{n // 2}+{n}]; st.shared.u32 [k+{n}], p; setp.eq.s32 p, %rd1, L{n}; call L{n}, (%p1);\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "names with every character that a name may have": kernel_of(
        cycle(
            "\t.reg .b32 %$_a#, _$%#, $$#;\n",
            "$$L#$: add.s32 %$_a#, _$%@, __#;\n",
            "@!_$p bra $$L#$;\n",
            "\t.reg .pred _#, %_, $_;\n",
        )
    ),
    "declared names and similar ones": partial(
        half, lambda n: f".reg .b32 name{n}a;\n", lambda n: f"mov.b32 %r1, name{n}b;\n"
    ),
    "a name of many letters": lambda size: f"{HEADER}.entry {'k' * (size // 2)}() {{ bra {'m' * (size // 2)}; }}\n",
    "names that are anagrams of declared ones": partial(
        half, lambda n: f".reg .b32 {anagram(2 * n)};\n", lambda n: f"mov.b32 %r1, {anagram(2 * n + 1)};\n"
    ),
    "names of two letters that repeat": partial(
        half,
        lambda n: f".reg .b32 {'ab' * (n % 99)}{'a' * (n % 7)}c{n};\n",
        lambda n: f"mov.b32 {'ab' * (n % 98)}c{n}b, {'aab' * (n % 66)}b;\n",
    ),
    "names of a thousand characters that differ in the last": kernel_of(
        lambda n: f"\t.reg .b32 {'n' * 1000}{n};\n\tadd.s32 {'n' * 1000}{n}, {'n' * 1000}{n // 2}, 1;\n"
    ),
    "mangled names of C++": file_of(
        lambda n: (
            f".func _ZN4cuda3std{len(str(n)) + 1}x{n}IiNS_S_IfLi{n}"
            f"EES0_E3fooEPKvRT_{'I' * (n % 30)}{'E' * (n % 30)}() {{ ret; }}\n"
        )
    ),
    "a long name in a broken declaration": lambda size: alone(f".reg .b32 a{'1' * size}b x y;"),
    "one call of many undeclared arguments": undeclared_arguments,
    "one vector of many undeclared names": lambda size: long_statements(
        size, lambda number, length: f"mov.b64 %rd1, {{{commas_between(length - number, lambda n: f'n{number}_{n}')}}};"
    ),
}
