r"""Hostile sources with inline assembly, written from its manual without a look at what reads them.

``HOSTS`` has a language and a generator for each. The statements of most differ in a number, so that nothing
that is known of one holds for the next.
"""

from __future__ import annotations

from collections.abc import Callable

from .blind import Piece, cycle, repeat, turns

Generator = Callable[[int], str]
OPENED = "__device__ void f(int a, int b, long long c, float d, double e, short h) {\n"


def named(**languages: tuple[str, dict[str, Generator]]) -> dict[str, tuple[str, Generator]]:
    """Sources by name, with their language; each name begins with the kind of source."""
    return {
        f"{kind}: {name}": (language, generator)
        for kind, (language, generators) in languages.items()
        for name, generator in generators.items()
    }


def function_of(piece: Piece, before: str = "", after: str = "") -> Generator:
    """A function of CUDA C++ whose body has the pieces."""
    return lambda size: before + OPENED + repeat(piece, size) + after + "}\n"


def one_template(piece: Piece, operands: str = ' : "+r"(a) : "r"(b)') -> Generator:
    """One statement whose template has a literal for each piece."""
    return lambda size: OPENED + 'asm volatile("{"\n' + repeat(piece, size) + f'"}}"{operands});\n}}\n'


def one_list(template: str, operand: Piece, operands: str = '"=r"(a)') -> Generator:
    """One statement with a long list of operands."""
    return lambda size: f'{OPENED}asm volatile("{template}" : {operands} : {repeat(operand, size)}"r"(b));\n}}\n'


def triton(piece: Piece, before: str = "") -> Generator:
    """A kernel of Triton whose body has the pieces."""
    return lambda size: (
        f"import triton\nimport triton.language as tl\n{before}\n@triton.jit\ndef k(x, y):\n" + repeat(piece, size)
    )


def elementwise(template: str, constraints: str = "=r,r", rest: str = "") -> Piece:
    """A call of Triton; ``#`` is its number."""
    call = (
        f'    x = tl.inline_asm_elementwise("{template}", "{constraints}", [x], '
        f"dtype=tl.int32, is_pure=True, pack=1{rest})\n"
    )
    return lambda n: call.replace("#", str(n))


def many(*templates: str, operands: str = ' : "=r"(a) : "r"(b)', before: str = "", after: str = "") -> Generator:
    """A function of statements with these templates in turn; ``#`` is the number of the statement."""
    return function_of(cycle(*(f'  asm volatile("{one}"{operands});\n' for one in templates)), before, after)


