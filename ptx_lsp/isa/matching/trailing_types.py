"""Types at the end of an opcode that ptxas ignores (``trailing = …``), though other types follow them.

All of this is measured (``python -m benchmarks.certification mma wmma.mma``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

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
"""The releases of ptxas that take types below a byte for small floats."""

_LOOSER_FLOATS = (Gate.parse("sm_120 ptxas until 13.1"), Gate.parse("sm_89 until sm_100 ptxas until 13.1"))
"""The targets on which these take them before all types but the first, not before the last one only."""


def is_taken_for(word: str, following: Sequence[str], opcode: Collection[str], allows: Callable[[Gate], bool]) -> bool:
    """Whether ptxas takes a foreign type for one of the types ``following`` it."""
    if _TAKEN_FOR.get(word, frozenset()).issuperset(following):
        return True
    if not {".e4m3", ".e5m2", ".e2m3", ".e3m2", ".e2m1"}.intersection(opcode) or ".block_scale" in opcode:
        return False
    if ".e2m1" in opcode:
        return allows(_LOOSE_FLOATS)
    any_but_first = ".kind::f8f6f4" not in opcode and ".sp::ordered_metadata" in opcode and ".f16" in following
    limit = 3 if any_but_first or any(map(allows, _LOOSER_FLOATS)) else 1
    return word in SUB_BYTES and len(following) <= limit and allows(_LOOSE_FLOATS)
