"""Hostile syntax: statements that are hard to read, and files of other languages whose inline assembly is.

``GENERATORS`` make PTX; ``HOSTS`` make sources of another language, by its name and by what is hostile in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, module, repeated
from .sixth import number_of

Generator = Callable[[int], str]


def between(first: str, piece: Callable[[int], str], last: str) -> Generator:
    """One statement of ``size`` characters."""
    return lambda size: first + repeated(size, piece) + last


def listed(template: Callable[[int], str], operand: Callable[[int], str], first: str = "") -> Generator:
    """A statement of C++ with a template and as many operands as it has pieces."""

    def generate(size: int) -> str:
        count = number_of(size, template, operand)
        pieces = "".join(map(template, range(count)))
        return f'__global__ void f() {{\n{first}asm("{pieces}" : : {", ".join(map(operand, range(count)))});\n}}\n'

    return generate


def after(first: str, piece: Callable[[int], str]) -> Generator:
    """Pieces after a text that does not grow."""
    return lambda size: first + repeated(size, piece)


def _conditions(depth: int, branches: int) -> str:
    """Conditions within each other, each the last of several branches."""
    return "".join(
        f"#if __CUDA_ARCH__ >= 700 && Y{one}\n"
        + "".join(f"#elif __CUDA_ARCH__ >= 900 && X{n}\n" for n in range(branches))
        for one in range(depth)
    )


def _brackets(size: int) -> str:
    """Conditions within each other, each with many open brackets that the others do not have."""
    first = "".join(f"#if X{one}\n" + "{\n" * 90 + f"#if Y{one}\n#endif\n" + "}\n" * 90 for one in range(90))
    return first + repeated(size, lambda n: f'void f{n}() {{ asm("add.s32 a, b, c;"); }}\n')


def _macro(size: int) -> str:
    """A long macro, and one statement that has it again and again."""
    value = repeated(size // 2, lambda n: f"add.s32 a{n}, b, c; ")
    return f'#define M "{value}"\n__device__ void f() {{ asm({"M " * (size // 4)}); }}\n'


def _many_with_macro(size: int) -> str:
    """A long macro, and many statements with it."""
    value = repeated(size // 2, lambda n: f"add.s32 a{n}, b, c; ")
    return (
        f'#define M "{value}"\n__device__ void f() {{\n' + repeated(size // 2, lambda n: f'asm(M "// {n}");\n') + "}\n"
    )


def _labels(size: int) -> str:
    labels = "a:" * min(2000, size // 4)
    count = size // 16
    return (
        f'__global__ void f() {{\nasm("{labels} {" ".join(f"%{n}" for n in range(count))};" : '
        + ", ".join('"=r"(a)' for n in range(count))
        + ");\n}\n"
    )


def _carriage_returns(size: int) -> str:
    """Suppressions in a text without line feeds."""
    text = body(lambda n: f"add; // ptx-lsp: ignore[E{n % 999}]\n", size)
    return text.replace("\n", "\r")


GENERATORS: dict[str, Generator] = {
    "signs in an initializer": between(f"{HEADER}.global .u32 x = ", lambda n: "-~"[n % 2] + " ", "1;\n"),
    "choices in an initializer": between(f"{HEADER}.global .u32 x = ", lambda n: "1 ? 1 : ", "1;\n"),
    "one global declaration of many arrays": between(f"{HEADER}.global .b32 a", lambda n: f", b{n}[3]", ";\n"),
    "one declaration of many initial values": between(f"{HEADER}.global .b32 a", lambda n: f", b{n} = 1", ";\n"),
    "one declaration of many broken names": between(f"{HEADER}.global .b32 a", lambda n: f", b{n} c", ";\n"),
    "one head of many directives": between(f"{HEADER}.entry f()", lambda n: f" .maxntid {n}, 1, 1", "\n{ ret; }\n"),
    "initializers with braces that nothing closes": partial(module, lambda n: f".global .b32 x{n}[] = {'{1,' * 99};\n"),
    "suppressions between carriage returns": _carriage_returns,
    "comments of ASCII, then others": lambda size: body(
        lambda n: "ret;\n", 1, before="//\n" * (size // 3) + "// é\n" * 100
    ),
}
"""Files of PTX."""

CPP: dict[str, Generator] = {
    "cpp: statements in braces on one line": after("__device__ int x; ", lambda n: 'void f(){asm("ret;");}'),
    "cpp: many statement ends on one line": after("", lambda n: ";" * 4000 + 'void f(){asm("ret;");}'),
    "cpp: statements under nested conditions": after(_conditions(90, 14), lambda n: f'asm("add.s32 a, b, {n};");\n'),
    "cpp: conditions, each with other brackets": _brackets,
    "cpp: a long macro again and again in a statement": _macro,
    "cpp: many statements with a long macro": _many_with_macro,
    "cpp: named operands": listed(lambda n: f"add.s32 %[n{n}], 1, 2; ", lambda n: f'[n{n}]"r"(x)'),
    "cpp: pasted operands": listed(lambda n: f"add.s32 a%{n}, 1, 2; ", lambda n: '"C"(x)'),
    "cpp: constants of unknown value": listed(lambda n: f"mov.b32 a, %{n}+1; ", lambda n: '"n"(x)'),
    "cpp: opening marks of names that nothing closes": between(
        '__global__ void f() { asm("', lambda n: "%[", '" : "=r"(a)); }\n'
    ),
    "cpp: undeclared names in statements": after(
        "__device__ int v;\n", lambda n: f'__device__ void f{n}() {{ asm("mov.b32 %%r1, [x{n}];" : "=r"(a)); }}\n'
    ),
    "cpp: undeclared names of one statement": between(
        '__global__ void f() { asm("', lambda n: f"mov.b32 z{n}, y{n}; ", '"); }\n'
    ),
    "cpp: undeclared arguments of calls": between(
        '__global__ void f() { asm("',
        lambda n: "call f, (" + "mov, " * 90 + ", ".join(f"x{n}_{k}" for k in range(90)) + "); ",
        '"); }\n',
    ),
    "cpp: errors under conditions": between(
        '__global__ void f() { asm("ret;"\n#if X\n"exit;"\n#endif\n"', lambda n: f"add.s32 %r1, %r{n}; ", '"); }\n'
    ),
    "cpp: errors between literals": between(
        "__global__ void f() { asm(", lambda n: f'"add.s32 1, {n};\\n"\n', "); }\n"
    ),
    "cpp: empty literals": between('__global__ void f() { asm("add;"', lambda n: '""', '"add.s32 x;"); }\n'),
    "cpp: unknown macros in a statement": between(
        '__global__ void f() { asm("a"', lambda n: f' H{n} "; add.s32 a, "', '"x;"); }\n'
    ),
    "cpp: labels before outputs": _labels,
    "cpp: percent signs after signs": between(
        '__global__ void f() { asm("', lambda n: "%%a ", '" : : "r"(x)); asm("' + "%%" * 999 + '"); }\n'
    ),
    "cpp: unique labels": between('__global__ void f() { asm("', lambda n: f"L{n}%=: ", '" : : "r"(x)); }\n'),
    "cpp: bare names": between(
        '__global__ void f() { asm("', lambda n: f"add.s32 %laneid, {n}; ", '" : : "r"(x)); }\n'
    ),
    "cpp: doubled signs": between('__global__ void f() { asm("', lambda n: "mov.b32 x, %%laneid; ", '"); }\n'),
    "cpp: outputs read first": listed(lambda n: f"add.s32 %{n}, %{n}, 1; ", lambda n: '"=r"(x)'),
    "cpp: long conditions": after("", lambda n: "#if " + "a||" * 1200 + f"{n}\n" + 'asm("ret;");\n#endif\n'),
    "cpp: sums in conditions": after("", lambda n: "#if " + "1+" * 1900 + f"{n}\n" + 'asm("ret;");\n#endif\n'),
    "cpp: operands that are none": between('__global__ void f() { asm("ret;" : ', lambda n: '"r" x ; ', "); }\n"),
    "cpp: parentheses that nothing closes": between('__global__ void f() { asm("ret;" : "r"', lambda n: "(", "); }\n"),
    "cpp: statements that nothing closes": after("__device__ void f() { ", lambda n: 'asm("ret;" '),
    "cpp: braces opened by statements": after(
        "", lambda n: f'__device__ void f{n}() {{ asm("{{ .reg .b32 r{n};"); }}\n'
    ),
    "cpp: braces opened and closed": after(
        "",
        lambda n: (
            f'__device__ void f{n}() {{ asm("{{ .reg .b32 r; L{n}: mov.b32 r, 1; }}"); asm("{{"); asm("}}"); }}\n'
        ),
    ),
    "cpp: labels in statements": after("__device__ void f() {\n", lambda n: f'asm("L{n}: bra L{n};");\n'),
    "cpp: conditions in statements": after(
        "__device__ void f() {\n",
        lambda n: f'asm(\n#if A\n"a;"\n#endif\n#if B\n"b;"\n#else\n"c;"\n#endif\n#if C{n}\n"d;"\n#endif\n);\n',
    ),
    "cpp: raw literals that nothing closes": after("", lambda n: f'R"a{n}(asm("ret;");\n'),
    "cpp: dispatched by target": after(
        "void f() {\n", lambda n: 'NV_IF_TARGET(NV_PROVIDES_SM_90, (asm("ret;");), (asm("add;");))\n'
    ),
    "cpp: if constexpr": after(
        "void f() {\n", lambda n: f'if constexpr (__CUDA_ARCH__ >= {n}) {{ asm("ret;"); }} else {{\n'
    ),
    "cpp: suppressions": after("", lambda n: f'asm("add;"); // ptx-lsp: ignore[E{n % 999}]\n'),
    "cpp: right statements": after(
        "",
        lambda n: (
            f'__device__ int f{n}(int a) {{ int b; asm("add.s32 %0, %1, {n};" : "=r"(b) : "r"(a)); return b; }}\n'
        ),
    ),
}

PYTHON: dict[str, Generator] = {
    "python: calls on one line": after(
        "# inline_asm_elementwise\n", lambda n: f'inline_asm_elementwise("add.s32 $0, $1, {n};", "=r,r", [x]); '
    ),
    "python: values that nothing closes": after("from jax import inline_asm_elementwise\n", lambda n: f"A{n}=(\n"),
    "python: values in parentheses": after(
        "from jax import inline_asm_elementwise\n", lambda n: f'A{n} = ("x{n}"\n"y")\n'
    ),
    "python: a long constant in many calls": lambda size: (
        f'import triton\nT = "{"add.s32 a, b, c; " * (size // 34)}"\n'
        + repeated(size // 2, lambda n: f'inline_asm_elementwise(T + "{n}", "=r", [])\n')
    ),
    "python: fields of an f-string": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"add.s32 {{a{n}}}, 1, 2; ", '", "=r,r", [x])\n'
    ),
    "python: fields as statements": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"{{a{n}}} ", '", "=r,r", [x])\n'
    ),
    "python: sums in an f-string": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"mov.b32 $0, {{a{n}}}+1; ", '", "=r,r", [x])\n'
    ),
    "python: strings one after another": between(
        "import triton\ninline_asm_elementwise(", lambda n: f'"add.s32 1, {n};"\n', ', "=r,r", [x])\n'
    ),
    "python: calls of calls": after("from jax import inline_asm_elementwise\n", lambda n: "inline_asm_elementwise("),
    "python: constraints": between(
        'import triton\ninline_asm_elementwise("add.s32 $0, $1, 1;", "', lambda n: "=r,{x", '", [x])\n'
    ),
    "python: formatted strings": after(
        "from jax import inline_asm_elementwise\n", lambda n: f'inline_asm_elementwise("add.s32 %s" % {n}, "=r", [])\n'
    ),
    "python: sources of kernels": after(
        "import cupy\n", lambda n: f"x = '''__global__ void f() {{ asm(\"add.s32 {n};\"); }}'''\n"
    ),
    "python: one long source of kernels": between(
        "import cupy\nx = '''", lambda n: f'__global__ void f() {{ asm("add.s32 {n};"); }}\\n', "'''\n"
    ),
    "python: brackets in a call": between("import triton\ninline_asm_elementwise(", lambda n: "[(", "\n"),
    "python: names in a call": between("import triton\ninline_asm_elementwise(", lambda n: "a.b x", ', "=r", [])\n'),
}

OTHERS: dict[str, tuple[str, Generator]] = {
    "rust: named operands": (
        "rust",
        lambda size: (
            'fn f() { asm!("'
            + repeated(size // 2, lambda n: f"add.s32 {{n{n}}}, 1; ")
            + '"'
            + repeated(size // 2, lambda n: f", n{n} = in(reg32) x")
            + "); }\n"
        ),
    ),
    "rust: templates": ("rust", between("fn f() { asm!(", lambda n: f'"add.s32 {{0}}, {n};", ', "in(reg32) x); }\n")),
    "rust: comments that nothing closes": ("rust", between("fn f() { asm!(", lambda n: '"a", /* ', "); }\n")),
    "rust: concatenations": ("rust", between("fn f() { asm!(", lambda n: 'concat!("a", ', "); }\n")),
    "rust: calls that nothing closes": ("rust", after("", lambda n: 'asm!("add.s32 {0};" ')),
    "llvm: calls on one line": (
        "llvm",
        after("", lambda n: f'call i32 asm sideeffect "add.s32 $0, $1, {n};", "=r,r"(i32 %x) '),
    ),
    "llvm: values": (
        "llvm",
        between('call i32 asm "add.s32 $0, $1, 1;", "=r,r"(', lambda n: f"i32 %{n}, ", "i32 %x)\n"),
    ),
    "mlir: attributes that nothing closes": ("mlir", after("", lambda n: "llvm.inline_asm a=[ ")),
    "mlir: operations on one line": (
        "mlir",
        after("", lambda n: f'nvvm.inline_ptx "add.s32 $0, {n};" ro(%a, %b : i32, i32) '),
    ),
    "mlir: values": ("mlir", between('nvvm.inline_ptx "ret;" ro(', lambda n: f"%a{n}, ", "%b : i32)\n")),
    "mlir: named operands": (
        "mlir",
        lambda size: (
            'nvvm.inline_ptx "'
            + repeated(size // 2, lambda n: f"add.s32 {{$r{n}}}, 1; ")
            + '" ro('
            + ", ".join(f"%a{n}" for n in range(size // 40))
            + " : "
            + ", ".join("i32" for n in range(size // 40))
            + ")\n"
        ),
    ),
    "mojo: scopes": (
        "mojo",
        after(
            "from sys import inlined_assembly\n",
            lambda n: f'fn f{n}():\n    alias T{n} = ("a"\n    inlined_assembly[T{n}, "=r"]()\n',
        ),
    ),
}

HOSTS: dict[str, tuple[str, Generator]] = {
    **{name: ("cuda-cpp", generator) for name, generator in CPP.items()},
    **{name: ("python", generator) for name, generator in PYTHON.items()},
    **OTHERS,
}
"""All sources of other languages, with their language."""
