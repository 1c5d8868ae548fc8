"""CUDA C++ whose ``asm`` statements come from macros."""

from __future__ import annotations

from ..texts.shapes import Generator, between, repeated, turns
from .shapes import ADDED, FUNCTION, definitions_and_uses, function_of, in_language


def repeated_macro(size: int) -> str:
    """A long macro, and one statement that has it again and again."""
    value = repeated(size // 2, lambda n: f"add.s32 a{n}, b, c; ")
    return f'#define M "{value}"\n__device__ void f() {{ asm({"M " * (size // 4)}); }}\n'


def many_with_macro(size: int) -> str:
    """A long macro, and many statements with it."""
    value = repeated(size // 2, lambda n: f"add.s32 a{n}, b, c; ")
    return (
        f'#define M "{value}"\n__device__ void f() {{\n' + repeated(size // 2, lambda n: f'asm(M "// {n}");\n') + "}\n"
    )


def chain_of_macros(size: int) -> str:
    """Macros, each of which is the next one, and a statement of each."""
    definitions = repeated(size // 2, lambda n: f"#define C{n} C{n + 1}\n")
    count = definitions.count("\n")
    uses = repeated(size // 2, lambda n: f'  asm(C{n % count} : "+r"(a));\n')
    return f"{definitions}#define C{count} {ADDED}\n{FUNCTION}{uses}}}\n"


def list_of_macros(size: int) -> str:
    """A macro that applies another one to a long list, and operations that are applied so."""
    entries = repeated(size // 2, lambda n: f" X({n}, reg{n})")
    uses = repeated(
        size // 2,
        lambda n: (
            f'#define OP{n}(i, name) asm volatile("op{n}.s32 %0, " #name ", " #i ";" : "+r"(a));\n  LIST(OP{n})\n'
        ),
    )
    return f"#define LIST(X){entries}\n{FUNCTION}{uses}}}\n"


LETTERS = "abcdefgh"


def rotated_arguments(n: int) -> str:
    """A macro that gives its arguments to the one before it in another order, and a statement of it."""
    arguments = ", ".join(LETTERS)
    rotated = ", ".join(LETTERS[-1] + LETTERS[:-1])
    values = ", ".join(f"x{n}" if one else "add.s32" for one in range(len(LETTERS)))
    return (
        f"#define P{n + 1}({arguments}) P{n}({rotated})\n"
        f'__device__ void f{n}(int a) {{ asm(P{n + 1}({values}) : "+r"(a)); }}\n'
    )


CPP: dict[str, Generator] = {
    "cpp: a long macro again and again in a statement": repeated_macro,
    "cpp: many statements with a long macro": many_with_macro,
    "cpp: unknown macros in a statement": between(
        '__global__ void f() { asm("a"', lambda n: f' H{n} "; add.s32 a, "', '"x;"); }\n'
    ),
    "asm: macros": function_of(
        turns('#define M$n "add.s32 %0, x$n, "\n', '  asm(M$m M$n "%1;" : "=r"(a) : "r"(b));\n')
    ),
    "asm: macros that hold statements": lambda size: (
        repeated(size // 2, lambda n: f'#define OP{n}(d, a) asm("op{n}.s32 %0, %1;" : "=r"(d) : "r"(a))\n')
        + FUNCTION
        + repeated(size // 2, lambda n: f"  OP{n}(a, b);\n")
        + "}\n"
    ),
    "asm: macros that double": lambda size: (
        f"#define X0 {ADDED}\n"
        + repeated(
            size, lambda n: f'#define X{n + 1} X{n} X{n}\n__device__ void f{n}(int a) {{ asm(X{n + 1} : "+r"(a)); }}\n'
        )
    ),
    "asm: a long chain of macros": chain_of_macros,
    "asm: macros that quote, paste and repeat": function_of(
        lambda n: (
            f'  asm volatile(Q(add.s32 %0, %1, {n};) P(A, {n})(Q(mov.b32 x{n}, ((%0)), "a,b")) '
            f'ALL(ret, P(L, P(x, {n})):, {{ .reg .b32 t; }}) : "=r"(P(a, )) : "r"(b));\n'
        ),
        before=(
            "#define Q(...) #__VA_ARGS__\n#define P(a, b) a##b\n"
            '#define ALL(x, ...) Q(x) ";" __VA_OPT__(AGAIN(__VA_ARGS__))\n#define AGAIN(...) ALL(__VA_ARGS__)\n'
        ),
    ),
    "asm: one list of macros, applied by each operation": list_of_macros,
    "asm: macros that pass on all their arguments, rotated": lambda size: (
        f'#define P0({", ".join(LETTERS)}) #a " %0, " #b ", " #h ";"\n' + repeated(size, rotated_arguments)
    ),
    "asm: one macro, defined again before each statement": function_of(
        turns(
            '#undef T\n#define T "ad$n.s32 %0, %1, q$n;"\n  asm(T T : "=r"(a) : "r"(b));\n',
            '#define T "add.s32 %0, %1, $n;"\n  asm volatile(T : "=r"(a) : "r"(b));\n',
            '#ifdef T\n#undef T\n#define T U "$n;"\n#endif\n#define U "mov %0, q;"\n  asm(T U : "=r"(a));\n#undef U\n',
        )
    ),
    "asm: statements of twenty macros, each with two values": definitions_and_uses(
        lambda n: (
            f'#if A{n}\n#define V{n} "add.s32 %0, %0, {n};"\n#else\n#define V{n} "{{ sub.s32 %0, q{n}, 1;"\n#endif\n'
        ),
        '  asm volatile(@ : "+r"(a));\n',
        names=20,
        name="V@",
    ),
    "asm: one macro with a statement in each of its thousands of lines": lambda size: (
        "#define ALL(x) \\\n"
        + repeated(size, lambda n: f'  asm volatile("add.s32 %0, %0, {n};" : "+r"(x)); /* {n} */ \\\n')
        + f"  (void)x\n{FUNCTION}  ALL(a);\n}}\n"
    ),
}
HOSTS = in_language("cuda-cpp", CPP)
