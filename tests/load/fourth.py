"""Twelve more kinds of hostile files: what compilers write, broken or repeated where the structure of PTX allows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, half, module, word

_CUT = "ld.global.nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];"
_ROUNDINGS = "rn rz rm rp rni rzi rna rs".split()
_CHANGES = "ftz sat relu satfinite".split()
_TYPES = "u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64 bf16 tf32 e4m3x2 b32 pred".split()

STATEMENTS: dict[str, Callable[[int], str]] = {
    "statements that end in the middle": lambda n: f"{_CUT[: 1 + n % len(_CUT)]}\n",
    "conversions between all types": lambda n: (
        f"cvt.rn.{_TYPES[n % 16]}.{_TYPES[n // 16 % 16]} %r{n % 9}, %f{n % 8};\n"
    ),
    "conversions with words that do not go together": lambda n: (
        f"cvt.{_ROUNDINGS[n % 8]}.{_CHANGES[n // 8 % 4]}.{_TYPES[n // 32 % 16]}.{_TYPES[n // 512 % 16]} %r1, %f1;\n"
    ),
    "lines inlined at each other": lambda n: (
        f".loc 1 {n} 5, function_name info{n % 9}, inlined_at 1 {n // 2} 3\nadd.s32 %r1, %r2, {n};\n"
    ),
    "blocks with labels of the same names": lambda n: (
        f"{{ .reg .pred %q<2>; setp.lt.s32 %q1, %r1, {n}; X: @%q1 bra X; @!%q1 bra Y; Y: }}\n"
    ),
    "tables of jumps that share their labels": lambda n: (
        f"L{n}: add.s32 %r1, %r1, {n}; T{n}: .branchtargets L{n // 2}, L{n // 3}, L{n}; brx.idx %r{n % 9}, T{n};\n"
    ),
    "values that go round in loops": lambda n: (
        f"V{n}: mov.b32 %r{n % 8}, %r{(n + 1) % 8}; setp.ne.s32 %p1, %r{n % 8}, {n}; @%p1 bra V{n - n % 16};\n"
    ),
    "local arrays and their addresses": lambda n: (
        f".local .align 8 .b8 depot{n}[{n}]; mov.u64 %rd{n % 9}, depot{n}; "
        f"cvta.local.u64 %rd1, %rd{n % 9}; st.u32 [%rd1+{n}], %f1;\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Callable[[int], str]] = {
    "lines of C between functions": lambda n: f'extern "C" __global__ void {word(n)}(int *p) {{ p[{n}] = {n}; }}\n',
    "sections with labels and differences": lambda n: (
        f".section .debug_{word(n)} {{\nS{n}:\n.b32 S{n}-S{n // 2}+{n}\n.b8 {n % 256}, {n}, 300\n}}\n"
    ),
}
"""What stands outside of functions."""

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "one declaration of many names, then uses of others": partial(
        half, lambda n: f"{', ' if n else '.reg .b32 '}n{n}", lambda n: f"{'' if n else '; '}mov.b32 n{n}, n{n}x;\n"
    ),
    "one function of many parameters": lambda size: (
        f"{HEADER}.func f(.param .b32 p0"
        + "".join(f", .param .b32 p{n}" for n in range(size // 32))
        + ")\n{\n.reg .b32 %r<3>;\n"
        + "".join(f"ld.param.b32 %r1, [p{n}];\n" for n in range(size // 64))
        + "ret;\n}\n"
    ),
}
"""All of them, by what is hostile in their texts."""
