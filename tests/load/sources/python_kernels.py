"""Python that holds kernels of CUDA C++ in strings, or writes inline assembly for LLVM."""

from __future__ import annotations

from ..texts.shapes import Generator, between, repeated
from .shapes import in_language

PYTHON: dict[str, Generator] = {
    "python: sources of kernels": between(
        "import cupy\n", lambda n: f"x = '''__global__ void f() {{ asm(\"add.s32 {n};\"); }}'''\n"
    ),
    "python: one long source of kernels": between(
        "import cupy\nx = '''", lambda n: f'__global__ void f() {{ asm("add.s32 {n};"); }}\\n', "'''\n"
    ),
    "cupy: kernels in strings": lambda size: (
        "import cupy\n"
        + repeated(
            size,
            lambda n: (
                f"K{n} = cupy.RawKernel(r'''\n__global__ void k(int a) {{\n"
                f'  asm("ad{n}.s32 %0, q, 1;" : "=r"(a));\n}}\n\'\'\', "k")\n'
            ),
        )
    ),
    "cutlass: calls of LLVM": lambda size: (
        "from cutlass._mlir.dialects import llvm\n"
        + repeated(
            size,
            lambda n: (
                f'r = llvm.inline_asm(T.i32(), [a], "ad{n}.s32 $0, $1, q{n};", "=r,r", '
                "has_side_effects=True, is_align_stack=False, asm_dialect=llvm.AsmDialect.AD_ATT)\n"
            ),
        )
    ),
    "cupy: kernels of one element, with their statements in four texts": lambda size: (
        "import cupy\n"
        + repeated(
            size,
            lambda n: (
                f"e{n} = cupy.ElementwiseKernel('int32 x', 'int32 y',\n"
                f"    r'''asm(\"ad{n}.s32 %0, %1, q;\" : \"=r\"(y) : \"r\"(x));''', 'e{n}',\n"
                f'    preamble=\'__device__ void p{n}(int a) {{ asm("mov.b32 %0, {n};" : "=r"(a)); }}\')\n'
                f'r{n} = cupy.ReductionKernel("T x", "T y", "f(x, {n})", "a + b", "y = a", "0", "r{n}", '
                f'options=("-DN={n}", \'-DASM="ret;"\'))\n'
                f'm{n} = cupy.RawModule(code="""__global__ void k() {{ asm(ASM "x{n};"); }}""", options=("-DX={n}",))\n'
            ),
        )
    ),
    "cupy: one source that grows before each module": lambda size: (
        "import cupy\nS0 = ''\n"
        + repeated(
            size,
            lambda n: (
                f"S{n + 1} = S{n} + r'''\n__device__ f{n}(int a) {{ asm(\"ad.s32 %0, q{n}, 1;\" : \"=r\"(a)); }}\n'''\n"
                f"M{n} = cupy.RawModule(code=S{n + 1}, name_expressions=['f{n}'])\n"
            ),
        )
    ),
}
HOSTS = in_language("python", PYTHON)
