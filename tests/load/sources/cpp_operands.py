"""CUDA C++ whose ``asm`` statements have operands, constraints and clobbers that are wrong, long or hard to find."""

from __future__ import annotations

from ..texts.shapes import Generator, Piece, between, nested, number_of, repeated
from .shapes import FUNCTION, definitions_and_uses, function_of, in_language, many, one_template


def with_operands(template: Piece, operand: Piece) -> Generator:
    """A statement of C++ with a template and as many operands as it has pieces."""

    def generate(size: int) -> str:
        count = number_of(size, template, operand)
        pieces = "".join(map(template, range(count)))
        return f'__global__ void f() {{\nasm("{pieces}" : : {", ".join(map(operand, range(count)))});\n}}\n'

    return generate


def labels_before_outputs(size: int) -> str:
    labels = "a:" * min(2000, size // 4)
    count = size // 16
    return (
        f'__global__ void f() {{\nasm("{labels} {" ".join(f"%{n}" for n in range(count))};" : '
        + ", ".join('"=r"(a)' for n in range(count))
        + ");\n}\n"
    )


def one_list(template: str, operand: Piece, operands: str = '"=r"(a)') -> Generator:
    """One statement with a long list of operands."""
    return lambda size: f'{FUNCTION}asm volatile("{template}" : {operands} : {repeated(size, operand)}"r"(b));\n}}\n'


def names_that_begin_alike(n: int) -> str:
    """A statement of named operands, each name one letter longer than the one before."""
    names = ["a" * length for length in range(1, n % 24 + 2)]
    template = " ".join(f"add.s32 %[{name}], %[{name}b], {n};" for name in names)
    return f'  asm volatile("{template}" : ' + ", ".join(f'[{name}] "+r"(a)' for name in names) + ");\n"


def alternatives(n: int) -> str:
    """A statement whose constraints have many alternatives."""
    many = ",".join("rlfdhnC0"[(n + place) % 8] + "&" * (place % 3 == 2) for place in range(n % 40 + 1))
    return f'  asm volatile("add.s32 %0, %1, {n};" : "=&{many}"(a), "+{many}"(b) : "{many}"(c), "%{many},x{n}"(d));\n'


TYPES = "int", "long long", "float", "double", "short"

CPP: dict[str, Generator] = {
    "cpp: named operands": with_operands(lambda n: f"add.s32 %[n{n}], 1, 2; ", lambda n: f'[n{n}]"r"(x)'),
    "cpp: pasted operands": with_operands(lambda n: f"add.s32 a%{n}, 1, 2; ", lambda n: '"C"(x)'),
    "cpp: constants of unknown value": with_operands(lambda n: f"mov.b32 a, %{n}+1; ", lambda n: '"n"(x)'),
    "cpp: opening marks of names that nothing closes": between(
        '__global__ void f() { asm("', lambda n: "%[", '" : "=r"(a)); }\n'
    ),
    "cpp: labels before outputs": labels_before_outputs,
    "cpp: outputs read first": with_operands(lambda n: f"add.s32 %{n}, %{n}, 1; ", lambda n: '"=r"(x)'),
    "cpp: operands that are none": between('__global__ void f() { asm("ret;" : ', lambda n: '"r" x ; ', "); }\n"),
    "cpp: parentheses that nothing closes": between('__global__ void f() { asm("ret;" : "r"', lambda n: "(", "); }\n"),
    "asm: operands that no list has": many("add.s32 %0, %#2, %3;", "mov.b32 %#7, %9;", "add.s32 %[x#], %[y], %0;"),
    "asm: wrong constraints": many(
        "add.s32 %0, %1, #;", operands=' : "=x"(a), "r"(b), "=&"(b) : "=r"(b), "y#"(b), "rr"(c), "9"(c), ""(a)'
    ),
    "asm: constraints of other sizes": many(
        "add.s32 %0, %1, #; mov.b64 %2, %3;", operands=' : "=h"(a), "=f"(d) : "l"(c), "d"(e)'
    ),
    "asm: wrong clobbers": many("add.s32 %0, %1, #;", operands=' : "=r"(a) : "r"(b) : "memory", "cc", "r#", "%%r1"'),
    "asm: outputs that are read first": many(
        "add.s32 %0, %0, #; st.global.u32 [%2], %1;", operands=' : "=r"(a) : "r"(b)'
    ),
    "asm: constants of unknown value": many(
        "add.s32 %0, %1, %2*#+%3; ld.shared.u32 %0, [%1+%2]; bar.sync %2;",
        operands=' : "=r"(a) : "r"(b), "n"(N), "C"(T#)',
    ),
    "asm: statements of many operands": function_of(
        lambda n: (
            f'  asm volatile("add.s32 %0, %{n % 40}, q{n};" : "=r"(a) : '
            + ", ".join(f'"r"(x[{k}])' for k in range(39))
            + ");\n"
        )
    ),
    "asm: a long template of operands that no list has": one_template(
        lambda n: f'"add.s32 %0, %{n + 2}, %[n{n}];\\n"\n'
    ),
    "asm: a long list of operands": one_list("add.s32 %0, %1, %2;", lambda n: f'"r"(x[{n}]), '),
    "asm: a long list of wrong operands": one_list("add.s32 %0, %1, %2;", lambda n: f'"y{n}"(x{n}), [z{n}] "=l"(c), '),
    "asm: a long list of operands that are used": lambda size: (
        FUNCTION
        + 'asm("'
        + repeated(size // 2, lambda n: f"add.s32 %0, %{n}, y{n}; ")
        + '" : "=r"(a)'
        + " : "
        + repeated(size // 2, lambda n: f'"r"(x{n}), ')
        + '"r"(b));\n}\n'
    ),
    "asm: statements in operands of statements": nested(
        FUNCTION,
        lambda n: f'asm volatile("add.s32 %0, %0, {n};" : "+r"(a) : "r"(({{ int t{n};\n',
        'asm("mov.b32 %0, 1;" : "=r"(a));\n',
        lambda n: f't{n}; }})), "r"([&] {{ return {n}; }}()));\n',
        "}\n",
    ),
    "asm: constraints of many alternatives": function_of(alternatives),
    "asm: named operands that begin alike": function_of(names_that_begin_alike),
    "asm: operands full of colons, angles and strings": function_of(
        lambda n: (
            f'  asm volatile("add.s32 %0, %1, {n};" : "=r"(c > {n} ? ns::a<(b > 1), x{n}<y<z>>>::v[{n}] : ::a)\n'
            f'    : "r"(f(":", \':\', R"(:"r")", [=, &b](auto... v) -> int {{ return (v + ... + b); }}, '
            f"T{n}{{{{}}, {n}}})),\n"
            f'      "n"(sizeof(int[{n}][a::b]) ? 1\'000 : 0x1p-3f), [x] "l"((long long)(&v{n})->*w) : "memory");\n'
        )
    ),
    "asm: operands of types that are names of other types": definitions_and_uses(
        lambda n: f"typedef T{n} T{n + 1};\n" if n % 3 else f"using T{n + 1} = struct {{ T{n} m; }};\n",
        '  { @ v# = a; asm("add.s32 %0, %1, #;" : "=r"(v#) : "l"(v#)); }\n',
        before="using T0 = int;\n",
        name="T@",
    ),
    "asm: variables of one name and other types in each block": nested(
        FUNCTION,
        lambda n: f'{{ {TYPES[n % 5]} a = {n}; asm("mov.b32 %0, %1;" : "=r"(a) : "r"(b));\n',
        'asm("mov.b64 %0, 1;" : "=l"(a));\n',
        lambda n: f'asm("add.s32 %0, %0, {n};" : "+r"(a)); }}\n',
        "}\n",
    ),
}
HOSTS = in_language("cuda-cpp", CPP)
