"""Where ptxas is stricter or looser with matrix instructions than their pages say: types, vectors and their elements.

All of this is measured (``python -m benchmarks.certification mma wmma.mma``). Names are those of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import Gate

SCALE_TYPES = frozenset({".ue8m0", ".ue4m3"})
"""The types of scale factors; what stands before them is still at the end of the others."""

SUB_BYTES = frozenset({".b1", ".b2", ".s2", ".u2", ".s4", ".u4"})

_TAKEN_FOR = {
    ".bf16": frozenset({".f16"}),
    ".bf16x2": frozenset({".f32", ".s32"}),
    ".tf32": frozenset({".f32", ".s32"}),
}
"""The types of matrices that pass for others of their size, so that the last of those is one too many."""

_LOOSE_FLOATS = Gate.parse("ptxas until 13.1")
"""Which ptxas takes types below a byte for small floats."""

_LOOSER_FLOATS = (Gate.parse("sm_120 ptxas until 13.1"), Gate.parse("sm_89 until sm_100 ptxas until 13.1"))
"""Where it takes them before all types but the first, not before the last one only."""


def is_taken_for(word: str, behind: Sequence[str], opcode: Collection[str], allows: Callable[[Gate], bool]) -> bool:
    """Whether ptxas takes a foreign type among those of a matrix instruction for one of the types ``behind`` it."""
    if _TAKEN_FOR.get(word, frozenset()).issuperset(behind):
        return True
    if not {".e4m3", ".e5m2", ".e2m3", ".e3m2", ".e2m1"}.intersection(opcode) or ".block_scale" in opcode:
        return False
    if ".e2m1" in opcode:
        return allows(_LOOSE_FLOATS)
    any_but_first = ".kind::f8f6f4" not in opcode and ".sp::ordered_metadata" in opcode and ".f16" in behind
    limit = 3 if any_but_first or any(map(allows, _LOOSER_FLOATS)) else 1
    return word in SUB_BYTES and len(behind) <= limit and allows(_LOOSE_FLOATS)


def not_ignored(opcode: tuple[str, ...], operands: tuple[ActualOperand, ...]) -> frozenset[str]:
    """Which words of an opcode ptxas does not ignore: a second kind, a length that some vector does not have."""
    lengths = {f".v{len(operand.parts)}" for operand in operands if operand.kind == "vector"}
    words = {word for word in opcode if word in (".v2", ".v4", ".v8") and lengths != {word}}
    kinds = [word for word in opcode if word.startswith(".kind::")]
    return frozenset(words.union(kinds if len(kinds) > 1 else ()))


def takes_bare_a(page: str, opcode: Collection[str | None]) -> bool:
    """Whether ptxas takes any 32 bits for the two registers of ``a``."""
    return page == "mma.sp" and ".sp::ordered_metadata" in opcode and not {".u8", ".s8"}.isdisjoint(opcode)
