"""Where ptxas is stricter or looser with the operands of an instruction than its page says.

Nobody should write such things, so no page promises them; but what ptxas takes is never an error here. All of this is
measured (``python -m benchmarks.certification``). Names are those of instructions (``wmma``) or of pages, which are
their first names (``tcgen05.cp``).
"""

from __future__ import annotations

from ptx_lsp.isa.model.gate import OPEN, Gate, Releases
from ptx_lsp.isa.model.version import Version

STRICT_VECTORS = frozenset({"wgmma", "tcgen05", "spcompress", "spdecompress"})
"""The instructions whose vectors hold nothing but registers of one type and, beside them, integer constants."""

CLASSED_VECTORS = STRICT_VECTORS | {"mma", "wmma"}
"""The instructions whose vectors of floats take no integer registers."""

BY_NAME_ONLY = Version(9, 1)
"""From here on ``.param::func`` is reached by name only; ptxas of CUDA 13.0 and before took registers too."""

NO_REFERENCES = frozenset(
    {
        "wmma",
        "createpolicy",
        "ld",
        "st",
        "ldu",
        "tcgen05.commit",
        "fabric.try_get.async",
        "fabric.try_put.async",
        "fabric.try_red.async",
        "fabric.try_pullred.async",
    }
)
"""The instructions, or pages, that ptxas refuses the name of a texture or surface as an address."""

NO_SHORT_ADDRESSES = frozenset({"cp.async.mbarrier.arrive", "stmatrix", "ldmatrix", "st.bulk"})
"""The instructions, or pages, that ptxas refuses a register of 8 or 16 bits as a generic address."""

NEVER_SHORT_ADDRESSES = frozenset(
    {
        "createpolicy.range",
        "multimem.red",
        "multimem.red.async",
        "multimem.st.async",
        "red.async",
        "st.async",
        "tcgen05",
        "tensormap.replace",
        "wmma",
        "fabric.try_get.async",
        "fabric.try_put.async",
        "fabric.try_red.async",
    }
)
"""The instructions, or pages, that ptxas refuses a register of 8 or 16 bits as an address of any state space."""

SHORT_CONSTANTS = frozenset({"bar", "barrier", "alloca", "setmaxnreg", "cp.async.bulk", "fence"})
"""The instructions, or pages, of which some ptxas compares no more than 32 bits of a constant with its limits."""

WHOLE_SPECIALS = frozenset({"mov"})
"""The pages that read special registers with all their bits, unless these can be read with fewer."""

LONG_ADDRESSES = frozenset({"multimem.red"})
"""The pages that ptxas refuses a register of less than 64 bits as an address."""

ONLY_SHARED = frozenset({"mbarrier"})
"""The instructions, or pages, whose generic addresses ptxas refuses the name of a variable outside shared memory."""

NO_SPECIAL_ADDRESSES = frozenset(
    {
        "mbarrier.init",
        "mbarrier.inval",
        "mbarrier.arrive",
        "mbarrier.arrive_drop",
        "mbarrier.expect_tx",
        "mbarrier.complete_tx",
        "mbarrier.test_wait",
        "mbarrier.try_wait",
        "multimem.red",
        "multimem.red.async",
        "multimem.st.async",
    }
)
"""The instructions, or pages, that ptxas refuses a special register as an address."""

FUNCTION_ADDRESSES = frozenset({"tcgen05.cp", "tcgen05.shift"})
"""The pages whose address ptxas lets be the name of a function."""

FUNCTIONS_LISTED = frozenset({"mov"})
"""The pages that list the name of a function as an operand; all others take it for any value, and no page says so."""

SHORT_VALUES = frozenset({"gAddr"})
"""The operands for which ptxas takes integer registers of 8 and 16 bits, where nothing but a tensor-map is read."""

UNCHECKED_ADDRESSES = frozenset({"fence", "tensorMap"})
"""The instructions, and operands, of which ptxas takes any register as an address, and what is no address at all."""

UNCHECKED = frozenset(
    {
        "mma",
        "wgmma",
        "movmatrix",
        "stmatrix",
        "atom",
        "mbarrier.arrive",
        "mbarrier.arrive_drop",
    }
)
"""The instructions with 32-bit operands that ptxas hands on unchecked: predicates and short vectors pass."""

