"""Texts that are no PTX, or PTX only in part: C, listings, patches, assembly of other processors, dumps."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CLOSED,
    HEADER_8_6,
    OPENED,
    USUAL,
    Generator,
    Piece,
    body,
    file_of,
    kernel_of,
    module,
    repeated,
    turns,
    word,
)

X86 = (
    "\tmovl\t$$n, -$m(%rbp,%rax,4)\n",
    ".LBB$m_$n:\n",
    "\tvfmadd231ps\t%zmm1{%k1}{z}, %zmm2, %zmm$n\n",
    "\t.cfi_def_cfa_offset $n\n",
    "\tje\t.LBB$m_$n\t\t# 8-byte Folded Reload\n",
    "\tv_mad_f32 v$n, s[0:1], v[2:3], v$m quad_perm:[0,1,2,3]\n",
    '\t.type\tf$n,@function\n\t.section\t.rodata.str1.1,"aMS",@progbits,1\n',
    "\tldp\tx29, x30, [sp], #$n\n",
    "\tcallq\t*f$n@GOTPCREL(%rip)\n",
)
LETTERS = "_", "-", "::", " . ", "..", "->"
LINES = (
    *USUAL.replace("$L_1", "L").splitlines(keepends=True),
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r3}], [%r4];\n",
    "tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;\n",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, 1, 1, 1, 0, 0;\n",
    "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;\n",
    "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r1], %r2;\n",
)


def joined_by_another_mark(n: int) -> str:
    """A right statement whose dots are another mark."""
    line = LINES[n % len(LINES)]
    return line.replace(".", LETTERS[n // len(LINES) % len(LETTERS)]).replace("%r1", f"%r{n % 99}")


def zero_after_each_letter(size: int) -> str:
    """A program in UTF-16, read as if each byte were a letter."""
    text = body(lambda n: f"add.s32 %r{n % 9}, %r1, {n}; ld.global.u32 %r2, [%rd1+{n}];\n", size // 2)
    return "\xff\xfe" + "".join(f"{letter}\0" for letter in text)


def in_hexadecimal(size: int) -> str:
    """A program as a program for dumps prints it: sixteen bytes in a line, and their letters."""
    text = body(lambda n: f"add.s32 %r{n % 9}, %r1, {n};\n", size // 4)

    def line(place: int) -> str:
        bytes_ = text[place : place + 16].encode().hex(" ", 2)
        return f"{place:08x}: {bytes_:39}  {text[place : place + 16].replace(chr(10), '.')}\n"

    return "".join(line(place) for place in range(0, len(text), 16))


STATEMENTS: dict[str, Piece] = {
    "preprocessor lines": lambda n: f"#define A{n} {n}\n",
    "listings of machine code": lambda n: (
        f".L_x_{n}:\n        /*{16 * n:04x}*/    @!P{n % 7} IMAD.WIDE.U32 R{n % 255}, R{n * 3 % 255}.reuse, "
        f"0x{n:x}, c[0x0][0x{n % 999:x}] ;  /* 0x{n * 7919:016x} */\n        BRA.DIV ~URZ, `(.L_x_{n + 1}) ;\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "lines of C between functions": lambda n: f'extern "C" __global__ void {word(n)}(int *p) {{ p[{n}] = {n}; }}\n',
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "patches of programs, with conflicts": lambda size: module(
        turns(
            "diff --git a/k$n.ptx b/k$n.ptx\n--- a/k$n.ptx\n+++ b/k$n.ptx\n",
            "@@ -$n,7 +$m,9 @@ .entry k$m(.param .u64 p)\n",
            "-\tadd.s32 %r1, %r2, $n;\n+\tadd.s32 %r1, %r2, $m;\n",
            " {\n+.reg .b32 %r<$n>;\n-.reg .u32 %r<$m>;\n",
            "<<<<<<< HEAD\n.entry k$m() {\nL$n: bra L$m;\n||||||| 0x$n\n=======\n.entry k$m() { // $n\n>>>>>>> main\n",
        ),
        size,
    ),
    "statements after numbers of lines and addresses": lambda size: body(
        turns(
            "  $n  add.s32 %r1, %r2, $n;\n",
            "k.ptx:$n:$m: mov.b32 %r1, x$n;\n",
            "0000$n:\t$m | bra L$n;\n",
            "$n> L$n: ret;\n",
            "[$n] .reg .b32 y$n;\n",
        ),
        size,
    ),
    "assembly of other processors": lambda size: module(turns(*X86), size),
    "directives of the preprocessor": file_of(
        turns("#define A$n B$n\n", '# $n "a.h" 2\n', "#line $n\n", "#if $n\\\n", ".func f$n() { ret; }\n")
    ),
    "words joined by other marks than dots": lambda size: (
        HEADER_8_6 + OPENED + repeated(size, joined_by_another_mark) + CLOSED
    ),
    "statements of C in a kernel": kernel_of(
        turns(
            "for (int i$n = 0; i$n < n; ++i$n) { x[i$n] += y[$n] * 2.0f; }\n",
            "if (threadIdx.x < $n) { __syncthreads(); } else goto L$n; /* $n */\n",
            "float4 v$n = *reinterpret_cast<const float4*>(&p[$n]); r = a ? b->c : d::e<$n>(&f, '\\n');\n",
            "switch (x) { case $n: y <<= 3; break; default: return -1; } L$n: ;\n",
            "template <typename T, int N> struct S$n { T v[N]; S$n() : v{} {} ~S$n(); };\n",
            '#define A$n(x) printf("%d %s\\n", x, "$n"); do { asm("add.s32 %0, $n;" : "=r"(x)); } while (0)\n',
            "__shared__ half2 tile$n[16][$n + 1]; k<<<dim3(1, $n), 256, 0, stream>>>(a, b); f = [=] { return $n; };\n",
        )
    ),
    "a program with a zero after each letter": zero_after_each_letter,
    "a dump of a program in hexadecimal digits": in_hexadecimal,
}
