"""Operands: of wrong types or number, vectors, and special registers."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, cycle, kernel_of, turns

STATEMENTS: dict[str, Piece] = {
    "wrong types of results": lambda n: f"add.f64 %r{n % 9}, %f{n % 9}, %rd{n % 9};\n",
    "one operand too many": lambda n: f"mul.lo.s32 %r1, %r2, %r3, {n};\n",
    "an operand left out": lambda n: f"mul.lo.s32 %r{n % 9}, %r2;\n",
    "vectors that are too long": lambda n: "ld.global.v2.u32 {%r1, %r2, %r3, %r4, %r5}, [%rd1];\n",
    "vectors of vectors": lambda n: f"mov.b64 %rd1, {{{{%r1, %r2}}, {{%r3, {n}}}}};\n",
    "unknown special registers": lambda n: f"mov.u32 %r1, %tid{n}.x; mov.u32 %r2, %envreg{n};\n",
    "braces in wrong places": lambda n: f"mov.b64 {{%r1 {'}{'[n % 2]} %r2}}, %rd{n % 9};\n",
    "packed and unpacked vectors": lambda n: (
        f"mov.b64 {{%r{n % 8}, %r1}}, %rd{n % 8}; mov.b64 %rd1, {{%r2, %r{n % 9}}};\n"
    ),
    "vectors with underscores": lambda n: f"ld.global.v4.u32 {{_, %r{n % 9}, _, _}}, [%rd1+{n}];\n",
    "special registers by component": lambda n: (
        f"mov.u32 %r{n % 8}, %{('tid', 'ctaid', 'ntid')[n % 3]}.{'xyzwr'[n % 5]};\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "vectors of registers, and their parts": kernel_of(
        cycle(
            "\t.reg .v4 .f32 v#; mov.v4.f32 v#, {%f1, %f2, %f3, _};\n",
            "\tmov.f32 %f1, v@.x; add.f32 v@.w, v@.r, v@.a;\n",
            "\tmov.b64 {%r1, %r2}, %d#; mov.b64 %d3, {%r4, %r#};\n",
            "\tst.global.v2.b64 [%d1+#], {%d2, _};\n",
        )
    ),
    "one vector as long as the file": kernel_of(lambda n: f"%r{n % 99}, {{%r1, ", "\tmov.b64 %d1, {", "%r2};\n"),
    "statements that break many rules each": kernel_of(
        turns(
            '@!%d$n add.s32.f64.sat.rn.ftz {%f1, undeclared$n}, [%p1+"x"], 0f$n, -%q, $n:, %r1.x;\n',
            "$L$m$n: @%p1 @%r$n ld.global.shared.v3.acquire.weak.u31 {%h$n, %p1, {%f1}}, [%f1+%d1-$n], $n.5e, _;\n",
            '.reg .b33 %r<$n> .align 3, x$n[2] = { 0x, "$n }; .shared .v4 .pred s$n[-$n]; mov.b32.u32 s$n, %tid$n.w;\n',
            "call.uni.sync ((%p$n), _), g$n+4, {%f1; $n}, %r1, P$n; bra.uni %d1, L$n, [$n]; ret.uni %r$n;\n",
            "bar.sync.aligned.cta $n, %f$n, {$n}, @%p1; cvt.rzi.rn.sat.f16.s$n.b128 %p1|%q$n, !$n, ~%f1; .loc x $n;\n",
            "wgmma.mma_async.m$nn8k16.f33 {%r$n..%r9}, %h1, 0b12, $n; .maxntid $n, -1; @%p$n.x .pragma $n; ]) >;\n",
        )
    ),
}
