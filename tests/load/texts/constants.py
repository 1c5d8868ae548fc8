"""Numbers of every kind and size, and constant expressions."""

from __future__ import annotations

from functools import partial

from .shapes import CLOSED, HEADER, HEADER_8_6, OPENED, Generator, Piece, body, cycle, kernel_of, nested, one_statement

DIGITS = ("9" * 5000, "0x" + "f" * 5000, "0b" + "1" * 16_000, "0" + "7" * 6000)
PLACES = (
    "mov.b64 %rd1, {};",
    "bar.sync {};",
    "ld.global.u32 %r1, [%rd1+{}];",
    ".reg .b32 %g<{}>;",
    "lop3.b32 %r1, %r2, %r3, %r4, {};",
    ".loc 1 {} 1",
    ".shared .align {} .b8 s[4];",
    ".local .b8 a[{}];",
    "mov.b32 %r{}, 1;",
    "setmaxnreg.inc.sync.aligned.u32 {};",
    "mov.f32 %f1, {};",
    "cp.async.wait_group {};",
)

STATEMENTS: dict[str, Piece] = {
    "numbers out of range": lambda n: f"bar.sync {n};\n",
    "constant expressions": lambda n: f"mov.u32 %r1, ({n} + 3) * (7 - {n}) / ({n} % 5);\n",
    "float constants of wrong length": lambda n: f"mov.f32 %f1, 0f{n:x};\n",
    "numbers that are too large": lambda n: f"mov.b64 %rd1, {n}{'9' * 25};\n",
    "numbers in wrong digits": lambda n: f"mov.b32 %r1, 0x{n}g; mov.b32 %r2, 0b{n % 2}2; mov.b32 %r3, 09{n};\n",
    "parentheses in constants": lambda n: f"mov.u32 %r1, {'(' * (n % 40)}{n}{')' * (n % 41)};\n",
    "conditional constants": lambda n: f"mov.u32 %r1, {' '.join(f'{n} ? {one} :' for one in range(n % 12))} {n};\n",
    "numbers of thousands of digits at all places": lambda n: (
        PLACES[n % len(PLACES)].format(DIGITS[n // len(PLACES) % 4]) + "\n"
    ),
    "shifts of constants by large numbers": lambda n: (
        f"mov.u64 %rd1, 1 << {10 ** (n % 13)}; mov.u32 %r1, ({n} << 63 << {n}) >> -{n}; mov.u32 %r2, -{n} >> {n}99;\n"
    ),
    "float constants beyond all ranges": lambda n: (
        f"mov.f32 %f1, 1e{n}; mov.u32 %r1, {n}e999; bar.sync 0f7F800000; mov.b32 %r2, 0dFFF8000000000000; "
        f"mov.f32 %f2, -.{n}e-{n}; mov.u32 %r3, 1 << 0f7FC00000;\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "one product of many constants": one_statement("mov.u64 %rd1, 1", lambda n: f" * {n + 2}", ""),
    "one number behind a row of signs": one_statement("mov.u32 %r1, ", lambda n: "-~!+"[n % 4] + " ", "1"),
    "one constant in nested casts and parentheses": lambda size: (
        f"{HEADER}.global .s64 c = {'(.s64)(' * (size // 8)}1{')' * (size // 8)};\n"
    ),
    "numbers of every kind": kernel_of(
        cycle(
            "\tmov.b32 %r1, 0x#;\n",
            "\tmov.b64 %d1, 0b1010101#U;\n",
            "\tadd.f32 %f1, %f2, 0f3F80000#;\n",
            "\tmov.f64 %g1, 0d3FF000000000000#;\n",
            "\tmov.f64 %g1, #.5e-#;\n",
            "\tmov.s32 %r1, -(07#);\n",
            "\tmov.u64 %d1, 1844674407370955161#;\n",
            "\tmov.b32 %r1, 'a';\n",
            "\tmov.f32 %f1, 0F#;\n",
        )
    ),
    "constant expressions, wide": kernel_of(
        lambda n: f"\tmov.b32 %r1, (({n} + 2) * 3 << 4) | ({n} > 7 ? ~1 : !{n}) ^ -(5 % 3) && 0x{n:x};\n"
    ),
    "one constant expression of parentheses": nested(
        HEADER_8_6 + OPENED + "\tmov.b32 %r1, ", lambda n: "(-(1 + ", "7", lambda n: "))", ";\n" + CLOSED
    ),
    "one constant expression of question marks": kernel_of(lambda n: f"{n} ? {n} + 1 : ", "\tmov.b32 %r1, ", "0;\n"),
}
