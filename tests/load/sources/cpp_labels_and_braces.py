"""CUDA C++ whose ``asm`` statements share labels, registers and braces, or are not closed."""

from __future__ import annotations

from ..texts.shapes import Generator, between
from .shapes import function_of, in_language, many, one_template


def one_jump(n: int) -> str:
    """A statement of C++ that may jump to many labels."""
    labels = [f"away{(n + place) % 99}" for place in range(n % 30 + 1)]
    jumps = " ".join(f"@p bra %l{place + 1}; @!p bra %l[{label}];" for place, label in enumerate(labels))
    return f'  asm goto("{{ .reg .pred p; {jumps} }}" : : "r"(a) : "memory" : {", ".join(labels)}); away{n}:\n'


CPP: dict[str, Generator] = {
    "cpp: statements in braces on one line": between("__device__ int x; ", lambda n: 'void f(){asm("ret;");}'),
    "cpp: many statement ends on one line": between("", lambda n: ";" * 4000 + 'void f(){asm("ret;");}'),
    "cpp: unique labels": between('__global__ void f() { asm("', lambda n: f"L{n}%=: ", '" : : "r"(x)); }\n'),
    "cpp: statements that nothing closes": between("__device__ void f() { ", lambda n: 'asm("ret;" '),
    "cpp: braces opened by statements": between(
        "", lambda n: f'__device__ void f{n}() {{ asm("{{ .reg .b32 r{n};"); }}\n'
    ),
    "cpp: braces opened and closed": between(
        "",
        lambda n: (
            f'__device__ void f{n}() {{ asm("{{ .reg .b32 r; L{n}: mov.b32 r, 1; }}"); asm("{{"); asm("}}"); }}\n'
        ),
    ),
    "cpp: labels in statements": between("__device__ void f() {\n", lambda n: f'asm("L{n}: bra L{n};");\n'),
    "asm: labels in two statements": many("SAME: add.s32 %0, %1, #; bra SAME;", "bra OTHER; OTHER: mov.b32 %0, #;"),
    "asm: registers in two statements": many(".reg .b32 t; add.s32 t, %1, #; mov.b32 %0, t;", ".reg .pred p#, q<4>;"),
    "asm: braces that nothing closes": many("{ .reg .b32 t#; mov.b32 t#, %1;", "{{ mov.b32 %0, #;"),
    "asm: braces that nothing opens": many("mov.b32 %0, #; }", "} } add.s32 %0, %1, #;"),
    "asm: a long template of labels": one_template(lambda n: f'"L{n % 999}: @%0 bra M{n};\\n\\t"\n'),
    "asm: jumps to many labels": function_of(one_jump),
}
HOSTS = in_language("cuda-cpp", CPP)
