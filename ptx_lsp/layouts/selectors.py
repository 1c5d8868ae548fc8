"""Byte selection of ``prmt``: for a selector, for a mode, and in words.

Source: the page of ``prmt`` with its table of modes; Data Movement and Conversion Instructions: prmt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.markdown_tables import read_tables
from ptx_lsp.named_tuples import NamedTuple

BYTES = 4
"""The number of bytes of the result and of each source."""
_SIGN = 8
"""The bit of a selector digit that replicates the sign of the byte."""
_PAGE = "isa/data/prmt.md"


class Byte(NamedTuple):
    """The source of one byte of the result."""

    source: str
    """``a`` or ``b``; ``0`` for a byte of a source that is zero."""
    number: int = 0
    """The byte of the source, the lowest is 0."""
    is_sign: bool = False
    """Whether it is the sign bit of that byte, eight times."""

    def __str__(self) -> str:
        name = self.source if self.source == "0" else f"{self.source}{self.number}"
        return f"s({name})" if self.is_sign else name


SelectedBytes = tuple[Byte, Byte, Byte, Byte]
"""The bytes of the result, the lowest first."""


@cache
def modes() -> dict[str, tuple[tuple[int, ...], ...]]:
    """The selected byte numbers, lowest first, by mode and by the low 2 bits of the selector."""
    found = {}
    for table in read_tables(read_grammar(_PAGE)):
        for row in table:
            if ".mode" in row:
                cells = (row[f"s = {number}"] for number in range(BYTES))
                found[row[".mode"]] = tuple(tuple(int(word) for word in reversed(cell.split())) for cell in cells)
    return found


def selected_bytes(selector: int, mode: str = "", zero: Collection[str] = (), *, alike: bool = False) -> SelectedBytes:
    """The bytes of the result.

    Args:
        selector: the operand ``c``; ignored bits may be set.
        mode: the mode such as ``.f4e``; empty without one.
        zero: those of ``a`` and ``b`` that are 0.
        alike: whether both sources are one register; all bytes are then named ``a``.

    >>> byte_list(selected_bytes(0x5410)), byte_list(selected_bytes(0x8880, zero="b"))
    ('b1 b0 a1 a0', 's(a0) s(a0) s(a0) a0')
    """
    if mode:
        digits: Iterable[int] = modes()[mode][selector % BYTES]
    else:
        digits = (selector >> BYTES * place & 0xF for place in range(BYTES))
    one, two, three, four = (_byte(digit, zero, alike) for digit in digits)
    return one, two, three, four


def _byte(digit: int, zero: Collection[str], alike: bool) -> Byte:
    number = digit % _SIGN
    source = "ab"[number // BYTES]
    if source in zero:
        return Byte("0")
    return Byte("a" if alike else source, number % BYTES, digit >= _SIGN)


def byte_list(found: SelectedBytes) -> str:
    """The bytes from the highest down: ``b1 b0 a1 a0``."""
    return " ".join(map(str, reversed(found)))


def describe_selection(found: SelectedBytes) -> str:
    """A description of the operation; empty if it has no common name.

    >>> describe_selection(selected_bytes(0x0123)), describe_selection(selected_bytes(0x5410))
    ('swaps the bytes of a', 'low halves of a and b')
    >>> describe_selection(selected_bytes(0x4440, zero="b"))
    'byte 0 of a, zero-extended'
    """
    return _of_one(found) or _extended(found) or _halves(found) or _shifted(found) or _mixed(found) or _in_place(found)


_PERMUTED: dict[tuple[int, ...], str] = {
    (0, 1, 2, 3): "{} unchanged",
    (3, 2, 1, 0): "swaps the bytes of {}",
    (2, 3, 0, 1): "swaps the halves of {}",
    (1, 0, 3, 2): "swaps the bytes in each half of {}",
    (1, 2, 3, 0): "rotates {} right by 8",
    (3, 0, 1, 2): "rotates {} left by 8",
    (0, 1, 0, 1): "low half of {} twice",
    (2, 3, 2, 3): "high half of {} twice",
}


def _of_one(found: SelectedBytes) -> str:
    """Selections of bytes of a single source."""
    sources = {byte.source for byte in found}
    if len(sources) > 1:
        return ""
    source, numbers = found[0].source, tuple(byte.number for byte in found)
    if source == "0":
        return "always 0"
    if any(byte.is_sign for byte in found):
        same = len(set(found)) == 1
        return f"sign bit of byte {numbers[0]} of {source} in every bit" if same else ""
    if len(set(numbers)) == 1:
        return f"byte {numbers[0]} of {source} four times"
    return _PERMUTED.get(numbers, "").format(source)


def _extended(found: SelectedBytes) -> str:
    """Extensions and shifts: bytes of one source at one end, zeros or the sign in the rest."""
    for count in range(1, BYTES):
        low, rest = found[:count], found[count:]
        if _is_run(low):
            if all(byte.source == "0" for byte in rest):
                return f"{_part(low)}, zero-extended"
            if set(rest) == {low[-1]._replace(is_sign=True)}:
                return f"{_part(low)}, sign-extended"
        low, rest = found[:-count], found[-count:]
        if _is_run(rest) and rest[0].number == 0 and all(byte.source == "0" for byte in low):
            return f"{rest[0].source} shifted left by {8 * (BYTES - count)}"
    return ""


def _is_run(part: Sequence[Byte]) -> bool:
    """Whether the bytes are consecutive in one source."""
    first = part[0]
    if first.source == "0" or any(byte.is_sign for byte in part):
        return False
    return all(byte == Byte(first.source, first.number + at) for at, byte in enumerate(part))


def _part(run: Sequence[Byte]) -> str:
    first = run[0]
    if len(run) == 1:
        return f"byte {first.number} of {first.source}"
    if len(run) == 2 and first.number != 1:
        return f"{'high' if first.number else 'low'} half of {first.source}"
    return f"bytes {first.number} to {first.number + len(run) - 1} of {first.source}"


def _halves(found: SelectedBytes) -> str:
    low, high = found[:2], found[2:]
    if not (_is_run(low) and _is_run(high)) or {low[0].number, high[0].number} - {0, 2}:
        return ""
    if low[0].number == high[0].number:
        return f"{'high' if low[0].number else 'low'} halves of {low[0].source} and {high[0].source}"
    return f"{_part(low)}, {_part(high)} above it"


def _shifted(found: SelectedBytes) -> str:
    """Funnel shifts: four consecutive bytes of the concatenated sources."""
    if {byte.source for byte in found} != {"a", "b"} or any(byte.is_sign for byte in found):
        return ""
    lower = found[0].source
    upper = "b" if lower == "a" else "a"
    by = found[0].number
    row = [*(Byte(lower, number) for number in range(BYTES)), *(Byte(upper, number) for number in range(BYTES))]
    return f"the 64 bits of {upper} above {lower}, shifted right by {8 * by}" if list(found) == row[by : by + 4] else ""


_MIXED = {
    (0, 0, 1, 1): "interleaves the low halves of {} and {}",
    (2, 2, 3, 3): "interleaves the high halves of {} and {}",
}
_PAIRED = {(0, 2, 0, 2): "even bytes of {} and {}", (1, 3, 1, 3): "odd bytes of {} and {}"}


def _mixed(found: SelectedBytes) -> str:
    one, two, three, four = (byte.source for byte in found)
    numbers = tuple(byte.number for byte in found)
    if any(byte.is_sign for byte in found) or {one, two, three, four} != {"a", "b"}:
        return ""
    if (one, two) == (three, four) and numbers in _MIXED:
        return _MIXED[numbers].format(one, two)
    if (one, three) == (two, four) and numbers in _PAIRED:
        return _PAIRED[numbers].format(one, three)
    return ""


def _in_place(found: SelectedBytes) -> str:
    """Insertions: bytes that keep their position, and one other byte, or zeros."""
    for source in ("a", "b"):
        moved = [at for at, byte in enumerate(found) if byte != Byte(source, at)]
        if not moved or len(moved) == BYTES:
            continue
        if all(found[at].source == "0" for at in moved):
            kept = [str(at) for at in range(BYTES) if at not in moved]
            return f"keeps {'byte' if len(kept) == 1 else 'bytes'} {', '.join(kept)} of {source}"
        if len(moved) == 1:
            (at,) = moved
            byte = found[at]
            what = f"sign of byte {byte.number}" if byte.is_sign else f"byte {byte.number}"
            return f"{source} with {what} of {byte.source} as byte {at}"
    return ""


_CELL = 8


def selection_diagram(
    selector: int, mode: str = "", zero: Collection[str] = (), names: Sequence[str] = "dab"
) -> list[str]:
    """A diagram of source bytes, selector digits and result bytes.

    Args:
        selector: the operand ``c``.
        mode: the mode, empty without one.
        zero: those of ``a`` and ``b`` that are 0.
        names: the operands for ``d``, ``a`` and ``b``.

    """
    left = [f"{letter} = {name}" if name != letter else letter for letter, name in zip("dab", names, strict=True)]
    rows = [
        ("", [f"byte {at}" for at in reversed(range(BYTES))]),
        (left[1], [_numbered("a", at, zero) for at in reversed(range(BYTES))]),
        (left[2], [_numbered("b", at, zero) for at in reversed(range(BYTES))]),
    ]
    if not mode:
        rows.append(("digit", [f"{selector >> 4 * at & 0xF:x}" for at in reversed(range(BYTES))]))
    found = selected_bytes(selector, mode, zero)
    rows.append((left[0], [str(byte) for byte in reversed(found)]))
    widest = max(len(label) for label, _ in rows)
    return [f"{label:{widest}}" + "".join(cell.rjust(_CELL) for cell in cells) for label, cells in rows]


def _numbered(source: str, at: int, zero: Collection[str]) -> str:
    number = at + BYTES * (source == "b")
    return f"{number}: 0" if source in zero else f"{number}: {source}{at}"


def brief_diagram(found: SelectedBytes) -> list[str]:
    """A diagram of the result bytes only, in two lines."""
    heads = "".join(f"{at}".rjust(_CELL - 1) for at in reversed(range(BYTES)))
    return [f"byte of d{heads}", "is       " + "".join(str(byte).rjust(_CELL - 1) for byte in reversed(found))]


def mode_diagram(mode: str, zero: Collection[str] = (), *, alike: bool = False) -> list[str]:
    """A diagram of the selection for each value of the selector's low 2 bits."""
    rows = [["c & 3", *(f"byte {at}" for at in reversed(range(BYTES)))]]
    rows += [[str(at), *map(str, reversed(selected_bytes(at, mode, zero, alike=alike)))] for at in range(BYTES)]
    return ["".join([row[0].rjust(5), *(cell.rjust(_CELL) for cell in row[1:])]) for row in rows]
