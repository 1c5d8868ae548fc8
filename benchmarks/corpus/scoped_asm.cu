// Inline assembly as people write it: blocks with registers and labels of their own, nested, shadowing, with comments and odd spacing.
// Makes nvcc emit: nested scopes, local labels, registers without %, guards, predicates in pairs, several statements on a line.
// targets: sm_75 sm_80 sm_90a sm_100a

// A predicate of its own in every use, so the block may be inlined many times.
__device__ __forceinline__ bool is_odd(unsigned x) {
    unsigned answer;
    asm("{\n"
        "    .reg .pred p;\n"
        "    .reg .b32 low;\n"
        "    and.b32 low, %1, 1;  // the lowest bit\n"
        "    setp.ne.u32 p, low, 0;\n"
        "    selp.u32 %0, 1, 0, p;\n"
        "}" : "=r"(answer) : "r"(x));
    return answer;
}

__global__ void many_blocks(unsigned *v) {
    v[0] = is_odd(v[1]) + is_odd(v[2]) * 2 + is_odd(v[3]) * 4 + is_odd(v[4]) * 8;
}

// A scope in a scope: the inner p hides the outer one.
__global__ void nested(unsigned *v) {
    asm volatile("{\n\t"
                 ".reg .pred p, q;\n\t"
                 ".reg .u32 t<4>;\n\t"
                 "mov.u32 t0, %0; mov.u32 t1, 0; /* two statements on a line */\n\t"
                 "setp.gt.u32 p|q, t0, 7;\n\t"
                 "{\n\t"
                 "  .reg .pred p;\n\t"
                 "  setp.eq.and.u32 p, t0, t1, !q;\n\t"
                 "  @p   add.u32 t1, t1, 1;\n\t"
                 "  @!p  add.u32\tt1 , t1 ,\n\t\t\t2;\n\t"
                 "  {\n\t    .reg .u32 t2 ;\n\t    shl.b32 t2, t1, 3;\n\t    xor.b32 t1, t2, t0;\n\t  }\n\t"
                 "}\n\t"
                 "@p mov.u32 t1, 9;\n\t"
                 "@q st.global.u32 [%1], t1;\n\t"
                 "st.global.u32 [%1+4], t3;\n\t"
                 "}" ::"r"(v[0]), "l"(v + 1) : "memory");
}

// Loops with labels that are local to their block.
__device__ __forceinline__ unsigned steps_of_collatz(unsigned x) {
    unsigned steps;
    asm volatile("{\n"
                 "    .reg .pred one, odd;\n"
                 "    .reg .u32 x, half;\n"
                 "    mov.u32 x, %1;\n"
                 "    mov.u32 %0, 0;\n"
                 "AGAIN:\n"
                 "    setp.le.u32 one, x, 1;\n"
                 "    @one bra DONE;\n"
                 "    add.u32 %0, %0, 1;\n"
                 "    and.b32 half, x, 1;\n"
                 "    setp.eq.u32 odd, half, 1;\n"
                 "    @odd mad.lo.u32 x, x, 3, 1;\n"
                 "    @!odd shr.u32 x, x, 1;\n"
                 "    bra.uni AGAIN;\n"
                 "DONE:\n"
                 "}" : "=r"(steps) : "r"(x));
    return steps;
}

__global__ void loops(unsigned *v) {
    v[0] = steps_of_collatz(v[1]);
    v[2] = steps_of_collatz(v[3]) + steps_of_collatz(v[4]);
}

// Every way to write an immediate, and packing of vectors.
__global__ void literals(unsigned long long *v, float *f, double *d) {
    asm volatile("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; xor.b32 lo, lo, 0xdeadbeef; mov.b64 %0, {hi, lo}; }" : "=l"(v[0]) : "l"(v[1]));
    asm volatile("{ .reg .b16 a, b, c, d; mov.b64 {a, b, c, d}, %1; mov.b64 %0, {d, c, b, a}; }" : "=l"(v[2]) : "l"(v[3]));
    asm volatile("add.f32 %0, %1, 0f3F800000;" : "=f"(f[0]) : "f"(f[1]));
    asm volatile("mul.rn.f32 %0, %1, 1.5e3;" : "=f"(f[2]) : "f"(f[3]));
    asm volatile("fma.rn.f64 %0, %1, 0d3FF0000000000000, -2.25;" : "=d"(d[0]) : "d"(d[1]));
    asm volatile("add.u64 %0, %1, 0b1011;" : "=l"(v[4]) : "l"(v[5]));
    asm volatile("add.s64 %0, %1, 0777;" : "=l"(v[6]) : "l"(v[7]));
    asm volatile("and.b64 %0, %1, 0xFFFFFFFF00000000U;" : "=l"(v[8]) : "l"(v[9]));
    asm volatile("add.u64 %0, %1, (1 << 12) + 3 * -(7 - 9);" : "=l"(v[10]) : "l"(v[11]));
    asm volatile("{ .reg .f32 inf; mov.f32 inf, 0F7f800000; min.f32 %0, %1, inf; }" : "=f"(f[4]) : "f"(f[5]));
}

// Variables declared in a block, addresses in all forms.
__global__ void local_variables(unsigned *v) {
    asm volatile("{\n"
                 "    .shared .align 8 .b8 cells[256];\n"
                 "    .local .v4 .u32 quad;\n"
                 "    .reg .u32 a, b, c, d;\n"
                 "    .reg .u64 place;\n"
                 "    mov.u32 a, cells;\n"
                 "    st.shared.u32 [cells + 16], %0;\n"
                 "    ld.shared.v2.u32 {b, c}, [a+16];\n"
                 "    st.local.v4.u32 [quad], {a, b, c, 5};\n"
                 "    ld.local.u32 d, [quad+4];\n"
                 "    cvta.local.u64 place, quad;\n"
                 "    ld.u32 a, [place+8];\n"
                 "    add.u32 d, d, a;\n"
                 "    st.global.u32 [%1+-4], d;\n"
                 "}" ::"r"(v[0]), "l"(v + 2) : "memory");
}
