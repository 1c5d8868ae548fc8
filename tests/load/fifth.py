"""Fifty more kinds of hostile files, written without a look at what was repaired for the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, half, module, repeated, word

_WORDS = "add sub mul mad fma min max and or xor shl shr set setp selp slct cvt ld st atom red mov prmt".split()
_SPACES = "global shared local const param".split()

STATEMENTS: dict[str, Callable[[int], str]] = {
    "guards that alternate": lambda n: f"@{'!' * (n % 2)}%p{n % 8} add.s32 %r{n % 8}, %r{(n + 3) % 8}, 1;\n",
    "selections that lead to each other": lambda n: f"selp.b32 %r{n % 8}, %r{(n + 1) % 8}, {n}, %p{n % 8};\n",
    "products and sums of wide results": lambda n: (
        f"mul.wide.u32 %rd{n % 8}, %r{n % 7}, {n}; add.s64 %rd1, %rd{n % 8}, %rd{(n + 5) % 8};\n"
    ),
    "addresses that move in loops": lambda n: (
        f"M{n}: ld.global.u32 %r1, [%rd1]; add.s64 %rd1, %rd1, {4 * n}; setp.lt.u64 %p1, %rd1, %rd2; @%p1 bra M{n};\n"
    ),
    "loops that enter each other": lambda n: f"I{n}: @%p{n % 8} bra I{n ^ 1}; @%p{(n + 1) % 8} bra I{n ^ 3};\n",
    "jumps into the middle of loops": lambda n: (
        f"@%p1 bra J{n}; K{n}: add.s32 %r1, %r1, 1; J{n}: setp.lt.s32 %p1, %r1, {n}; @%p1 bra K{n};\n"
    ),
    "returns under conditions": lambda n: f"setp.eq.s32 %p1, %r1, {n}; @%p1 ret; @!%p1 exit;\n",
    "registers of blocks that hide each other": lambda n: f"{{ .reg .b{16 << n % 3} %r<9>; mov.b32 %r1, %r2; }}\n",
    "barriers with counts": lambda n: f"barrier.sync.aligned {n % 17}, {n % 2048}; barrier.arrive {n % 16}, 64;\n",
    "barriers in branches": lambda n: f"@%p{n % 8} bra B{n}; bar.sync {n % 16}; B{n}: bar.red.popc.u32 %r1, 0, %p1;\n",
    "stores and loads of one word": lambda n: f"st.shared.b32 [%r1+{4 * (n % 64)}], %r2; ld.shared.b32 %r2, [%r1];\n",
    "accesses between barriers": lambda n: f"st.shared.b32 [%r{n % 8}], %r1; bar.sync 0; ld.shared.b32 %r3, [%r4];\n",
    "arrivals and waits of many phases": lambda n: (
        f"mbarrier.arrive.shared.b64 %rd1, [%r1+{8 * n}]; "
        f"Q{n}: mbarrier.try_wait.parity.shared.b64 %p1, [%r1+{8 * n}], {n % 2}; @!%p1 bra Q{n};\n"
    ),
    "initialized and invalidated mbarriers": lambda n: (
        f"mbarrier.init.shared.b64 [%r1+{n % 99 * 8}], {n}; mbarrier.inval.shared.b64 [%r1+{n % 77 * 8}];\n"
    ),
    "cluster barriers without order": lambda n: f"barrier.cluster.{('arrive', 'wait')[n * n % 3 % 2]};\n",
    "mapped addresses": lambda n: (
        f"mapa.shared::cluster.u32 %r{n % 8}, %r1, {n}; ld.shared::cluster.u32 %r2, [%r{(n + 1) % 8}];\n"
    ),
    "register pools": lambda n: f"setmaxnreg.{('inc', 'dec')[n % 2]}.sync.aligned.u32 {n % 300};\n",
    "fences of all kinds": lambda n: (
        f"fence.{('sc', 'acq_rel', 'proxy.async', 'proxy.alias')[n % 4]}.{('cta', 'gpu', 'sys', 'x')[n // 4 % 4]};\n"
    ),
    "matrix loads and stores": lambda n: (
        f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r1, %r2, %r3, %r{n % 12}}}, [%r1+{n}];\n"
    ),
    "products of small matrices": lambda n: (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
        f"{{%r1, %r2, %r3, %r4}}, {{%r5, %r{n % 9}}}, {{%f1, %f2, %f3, %f{n % 9}}};\n"
    ),
    "tensor memory, allocated and freed": lambda n: (
        f"tcgen05.alloc.cta_group::{1 + n % 2}.sync.aligned.shared::cta.b32 [%r1], {32 << n % 5}; "
        f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r{n % 8}, {n};\n"
    ),
    "loads of tensor memory": lambda n: (
        f"tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r1, %r2}}, [%r{n % 8}+{n}]; tcgen05.wait::ld.sync.aligned;\n"
    ),
    "products in tensor memory": lambda n: f"tcgen05.mma.cta_group::1.kind::f16 [%r{n % 8}], %rd1, %rd2, {n}, %p1;\n",
    "values of lanes": lambda n: f"shfl.sync.idx.b32 %r{n % 8}|%p{n % 8}, %r1, {n % 40}, 0x{n % 64:x}, -1;\n",
    "permutations of bytes": lambda n: f"prmt.b32 %r{n % 8}, %r{(n + 1) % 8}, {n}, 0x{n % 65536:x};\n",
    "tables of truth": lambda n: f"lop3.b32 %r{n % 8}, %r1, %r2, %r{n % 7}, {n % 300};\n",
    "fields of bits": lambda n: f"bfe.u32 %r1, %r{n % 8}, {n % 70}, {n % 50}; bfi.b32 %r2, %r1, %r3, {n % 99}, 4;\n",
    "packed and unpacked vectors": lambda n: (
        f"mov.b64 {{%r{n % 8}, %r1}}, %rd{n % 8}; mov.b64 %rd1, {{%r2, %r{n % 9}}};\n"
    ),
    "vectors with underscores": lambda n: f"ld.global.v4.u32 {{_, %r{n % 9}, _, _}}, [%rd1+{n}];\n",
    "special registers by component": lambda n: (
        f"mov.u32 %r{n % 8}, %{('tid', 'ctaid', 'ntid')[n % 3]}.{'xyzwr'[n % 5]};\n"
    ),
    "opcodes with all words of others": lambda n: (
        f"{_WORDS[n % 23]}.{_WORDS[n // 23 % 23]}.b{8 << n % 5} %r1, %r2, {n};\n"
    ),
    "opcodes that are numbers": lambda n: f"{n}.add.s32 %r1, %r2, {n};\n",
    "opcodes of hundreds of letters": lambda n: f"{'ad' * (n % 200)}d.s32 %r1, %r2, %r3;\n",
    "words that repeat": lambda n: f"add{'.sat' * (n % 30)}.s32 %r1, %r2, %r3;\n",
    "state spaces of others": lambda n: f"ld.{_SPACES[n % 5]}.{_SPACES[n // 5 % 5]}.b32 %r1, [%rd{n % 8}+{n}];\n",
    "comments in the middle": lambda n: f"add/*{n}*/./**/s32 %r1,//{n}\n %r2, {n};\n",
    "line ends of all kinds": lambda n: f"add.s32 %r1,{(chr(13), chr(10), chr(13) + chr(10))[n % 3]}%r2, {n};\r\r\n",
    "parentheses in constants": lambda n: f"mov.u32 %r1, {'(' * (n % 40)}{n}{')' * (n % 41)};\n",
    "conditional constants": lambda n: f"mov.u32 %r1, {' '.join(f'{n} ? {one} :' for one in range(n % 12))} {n};\n",
    "pragmas with many strings": lambda n: f'.pragma "nounroll", "{word(n)}", "frequency {n}";\n',
    "sources that change with each line": lambda n: f".loc {n % 500} {n} 1\n@%p1 bra $L_{n};\n$L_{n}:\n",
}
"""Statements of a kernel."""

PIECES: dict[str, Callable[[int], str]] = {
    "kernels that launch bounds contradict": lambda n: (
        f".entry b{n}() .maxntid {n}, {n} .reqntid {n % 7} .minnctapersm {n} .maxnreg {n % 300} {{ ret; }}\n"
    ),
    "functions that return arrays": lambda n: (
        f".func (.param .align 16 .b8 r[{n}]) a{n}(.param .align {n % 9} .b8 p[{n % 33}]) "
        f"{{ st.param.b32 [r+{n}], 1; ret; }}\n"
    ),
    "weak and common variables of one name": lambda n: (
        f".{('weak', 'common', 'extern')[n % 3]} .global .b32 s{n % 99}[{n}];\n"
    ),
    "texture and surface variables": lambda n: (
        f".global .{('texref', 'samplerref', 'surfref')[n % 3]} t{n} = {{ w = {n} }};\n"
    ),
}
"""What stands outside of functions."""

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "blocks of variables, then uses in other blocks": partial(
        half, lambda n: f"{{ .shared .b32 v{n}[{n}]; }}\n", lambda n: f"{{ mov.b32 %r1, v{n}; }}\n"
    ),
    "groups of registers, then blocks with groups": partial(
        half,
        lambda n: f".reg .b32 %g{n}_<9>;\n",
        lambda n: f"{{ .reg .b32 %h{n}_<9>; mov.b32 %h{n}_1, {n}; }}\n",
    ),
    "a table of labels, and jumps through parts of it": partial(
        half,
        lambda n: f"E{n}: add.s32 %r1, %r1, {n};\n",
        lambda n: f"T{n}: .branchtargets E{n}, E{n + 1}; brx.idx %r1, T{n};\n",
    ),
    "calls with undeclared results": partial(
        half, lambda n: f".param .b32 a{n};\n", lambda n: f"call (b{n}), g{n}, (a{n}, a{n + 1});\n"
    ),
    "one kernel of empty statements": lambda size: body(lambda n: ";" * (1 + n % 7) + "\n", size),
    "modules in one file": lambda size: repeated(size, lambda n: f"{HEADER}.entry m{n}() {{ ret; }}\n"),
}
"""All of them, by what is hostile in their texts."""
