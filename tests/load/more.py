"""Fifty-two more kinds of hostile files, written after those of ``hostile`` had become cheap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, half, module, word

STATEMENTS: dict[str, Callable[[int], str]] = {
    "one label again and again": lambda n: f"AGAIN: add.s32 %r{n % 9}, %r1, {n};\n",
    "labels declared twice": lambda n: f"L{n // 2}:\n",
    "one register declared again and again": lambda n: ".reg .b32 again;\n",
    "groups that overlap names": lambda n: f".reg .f32 %r{n}; .reg .f32 %r<{n + 1}>;\n",
    "names in capitals": lambda n: f"MOV.B32 %R{n % 9}, {n};\n",
    "uses before declarations": lambda n: f"mov.b32 late{n}, 1; .reg .b32 late{n};\n",
    "labels of other blocks": lambda n: f"{{ IN{n}: mov.b32 %r1, 1; }} bra IN{n};\n",
    "jumps to registers": lambda n: f"bra %r{n % 9};\n",
    "many jumps to one missing label": lambda n: f"@%p{n % 9} bra NOWHERE;\n",
    "jumps over everything": lambda n: f"@%p1 bra LAST{n % 50}; st.global.u32 [%rd1+{n}], %r{n % 9};\n",
    "calls with wrong arguments": lambda n: f"call (%r1), helper, (%r{n % 9}, %rd1, {n});\n",
    "calls with parameter blocks": lambda n: (
        f"{{ .param .b32 a{n}; st.param.b32 [a{n}], %r1; call (%r2), helper, (a{n}); }}\n"
    ),
    "wrong guards": lambda n: f"@%r{n % 9} mov.b32 %r1, {n};\n",
    "negated addresses": lambda n: f"ld.global.u32 %r1, [-%rd1+{n}];\n",
    "addresses of registers of 32 bits": lambda n: f"ld.global.u32 %r1, [%r{n % 9}+{n}];\n",
    "vectors that are too long": lambda n: "ld.global.v2.u32 {%r1, %r2, %r3, %r4, %r5}, [%rd1];\n",
    "vectors of vectors": lambda n: f"mov.b64 %rd1, {{{{%r1, %r2}}, {{%r3, {n}}}}};\n",
    "float constants of wrong length": lambda n: f"mov.f32 %f1, 0f{n:x};\n",
    "numbers that are too large": lambda n: f"mov.b64 %rd1, {n}{'9' * 25};\n",
    "numbers in wrong digits": lambda n: f"mov.b32 %r1, 0x{n}g; mov.b32 %r2, 0b{n % 2}2; mov.b32 %r3, 09{n};\n",
    "comments with letters of other languages": lambda n: f"add.s32 %r1, %r1, {n}; // größer als {n} ≤ ∞\n",
    "statements with letters of other languages": lambda n: f"add.s32 %ré{n}, %r1, 1;\n",
    "control characters": lambda n: f"add.s32 %r1, \x01\x02 %r1, {n};\n",
    "strings that are not closed": lambda n: f'.pragma "open {n};\n',
    "quotation marks": lambda n: '"\n' * (1 + n % 2),
    "preprocessor lines": lambda n: f"#define A{n} {n}\n",
    "directives of functions in a body": lambda n: f".maxntid {n}, 1, 1;\n",
    "targets that do not exist": lambda n: f".target sm_{n}z;\n",
    "versions in a body": lambda n: f".version {n}.{n};\n",
    "newer instructions": lambda n: f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r{n % 9}], 32;\n",
    "tensor copies": lambda n: (
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        f"[%r1], [%rd1, {{%r2, {n}}}], [%r3];\n"
    ),
    "matrix instructions with wrong shapes": lambda n: (
        f"mma.sync.aligned.m{n}n8k16.row.col.f32.f16.f16.f32 {{%f1}}, {{%r1}}, {{%r2}}, {{%f2}};\n"
    ),
    "wide matrix instructions": lambda n: (
        f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f1, %f2, %f3, %f4}}, %rd1, %rd2, {n}, 1, 1, 0, 0;\n"
    ),
    "votes and shuffles": lambda n: (
        f"shfl.sync.idx.b32 %r1|%p1, %r2, {n}, 31, {n}; vote.sync.ballot.b32 %r2, %p1, {n};\n"
    ),
    "textures": lambda n: f"tex.2d.v4.f32.s32 {{%f1, %f2, %f3, %f4}}, [tex{n}, {{%r1, %r2}}];\n",
    "atomics": lambda n: f"atom.global.add.f{n} %f1, [%rd1], %f2;\n",
    "mbarriers at many addresses": lambda n: (
        f"mbarrier.init.shared.b64 [%r1+{8 * n}], {n}; mbarrier.arrive.shared.b64 %rd1, [%r1+{8 * n}];\n"
    ),
    "divergent barriers": lambda n: f"@%p1 bra D{n}; bar.sync {n % 16}; D{n}: setp.eq.s32 %p1, %r1, {n};\n",
    "chains of sums": lambda n: f"add.s32 %r{(n + 1) % 9}, %r{n % 9}, %r{(n + 5) % 9};\n",
    "shared addresses": lambda n: (
        f"mad.lo.s32 %r{(n + 1) % 9}, %r{n % 9}, 4, {n}; st.shared.u32 [%r{(n + 1) % 9}], 1;\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Callable[[int], str]] = {
    "one function defined again and again": lambda n: ".func same() { ret; }\n",
    "kernels with large parameters": lambda n: f".entry k{n}(.param .align {n} .b8 a[{n * 100}]) {{ ret; }}\n",
    "variables declared again": lambda n: ".global .u32 again;\n",
    "variables in every space": lambda n: f".{'global const shared local param reg'.split()[n % 6]} .b32 s{n};\n",
    "tables of functions": lambda n: f".global .u64 t{n}[2] = {{ f{n}, t{n // 2} }};\n",
    "prototypes outside": lambda n: f"P{n}: .callprototype _ (.param .b32 _);\n",
    "wrong attributes": lambda n: f".global .attribute(.managed, .unified({n}, 1)) .b32 m{n};\n",
    "open comments in functions": lambda n: f".func c{n}() {{ /* {word(n)} }}\n" + ("*/\n" if n % 2 else ""),
    "instructions outside": lambda n: f"add.s32 %r1, %r2, {n};\n",
}
"""What stands outside of functions."""

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "blocks with declarations, not closed": partial(
        half, lambda n: f"{{ .reg .b32 x{n};\n", lambda n: f"mov.b32 %r1, x{n};\n"
    ),
    "a name of many letters": lambda size: f"{HEADER}.entry {'k' * (size // 2)}() {{ bra {'m' * (size // 2)}; }}\n",
    "one call of many arguments": lambda size: body(lambda n: ("call (%r1), f, (" if not n else "") + f"%r{n}, ", size),
}
"""All of them, by what is hostile in their texts."""