FLOAT_SINGLES = frozenset(
    {
        "spcompress",
        "spdecompress",
        "cp.async.bulk.tensor",
        "cp.reduce.async.bulk.tensor",
        "cp.async.bulk.prefetch.tensor",
    }
)
"""The pages of which ptxas takes a floating-point constant as the one element of a vector."""

SPECIAL_ELEMENTS = frozenset({"tcgen05.mma", "tcgen05.mma.sp"})
"""Of those with strict vectors the pages that take special registers in them."""

FLOATS_PASS = frozenset({"mma", "wgmma", "movmatrix", "stmatrix", "atom"})
"""Those of them that take floating-point constants too; ``mma`` takes such for 16 bits as well."""

LOOSE_SINGLES = frozenset(
    {
        "ldmatrix",
        "stmatrix",
        "mma",
        "cp.async.bulk.tensor",
        "cp.reduce.async.bulk.tensor",
        "cp.async.bulk.prefetch.tensor",
    }
)
"""The instructions of which ptxas takes any 32-bit register, and predicates, as the one element of a vector."""

NO_FUNCTIONS = CLASSED_VECTORS | {"cp", "cvt"}
"""The instructions whose vectors take no name of a function."""

CONSTANT_RESULTS = {
    **dict.fromkeys(("vadd", "vset", "vshl"), Gate.parse("sm_20 until sm_70 ptxas until 13.0")),
    "vmad": Gate.parse("sm_20 until sm_60 ptxas until 13.0"),
}
"""The pages whose result ptxas lets be a constant, and where; all but ``vset`` take the name of a function too."""

CONSTANT_PRODUCTS = Gate.parse("sm_60 until sm_70 ptxas until 13.0")
"""Where ``vmad`` takes such a result only for parts of both factors."""

RAW_HALVES = {
    ".e2m1x2": OPEN,
    ".scaled::n1::ue8m0": OPEN,
    ".ue8m0x2": Gate.parse("ptxas until 13.1"),
}
"""The conversions whose ``.bf16x2`` operand ptxas hands on unchecked: predicates, floats and short vectors pass."""

VECTOR_HALVES = Gate.parse("ptxas until 13.1")
"""Which ptxas takes a vector as the ``.bf16x2`` result of a conversion from ``.f32``."""

NO_SMALL_FUNCTIONS = {
    ".bf16": Gate.parse("ptxas until 13.1"),
    **dict.fromkeys((".e4m3x2", ".e5m2x2", ".e2m1x2", ".e2m3x2", ".e3m2x2", ".ue8m0x2", ".s2f6x2"), OPEN),
}
"""The types of which ``cvt`` does not take the name of a function as source, and in which ptxas."""

UNIFORM_VECTORS = frozenset({"cvt"})
"""The instructions of whose named elements in braces ptxas judges the whole vector."""

BARE_SINGLES = frozenset({"ldmatrix", "stmatrix"})
"""The instructions of which ptxas takes a ``.v1`` without its braces."""

BRACED_SINGLES = frozenset({"ld", "st", "tcgen05.ld", "tcgen05.ld.spcompress"})
"""The instructions of which ptxas takes a single value in braces."""

BARE_TENSORS = frozenset({"cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"})
"""The instructions whose addresses ptxas lets be a register, constant or name alone."""

BARE_BARRIERS = frozenset({"cp.async.bulk", "cp.reduce.async.bulk"})
"""The instructions of which ptxas takes an integer instead of the address of an mbarrier."""

VECTORS_OF_SMALL_FLOATS = frozenset({"add", "mul", "fma"})
"""The pages whose operands of types like ``.e4m3x4`` ptxas takes as vectors too."""

OLD_BF16 = frozenset({".bf16", ".bf16x2"})
OLD_BF16_RELEASES, NEW_BF16_RELEASES = Releases(until=Version(13, 1)), Releases(Version(13, 1))
"""Before CUDA 13.1 one or two registers in braces passed for such a value; since then the name of a function does."""

NO_OLD_BF16 = frozenset({"atom.bf16", "atom.bf16x2", "red.bf16", "red.bf16x2", "ex2.bf16x2", "tanh.bf16x2"})
"""Where they did not."""