CPP: dict[str, Generator] = {
    "syntax errors": many("add.s32 %0 %1, #;", "add.s32 %0,, #;", "add..s32 %0, %1, #;", "mov.b32 %0, [#;"),
    "unknown instructions": many("ad#.s32 %0, %1, 1;", "frob.x#.u32 %0, %1;"),
    "unknown qualifiers": many("add.s#.rm %0, %1, 1;", "ld.globl.x#.u32 %0, [%1];", "cvt.rzi.s32.q# %0, %1;"),
    "operands of wrong types": many(
        "add.f64 %0, %1, #;", "mul.wide.s32 %0, %1, #;", "setp.lt.s32 %0, %1, #;", "ld.global.u32 %0, [%1+#];"
    ),
    "too few and too many operands": many("add.s32 %0, #;", "mad.lo.s32 %0, %1, #;", "mov.b32 %0, %1, #, #, #;"),
    "operands that no list has": many("add.s32 %0, %#2, %3;", "mov.b32 %#7, %9;", "add.s32 %[x#], %[y], %0;"),
    "wrong constraints": many(
        "add.s32 %0, %1, #;", operands=' : "=x"(a), "r"(b), "=&"(b) : "=r"(b), "y#"(b), "rr"(c), "9"(c), ""(a)'
    ),
    "constraints of other sizes": many(
        "add.s32 %0, %1, #; mov.b64 %2, %3;", operands=' : "=h"(a), "=f"(d) : "l"(c), "d"(e)'
    ),
    "wrong clobbers": many("add.s32 %0, %1, #;", operands=' : "=r"(a) : "r"(b) : "memory", "cc", "r#", "%%r1"'),
    "undeclared registers": many("add.s32 %0, undeclared#, x#;", "mov.b32 %0, %%r#;", "@p# bra L#;"),
    "labels in two statements": many("SAME: add.s32 %0, %1, #; bra SAME;", "bra OTHER; OTHER: mov.b32 %0, #;"),
    "registers in two statements": many(".reg .b32 t; add.s32 t, %1, #; mov.b32 %0, t;", ".reg .pred p#, q<4>;"),
    "braces that nothing closes": many("{ .reg .b32 t#; mov.b32 t#, %1;", "{{ mov.b32 %0, #;"),
    "braces that nothing opens": many("mov.b32 %0, #; }", "} } add.s32 %0, %1, #;"),
    "percent signs": many("mov.b32 %0, %tid#;", "mov.b32 %0, %%%%#;", "mov.b32 %0, % #;", "%=: mov.b32 %q0, %=#;"),
    "statements without operands": many("add.s32 x#, y, 1;", "ret; exit; bar.sync #;", operands=""),
    "no semicolons": many("add.s32 %0, %1, #", "mov.b32 %0, #\\n\\tadd.s32 %0, %1, 2"),
    "only marks": many(";;#;", ":#:", "%", "{}", ",#", "@", "[#]", "|#"),
    "nothing in the template": many("", " ", "/* # */", "// #", "\\n\\t"),
    "the same wrong statement": many("ad.s32 %0, undeclared, %7;"),
    "the same wrong statement for other operands": function_of(
        lambda n: f'  asm volatile("ad.s32 %0, undeclared, %7;" : "=r"(x[{n}]) : "r"(y{n}));\n'
    ),
    "outputs that are read first": many("add.s32 %0, %0, #; st.global.u32 [%2], %1;", operands=' : "=r"(a) : "r"(b)'),
    "numbers out of range": many("bar.sync #;", "shl.b32 %0, %1, 99999999999#;", "lop3.b32 %0, %1, %1, %1, 30#;"),
    "constants of unknown value": many(
        "add.s32 %0, %1, %2*#+%3; ld.shared.u32 %0, [%1+%2]; bar.sync %2;",
        operands=' : "=r"(a) : "r"(b), "n"(N), "C"(T#)',
    ),
    "comments that silence": function_of(
        cycle(
            '  asm("ad.s32 %0, %1, #;" : "=r"(a) : "r"(b)); // ptx-lsp: ignore[E301]\n',
            '  // ptx-lsp: ignore[E201, W#]\n  asm("add.s32 %0, q#, 1;" : "=r"(a) : "r"(b));\n',
            "  // ptx-lsp: targe sm_90\n",
        )
    ),
    "comments with targets": function_of(
        cycle(
            "  // ptx-lsp: target sm_80, sm_90a, sm_100a, sm_120, sm_#\n",
            '  asm("wgmma.fence.sync.aligned; add.f32x2 %0, %1, #;" : "=r"(a) : "r"(b));\n',
        )
    ),
    "instructions of other targets": many(
        "wgmma.fence.sync.aligned; tcgen05.alloc.cta_group::1.b32 [%1], #;",
        "tcgen05.wait::ld.sync.aligned; setmaxnreg.inc.sync.aligned.u32 #;",
    ),
    "conditions": function_of(
        turns(
            "#if __CUDA_ARCH__ >= $n0 && defined(A$n)\n",
            '  asm("ad.s32 %0, %1, $n;" : "=r"(a) : "r"(b));\n',
            "#elif __CUDA_ARCH__ < 9$n\n",
            '  asm("wgmma.fence.sync.aligned; x$n;");\n#endif\n',
        )
    ),
    "macros": function_of(turns('#define M$n "add.s32 %0, x$n, "\n', '  asm(M$m M$n "%1;" : "=r"(a) : "r"(b));\n')),
    "macros that hold statements": lambda size: (
        repeat(lambda n: f'#define OP{n}(d, a) asm("op{n}.s32 %0, %1;" : "=r"(d) : "r"(a))\n', size // 2)
        + OPENED
        + repeat(lambda n: f"  OP{n}(a, b);\n", size // 2)
        + "}\n"
    ),
    "pieces of unknown text": many(
        'add" TYPE# " %0, " X# ", %1;', 'ld." SPACE ".u32 %0, [" Y "+#]; }', "mov\" T '#' \" %0, q#;"
    ),
    "raw strings": function_of(lambda n: f'  asm(R"x{n}(ad.s32 %0,\n   q{n}, "%1;\n)x{n}" : "=r"(a) : "r"(b));\n'),
    "literals on many lines": function_of(
        lambda n: (
            '  asm volatile("{\\n\\t"\n  ".reg .pred p;\\n\\t"\n  "setp.ne.b33 p, %1, '
            f'{n};\\n\\t"\n  "@p add.s32 %0, q{n}, 1;\\n\\t"\n  "}}\\n" : "=r"(a) : "r"(b));\n'
        )
    ),
    "escapes": many("\\x61dd.s32\\t%0,\\0 %1, #;", "\\141\\144.q# %0; \\u0061", '\\"add\\".s32 #', "\\\\#\\\n;"),
    "functions with one statement": lambda size: repeat(
        lambda n: (
            f"template <int N{n}> __device__ inline int f{n}(int a, int b) {{\n"
            f'  int r;\n  asm("addd.s32 %0, %1, {n};" : "=r"(r) : "r"(a));\n  return r;\n}}\n'
        ),
        size,
    ),
    "matrix instructions with wrong operands": many(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%0,%0,%0}, {%1,%1,%1,x#}, {%1,%1}, {%0,%0,%0};",
        "mma.sync.aligned.m16n8k#.row.col.f32.bf16.bf16.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1}, {%0,%0,%0,%0};",
    ),
    "statements of many operands": function_of(
        lambda n: (
            f'  asm volatile("add.s32 %0, %{n % 40}, q{n};" : "=r"(a) : '
            + ", ".join(f'"r"(x[{k}])' for k in range(39))
            + ");\n"
        )
    ),
    "a long template of wrong instructions": one_template(lambda n: f'"ad{n}.s32 %0, %1, q{n};\\n\\t"\n'),
    "a long template of syntax errors": one_template(lambda n: f'"add.s32 %0 %1, {n};\\n\\t"\n'),
    "a long template of right instructions": one_template(lambda n: f'"add.s32 %0, %1, {n};\\n\\t"\n'),
    "a long template of labels": one_template(lambda n: f'"L{n % 999}: @%0 bra M{n};\\n\\t"\n'),
    "a long template of operands that no list has": one_template(lambda n: f'"add.s32 %0, %{n + 2}, %[n{n}];\\n"\n'),
    "a long template of unknown text": one_template(lambda n: f'"add.s32 %0, " X{n} ", q{n};\\n"\n'),
    "a long list of operands": one_list("add.s32 %0, %1, %2;", lambda n: f'"r"(x[{n}]), '),
    "a long list of wrong operands": one_list("add.s32 %0, %1, %2;", lambda n: f'"y{n}"(x{n}), [z{n}] "=l"(c), '),
    "a long list of operands that are used": lambda size: (
        OPENED
        + 'asm("'
        + repeat(lambda n: f"add.s32 %0, %{n}, y{n}; ", size // 2)
        + '" : "=r"(a)'
        + " : "
        + repeat(lambda n: f'"r"(x{n}), ', size // 2)
        + '"r"(b));\n}\n'
    ),
}
PYTHON: dict[str, Generator] = {
    "triton: syntax errors": triton(elementwise("add.s32 $0 $1, #;")),
    "triton: unknown instructions": triton(elementwise("ad#.s32 $0, $1, 1;")),
    "triton: undeclared registers": triton(elementwise("add.s32 $0, undeclared#, x#;")),
    "triton: operands that no list has": triton(elementwise("add.s32 $0, $#5, ${7:x};")),
    "triton: wrong constraints": triton(elementwise("add.s32 $0, $1, #;", "=x,r#,~{memory},=,,9")),
    "triton: packed elements": triton(
        elementwise("{ .reg .b32 t#; cvt.rn.bf16x2.f33 t#, $0, $4; }", "=r,=r,=r,=r,r", ", pack=#")
    ),
    "triton: f-strings": triton(
        lambda n: f'    x = tl.inline_asm_elementwise(f"add.{{T{n}}} $0, q{n}, {{v}}; ad.x{n} $0;", "=r,r", [x])\n'
    ),
    "triton: templates in names": lambda size: (
        "import triton\n"
        + repeat(lambda n: f'OP{n} = "op{n}.s32 $0, $1;"\n', size // 2)
        + repeat(lambda n: f'x = tl.inline_asm_elementwise(OP{n}, "=r,r", [x])\n', size // 2)
    ),
    "triton: templates of many lines": triton(
        lambda n: (
            '    x = tl.inline_asm_elementwise(\n        asm="""\n        {\n            .reg .b32 a<4>, '
            f"t{n};\n            and.b32 a0, $1, 0x0f0f0f0f;\n            shfl.bfly a1, q{n}, 4, 31;\n"
            '        }\n        """,\n        constraints="=r,r", args=[x], dtype=tl.int8, is_pure=True, pack=4)\n'
        )
    ),
    "triton: the same wrong call": triton(elementwise("ad.s32 $0, undeclared, $7;")),
    "triton: a long template": lambda size: (
        'import triton\nx = tl.inline_asm_elementwise("""\n'
        + repeat(lambda n: f"ad{n}.s32 $0, q{n}, $1;\n", size)
        + '""", "=r,r", [x], tl.int32, True, 1)\n'
    ),
    "cupy: kernels in strings": lambda size: (
        "import cupy\n"
        + repeat(
            lambda n: (
                f"K{n} = cupy.RawKernel(r'''\n__global__ void k(int a) {{\n"
                f'  asm("ad{n}.s32 %0, q, 1;" : "=r"(a));\n}}\n\'\'\', "k")\n'
            ),
            size,
        )
    ),
    "cutlass: calls of LLVM": lambda size: (
        "from cutlass._mlir.dialects import llvm\n"
        + repeat(
            lambda n: (
                f'r = llvm.inline_asm(T.i32(), [a], "ad{n}.s32 $0, $1, q{n};", "=r,r", '
                "has_side_effects=True, is_align_stack=False, asm_dialect=llvm.AsmDialect.AD_ATT)\n"
            ),
            size,
        )
    ),
}
HOSTS: dict[str, tuple[str, Generator]] = {
    **{f"asm: {name}": ("cuda-cpp", generator) for name, generator in CPP.items()},
    **{name: ("python", generator) for name, generator in PYTHON.items()},
}
"""All sources, with their language."""
