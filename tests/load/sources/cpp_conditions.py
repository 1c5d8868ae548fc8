"""CUDA C++ under conditions: of the preprocessor, of ``if constexpr``, and of targets that comments name."""

from __future__ import annotations

from ..texts.shapes import Generator, between, cycle, repeated, turns
from .shapes import ADDED, FUNCTION, function_of, in_language


def nested_conditions(depth: int, branches: int) -> str:
    """Conditions within each other, each the last of several branches."""
    return "".join(
        f"#if __CUDA_ARCH__ >= 700 && Y{one}\n"
        + "".join(f"#elif __CUDA_ARCH__ >= 900 && X{n}\n" for n in range(branches))
        for one in range(depth)
    )


def other_brackets(size: int) -> str:
    """Conditions within each other, each with many open brackets that the others do not have."""
    first = "".join(f"#if X{one}\n" + "{\n" * 90 + f"#if Y{one}\n#endif\n" + "}\n" * 90 for one in range(90))
    return first + repeated(size, lambda n: f'void f{n}() {{ asm("add.s32 a, b, c;"); }}\n')


CPP: dict[str, Generator] = {
    "cpp: statements under nested conditions": between(
        nested_conditions(90, 14), lambda n: f'asm("add.s32 a, b, {n};");\n'
    ),
    "cpp: conditions, each with other brackets": other_brackets,
    "cpp: errors under conditions": between(
        '__global__ void f() { asm("ret;"\n#if X\n"exit;"\n#endif\n"', lambda n: f"add.s32 %r1, %r{n}; ", '"); }\n'
    ),
    "cpp: long conditions": between("", lambda n: "#if " + "a||" * 1200 + f"{n}\n" + 'asm("ret;");\n#endif\n'),
    "cpp: sums in conditions": between("", lambda n: "#if " + "1+" * 1900 + f"{n}\n" + 'asm("ret;");\n#endif\n'),
    "cpp: conditions in statements": between(
        "__device__ void f() {\n",
        lambda n: f'asm(\n#if A\n"a;"\n#endif\n#if B\n"b;"\n#else\n"c;"\n#endif\n#if C{n}\n"d;"\n#endif\n);\n',
    ),
    "cpp: dispatched by target": between(
        "void f() {\n", lambda n: 'NV_IF_TARGET(NV_PROVIDES_SM_90, (asm("ret;");), (asm("add;");))\n'
    ),
    "cpp: if constexpr": between(
        "void f() {\n", lambda n: f'if constexpr (__CUDA_ARCH__ >= {n}) {{ asm("ret;"); }} else {{\n'
    ),
    "cpp: suppressions": between("", lambda n: f'asm("add;"); // ptx-lsp: ignore[E{n % 999}]\n'),
    "asm: comments that silence": function_of(
        cycle(
            '  asm("ad.s32 %0, %1, #;" : "=r"(a) : "r"(b)); // ptx-lsp: ignore[E301]\n',
            '  // ptx-lsp: ignore[E201, W#]\n  asm("add.s32 %0, q#, 1;" : "=r"(a) : "r"(b));\n',
            "  // ptx-lsp: targe sm_90\n",
        )
    ),
    "asm: comments with targets": function_of(
        cycle(
            "  // ptx-lsp: target sm_80, sm_90a, sm_100a, sm_120, sm_#\n",
            '  asm("wgmma.fence.sync.aligned; add.f32x2 %0, %1, #;" : "=r"(a) : "r"(b));\n',
        )
    ),
    "asm: conditions": function_of(
        turns(
            "#if __CUDA_ARCH__ >= $n0 && defined(A$n)\n",
            '  asm("ad.s32 %0, %1, $n;" : "=r"(a) : "r"(b));\n',
            "#elif __CUDA_ARCH__ < 9$n\n",
            '  asm("wgmma.fence.sync.aligned; x$n;");\n#endif\n',
        )
    ),
    "asm: one statement of independent conditions": lambda size: (
        f'{FUNCTION}asm volatile("{{"\n'
        + repeated(
            size,
            lambda n: (
                f'#ifdef A{n}\n".reg .b32 t{n}; mov.b32 t{n}, %0;"\n#else\n".reg .u32 t{n}, u{n}; {{"\n#endif\n'
                f'"add.s32 %0, t{n}, u{n // 2};"\n'
            ),
        )
        + '"}" : "+r"(a));\n}\n'
    ),
    "asm: conditions that define what others ask for": function_of(
        lambda n: (
            f'#if M{n} && !defined(M{n // 2})\n#define M{n + 1} 1\n#define T "x{n};"\n'
            f"#elif __CUDA_ARCH__ - M{n // 3} > {n}\n#undef T\n#undef M{n // 2}\n#endif\n"
            f'  asm(T "add.s32 %0, %1, {n};" : "=r"(a) : "r"(b));\n'
        )
    ),
    "asm: conditions whose macros double": lambda size: (
        "#define D0(x) (x)\n"
        + repeated(
            size,
            lambda n: (
                f"#define D{n + 1}(x) (D{n}(x) + D{n}(D{n}(x)))\n#if D{n + 1}(__CUDA_ARCH__) > {n} && defined A{n}\n"
                f'__device__ void f{n}(int a) {{ asm({ADDED} : "+r"(a)); }}\n#endif\n'
            ),
        )
    ),
    "asm: files that include each other and themselves": function_of(
        turns(
            '#include __FILE__\n#include "../././x/../$m.h"\n#include_next <cuda/$m/$n.cuh>\n',
            "#define NEXT $m\n#define INCLUDED <a/NEXT/$n.h>\n#include INCLUDED\n#embed __FILE__ limit($n)\n",
            '  asm(T$n "add.s32 %0, %1, $n;"\n#include "operands$m.inc"\n  : "=r"(a) : "r"(b));\n',
            '#line $n "x$m.cu"\n#pragma once\n_Pragma("unroll $n") asm("x$n;");\n',
        )
    ),
    "asm: parts that no compiler reads, full of open strings": function_of(
        turns(
            '#if 0\nit\'s "open $n, R"x( \' asm("q$n; {{{ (((\n#endif\n',
            '  asm("add.s32 %0, %1, $n;" : "=r"(a) : "r"(b));\n',
            "#ifdef NEVER$n\n#if 0 ' \"\n/* asm(\"x$n\n*/ asm('y$n' \"\n#else don't\n))) }}} R\"(\n#endif\n#endif\n",
            '  asm("ad.s32 %0, %1, q$n;" : "=r"(a) : "r"(b));\n',
            '#if 1\n#else\n" R"y$n( \\\n#elif \' $n\n asm(\n#endif\n',
        )
    ),
}
HOSTS = in_language("cuda-cpp", CPP)
