"""Thirty more kinds of hostile files, written without a look at what is quick."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, half, module, word

STATEMENTS: dict[str, Callable[[int], str]] = {
    "opcodes alone on their lines": lambda n: f"bra\n  // {n}\n{word(n)};\n",
    "statements broken at each token": lambda n: f"add\n.s32\n%r{n % 9}\n,\n%r1\n,\n{n}\n;\n",
    "labels with comments before the colon": lambda n: f"C{n} /* {n} */ : mov.b32 %r1, C{n};\n",
    "registers that differ in one letter": lambda n: f".reg .b32 {word(n)}a; mov.b32 {word(n)}b, 1;\n",
    "registers written and never read": lambda n: f".reg .b32 w{n}; mov.b32 w{n}, %r{n % 9};\n",
    "registers read and never written": lambda n: f".reg .b32 u{n}; add.s32 %r1, %r1, u{n};\n",
    "chains of registers": lambda n: f".reg .b32 c{n}; add.s32 c{n}, c{max(n - 1, 0)}, c{max(n - 9, 0)};\n",
    "conditions on conditions": lambda n: f"setp.lt.s32 %p{n % 9}, %r{n % 8}, {n}; @%p{n % 9} bra Q{n}; Q{n}:\n",
    "loops in loops": lambda n: f"N{n}:\n" if n % 40 < 20 else f"@%p1 bra N{n - 1 - 2 * (n % 20)};\n",
    "ways out of one loop": lambda n: f"{'LOOP: ' if not n else ''}@%p{n % 9} bra OUT{n % 30}; bra LOOP;\n",
    "unreachable pieces": lambda n: f"ret; add.s32 %r1, %r1, {n}; bra.uni U{n}; mov.b32 %r2, {n}; U{n}:\n",
    "stores that a later store covers": lambda n: f"st.global.u32 [%rd{n % 8}], {n};\n",
    "addresses built from sums": lambda n: (
        f"add.s64 %rd{n % 9}, %rd{(n + 1) % 9}, {8 * n}; ld.global.f32 %f1, [%rd{n % 9}];\n"
    ),
    "conversions that lose bits": lambda n: f"cvt.u8.u32 %r{n % 9}, %r1; cvt.rn.f16.f32 %r2, %f{n % 9};\n",
    "shifts that are too far": lambda n: f"shl.b32 %r{n % 9}, %r1, {n};\n",
    "divisions by constants": lambda n: f"div.s32 %r1, %r2, {n % 7}; rem.u32 %r2, %r1, {n % 5};\n",
    "unknown special registers": lambda n: f"mov.u32 %r1, %tid{n}.x; mov.u32 %r2, %envreg{n};\n",
    "undeclared operands of addresses": lambda n: f"ld.shared.u32 %r1, [buffer{n}+{n}];\n",
    "arguments that have the wrong type": lambda n: f"call (%f{n % 9}), k, (%rd1, %p{n % 9}, {n}.5);\n",
    "braces in wrong places": lambda n: f"mov.b64 {{%r1 {'}{'[n % 2]} %r2}}, %rd{n % 9};\n",
    "directives with unknown words": lambda n: f".{word(n)} {n};\n",
    "comments for the checker": lambda n: f"mov.b32 %r1, x{n}; // ptx-lsp: ignore[E201]\n",
    "waits for groups without a commit": lambda n: f"cp.async.wait_group {n % 9}; ld.shared.u32 %r1, [%r2+{4 * n}];\n",
    "bulk copies to one barrier": lambda n: (
        f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r{n % 9}], [%rd1], {16 * n}, [%r3];\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Callable[[int], str]] = {
    "kernels with bodies of one statement": lambda n: f".entry e{n}() {{ bra e{n}; }}\n",
    "functions that differ in their parameters": lambda n: f".func d{n % 99}(.reg .b{8 << n % 4} p{n}) {{ ret; }}\n",
    "variables of unknown types": lambda n: f".global .{word(n)} v{n};\n",
    "tables that are too long": lambda n: f".const .u8 t{n}[2] = {{ {n}, 256, -1, 1.5, t{n + 1} }};\n",
}
"""What stands outside of functions."""

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "one list of many targets": lambda size: (
        f"{HEADER}.entry k() {{\nL:\nT: .branchtargets {'L, ' * (size // 3)}L;\n}}\n"
    ),
    "many declarations, then many blocks": partial(
        half, lambda n: f".reg .b32 outer{n};\n", lambda n: f"{{ .reg .b32 outer{n}; mov.b32 outer{n + 1}, 1; }}\n"
    ),
}
"""All of them, by what is hostile in their texts."""
