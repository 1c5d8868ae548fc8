r"""Hostile sources with inline assembly whose types, names, conditions or whole programs have to be looked up.

Types that are other types, names with many values, classes that inherit templates, parts that no compiler reads,
statements in comments, and programs that other texts hold.
"""

from __future__ import annotations

from .blind import Piece, repeat, turns
from .hosts import OPENED, Generator, function_of, named, triton
from .more_hosts import TRITON, nest
from .other_hosts import called, program
from .sixth import number_of

LETTERS = "abcdefgh"
TYPES = "int", "long long", "float", "double", "short"


def definitions_and_uses(definition: Piece, use: str, before: str = "", names: int = 1, name: str = "@") -> Generator:
    """Definitions, and statements that use some of them in no order; ``@`` stands for their names."""

    def generate(size: int) -> str:
        count = number_of(size // 2, definition)

        def piece(n: int) -> str:
            used = " ".join(name.replace("@", str((n * 7919 + one) % count)) for one in range(names))
            return use.replace("#", str(n)).replace("@", used)

        definitions = "".join(map(definition, range(count)))
        return f"{before}{definitions}{OPENED}{repeat(piece, size - size // 2)}}}\n"

    return generate


def rotated_arguments(n: int) -> str:
    """A macro that gives its arguments to the one before it in another order, and a statement of it."""
    arguments = ", ".join(LETTERS)
    rotated = ", ".join(LETTERS[-1] + LETTERS[:-1])
    values = ", ".join(f"x{n}" if one else "add.s32" for one in range(len(LETTERS)))
    return (
        f"#define P{n + 1}({arguments}) P{n}({rotated})\n"
        f'__device__ void f{n}(int a) {{ asm(P{n + 1}({values}) : "+r"(a)); }}\n'
    )


def escaped(n: int) -> str:
    """A whole program of PTX, as texts of LLVM spell it."""
    return program(n).replace("\n", "\\0A")


def constant(n: int) -> str:
    """A constant of LLVM that holds a whole program."""
    return f'@p{n} = private unnamed_addr constant [{len(program(n)) + 1} x i8] c"{escaped(n)}\\00", align 1\n'


CPP: dict[str, Generator] = {
    "macros that pass on all their arguments, rotated": lambda size: (
        f'#define P0({", ".join(LETTERS)}) #a " %0, " #b ", " #h ";"\n' + repeat(rotated_arguments, size)
    ),
    "one macro, defined again before each statement": function_of(
        turns(
            '#undef T\n#define T "ad$n.s32 %0, %1, q$n;"\n  asm(T T : "=r"(a) : "r"(b));\n',
            '#define T "add.s32 %0, %1, $n;"\n  asm volatile(T : "=r"(a) : "r"(b));\n',
            '#ifdef T\n#undef T\n#define T U "$n;"\n#endif\n#define U "mov %0, q;"\n  asm(T U : "=r"(a));\n#undef U\n',
        )
    ),
    "statements of twenty macros, each with two values": definitions_and_uses(
        lambda n: (
            f'#if A{n}\n#define V{n} "add.s32 %0, %0, {n};"\n#else\n#define V{n} "{{ sub.s32 %0, q{n}, 1;"\n#endif\n'
        ),
        '  asm volatile(@ : "+r"(a));\n',
        names=20,
        name="V@",
    ),
    "parts that no compiler reads, full of open strings": function_of(
        turns(
            '#if 0\nit\'s "open $n, R"x( \' asm("q$n; {{{ (((\n#endif\n',
            '  asm("add.s32 %0, %1, $n;" : "=r"(a) : "r"(b));\n',
            "#ifdef NEVER$n\n#if 0 ' \"\n/* asm(\"x$n\n*/ asm('y$n' \"\n#else don't\n))) }}} R\"(\n#endif\n#endif\n",
            '  asm("ad.s32 %0, %1, q$n;" : "=r"(a) : "r"(b));\n',
            '#if 1\n#else\n" R"y$n( \\\n#elif \' $n\n asm(\n#endif\n',
        )
    ),
    "operands of types that are names of other types": definitions_and_uses(
        lambda n: f"typedef T{n} T{n + 1};\n" if n % 3 else f"using T{n + 1} = struct {{ T{n} m; }};\n",
        '  { @ v# = a; asm("add.s32 %0, %1, #;" : "=r"(v#) : "l"(v#)); }\n',
        before="using T0 = int;\n",
        name="T@",
    ),
    "variables of one name and other types in each block": nest(
        OPENED,
        lambda n: f'{{ {TYPES[n % 5]} a = {n}; asm("mov.b32 %0, %1;" : "=r"(a) : "r"(b));\n',
        'asm("mov.b64 %0, 1;" : "=l"(a));\n',
        lambda n: f'asm("add.s32 %0, %0, {n};" : "+r"(a)); }}\n',
        "}\n",
    ),
    "one macro with a statement in each of its thousands of lines": lambda size: (
        "#define ALL(x) \\\n"
        + repeat(lambda n: f'  asm volatile("add.s32 %0, %0, {n};" : "+r"(x)); /* {n} */ \\\n', size)
        + f"  (void)x\n{OPENED}  ALL(a);\n}}\n"
    ),
    "assembly of the host's processor between kernels": lambda size: repeat(
        turns(
            'static long h$n(long x) { asm volatile("movq %%rax, %0\\n\\tcpuid\\n\\tleaq $n(%%rdi)" : "=m"(x), "+a"(x)'
            ' : "Ni"($n) : "rbx", "%rcx", "cc"); return x; }\n',
            '__global__ void k$n(int a) { asm volatile("ad.s32 %0, %0, $n;" : "+r"(a)); }\n',
            "int m$n() { __asm { mov eax, $n ; comment 'x\n lock xadd [ebx], eax } __asm int 3 }\n",
            'void n$n() { __asm__("vaddps %%zmm0, %%zmm$n, %%zmm2{%%k1}{z}; .p2align 4; 1: jmp 1" ::: "xmm$n"); }\n',
            '__device__ void o$n(int a) {\n#ifdef __CUDA_ARCH__\n  asm("mov.u32 %0, %%tid$n;" : "=r"(a));\n#else\n'
            '  asm("mrs %0, cntvct_el0; ldp x29, x30, [sp], #$n" : "=r"(a));\n#endif\n}\n',
        ),
        size,
    ),
    "copies, commits and waits, a statement for each, in nested loops": function_of(
        turns(
            "  for (int i$n = 0; i$n < a; ++i$n) {\n",
            '    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(s + $n), "l"(c + i) : "memory");\n',
            '    asm volatile("cp.async.commit_group;" ::: "memory"); if (b > $n) continue;\n',
            '    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }"'
            ' :: "r"(m + 8 * $n), "r"(b ^ 1));\n',
            '    asm volatile("cp.async.wait_group %0; ld.shared.u32 %1, [%2+$n];" :: "n"($n), "r"(a), "r"(s));\n  }\n',
            '  do { asm volatile("wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned;"); } while (--a > $n);\n',
        )
    ),
}
PYTHON: dict[str, Generator] = {
    "classes that inherit their templates": lambda size: (
        f'{TRITON}class C0:\n    T = "add.s32 $0, $1, 1;"\n'
        + repeat(
            lambda n: (
                f'class C{n + 1}(C{n}):\n    U{n} = "op{n}.s32 $0, $1;" + C{n}.T\n    def f(self, x):\n'
                f"        {called(f'self.U{n // 2} + C{n}.T + super().U{max(n - 1, 0)}')}"
            ),
            size,
        )
    ),
    "one function under a chain of other names": lambda size: (
        f"{TRITON}a0 = tl.inline_asm_elementwise\n"
        + repeat(
            lambda n: (
                f'a{n + 1} = a{n}\nx = a{n + 1}("ad{n}.s32 $0, $1, q{n};", "=r,r", [x], tl.int32, True, 1)\n'
                f"from triton.language import inline_asm_elementwise as b{n}\nimport triton.language as tl{n}\n"
                f'y = tl{n // 2}.inline_asm_elementwise(asm="x{n};", constraints="=r", args=[b{n // 3}("y;")])\n'
            ),
            size,
        )
    ),
    "one name, given a value in one of many branches before each call": triton(
        lambda n: (
            f'    if x > {n}:\n        T = "add.s32 $0, $1, {n};"\n    elif y:\n        T = T + "sub.s32 $0, q{n};"\n'
            f'    else:\n        T, U = f"{{T}}{{{{ mov.b32 $0, {n};", T\n    {called("T")}'
        ),
        before='T = "add.s32 $0, $1, 1;"\n',
    ),
}
CUPY: dict[str, Generator] = {
    "kernels of one element, with their statements in four texts": lambda size: (
        "import cupy\n"
        + repeat(
            lambda n: (
                f"e{n} = cupy.ElementwiseKernel('int32 x', 'int32 y',\n"
                f"    r'''asm(\"ad{n}.s32 %0, %1, q;\" : \"=r\"(y) : \"r\"(x));''', 'e{n}',\n"
                f'    preamble=\'__device__ void p{n}(int a) {{ asm("mov.b32 %0, {n};" : "=r"(a)); }}\')\n'
                f'r{n} = cupy.ReductionKernel("T x", "T y", "f(x, {n})", "a + b", "y = a", "0", "r{n}", '
                f'options=("-DN={n}", \'-DASM="ret;"\'))\n'
                f'm{n} = cupy.RawModule(code="""__global__ void k() {{ asm(ASM "x{n};"); }}""", options=("-DX={n}",))\n'
            ),
            size,
        )
    ),
    "one source that grows before each module": lambda size: (
        "import cupy\nS0 = ''\n"
        + repeat(
            lambda n: (
                f"S{n + 1} = S{n} + r'''\n__device__ f{n}(int a) {{ asm(\"ad.s32 %0, q{n}, 1;\" : \"=r\"(a)); }}\n'''\n"
                f"M{n} = cupy.RawModule(code=S{n + 1}, name_expressions=['f{n}'])\n"
            ),
            size,
        )
    ),
}
RUST: dict[str, Generator] = {
    "statements under conditions of features": lambda size: repeat(
        lambda n: (
            f'#[cfg(all(target_arch = "nvptx64", not(any(feature = "f{n}", feature = "g{n // 2}"))))]\n'
            f'#[cfg_attr(feature = "h{n}", target_feature(enable = "sm_{n % 99}"), inline)]\n'
            f"unsafe fn f{n}(mut x: u32) {{\n"
            f'    if cfg!(feature = "f{n}") {{ asm!("ad.s32 {{0}}, {{0}}, {n};", inout(reg32) x); }}\n'
            f'    #[cfg(not(feature = "f{n}"))] asm!("add.s32 {{x}}, {{y}}, q{n};", x = out(reg32) x, '
            f"#[cfg(g)] y = in(reg32) {n});\n}}\n"
        ),
        size,
    ),
    "comments of documentation that hold statements": lambda size: repeat(
        turns(
            '/// Adds. ```asm!("ad.s32 {0}, $n;", in(reg32) x)``` it\'s "open\n',
            '#[doc = r#"asm!("x$n;")"#] #[doc = "``` asm!(\\"y$n;\\" "] //! asm!("z$n;")\n',
            '/** asm!("a$n;") /* asm!("b$n" */ \' " **/\n',
            'fn f$n(x: u32) { unsafe { asm!("add.s32 {0}, {0}, $n;", inout(reg32) x => _) } }\n',
            '#![doc = include_str!("f$n.md")] /*! asm!( */ /// }}} asm!("c$n;"\n',
            'unsafe fn g$n(x: u32) { asm!(/** doc */ "ad.s32 {0}, q$n;", /// doc\n in(reg32) x); }\n',
        ),
        size,
    ),
}
LLVM: dict[str, Generator] = {
    "statements that may branch to many labels": lambda size: (
        'target triple = "nvptx64"\ndefine void @f(i32 %x) {\n'
        + repeat(
            lambda n: (
                f"b{n}:\n  %v{n} = phi i32 [ %x, %b{max(n - 1, 0)} ], [ %v{n // 2}, %b{n // 2} ]\n"
                f'  callbr void asm sideeffect "{{ .reg .pred p; @p bra ${{1:l}}; @!p bra ${{2:l}}; ad.s32 q{n}; }}",'
                f' "r,!i,!i"(i32 %v{n}) to label %b{n + 1} [label %b{n // 2}, label %b{n // 3}]\n'
            ),
            size,
        )
        + "}\n"
    ),
    "one program in lines of assembly of the module": lambda size: (
        'module asm ".version 8.0"\nmodule asm ".target sm_90"\nmodule asm ".entry k() {"\n'
        + repeat(lambda n: f'module asm "\\09ad{n}.s32 %r{n % 9}, q{n}, \\22{n};"\n', size)
        + 'module asm "}"\n'
    ),
    "constants that hold whole programs": lambda size: 'target triple = "x86_64"\n' + repeat(constant, size),
}
MLIR: dict[str, Generator] = {
    "objects that hold whole programs": lambda size: repeat(
        lambda n: (
            f'gpu.binary @b{n} [#gpu.object<#nvvm.target<O = {n % 4}, chip = "sm_{n % 99}", features = "+ptx80">, '
            f'properties = {{x = {n} : i32}}, assembly = "{escaped(n)}ad{n}.s32 q{n};\\0A">]\n'
            f'gpu.module @m{n} [#nvvm.target] {{ nvvm.inline_ptx "ad{n}.s32 x, 1;" }}\n'
        ),
        size,
    ),
}
MOJO: dict[str, Generator] = {
    "calls in the arguments of calls, with parameters": nest(
        "from sys import inlined_assembly\nfn f(a: Int32):\n    x = (",
        lambda n: (
            f'inlined_assembly["ad{n}.s32 $0, $1, q{n};", Int32, constraints="=r,r,~{{memory}}", '
            "has_side_effect=True](\n"
        ),
        "a",
        lambda n: f", Int32({n}))\n",
        ")\n",
    ),
}
HOSTS = named(
    asm=("cuda-cpp", CPP),
    triton=("python", PYTHON),
    cupy=("python", CUPY),
    rust=("rust", RUST),
    llvm=("llvm", LLVM),
    mlir=("mlir", MLIR),
    mojo=("mojo", MOJO),
)
"""All sources, with their language."""
