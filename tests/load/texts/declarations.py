"""Declarations of registers and variables: wrong ones, repeated ones, long lists, and groups such as ``%r<9>``."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CLOSED,
    HEADER,
    HEADER_8_6,
    OPENED,
    Generator,
    Piece,
    alone,
    between,
    body,
    commas_between,
    cycle,
    half,
    kernel_of,
    module,
    repeated,
    word,
)

STATEMENTS: dict[str, Piece] = {
    "unused groups": lambda n: f".reg .b32 g{word(n)}<3>;\n",
    "large groups": lambda n: f".reg .b32 big{n}_<100000>; mov.b32 big{n}_{n}, 1;\n",
    "members beyond their group": lambda n: f"mov.b32 %r{n + 9}, 1;\n",
    "misspelt declarations": lambda n: f".regg .b32 {word(n)};\n",
    "declarations without a type": lambda n: f".reg {word(n)};\n",
    "one register declared again and again": lambda n: ".reg .b32 again;\n",
    "groups that overlap names": lambda n: f".reg .f32 %r{n}; .reg .f32 %r<{n + 1}>;\n",
    "groups whose members coincide": lambda n: (
        f".reg .b32 %v{n}<20>; mov.b32 %v{n}{n % 30}, %v{n // 10}{n % 12}; mov.b32 %v0{n}, %v{n}00{n % 9};\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "variables declared again": lambda n: ".global .u32 again;\n",
    "variables in every space": lambda n: f".{'global const shared local param reg'.split()[n % 6]} .b32 s{n};\n",
    "wrong attributes": lambda n: f".global .attribute(.managed, .unified({n}, 1)) .b32 m{n};\n",
    "variables of unknown types": lambda n: f".global .{word(n)} v{n};\n",
    "weak and common variables of one name": lambda n: (
        f".{('weak', 'common', 'extern')[n % 3]} .global .b32 s{n % 99}[{n}];\n"
    ),
    "declarations of the first versions": lambda n: (
        f".{('tex', 'surf', 'sreg', 'const[3]')[n % 4]} .u32 o{n}; .entry old{n} {{ .reg .v4 .f32 %v; "
        f"tex.1d.v4.f32.s32 %v, [o{n}, %v]; mov.f32 %v.{'xyzwrq'[n % 6]}, %v.x; exit; }}\n"
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "members of groups, with hundreds of zeros before the number": partial(
        body,
        lambda n: (
            f".reg .b32 z{n}_<{'0' * (n % 99)}9>; add.s32 z{n}_{'0' * (n % 300)}{n % 12}, %r{'0' * (n % 200)}{n % 9}, "
            f"%r{'0' * 90}{n};\n"
        ),
    ),
    "one declaration of many names, then uses of others": partial(
        half, lambda n: f"{', ' if n else '.reg .b32 '}n{n}", lambda n: f"{'' if n else '; '}mov.b32 n{n}, n{n}x;\n"
    ),
    "forward declarations of everything, definitions in the end": lambda size: (
        HEADER_8_6
        + repeated(size // 2, cycle(".extern .func f#(.param .b32 x);\n", ".extern .global .b32 v#[];\n"))
        + repeated(size // 2, cycle(".visible .func f#(.param .b64 x) { ret; }\n", ".visible .global .b32 v#[4];\n"))
    ),
    "registers declared one by one, used backwards": lambda size: (
        HEADER_8_6
        + OPENED
        + "".join(f"\t.reg .f32 v{n};\n" for n in range(max(1, size // 50)))
        + "".join(f"\tadd.f32 v{n}, v{n // 2}, v{n};\n" for n in reversed(range(max(1, size // 50))))
        + CLOSED
    ),
    "one declaration of many names of each kind": kernel_of(
        lambda n: f"b{n}, c{n}<{n % 9}>, ", "\t.reg .b32 a, ", "z;\n"
    ),
    "one declaration of many arrays": lambda size: alone(f".shared .b8 {commas_between(size, lambda n: f'a{n}[4]')};"),
    "one declaration of one name again and again": lambda size: alone(
        f".global .b32 {commas_between(size, lambda n: 'a')};"
    ),
    "one declaration of many names, twice": lambda size: alone(
        f".global .b32 {commas_between(size // 2, lambda n: f'n{n}')};\n" * 2
    ),
    "a long table, declared again and again": lambda size: (
        alone(f".global .b32 a[] = {{ {commas_between(size // 2, lambda n: '1')} }};")
        + repeated(size // 2, lambda n: ".extern .global .b32 a[];\n")
    ),
    "groups of registers with the prefixes of single names": partial(
        half, lambda n: f".reg .b32 q{word(n)}_1;\n", lambda n: f".reg .b32 q{word(n)}_<1>;\n"
    ),
    "one group of registers again and again, after one of its members": partial(
        half, lambda n: f".reg .b32 x{n + 9};\n", lambda n: f"{'' if n else '.reg .b32 x5; '}.reg .b32 x<9>;\n"
    ),
    "one global declaration of many arrays": between(f"{HEADER}.global .b32 a", lambda n: f", b{n}[3]", ";\n"),
    "one declaration of many broken names": between(f"{HEADER}.global .b32 a", lambda n: f", b{n} c", ";\n"),
}
