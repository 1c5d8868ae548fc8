"""Where ptxas is stricter or looser with matrix instructions than their pages say: types, vectors and their elements.

All of this is measured (``python -m benchmarks.certification mma wmma.mma``). Names are those of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache

from ptx_lsp.isa.gate import Gate
from ptx_lsp.isa.operand import Written

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


def is_taken_for(word: str, behind: Sequence[str], opcode: Collection[str], allows: Callable[[Gate], bool]) -> bool:
    """Whether ptxas takes a foreign type among those of a matrix instruction for one of the types ``behind`` it."""
    if _TAKEN_FOR.get(word, frozenset()).issuperset(behind):
        return True
    if not {".e4m3", ".e5m2", ".e2m3", ".e3m2", ".e2m1"}.intersection(opcode) or ".block_scale" in opcode:
        return False
    if ".e2m1" in opcode:
        return allows(_LOOSE_FLOATS)
    any_but_first = ".kind::f8f6f4" not in opcode and ".sp::ordered_metadata" in opcode and ".f16" in behind
    limit = 3 if any_but_first or {".e2m3", ".e3m2"}.intersection(opcode) else 1
    return word in SUB_BYTES and len(behind) <= limit and allows(_LOOSE_FLOATS)


_REFUSED_ELEMENTS = tuple(
    (page, operands.split(), [one.split("+") for one in when.split()], Gate.parse(gate), frozenset(refused.split()))
    for page, operands, when, gate, refused in (
        ("wmma.load.a", "r", ".", "", ".pred special"),
        ("wmma.store.d", "r", ".f16 .f32 .s32 .u32", "", ".pred special double"),
        ("wmma.mma", "c", ".m8n8k32 .m8n8k128", "sm_90", ".pred special"),
        ("wmma.mma", "a b", ".m8n8k32 .m8n8k128", "", "special"),
        ("wmma.mma", "a b", ".m8n8k32", "sm_75 until sm_90", "integer"),
        ("wmma.mma", "a b", ".m8n8k128", "", "integer"),
        ("wmma.mma", "b", ".tf32", "", ".pred .u32 .s32 .f32 .f16x2 integer float"),
        ("wmma.mma", "d", ".tf32", "", "sink"),
        ("wmma.mma", "b", ".m16n16k16+.s32", "sm_80", "integer double"),
        ("wmma.mma", "a", ".m8n32k16+.s32", "sm_80", "integer"),
        ("wmma.mma", "b", ".m32n8k16+.s32", "sm_80", "integer"),
        ("wmma.mma", "d", ".f16.f32", "sm_80", ".pred special"),
        ("wmma.mma", "c", ".f32.f16", "sm_80", ".pred special double"),
        ("mma", "a b c", ".m8n8k4+.f16", "sm_80", ".pred special"),
        ("mma", "a b c", ".u4 .s4 .b1", "sm_90", ".pred special"),
        ("mma", "a b", "#1+.u4 #1+.s4 #1+.b1", "", "integer"),
        ("mma", "a", "#1+.m8n8k16", "", ".pred .f32 .f16x2 integer float"),
        ("mma", "b", "#1+.u8 #1+.s8", "", "integer"),
        ("mma", "b", "#1+.f16.f16", "", ".pred integer float"),
        ("mma", "b", "#1+.bf16 #1+.tf32", "", ".pred .f16x2 integer float"),
        ("mma", "a b", "#1", "", "not"),
        ("mma", "d", ".m16n8+.f64", "sm_100", "sink"),
        ("mma", "a b", ".e4m3 .e5m2", "sm_90 until sm_120", ".pred double"),
        ("mma", "b", "#1+.e4m3 #1+.e5m2", "", "integer"),
        ("mma", "c", ".e4m3+.f16 .e5m2+.f16", "sm_90 until sm_120", ".pred .u32 .s32 .f32 integer float special"),
        ("mma", "d", ".e4m3+.f16 .e5m2+.f16", "sm_90 until sm_120", ".pred .u32 .s32 .f32 special sink"),
        ("mma", "c", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred .u32 .s32 .f16x2 integer special"),
        ("mma", "d", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred .u32 .s32 .f16x2 special sink"),
        ("mma.sp", "a", ".sp.sync+.f16.f16 .sp.sync+.u8 .sp.sync+.s8", "sm_100", ".pred special"),
        ("mma.sp", "a b c", ".u4 .s4", "sm_90", ".pred special"),
        ("mma.sp", "e", ".sp.sync+.f16.f16 .sp.sync+.u8 .sp.sync+.s8", "sm_100", ".pred vector"),
        ("mma.sp", "e", ".u4 .s4", "sm_90", ".pred vector"),
        ("mma.sp", "a b", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred double"),
        ("mma.sp", "c", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred .u32 .s32 .f16x2 integer special"),
        ("mma.sp", "d", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred .u32 .s32 .f16x2 special sink"),
        ("mma.sp", "e", ".e4m3+.f32 .e5m2+.f32", "sm_90 until sm_120", ".pred .f32 float vector"),
    )
)
"""What ptxas refuses as an operand or element: page, operands, parts of the opcode, targets, and kinds or
types.

``#1`` stands for a vector of one element.

These are instructions that ptxas writes out as others, whose operands it then checks.
"""


def not_ignored(opcode: tuple[str, ...], operands: tuple[Written, ...]) -> frozenset[str]:
    """Which words of an opcode ptxas does not ignore: a second kind, a length that some vector does not have."""
    lengths = {f".v{len(operand.parts)}" for operand in operands if operand.kind == "vector"}
    words = {word for word in opcode if word in (".v2", ".v4", ".v8") and lengths != {word}}
    kinds = [word for word in opcode if word.startswith(".kind::")]
    return frozenset(words.union(kinds if len(kinds) > 1 else ()))


def refused_elements(page: str, operand: str, opcode: str, allows: Callable[[Gate], bool]) -> frozenset[str]:
    """Kinds of operands and types of registers that ptxas refuses, alone or as elements of a vector."""
    found = [refused for gate, refused in _refused(page, operand, opcode) if allows(gate)]
    return frozenset().union(*found)


@cache
def _refused(page: str, operand: str, opcode: str) -> tuple[tuple[Gate, frozenset[str]], ...]:
    if any(word in opcode for word in (".block_scale", ".e2m1", ".e2m3", ".e3m2")):
        return ()
    return tuple(
        (gate, refused)
        for name, operands, when, gate, refused in _REFUSED_ELEMENTS
        if name == page and operand in operands and any(all(part in opcode for part in parts) for parts in when)
    )


def takes_bare_a(page: str, opcode: str) -> bool:
    """Whether ptxas takes any 32 bits for the two registers of ``a``."""
    return page == "mma.sp" and ".sp::ordered_metadata" in opcode and (".u8" in opcode or ".s8" in opcode)
