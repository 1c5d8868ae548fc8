"""Where ptxas is stricter or looser with the operands of an instruction than its page says.

Nobody should write such things, so no page promises them; but what ptxas takes is never an error here. All of this is
measured (``python -m benchmarks.certification``). Names are those of instructions (``wmma``) or of pages, which are
their first names (``tcgen05.cp``).
"""

from __future__ import annotations

from ptx_lsp.isa.version import Version

STRICT_VECTORS = frozenset({"wgmma", "tcgen05", "spcompress", "spdecompress"})
"""The instructions whose vectors hold nothing but registers of one type and, beside them, integer constants."""

CLASSED_VECTORS = STRICT_VECTORS | {"mma", "wmma"}
"""The instructions whose vectors of floats take no integer registers."""

BY_NAME_ONLY = Version(9, 1)
"""From here on ``.param::func`` is reached by name only; ptxas of CUDA 13.0 and before took registers too."""

NO_REFERENCES = frozenset({
    "wmma", "createpolicy", "ld", "st", "ldu",
    "fabric.try_get.async", "fabric.try_put.async", "fabric.try_red.async", "fabric.try_pullred.async",
})
"""The instructions, or pages, that ptxas refuses the name of a texture or surface as an address."""

NO_SHORT_ADDRESSES = frozenset({"stmatrix", "ldmatrix", "st.bulk"})
"""The instructions, or pages, that ptxas refuses a 16-bit register as a generic address."""

NEVER_SHORT_ADDRESSES = frozenset({
    "createpolicy.range", "multimem.red", "multimem.red.async", "multimem.st.async",
    "red.async", "st.async", "tcgen05", "tensormap.replace", "wmma",
    "fabric.try_get.async", "fabric.try_put.async", "fabric.try_red.async",
})
"""The instructions, or pages, that ptxas refuses a 16-bit register as an address of any state space."""

LONG_ADDRESSES = frozenset({"multimem.red"})
"""The pages that ptxas refuses a register of less than 64 bits as an address."""

ONLY_SHARED = frozenset({"mbarrier"})
"""The instructions, or pages, whose generic addresses ptxas refuses the name of a variable outside shared memory."""

NO_SPECIAL_ADDRESSES = frozenset({"multimem.red", "multimem.red.async", "multimem.st.async"})
"""The instructions, or pages, that ptxas refuses a special register as an address."""

FUNCTION_ADDRESSES = frozenset({"tcgen05.cp", "tcgen05.shift"})
"""The pages whose address ptxas lets be the name of a function."""

UNCHECKED_ADDRESSES = frozenset({"fence", "tensorMap"})
"""The instructions, and operands, of which ptxas takes any register as an address, and what is no address at all."""

UNCHECKED = frozenset({"mma", "wgmma", "movmatrix", "stmatrix", "atom", "mbarrier", "txq", "add", "mul", "fma"})
"""The instructions with 32-bit operands that ptxas hands on unchecked: predicates and short vectors pass."""

FLOATS_PASS = frozenset({"mma", "wgmma", "movmatrix", "stmatrix", "atom"})
"""Those of them that take floating-point constants too; ``mma`` takes such for 16 bits as well."""

LOOSE_SINGLES = frozenset({"ldmatrix", "stmatrix", "mma"})
"""The instructions of which ptxas takes any 32-bit register, and predicates, as the one element of a vector."""

NO_FUNCTIONS = CLASSED_VECTORS | {"cp"}
"""The instructions whose vectors take no name of a function."""

LOOSE_HOLDERS = frozenset({"multimem.st", "multimem.ld_reduce"})
"""The pages whose packed types ptxas takes in any register of their size, and in predicates."""

BARE_SINGLES = frozenset({"ldmatrix", "stmatrix"})
"""The instructions of which ptxas takes a ``.v1`` without its braces."""

BRACED_SINGLES = frozenset({"ld", "st", "tcgen05.ld"})
"""The instructions of which ptxas takes a single value in braces."""

BARE_TENSORS = frozenset({"cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"})
"""The instructions whose addresses ptxas lets be a register, constant or name alone."""

BARE_BARRIERS = frozenset({"cp.async.bulk", "cp.reduce.async.bulk"})
"""The instructions of which ptxas takes an integer instead of the address of an mbarrier."""
