"""Opcodes: their words and qualifiers, wrong, repeated, or of other instructions."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, cycle, kernel_of, long_statements, word

WORDS = "add sub mul mad fma min max and or xor shl shr set setp selp slct cvt ld st atom red mov prmt".split()
SPACES = "global shared local const param".split()
LONG_OPCODES = (
    "cp.async.bulk.tensor.5d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes.multicast::cluster",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32",
    "tcgen05.mma.sp.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X.collector::a::lastuse",
    "wgmma.mma_async.sp.sync.aligned.m64n256k64.s32.satfinite.u8.s8",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3",
    "red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster.inc.u32",
    "ld.relaxed.sys.global.L1::evict_last.L2::cache_hint.L2::256B.v8.b32",
    "multimem.ld_reduce.acquire.sys.global.add.acc::f32.v4.bf16x2",
    "tcgen05.ld.red.sync.aligned.16x32bx2.x128.min.abs.NaN.pack::16b.f32",
    "barrier.cluster.arrive.release.aligned.popc.red.and.pred",
    "fence.proxy.tensormap::generic.acquire.sync_restrict::shared::cluster.cta",
)


def opcode(mnemonic: str, qualifiers: str, operands: str) -> Generator:
    """A kernel of instructions with some qualifiers again and again, in each fewer of them."""

    def piece(number: int, length: int) -> str:
        return f"{mnemonic}{qualifiers * max(1, length // len(qualifiers) + 1 - number)} {operands};"

    return lambda size: long_statements(size, piece)


STATEMENTS: dict[str, Piece] = {
    "qualifiers in a wrong order": lambda n: f"ld.u32.global %r1, [%rd{n % 9}+{4 * n}];\n",
    "misspelt types": lambda n: f"add.s{n} %r1, %r2, %r3;\n",
    "misspelt parts of names": lambda n: f"cp.async.{word(n)}.group 0;\n",
    "opcodes alone on their lines": lambda n: f"bra\n  // {n}\n{word(n)};\n",
    "opcodes with all words of others": lambda n: (
        f"{WORDS[n % 23]}.{WORDS[n // 23 % 23]}.b{8 << n % 5} %r1, %r2, {n};\n"
    ),
    "opcodes that are numbers": lambda n: f"{n}.add.s32 %r1, %r2, {n};\n",
    "opcodes of hundreds of letters": lambda n: f"{'ad' * (n % 200)}d.s32 %r1, %r2, %r3;\n",
    "words that repeat": lambda n: f"add{'.sat' * (n % 30)}.s32 %r1, %r2, %r3;\n",
    "state spaces of others": lambda n: f"ld.{SPACES[n % 5]}.{SPACES[n // 5 % 5]}.b32 %r1, [%rd{n % 8}+{n}];\n",
    "rows of dots and colons": lambda n: (
        f"add{'.' * (n % 50)}s32 %r1, %r2, {n}; ld.shared{'::cta' * (n % 20)}.u32 %r1{':' * (n % 9)}, [%r2];\n"
    ),
    "beginnings of long opcodes with ends of others": lambda n: (
        ".".join(LONG_OPCODES[n % 11].split(".")[: n % 7 + 1] + LONG_OPCODES[n // 11 % 11].split(".")[n % 5 :])
        + f" [%rd{n % 9}], %r1, {n};\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "an instruction with every modifier, each twice": kernel_of(
        lambda n: (
            f"\tld{'.volatile.relaxed.gpu.global.nc.L1::evict_last.L2::128B.v2.b32' * (n % 9 + 1)}"
            f" {{%r1, %r2}}, [%d1+{n}], %d2;\n"
        )
    ),
    "one instruction with modifiers as long as the file": kernel_of(
        cycle(".s32", ".sat", ".x#"), "\tadd", " %r1, %r2, %r3;\n"
    ),
    "one opcode of one qualifier again and again": lambda size: long_statements(
        size, lambda number, length: f"add{'.sat' * max(1, length // 4 + 1 - number)}.s32 %r1, %r2, %r3;"
    ),
    "one opcode of qualifiers that conflict": opcode(
        "ld", ".global.nc.L1::no_allocate.v4.u32.relaxed.gpu", "%r1, [%rd1]"
    ),
    "one opcode of parts of its name": opcode(
        "tcgen05", ".mma.cta_group::1.kind::f16.ws.sp.block_scale", "[%r1], %rd1, %rd2, %r2, %p1"
    ),
    "one opcode of types": opcode("cvt", ".u8.s8.u16.rn.f32.sat", "%r1, %r2"),
}
