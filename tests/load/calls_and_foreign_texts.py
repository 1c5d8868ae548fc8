"""Hostile files about calls and names of functions, and texts that are PTX only in part, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .blind import CLOSED, HEAD, OPENED, USUAL, kernel_of, turns
from .hostile import HEADER, body, module, repeated, word
from .sixth import number_of

_REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
_LETTERS = "_", "-", "::", " . ", "..", "->"
_LINES = (
    *USUAL.replace("$L_1", "L").splitlines(keepends=True),
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r3}], [%r4];\n",
    "tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;\n",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, 1, 1, 1, 0, 0;\n",
    "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;\n",
    "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r1], %r2;\n",
)


def rings_of_calls(size: int) -> str:
    """Rings of three functions each, all of which go through one function."""

    def ring(n: int) -> str:
        return (
            f".shared .align 4 .u32 s{n};\n"
            f".func c{n}() {{ st.shared.u32 [s{n}], {n}; bar.sync 0; call.uni all, (); ret; }}\n"
            f".func b{n}() {{ call.uni c{n}, (); ret; }}\n.func a{n}() {{ call.uni b{n}, (); ret; }}\n"
        )

    def call(n: int) -> str:
        return f"setp.eq.u32 %p, %r, {n}; @%p call a{n}, ();\n"

    count = number_of(size, ring, call)
    rings, calls = ("".join(map(piece, range(count))) for piece in (ring, call))
    return (
        f"{HEADER}.func all();\n{rings}.func all() {{\n.reg .u32 %r; .reg .pred %p; mov.u32 %r, %clock;\n{calls}ret;\n"
        "}\n.visible .entry k() { call.uni all, (); ret; }\n"
    )


def passed_functions(size: int) -> str:
    """Functions that pass a function to the one before, and call it; kernels pass one of them to the last."""

    def function(n: int) -> str:
        call = f"{{ .param .b64 o; st.param.b64 [o], %a; call f{n - 1}, (o); }}" if n else "bar.sync 0;"
        return (
            f".func f{n}(.param .b64 g) {{ .reg .b64 %a; ld.param.b64 %a, [g]; {call}\n"
            "P: .callprototype _ (.param .b64 _);\n{ .param .b64 o; st.param.b64 [o], %a; call %a, (o), P; } ret; }\n"
        )

    def kernel(n: int) -> str:
        return (
            f".visible .entry k{n}() {{ .reg .b64 %a; mov.u64 %a, f@; .param .b64 o; st.param.b64 [o], %a; "
            "call last, (o); ret; }\n"
        )

    count = number_of(size, function, kernel)
    kernels = "".join(
        kernel(n).replace("@", str(n * 7919 % count)).replace("last", f"f{count - 1}") for n in range(count)
    )
    return HEADER + "".join(map(function, range(count))) + kernels


def array_argument(n: int) -> str:
    """A call of a function with an array of one of many lengths, written in part."""
    length = 8 * (n * 37 % 500 + 1)
    return (
        f"{{ .param .b32 r; .param .b32 c; .param .align 8 .b8 a[{length}]; st.param.b32 [c], {length}; "
        f"st.param.b64 [a+{length - 8}], %rd1; st.param.v2.b32 [a+{8 * (n % 300)}], {{%r1, {n}}};\n"
        "call (r), any, (c, a); ld.param.b32 %r1, [r]; }\n"
    )


def jumps_to_other_functions(size: int) -> str:
    """Functions with labels, each of which jumps to labels of others, or to labels much like those."""
    return HEADER + repeated(
        size,
        lambda n: (
            f".func f{n}() {{ .reg .pred %p; .reg .b32 %r;\n{word(n)}: setp.eq.s32 %p, %r, 1; @%p bra {word(n + 7)};\n"
            f"{word(n)}_{n}: @%p bra {word(n // 2)}_{n}; bra f{n // 2}; bra {word(n)[::-1]}; mov.b32 %r, {word(n)};"
            " ret; }\n"
        ),
    )


def pointers(n: int) -> str:
    """A kernel with pointers of some alignments, and accesses of vectors that may break them."""
    spaces = "global", "shared", "const", "local"
    return (
        f".visible .entry k{n}(.param .u64 .ptr .{spaces[n % 4]} .align {1 << n % 6} a, "
        f".param .u64 .ptr .global .align {n % 9} b, .param .u32 .ptr c, .param .u64 .ptr .align 16 d) {{\n{_REGISTERS}"
        f"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [d]; add.s64 %rd4, %rd3, {n % 99};\n"
        f"ld.{spaces[n % 4]}.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd1+{4 * (n % 7)}]; st.global.v2.b64 [%rd2+{n}], "
        f"{{%rd1, %rd2}}; ld.v2.u32 {{%r1, %r2}}, [%rd4+{n % 5}]; shl.b64 %rd5, %rd1, {n % 5}; "
        f"ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd5+{4 << n % 4}];\nret;\n}}\n"
    )


def joined_by_another_mark(n: int) -> str:
    """A right statement whose dots are another mark."""
    line = _LINES[n % len(_LINES)]
    return line.replace(".", _LETTERS[n // len(_LINES) % len(_LETTERS)]).replace("%r1", f"%r{n % 99}")


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


GENERATORS: dict[str, Callable[[int], str]] = {
    "rings of calls that all go through one function": rings_of_calls,
    "functions that call the function that they pass on": passed_functions,
    "calls of one function with arrays of all lengths": lambda size: body(array_argument, size).replace(
        HEADER, f"{HEADER}.extern .func (.param .b32 r) any(.param .b32 c, .param .align 8 .b8 a[]);\n", 1
    ),
    "jumps to labels of other functions": jumps_to_other_functions,
    "members of groups, with hundreds of zeros before the number": partial(
        body,
        lambda n: (
            f".reg .b32 z{n}_<{'0' * (n % 99)}9>; add.s32 z{n}_{'0' * (n % 300)}{n % 12}, %r{'0' * (n % 200)}{n % 9}, "
            f"%r{'0' * 90}{n};\n"
        ),
    ),
    "pointers with alignments that accesses break": partial(module, pointers),
    "statements that break many rules each": kernel_of(
        turns(
            '@!%d$n add.s32.f64.sat.rn.ftz {%f1, undeclared$n}, [%p1+"x"], 0f$n, -%q, $n:, %r1.x;\n',
            "$L$m$n: @%p1 @%r$n ld.global.shared.v3.acquire.weak.u31 {%h$n, %p1, {%f1}}, [%f1+%d1-$n], $n.5e, _;\n",
            '.reg .b33 %r<$n> .align 3, x$n[2] = { 0x, "$n }; .shared .v4 .pred s$n[-$n]; mov.b32.u32 s$n, %tid$n.w;\n',
            "call.uni.sync ((%p$n), _), g$n+4, {%f1; $n}, %r1, P$n; bra.uni %d1, L$n, [$n]; ret.uni %r$n;\n",
            "bar.sync.aligned.cta $n, %f$n, {$n}, @%p1; cvt.rzi.rn.sat.f16.s$n.b128 %p1|%q$n, !$n, ~%f1; .loc x $n;\n",
            "wgmma.mma_async.m$nn8k16.f33 {%r$n..%r9}, %h1, 0b12, $n; .maxntid $n, -1; @%p$n.x .pragma $n; ]) >;\n",
        )
    ),
    "words joined by other marks than dots": lambda size: (
        HEAD + OPENED + repeated(size, joined_by_another_mark) + CLOSED
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
"""All of them, by what is hostile in their texts."""
