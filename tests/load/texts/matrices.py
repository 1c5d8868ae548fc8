"""Matrix instructions: ``mma``, ``wmma``, ``wgmma``, ``ldmatrix``, and their fragments."""

from __future__ import annotations

from functools import partial

from .shapes import SHARED, SM_90A, Generator, Piece, body, kernel_of, under

ACCUMULATORS = ", ".join(f"%w{n}" for n in range(64))
PRODUCT = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;"
MMA_SHAPES = "m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 m8n8k16 m8n8k32 m8n8k128".split()
TYPES = "f16 bf16 tf32 f32 f64 s8 u8 s4 u4 b1 e4m3 e5m2 e2m1 s32".split()


def product(n: int) -> str:
    """A matrix product of a shape and four types, of which few go together."""
    d, a, b, c = (TYPES[n // 11 // step % 14] for step in (1, 14, 3, 5))
    sparse = ("", ".sp", ".sp::ordered_metadata")[n % 3]
    opcode = f"mma{sparse}.sync.aligned.{MMA_SHAPES[n % 11]}.row.col.{d}.{a}.{b}.{c}"
    return f"{opcode} {{%f1, %f2}}, {{%r1}}, {{%r2}}, {{%f3}};\n"


FRAGMENT = ", ".join(f"%f{n}" for n in range(64))
WMMA_SHAPES = ("m16n16k16", "m32n8k16", "m8n32k16")
EIGHT = "{{{0}{1}, {0}{2}, {0}{3}, {0}{4}, {0}{5}, {0}{6}, {0}{7}, {0}{8}}}"


def fragment(n: int) -> str:
    """Fragments of a shape and layout, and a product of another one."""
    first, second = ("row", "col")[n % 2], ("col", "row")[n // 3 % 2]
    place = n % 8 * 8 + 1
    a, b = (EIGHT.format("%r", *range(place + more, place + more + 8)) for more in (0, 4))
    d = EIGHT.format("%f", *range(place, place + 8))
    return (
        f"wmma.load.a.sync.aligned.{first}.{WMMA_SHAPES[n % 3]}.global.f16 {a}, [%d1+{32 * n}], %r98;\n"
        f"wmma.load.b.sync.aligned.{second}.{WMMA_SHAPES[n % 3]}.shared.f16 {b}, [shm], {n % 99};\n"
        f"wmma.mma.sync.aligned.{second}.{first}.{WMMA_SHAPES[n // 2 % 3]}.f32.f32 {d}, {a}, {b}, {d};\n"
        f"wmma.store.d.sync.aligned.{first}.{WMMA_SHAPES[n // 5 % 3]}.global.f32 [%d1+{64 * n}], {d}, 16;\n"
    )


STATEMENTS: dict[str, Piece] = {
    "matrix work without a fence": lambda n: "wgmma.commit_group.sync.aligned; wgmma.fence.sync.aligned;\n",
    "matrix instructions with wrong shapes": lambda n: (
        f"mma.sync.aligned.m{n}n8k16.row.col.f32.f16.f16.f32 {{%f1}}, {{%r1}}, {{%r2}}, {{%f2}};\n"
    ),
    "wide matrix instructions": lambda n: (
        f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f1, %f2, %f3, %f4}}, %rd1, %rd2, {n}, 1, 1, 0, 0;\n"
    ),
    "matrix loads and stores": lambda n: (
        f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r1, %r2, %r3, %r{n % 12}}}, [%r1+{n}];\n"
    ),
    "products of small matrices": lambda n: (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
        f"{{%r1, %r2, %r3, %r4}}, {{%r5, %r{n % 9}}}, {{%f1, %f2, %f3, %f{n % 9}}};\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "wide accumulators, read before the wait": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{ACCUMULATORS}}}, "
                f"%rd{n % 8}, %rd8, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned;\n"
                f"add.f32 %w{n % 64}, %w{n * 7 % 64}, %f1; wgmma.wait_group.sync.aligned {n % 3};\n"
            ),
            size,
            before=".reg .f32 %w<64>;\n",
        ),
    ),
    "products that loops leave before they are awaited": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"P{n}: wgmma.fence.sync.aligned; {PRODUCT} setp.lt.s32 %p{n % 9}, %r1, {n}; @%p{n % 9} bra P{n + 3};\n"
                f"wgmma.commit_group.sync.aligned; @%p{n * 2 % 9} bra P{max(n - 2, 0)}; "
                f"wgmma.wait_group.sync.aligned {n % 2}; add.f32 %f{n % 4}, %f{n % 3}, %f1;\n"
            ),
            size,
        ),
    ),
    "fragments of products, converted and fed to the next ones": partial(
        body,
        lambda n: (
            f"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{%r5, %r6}}, [%r7+{n % 99 * 16}];\n"
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, "
            "{%r5, %r6}, {%f0, %f1, %f2, %f3};\n"
            f"cvt.rn.f16x2.f32 %r{n % 4 + 1}, %f1, %f0; cvt.rn.f16x2.f32 %r{(n + 1) % 4 + 1}, %f3, %f2; "
            f"movmatrix.sync.aligned.m8n8.trans.b16 %r{(n + 2) % 4 + 1}, %r{n % 4 + 1};\n"
        ),
        before=f"{SHARED}mov.u32 %r7, s;\n",
    ),
    "descriptors of tiles, made of their bits": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"add.u32 %r2, %r6, {n * 1024 % 32768}; and.b32 %r2, %r2, 0x3FFFF; shr.u32 %r2, %r2, 4; "
                f"cvt.u64.u32 %rd{n % 2 + 1}, %r2; or.b64 %rd{n % 2 + 1}, %rd{n % 2 + 1}, {n % 64 << 16}; "
                f"bfi.b64 %rd{n % 2 + 1}, %rd3, %rd{n % 2 + 1}, 32, 14; or.b64 %rd{n % 2 + 1}, %rd{n % 2 + 1}, "
                f"{1 << 62};\nwgmma.fence.sync.aligned; {PRODUCT} wgmma.commit_group.sync.aligned; "
                f"wgmma.wait_group.sync.aligned {n % 2};\n"
            ),
            size,
            before=f"{SHARED}mov.b64 %rd1, 0; mov.b64 %rd2, 0; mov.b64 %rd3, 64;\n",
        ),
    ),
    "matrix products of every shape and every type": partial(body, product),
    "vectors of many registers": kernel_of(
        lambda n: (
            f"\twgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{FRAGMENT}}}, %d1, %d{n % 9}, 1, 1, 1, 0, 0;\n"
        )
    ),
    "fragments of matrices, used in another shape and layout": kernel_of(fragment, "ld.param.u64 %d1, [pa];\n"),
}
