"""CUDA C++ whose templates of ``asm`` are hard to read: literals of all kinds, escapes, and text that is unknown."""

from __future__ import annotations

from ..texts.shapes import Generator, between, cycle, repeated, turns
from .shapes import FUNCTION, function_of, in_language, many, one_template, program


def texts_of_types(size: int) -> str:
    """A template with a specialization for each type, and statements that take their text from one of them."""
    types = repeated(
        size // 2, lambda n: f'template <> struct Text<{n}> {{ static constexpr const char value[] = ".u{n}"; }};\n'
    )
    count = types.count("\n")
    uses = repeated(
        size // 2, lambda n: f'  asm volatile("add%1 %0, %0, {n};" : "+r"(a) : "C"(Text<{n * 7919 % count}>::value));\n'
    )
    return f"template <int> struct Text;\n{types}{FUNCTION}{uses}}}\n"


CPP: dict[str, Generator] = {
    "cpp: errors between literals": between(
        "__global__ void f() { asm(", lambda n: f'"add.s32 1, {n};\\n"\n', "); }\n"
    ),
    "cpp: empty literals": between('__global__ void f() { asm("add;"', lambda n: '""', '"add.s32 x;"); }\n'),
    "cpp: percent signs after signs": between(
        '__global__ void f() { asm("', lambda n: "%%a ", '" : : "r"(x)); asm("' + "%%" * 999 + '"); }\n'
    ),
    "cpp: doubled signs": between('__global__ void f() { asm("', lambda n: "mov.b32 x, %%laneid; ", '"); }\n'),
    "asm: percent signs": many("mov.b32 %0, %tid#;", "mov.b32 %0, %%%%#;", "mov.b32 %0, % #;", "%=: mov.b32 %q0, %=#;"),
    "asm: pieces of unknown text": many(
        'add" TYPE# " %0, " X# ", %1;', 'ld." SPACE ".u32 %0, [" Y "+#]; }', "mov\" T '#' \" %0, q#;"
    ),
    "asm: raw strings": function_of(lambda n: f'  asm(R"x{n}(ad.s32 %0,\n   q{n}, "%1;\n)x{n}" : "=r"(a) : "r"(b));\n'),
    "asm: literals on many lines": function_of(
        lambda n: (
            '  asm volatile("{\\n\\t"\n  ".reg .pred p;\\n\\t"\n  "setp.ne.b33 p, %1, '
            f'{n};\\n\\t"\n  "@p add.s32 %0, q{n}, 1;\\n\\t"\n  "}}\\n" : "=r"(a) : "r"(b));\n'
        )
    ),
    "asm: escapes": many("\\x61dd.s32\\t%0,\\0 %1, #;", "\\141\\144.q# %0; \\u0061", '\\"add\\".s32 #', "\\\\#\\\n;"),
    "asm: a long template of unknown text": one_template(lambda n: f'"add.s32 %0, " X{n} ", q{n};\\n"\n'),
    "asm: one template of literals of all kinds": one_template(
        cycle(
            'u8"add.s32 %0, q#;" L"mov.b32 %0, #;"\n',
            'R"x#(\n mov.b32 %0, "q#"; )x" )x#"\n',
            '"\\x61" "dd.s32 \\u0025\\060, #;"_s U"" u""\n',
            '"//" /* " # */ "/* #" "*/" // "\n',
            '"\\\n add.s32 %0, \\\\\\\n#;" #\n',
            '"%[x#] %{ %| %} %%" LR"(#)" \'"\' "\n',
        )
    ),
    "asm: words split by backslashes": function_of(
        lambda n: (
            f'  as\\\nm vola\\\ntile ("ad\\\nd.s32 %\\\n0, %1, {n};" : "=\\\nr"(a) : "r"(b)); /\\\n/ asm(" \\\n'
            f'asm("x{n}");\n'
        )
    ),
    "asm: texts of types, by specializations": texts_of_types,
    "asm: programs of PTX in constants": lambda size: repeated(
        size,
        lambda n: (
            f'static const char *k{n} = R"ptx({program(n)})ptx" "// {n}\\n";\n'
            f'void g{n}() {{ cuModuleLoadData(&m, k{n}); }} __device__ void d{n}() {{ asm("x{n};"); }}\n'
        ),
    ),
    "asm: signs that stand for others": function_of(
        turns(
            '  asm volatile <::"memory":>("add.s32 %0, $n;" : "=r"(a<:0:>) : "r"(b));\n',
            '%:if A$n\n  asm("mov.b32 %0, $n;??/\n x$n;" : "=r"(a));\n??=define B$n "add" \n%:endif\n',
            '  <% asm(B$m "\\u{61}\\N{DIGIT ONE}\\x{$n} %0??!" ": %>" : "=r"(a)); %> ??<??>\n',
            '  \\u0061sm("x$n;" : "=r"(caf\\u00e9$n)); a\u0301sm("y$n;"); ａｓｍ("z$n;");\n',
        )
    ),
    "cpp: raw literals that nothing closes": between("", lambda n: f'R"a{n}(asm("ret;");\n'),
}
HOSTS = in_language("cuda-cpp", CPP)
