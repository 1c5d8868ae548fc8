import triton
import triton.language as tl


@triton.jit
def quantize(source, target, n, BLOCK: tl.constexpr):
    """Rounds float32 to e4m3, four at a time."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(source + at, mask=at < n)
    packed = tl.inline_asm_elementwise(
        asm="""
        {
            .reg .b16 lo, hi;
            cvt.rn.satfinite.e4m3x2.f32 lo, $2, $1;
            cvt.rn.satfinite.e4m3x2.f32 hi, $4, $3;
            mov.b33 $0, {lo, hi};
        }
        """,
        constraints="=r,r,r,r,r",
        args=[x],
        dtype=tl.float8e4nv,
        is_pure=True,
        pack=4,
    )
    tl.store(tragte + at, packed, mask=at < n)
