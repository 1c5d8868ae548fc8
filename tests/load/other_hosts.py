r"""Hostile sources around inline assembly, of a third kind: values that grow, lists that unfold, names found elsewhere.

Templates that are repeated, replaced and widened; macros that apply lists or that conditions ask for; operands of all
kinds; programs in constants; places in the source that lead to other places.
"""

from __future__ import annotations

from .blind import repeat, turns
from .hosts import OPENED, Generator, function_of, named
from .more_hosts import ADDED, TRITON

CALL = 'x = tl.inline_asm_elementwise({}, "=r,r", [x], tl.int32, True, 1)\n'


def called(template: str) -> str:
    """A call of Triton with an expression as its template."""
    return CALL.format(template)


def list_of_macros(size: int) -> str:
    """A macro that applies another one to a long list, and operations that are applied so."""
    entries = repeat(lambda n: f" X({n}, reg{n})", size // 2)
    uses = repeat(
        lambda n: (
            f'#define OP{n}(i, name) asm volatile("op{n}.s32 %0, " #name ", " #i ";" : "+r"(a));\n  LIST(OP{n})\n'
        ),
        size // 2,
    )
    return f"#define LIST(X){entries}\n{OPENED}{uses}}}\n"


def texts_of_types(size: int) -> str:
    """A template with a specialization for each type, and statements that take their text from one of them."""
    types = repeat(
        lambda n: f'template <> struct Text<{n}> {{ static constexpr const char value[] = ".u{n}"; }};\n', size // 2
    )
    count = types.count("\n")
    uses = repeat(
        lambda n: f'  asm volatile("add%1 %0, %0, {n};" : "+r"(a) : "C"(Text<{n * 7919 % count}>::value));\n', size // 2
    )
    return f"template <int> struct Text;\n{types}{OPENED}{uses}}}\n"


def one_jump(n: int) -> str:
    """A statement of C++ that may jump to many labels."""
    labels = [f"away{(n + place) % 99}" for place in range(n % 30 + 1)]
    jumps = " ".join(f"@p bra %l{place + 1}; @!p bra %l[{label}];" for place, label in enumerate(labels))
    return f'  asm goto("{{ .reg .pred p; {jumps} }}" : : "r"(a) : "memory" : {", ".join(labels)}); away{n}:\n'


def program(n: int) -> str:
    """A whole program of PTX."""
    return (
        f".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k{n}(.param .u64 p)\n"
        f"{{\n.reg .b32 %r<9>;\nadd.s32 %r1, %r2, {n};\nret;\n}}\n"
    )


def grown(size: int) -> str:
    """One name for a template, to which a line is added before each call."""
    return f'{TRITON}T = ""\n' + repeat(lambda n: f'T += "add.s32 $0, $1, {n};\\n"\n{called("T")}', size)


def from_others(*expressions: str) -> Generator:
    """Templates each of which is made from others by one of some expressions, and calls with them."""
    made = turns(*(f"T$n = {one}\n{called('T$n')}" for one in expressions))
    return lambda size: f'{TRITON}T0 = "add.s32 $0, $1, 1;"\n' + repeat(made, size)


CPP: dict[str, Generator] = {
    "conditions whose macros double": lambda size: (
        "#define D0(x) (x)\n"
        + repeat(
            lambda n: (
                f"#define D{n + 1}(x) (D{n}(x) + D{n}(D{n}(x)))\n#if D{n + 1}(__CUDA_ARCH__) > {n} && defined A{n}\n"
                f'__device__ void f{n}(int a) {{ asm({ADDED} : "+r"(a)); }}\n#endif\n'
            ),
            size,
        )
    ),
    "one list of macros, applied by each operation": list_of_macros,
    "texts of types, by specializations": texts_of_types,
    "jumps to many labels": function_of(one_jump),
    "operands full of colons, angles and strings": function_of(
        lambda n: (
            f'  asm volatile("add.s32 %0, %1, {n};" : "=r"(c > {n} ? ns::a<(b > 1), x{n}<y<z>>>::v[{n}] : ::a)\n'
            f'    : "r"(f(":", \':\', R"(:"r")", [=, &b](auto... v) -> int {{ return (v + ... + b); }}, '
            f"T{n}{{{{}}, {n}}})),\n"
            f'      "n"(sizeof(int[{n}][a::b]) ? 1\'000 : 0x1p-3f), [x] "l"((long long)(&v{n})->*w) : "memory");\n'
        )
    ),
    "files that include each other and themselves": function_of(
        turns(
            '#include __FILE__\n#include "../././x/../$m.h"\n#include_next <cuda/$m/$n.cuh>\n',
            "#define NEXT $m\n#define INCLUDED <a/NEXT/$n.h>\n#include INCLUDED\n#embed __FILE__ limit($n)\n",
            '  asm(T$n "add.s32 %0, %1, $n;"\n#include "operands$m.inc"\n  : "=r"(a) : "r"(b));\n',
            '#line $n "x$m.cu"\n#pragma once\n_Pragma("unroll $n") asm("x$n;");\n',
        )
    ),
    "programs of PTX in constants": lambda size: repeat(
        lambda n: (
            f'static const char *k{n} = R"ptx({program(n)})ptx" "// {n}\\n";\n'
            f'void g{n}() {{ cuModuleLoadData(&m, k{n}); }} __device__ void d{n}() {{ asm("x{n};"); }}\n'
        ),
        size,
    ),
    "signs that stand for others": function_of(
        turns(
            '  asm volatile <::"memory":>("add.s32 %0, $n;" : "=r"(a<:0:>) : "r"(b));\n',
            '%:if A$n\n  asm("mov.b32 %0, $n;??/\n x$n;" : "=r"(a));\n??=define B$n "add" \n%:endif\n',
            '  <% asm(B$m "\\u{61}\\N{DIGIT ONE}\\x{$n} %0??!" ": %>" : "=r"(a)); %> ??<??>\n',
            '  \\u0061sm("x$n;" : "=r"(caf\\u00e9$n)); a\u0301sm("y$n;"); ａｓｍ("z$n;");\n',
        )
    ),
}
PYTHON: dict[str, Generator] = {
    "one template that grows before each call": grown,
    "templates repeated by large numbers": from_others(
        '"add.s32 $0, $1, $n;\\n" * 1000000000',
        "T$m * 99$n",
        "0x7fffffff * T$m",
        "(T$m + 'x$n;') * 10**$n * 10**9",
        '"mov.b32 $0, q$n;" "x;" * (1 << 40) + T$m * N',
    ),
    "templates replaced, widened and joined": from_others(
        'T$m.replace("a", "aa").replace(";", T$m)',
        "f\"{T$m:>{10**9}} {{ {'x' * $n:*^1$n00000000} }} {T$m!r:0100000000}\"",
        '"\\n".join([T$m for i in range(10**$n)])',
        '"%999999999d; %*s" % ($n, 10**9, T$m)',
        '"{0}{0:>1$n0000000}{1}".format(T$m, T$m).strip()',
        "dedent(T$m + T$m).expandtabs(10**9).zfill(9$n00000000)",
        "''.join(T$m[::-1]).center(10**$n)[:$n]",
    ),
    "quotes of all kinds inside of each other": lambda size: (
        TRITON
        + repeat(
            turns(
                called("'''add.s32 $0, \"$n\", '' \\''' $1;''' \"\" '''x$n''' R\"\"\"'''\"\"\""),
                called('"""\\"""add""" \'"\' "\'" f\'\'\'{"""q$n""" + \'"\'}{{}}\'\'\' "\\\n$n;"'),
                "# ''' \"\"\" '$n\n",
                called("u'\\'' rf'{x!r:{1}>{$n}}\\'' \"\\N{SEMICOLON}\\x22\\042 # $n\""),
            ),
            size,
        )
    ),
}
RUST: dict[str, Generator] = {
    "operands of all kinds, and programs in constants": lambda size: (
        "use cuda_std::*;\n"
        + repeat(
            lambda n: (
                f'const K{n}: &str = concat!(r#"{program(n)}"#, include_str!("k{n}.ptx"), env!("X{n}"), K{n // 2});\n'
                f'unsafe {{ asm!("add.s32 {{a:e}}, {{0:{{w}}}}, {{{{}}}} {{c{n}}};", K{n}, '
                "inout(reg32) x => y, a = lateout(reg64) _, "
                f"c{n} = const {{ {n} + N }}, sym f::<{n}>, label {{ break 'l{n} }}, "
                f'out("%r{n}") _, clobber_abi("C"), options(att_syntax, pure, nomem)); }}\n'
            ),
            size,
        )
    ),
}
MLIR: dict[str, Generator] = {
    "places that lead to two other places": lambda size: (
        "// nvvm. gpu.\n#loc0 = loc(unknown)\n"
        + repeat(
            lambda n: (
                f'#loc{n + 1} = loc(callsite("f{n}"(#loc{n}) at fused<"x">[#loc{n // 2}, #loc{n}]))\n'
                f"%v{n}:2 = llvm.inline_asm has_side_effects operand_attrs = [{{elementtype = !t{n}}}] "
                f'"add.s32 $0, $1, {n};", '
                f'"=r,r" %v{n // 2}#1 : (!t{n}) -> !llvm.struct<"s{n}", (i32, struct<(ptr<{n}>, array<{n} x i8>)>)> '
                f"loc(#loc{n + 1})\n"
            ),
            size,
        )
    ),
}
LLVM: dict[str, Generator] = {
    "calls with lists of places, and types defined by others": lambda size: (
        'target triple = "nvptx64"\n'
        + repeat(
            lambda n: (
                f'%t{n + 1} = type {{ %t{n}, [2 x %t{n}] }}\nmodule asm ".global .b32 v{n};\\0A"\n'
                f"%r{n} = call {{ i32, %t{n + 1} }} asm sideeffect alignstack inteldialect "
                f'"add.s32 $0, $1, {n};\\0A{{;\\22", '
                f'"=r,=r|m,{"^w" * (n % 9)}r,0,~{{memory}},!i"(%t{n + 1} %x{n}, i32 0) #{n}, !srcloc !{n}\n'
                f"!{n} = !{{i64 {n}, !{n + 1}, !{n // 2}, !{n}}}\n"
            ),
            size,
        )
    ),
}
HOSTS = named(
    asm=("cuda-cpp", CPP), triton=("python", PYTHON), rust=("rust", RUST), mlir=("mlir", MLIR), llvm=("llvm", LLVM)
)
"""All sources, with their language."""
