"""Type checking of registers: the registers that may stand for a value of a type, as ptxas has it.

Source: PTX ISA, "Operand Type Checking"; measured for all pairs with ptxas.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

BITS: dict[str, int] = {f".{kind}{size}": size for kind in "bus" for size in (8, 16, 32, 64, 128)} | {
    ".f16": 16,
    ".f32": 32,
    ".f64": 64,
    ".f16x2": 32,
    ".pred": 1,
}
"""The sizes of the types that registers have."""

PACKED_INTEGERS = (".u16x2", ".s16x2", ".u8x4", ".s8x4")

INTEGERS_32 = (".b32", ".u32", ".s32")


def fits_type(have: str, want: str, holders: dict[str, str], *, wider: bool = False) -> bool:
    """Whether a register of type ``have`` may stand where a value of type ``want`` is meant.

    Types of one size agree if one of them is untyped or both are integers; a packed type wants the register that it
    lives in. ``wider`` lets larger registers stand (ld, st, cvt).
    """
    holder = holders.get(want)
    if holder is not None:
        if wider and have[1] == "b" and BITS[have] > BITS[holder]:
            return True
        return have in (want, holder) or (have == ".f16x2" and want in PACKED_INTEGERS)
    if have == want:
        return True
    if have == ".pred" or want == ".pred":
        # ptxas takes .f16x2 registers for predicates in logical instructions.
        return have == ".f16x2"
    if have == ".f16x2" and (want in (".f16", ".f32") or want not in INTEGERS_32 and not wider):
        return False
    size, need = BITS.get(have), BITS.get(want)
    if size is None or need is None:
        return False
    if size != need and not (wider and size > need and want != ".b128"):
        return False
    base = "b" if have == ".f16x2" else have[1]
    kind = want[1]
    if kind == "b":
        return True
    if kind in "us":
        return base in "bus"
    return base == "b" or (base == "f" and size == need)


def of_any_size(have: str, want: str, holders: dict[str, str]) -> str:
    """The type that counts of a register with a constant added: ptxas then asks for the class and not for the size.

    >>> of_any_size(".b32", ".u64", {}), of_any_size(".f64", ".f32", {}), of_any_size(".u8", ".f32", {})
    ('.b64', '.f32', '.u32')
    """
    bits = BITS.get(holders.get(want, want))
    if bits is None or have not in BITS or ".pred" in (have, want):
        return have
    if have == ".f16x2":
        return have if want[1] == "f" or want in holders else f".u{bits}"
    kind = "b" if want[1] == "b" and want not in holders else have[1]
    return f".{kind}{bits}"


def common_type(types: set[str]) -> str | None:
    """The type that registers of unlike types form as elements of one vector; None if they cannot, or there are none.

    One size is needed. An untyped one makes all untyped (their order: :func:`unlike_neighbours`), integers may mix,
    integers with floats may not, nor packed halves with either.
    """
    sizes = {BITS.get(name) for name in types}
    if len(sizes) != 1 or None in sizes:
        return None
    size = sizes.pop()
    if any(name[1] == "b" for name in types):
        return f".b{size}"
    if len(types) == 1 and ".f16x2" in types:
        return ".f16x2"
    return None if any(name[1] == "f" for name in types) else f".b{size}"


def unlike_neighbours(types: Iterable[str]) -> int | None:
    """The place of the first element of a vector that cannot stand before the next one.

    Integers, floats, packed halves and predicates cannot be neighbours; an untyped element goes with each of them, and
    "" with everything.

    >>> unlike_neighbours([".b32", ".f32", ".u32"])
    1
    >>> unlike_neighbours([".f32", ".b32", ".u32"])
    """
    classes = map(_class_of, types)
    return next((at for at, (one, other) in enumerate(pairwise(classes)) if one and other and one != other), None)


def _class_of(name: str) -> str:
    """The class of an element; "" if it goes with all of them."""
    if name in (".pred", ".f16x2"):
        return name
    kind = name[1:2]
    return "integer" if kind in ("u", "s") else kind if kind == "f" else ""


def vector_of(name: str) -> tuple[int, str] | None:
    """The length and element type of a vector register's type: ``.v4.b32`` is ``(4, ".b32")``."""
    if name.startswith(".v") and name[3:4] == ".":
        return int(name[2]), name[3:]
    return None
