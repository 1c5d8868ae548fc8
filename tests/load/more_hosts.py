r"""Hostile sources around inline assembly: what yields the text of a template is hard to follow, or grows.

Macros and names that double, independent choices, conditions that define what others ask for, literals of all kinds.
"""

from __future__ import annotations

from .blind import Piece, cycle, repeat
from .hosts import OPENED, Generator, function_of, named, one_template, triton

ADDED = '"add.s32 %0, %0, 1;\\n"'
TRITON = "import triton\nimport triton.language as tl\n"


def nest(before: str, opening: Piece, middle: str, closing: Piece, after: str) -> Generator:
    """Openings, a middle, and the closings in the reverse order."""

    def generate(size: int) -> str:
        count = max(1, size // len(opening(1000) + closing(1000)))
        return (
            before
            + "".join(map(opening, range(count)))
            + middle
            + "".join(map(closing, reversed(range(count))))
            + after
        )

    return generate


def chain_of_macros(size: int) -> str:
    """Macros, each of which is the next one, and a statement of each."""
    definitions = repeat(lambda n: f"#define C{n} C{n + 1}\n", size // 2)
    count = definitions.count("\n")
    uses = repeat(lambda n: f'  asm(C{n % count} : "+r"(a));\n', size // 2)
    return f"{definitions}#define C{count} {ADDED}\n{OPENED}{uses}}}\n"


def names_that_begin_alike(n: int) -> str:
    """A statement of named operands, each name one letter longer than the one before."""
    names = ["a" * length for length in range(1, n % 24 + 2)]
    template = " ".join(f"add.s32 %[{name}], %[{name}b], {n};" for name in names)
    return f'  asm volatile("{template}" : ' + ", ".join(f'[{name}] "+r"(a)' for name in names) + ");\n"


def alternatives(n: int) -> str:
    """A statement whose constraints have many alternatives."""
    many = ",".join("rlfdhnC0"[(n + place) % 8] + "&" * (place % 3 == 2) for place in range(n % 40 + 1))
    return f'  asm volatile("add.s32 %0, %1, {n};" : "=&{many}"(a), "+{many}"(b) : "{many}"(c), "%{many},x{n}"(d));\n'


def table_of_templates(size: int) -> str:
    """A dictionary of templates, and calls with a value of it."""
    return (
        f"{TRITON}OPS = {{\n"
        + repeat(lambda n: f'    ("k{n}", {n}): "op{n}.s32 $0, $1;" "mov.b32 $0, q{n};",\n', size // 2)
        + "}\n"
        + repeat(
            lambda n: f'x = tl.inline_asm_elementwise(OPS["k{n}", {n}], "=r,r", [x], tl.int32, True, 1)\n', size // 2
        )
    )


def choices_of_one_template(size: int) -> str:
    """One call whose template is a sum of choices, each by another condition."""
    parts = repeat(lambda n: f'    ("add.s32 $0, $1, {n};" if A{n} else "{{ sub.s32 $0, q{n};")\n    + ', size)
    return f'{TRITON}x = tl.inline_asm_elementwise(\n{parts}"", "=r,r", [x], tl.int32, True, 1)\n'


def in_hexadecimal(n: int) -> str:
    """An operation of MLIR each letter of whose template is an escape."""
    template = "".join(f"\\{ord(letter):02X}" for letter in f'{{ add.s32 $0, "$1", {n};\n\t}}')
    return f'%v{n} = llvm.inline_asm has_side_effects asm_dialect = att "{template}", "=r,r" %a : (i32) -> i32\n'


CPP: dict[str, Generator] = {
    "macros that double": lambda size: (
        f"#define X0 {ADDED}\n"
        + repeat(
            lambda n: f'#define X{n + 1} X{n} X{n}\n__device__ void f{n}(int a) {{ asm(X{n + 1} : "+r"(a)); }}\n', size
        )
    ),
    "a long chain of macros": chain_of_macros,
    "macros that quote, paste and repeat": function_of(
        lambda n: (
            f'  asm volatile(Q(add.s32 %0, %1, {n};) P(A, {n})(Q(mov.b32 x{n}, ((%0)), "a,b")) '
            f'ALL(ret, P(L, P(x, {n})):, {{ .reg .b32 t; }}) : "=r"(P(a, )) : "r"(b));\n'
        ),
        before=(
            "#define Q(...) #__VA_ARGS__\n#define P(a, b) a##b\n"
            '#define ALL(x, ...) Q(x) ";" __VA_OPT__(AGAIN(__VA_ARGS__))\n#define AGAIN(...) ALL(__VA_ARGS__)\n'
        ),
    ),
    "one statement of independent conditions": lambda size: (
        f'{OPENED}asm volatile("{{"\n'
        + repeat(
            lambda n: (
                f'#ifdef A{n}\n".reg .b32 t{n}; mov.b32 t{n}, %0;"\n#else\n".reg .u32 t{n}, u{n}; {{"\n#endif\n'
                f'"add.s32 %0, t{n}, u{n // 2};"\n'
            ),
            size,
        )
        + '"}" : "+r"(a));\n}\n'
    ),
    "conditions that define what others ask for": function_of(
        lambda n: (
            f'#if M{n} && !defined(M{n // 2})\n#define M{n + 1} 1\n#define T "x{n};"\n'
            f"#elif __CUDA_ARCH__ - M{n // 3} > {n}\n#undef T\n#undef M{n // 2}\n#endif\n"
            f'  asm(T "add.s32 %0, %1, {n};" : "=r"(a) : "r"(b));\n'
        )
    ),
    "statements in operands of statements": nest(
        OPENED,
        lambda n: f'asm volatile("add.s32 %0, %0, {n};" : "+r"(a) : "r"(({{ int t{n};\n',
        'asm("mov.b32 %0, 1;" : "=r"(a));\n',
        lambda n: f't{n}; }})), "r"([&] {{ return {n}; }}()));\n',
        "}\n",
    ),
    "one template of literals of all kinds": one_template(
        cycle(
            'u8"add.s32 %0, q#;" L"mov.b32 %0, #;"\n',
            'R"x#(\n mov.b32 %0, "q#"; )x" )x#"\n',
            '"\\x61" "dd.s32 \\u0025\\060, #;"_s U"" u""\n',
            '"//" /* " # */ "/* #" "*/" // "\n',
            '"\\\n add.s32 %0, \\\\\\\n#;" #\n',
            '"%[x#] %{ %| %} %%" LR"(#)" \'"\' "\n',
        )
    ),
    "constraints of many alternatives": function_of(alternatives),
    "words split by backslashes": function_of(
        lambda n: (
            f'  as\\\nm vola\\\ntile ("ad\\\nd.s32 %\\\n0, %1, {n};" : "=\\\nr"(a) : "r"(b)); /\\\n/ asm(" \\\n'
            f'asm("x{n}");\n'
        )
    ),
    "named operands that begin alike": function_of(names_that_begin_alike),
}
PYTHON: dict[str, Generator] = {
    "templates that double": lambda size: (
        f'{TRITON}T0 = "add.s32 $0, $1, 1;"\n'
        + repeat(
            lambda n: (
                f'T{n + 1} = T{n} + T{n}\nx = tl.inline_asm_elementwise(T{n + 1}, "=r,r", [x], tl.int32, True, 1)\n'
            ),
            size,
        )
    ),
    "one template of independent choices": choices_of_one_template,
    "f-strings in f-strings": triton(
        lambda n: (
            f"    x = tl.inline_asm_elementwise(f\"{{f'{{op_{n}}}.s32' if a[{n}] else f'{{b!r:>{{w}}}}'}} $0, "
            f"{{{{ {{', '.join(f'${{i}}' for i in r[{n}:])}}; q{n} }}}}\", \"=r,r\", [x], tl.int32, True, 1)\n"
        )
    ),
    "a dictionary of templates": table_of_templates,
    "functions that return templates": lambda size: (
        TRITON
        + repeat(
            lambda n: (
                f'def t{n}(v):\n    return t{max(n - 1, 0)}(v) + f"add.s32 $0, {{v}}, {n};" + t{n // 2}(v)\n'
                f'x = tl.inline_asm_elementwise(t{n}("$1"), "=r,r", [x], tl.int32, True, 1)\n'
            ),
            size,
        )
    ),
}
RUST: dict[str, Generator] = {
    "raw strings with many signs": lambda size: repeat(
        lambda n: (
            f'fn f{n}(x: u32) {{ unsafe {{ asm!(r{"#" * (n % 40)}"add.s32 {{0}}, {n}; '
            f'{"#" * (n % 39)}"{"#" * (n % 41)}, in(reg32) x); }} }}\n'
        ),
        size,
    ),
    "macros by example that yield templates": lambda size: repeat(
        lambda n: (
            f"macro_rules! m{n} {{ ($($x:expr),* $(,)?) => {{ unsafe {{ "
            'asm!(concat!("add.s32 {0}, ", stringify!($($x)+*), ";"), '
            f"in(reg32) m{max(n - 1, 0)}!($($x, {n}),*)) }} }}; }}\nfn f{n}() {{ m{n}!(1, (2, [3]), {n}) }}\n"
        ),
        size,
    ),
    "lifetimes and quoted quotes": lambda size: repeat(
        lambda n: (
            f"fn f{n}<'a, 'b: 'a>(x: &'a u32) {{ let c = '\"'; let d = b'\\''; "
            f'unsafe {{ asm!("add.s32 {{0}}, {{1}}, {n};", /* " /* \' */ " */ '
            "in(reg32) g::<'a>(c, '\\\\', r#\"asm!(\"#), out(reg32) _) } }\n"
        ),
        size,
    ),
}
MLIR: dict[str, Generator] = {
    "operations in nested regions": nest(
        "func.func @f(%a : i32) {\n",
        lambda n: f'scf.if %c{n} {{ %v{n} = llvm.inline_asm "add.s32 $0, $1, {n};", "=r,r" %a : (i32) -> i32\n',
        'nvvm.inline_ptx "ret;"\n',
        lambda n: f'}} else {{ nvvm.inline_ptx "mov.b32 $0, q{n};" ro(%v{n} : i32) }}\n',
        "}\n",
    ),
    "templates in hexadecimal": lambda size: repeat(in_hexadecimal, size),
}
HOSTS = named(asm=("cuda-cpp", CPP), triton=("python", PYTHON), rust=("rust", RUST), mlir=("mlir", MLIR))
"""All sources, with their language."""
