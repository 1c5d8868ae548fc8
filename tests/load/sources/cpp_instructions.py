"""CUDA C++ whose ``asm`` statements have wrong instructions, or very many right ones."""

from __future__ import annotations

from ..texts.shapes import Generator, between, repeated, turns
from .shapes import function_of, in_language, many, one_template

CPP: dict[str, Generator] = {
    "cpp: undeclared names in statements": between(
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
    "cpp: bare names": between(
        '__global__ void f() { asm("', lambda n: f"add.s32 %laneid, {n}; ", '" : : "r"(x)); }\n'
    ),
    "cpp: right statements": between(
        "",
        lambda n: (
            f'__device__ int f{n}(int a) {{ int b; asm("add.s32 %0, %1, {n};" : "=r"(b) : "r"(a)); return b; }}\n'
        ),
    ),
    "asm: syntax errors": many("add.s32 %0 %1, #;", "add.s32 %0,, #;", "add..s32 %0, %1, #;", "mov.b32 %0, [#;"),
    "asm: unknown instructions": many("ad#.s32 %0, %1, 1;", "frob.x#.u32 %0, %1;"),
    "asm: unknown qualifiers": many("add.s#.rm %0, %1, 1;", "ld.globl.x#.u32 %0, [%1];", "cvt.rzi.s32.q# %0, %1;"),
    "asm: operands of wrong types": many(
        "add.f64 %0, %1, #;", "mul.wide.s32 %0, %1, #;", "setp.lt.s32 %0, %1, #;", "ld.global.u32 %0, [%1+#];"
    ),
    "asm: too few and too many operands": many("add.s32 %0, #;", "mad.lo.s32 %0, %1, #;", "mov.b32 %0, %1, #, #, #;"),
    "asm: undeclared registers": many("add.s32 %0, undeclared#, x#;", "mov.b32 %0, %%r#;", "@p# bra L#;"),
    "asm: statements without operands": many("add.s32 x#, y, 1;", "ret; exit; bar.sync #;", operands=""),
    "asm: no semicolons": many("add.s32 %0, %1, #", "mov.b32 %0, #\\n\\tadd.s32 %0, %1, 2"),
    "asm: only marks": many(";;#;", ":#:", "%", "{}", ",#", "@", "[#]", "|#"),
    "asm: nothing in the template": many("", " ", "/* # */", "// #", "\\n\\t"),
    "asm: the same wrong statement": many("ad.s32 %0, undeclared, %7;"),
    "asm: the same wrong statement for other operands": function_of(
        lambda n: f'  asm volatile("ad.s32 %0, undeclared, %7;" : "=r"(x[{n}]) : "r"(y{n}));\n'
    ),
    "asm: numbers out of range": many("bar.sync #;", "shl.b32 %0, %1, 99999999999#;", "lop3.b32 %0, %1, %1, %1, 30#;"),
    "asm: instructions of other targets": many(
        "wgmma.fence.sync.aligned; tcgen05.alloc.cta_group::1.b32 [%1], #;",
        "tcgen05.wait::ld.sync.aligned; setmaxnreg.inc.sync.aligned.u32 #;",
    ),
    "asm: functions with one statement": lambda size: repeated(
        size,
        lambda n: (
            f"template <int N{n}> __device__ inline int f{n}(int a, int b) {{\n"
            f'  int r;\n  asm("addd.s32 %0, %1, {n};" : "=r"(r) : "r"(a));\n  return r;\n}}\n'
        ),
    ),
    "asm: matrix instructions with wrong operands": many(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%0,%0,%0}, {%1,%1,%1,x#}, {%1,%1}, {%0,%0,%0};",
        "mma.sync.aligned.m16n8k#.row.col.f32.bf16.bf16.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1}, {%0,%0,%0,%0};",
    ),
    "asm: a long template of wrong instructions": one_template(lambda n: f'"ad{n}.s32 %0, %1, q{n};\\n\\t"\n'),
    "asm: a long template of syntax errors": one_template(lambda n: f'"add.s32 %0 %1, {n};\\n\\t"\n'),
    "asm: a long template of right instructions": one_template(lambda n: f'"add.s32 %0, %1, {n};\\n\\t"\n'),
    "asm: assembly of the host's processor between kernels": lambda size: repeated(
        size,
        turns(
            'static long h$n(long x) { asm volatile("movq %%rax, %0\\n\\tcpuid\\n\\tleaq $n(%%rdi)" : "=m"(x), "+a"(x)'
            ' : "Ni"($n) : "rbx", "%rcx", "cc"); return x; }\n',
            '__global__ void k$n(int a) { asm volatile("ad.s32 %0, %0, $n;" : "+r"(a)); }\n',
            "int m$n() { __asm { mov eax, $n ; comment 'x\n lock xadd [ebx], eax } __asm int 3 }\n",
            'void n$n() { __asm__("vaddps %%zmm0, %%zmm$n, %%zmm2{%%k1}{z}; .p2align 4; 1: jmp 1" ::: "xmm$n"); }\n',
            '__device__ void o$n(int a) {\n#ifdef __CUDA_ARCH__\n  asm("mov.u32 %0, %%tid$n;" : "=r"(a));\n#else\n'
            '  asm("mrs %0, cntvct_el0; ldp x29, x30, [sp], #$n" : "=r"(a));\n#endif\n}\n',
        ),
    ),
    "asm: copies, commits and waits, a statement for each, in nested loops": function_of(
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
HOSTS = in_language("cuda-cpp", CPP)
