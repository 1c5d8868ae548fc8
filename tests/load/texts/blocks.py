"""Blocks in braces, and the names that are declared in them."""

from __future__ import annotations

from functools import partial

from .shapes import CLOSED, HEADER_8_6, OPENED, Generator, Piece, body, half, kernel_of, nested, nested_statements

STATEMENTS: dict[str, Piece] = {
    "nested blocks with names": lambda n: "{ .reg .b32 inner; mov.b32 inner, 1; }\n",
    "hidden names": lambda n: f"{{ .reg .b32 h{n % 50}; {{ .reg .b32 h{n % 50}; mov.b32 h{n % 50}, %r1; }} }}\n",
    "labels of other blocks": lambda n: f"{{ IN{n}: mov.b32 %r1, 1; }} bra IN{n};\n",
    "blocks with labels of the same names": lambda n: (
        f"{{ .reg .pred %q<2>; setp.lt.s32 %q1, %r1, {n}; X: @%q1 bra X; @!%q1 bra Y; Y: }}\n"
    ),
    "registers of blocks that hide each other": lambda n: f"{{ .reg .b{16 << n % 3} %r<9>; mov.b32 %r1, %r2; }}\n",
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "one deep nest": lambda size: body(lambda n: "{ " if n < size // 4 else "} ", size),
    "blocks with declarations, not closed": partial(
        half, lambda n: f"{{ .reg .b32 x{n};\n", lambda n: f"mov.b32 %r1, x{n};\n"
    ),
    "many declarations, then many blocks": partial(
        half, lambda n: f".reg .b32 outer{n};\n", lambda n: f"{{ .reg .b32 outer{n}; mov.b32 outer{n + 1}, 1; }}\n"
    ),
    "blocks of variables, then uses in other blocks": partial(
        half, lambda n: f"{{ .shared .b32 v{n}[{n}]; }}\n", lambda n: f"{{ mov.b32 %r1, v{n}; }}\n"
    ),
    "groups of registers, then blocks with groups": partial(
        half,
        lambda n: f".reg .b32 %g{n}_<9>;\n",
        lambda n: f"{{ .reg .b32 %h{n}_<9>; mov.b32 %h{n}_1, {n}; }}\n",
    ),
    "outermost names in the innermost block": partial(
        nested_statements,
        lambda n: f"{{ .reg .b32 o{n};\n",
        "mov.b32 %r1, o0x;\n",
        lambda n: f"mov.b32 o{n // 2}, o0; }}\n",
    ),
    "a block in a block, each with names of its own": nested(
        HEADER_8_6 + OPENED,
        lambda n: f"{{ .reg .b32 %x{n}; .reg .b32 y; mov.b32 y, %x{n};\n",
        "mov.b32 %r1, y;\n",
        lambda n: f"mov.b32 y, %x{n}; }}\n",
        CLOSED,
    ),
    "blocks side by side with the same labels and names": kernel_of(
        lambda n: "{ .reg .b32 %t<4>; .local .b8 l[16]; A: add.s32 %t1, %t2, %t3; @%p1 bra A; bra B; B: }\n"
    ),
    "blocks that are opened and not closed": kernel_of(
        lambda n: "{ .reg .b32 %t<4>; .local .b8 l[16]; A: add.s32 %t1, %t2, %t3; @%p1 bra A; bra B; B: \n"
    ),
}
