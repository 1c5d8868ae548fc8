"""Results of instructions on one path, where addresses are taken not to wrap around.

The sums are those of :mod:`ptx_lsp.analysis.symbolic.linear_values`. Here they are not reduced to the width of the
instruction, and conversions keep them: what is asked is only whether two addresses are equal, or their distance.
``symbolic.arithmetic`` has the exact results.
"""

# ruff: noqa: ARG001  (all instructions have one signature, whatever they need of it)

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, combined, constant
from ptx_lsp.analysis.symbols.symbols import Symbol

_MOST_TERMS = 8
_INDICES = frozenset({"%tid", "%laneid", "%warpid"})
"""The special registers that tell the threads of a CTA apart; they are 0 in the first one."""
WARP = 32
"""Threads of a warp."""


def index_of_thread(register: str, warp: int, lane: int) -> int | None:
    """The value of a special register in a thread of a CTA that is a row; None if it is not an index of the thread."""
    if register.partition(".")[0] not in _INDICES:
        return None
    return {"%warpid": warp, "%tid.x": warp * WARP + lane, "%laneid": lane}.get(register, 0)


def depends_on_operands(opcode: tuple[str, ...]) -> bool:
    """Whether an instruction depends on nothing but its operands, so that :func:`result_of` has its result."""
    return opcode[0] in _COMPUTED or opcode[0] in _PURE


ELECTION = "elect"
"""The instruction whose second result is known of the leader of a warp."""


def may_be_known(opcode: tuple[str, ...]) -> bool:
    """Whether a result of an instruction may be a number; else it is an unknown thing whatever its operands are."""
    return opcode[0] == ELECTION or depends_on_operands(opcode)


RESULT = "result"
"""The first part of the key of a result that is not computed."""


def maker_of(key: Hashable) -> tuple[int, int] | None:
    """The node and the statement of the instruction whose result, not computed, an unknown thing is; else None."""
    return key[3:5] if isinstance(key, tuple) and key[:1] == (RESULT,) else None


def result_of(opcode: tuple[str, ...], operands: Sequence[LinearValue], unknowns: Unknowns) -> LinearValue | None:
    """The result of an instruction; None if it depends on more than its operands, such as memory.

    Args:
        opcode: its opcode.
        operands: the values of its operands but the first.
        unknowns: what is not known.

    """
    if not depends_on_operands(opcode):
        return None
    computed = _COMPUTED.get(opcode[0])
    found = computed(opcode, operands, unknowns) if computed is not None else None
    return found if found is not None and len(found.terms) <= _MOST_TERMS else unknowns.value((opcode, tuple(operands)))


_Operands = Sequence[LinearValue]
_Result = LinearValue | None
_Compute = Callable[[tuple[str, ...], _Operands, Unknowns], _Result]


def _copy(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    if len(operands) > 1 or opcode[0] == "cvt" and any(word.startswith((".f", ".bf", ".e")) for word in opcode):
        return None  # of a vector, or another number
    return operands[0]


def _sum(_: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    return combined(operands[0], operands[1], 1)


def _difference(_: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    return combined(operands[0], operands[1], -1)


def _product(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    if ".hi" in opcode:
        return None
    one, other = operands[:2]
    if one.terms and other.terms:
        return None
    value, factor = (one, other.number) if not other.terms else (other, one.number)
    return combined(constant(0), value, factor)


def _product_and_sum(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    product = _product(opcode, operands, unknowns)
    return None if product is None else combined(product, operands[2], 1)


def _left_shift(_: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    value, count = operands
    return None if count.terms or not 0 <= count.number < 64 else combined(constant(0), value, 1 << count.number)


def _choice(_: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    one, other, predicate = operands
    if one == other:
        return one
    return None if predicate.terms else (one if predicate.number else other)


def _broadcast(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    """``shfl.idx`` from the first lane: the own value of the first thread."""
    lanes = [one for one in operands[1:2] if not one.terms and one.number == 0]
    return operands[0] if ".idx" in opcode and lanes else None


def _of_constants(compute: Callable[[int, int], int], least: int | None = 0) -> _Compute:
    """An instruction that is computed if its operands are known, and not less than ``least``."""

    def found(_: tuple[str, ...], operands: _Operands, __: Unknowns) -> _Result:
        if len(operands) != 2 or any(one.terms for one in operands):
            return None
        if least is not None and any(one.number < least for one in operands):
            return None
        try:
            return constant(compute(operands[0].number, operands[1].number))
        except (ValueError, ZeroDivisionError, OverflowError):
            return None

    return found


def _of_bits(compute: Callable[[int, int], int], deciding: int) -> _Compute:
    """``and``, ``or``: known if both operands are, or if one decides alone: 0, or for ``or`` of predicates 1."""
    of_constants = _of_constants(compute, None)

    def found(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
        decides = not deciding or opcode[1:] == (".pred",)
        if decides and any(not one.terms and one.number == deciding for one in operands):
            return constant(deciding)
        return of_constants(opcode, operands, unknowns)

    return found


_OPPOSITES = {".ne": ".eq", ".ge": ".lt", ".le": ".gt", ".hs": ".lo", ".ls": ".hi"}
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ".eq": int.__eq__,
    ".lt": int.__lt__,
    ".gt": int.__gt__,
    ".lo": int.__lt__,
    ".hi": int.__gt__,
}
_INTEGERS = frozenset({".u16", ".u32", ".u64", ".s16", ".s32", ".s64", ".b16", ".b32", ".b64"})


def _comparison(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    """``setp`` of two integers: 1, 0 or a token that is the same for a comparison and its opposite."""
    if len(operands) != 2 or len(opcode) != 3 or opcode[2] not in _INTEGERS:
        return None
    name = _OPPOSITES.get(opcode[1], opcode[1])
    if name not in _HOLDS:
        return None
    one, other = operands
    difference = combined(one, other, -1)
    is_opposite = name != opcode[1]
    if not difference.terms and (name == ".eq" or one.number >= 0 <= other.number or opcode[2].startswith(".s")):
        return constant(int(_HOLDS[name](difference.number, 0) is not is_opposite))
    found = unknowns.value((name, one, other) if name != ".eq" else (name, frozenset((one, other))))
    return combined(constant(1), found, -1) if is_opposite else found


def holds(relation: str, one: int, other: int) -> bool:
    """Whether a relation that the token of a comparison names holds between two numbers that are not negative."""
    return _HOLDS[relation](one, other)


def _negation(opcode: tuple[str, ...], operands: _Operands, unknowns: Unknowns) -> _Result:
    return combined(constant(1), operands[0], -1) if opcode[1:] == (".pred",) else None


_COMPUTED: dict[str, _Compute] = {
    "mov": _copy,
    "cvt": _copy,
    "cvta": _copy,
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "mad": _product_and_sum,
    "shl": _left_shift,
    "selp": _choice,
    "shfl": _broadcast,
    "setp": _comparison,
    "not": _negation,
    "and": _of_bits(int.__and__, 0),
    "or": _of_bits(int.__or__, 1),
    "xor": _of_constants(int.__xor__, None),
    "rem": _of_constants(int.__mod__),
    "div": _of_constants(int.__floordiv__),
    "shr": _of_constants(int.__rshift__),
    "min": _of_constants(min),
    "max": _of_constants(max),
}
"""The instructions that are computed; what they do not know has a token by their operands."""

_PURE = frozenset(
    {"bfe", "bfi", "prmt", "lop3", "mapa", "popc", "clz", "abs", "neg", "cnot", "shf", "bfind", "brev", "szext"}
)
"""Other instructions whose result depends on their operands only."""


def choice_or_comparison(opcode: tuple[str, ...], values: list[int]) -> int | None:
    """The result of a copy, choice, comparison or negation of a predicate for known numbers; None for others."""
    match opcode, values:
        case ("not", ".pred"), [one]:
            return int(not one)
        case ("mov", _), [one]:
            return one
        case ("selp", _), [one, other, chosen]:
            return one if chosen else other
        case ("setp", ".eq" | ".ne" as word, _), [one, other]:
            return int((one == other) is (word == ".eq"))
    return None


_MOST_VALUES = 200
"""So many values are looked at for one address."""


def pointer(unknowns: Unknowns, value: LinearValue) -> int | None:
    """The number of the variable or parameter from which an address is counted, by constants and scaled indices.

    None if something else is added: it may be an address as well.
    """
    plain = [number for number, factor in value.terms if factor in (1, -1)]
    if len(plain) != 1:
        return None
    key = unknowns.keys[plain[0]]
    return plain[0] if isinstance(key, tuple) and key[0] in ("symbol", "parameter") else None


def is_in_variable(unknowns: Unknowns, value: LinearValue) -> bool:
    """Whether a value is the address of a variable, or at a constant distance from it."""
    keys = [unknowns.keys[number] for number, factor in value.terms if factor == 1]
    return len(value.terms) == 1 and bool(keys) and isinstance(keys[0], tuple) and keys[0][0] == "symbol"


def shared_addresses_in(unknowns: Unknowns, value: LinearValue) -> list[LinearValue]:
    """The addresses of variables in shared memory that a value, such as a descriptor, is computed from."""
    found: list[LinearValue] = []
    waiting, seen = [value], {value}
    while waiting and len(seen) < _MOST_VALUES:
        one = waiting.pop()
        for number, factor in one.terms:
            key = unknowns.keys[number]
            if not isinstance(key, tuple):
                continue
            if key[0] == "symbol":
                if factor == 1 and isinstance(key[1], Symbol) and key[1].space.startswith(".shared"):
                    found.append(one)
                continue
            parts = key[-1] if isinstance(key[-1], tuple) else ()
            inner = [part for part in parts if isinstance(part, LinearValue) and part not in seen]
            seen.update(inner)
            waiting += inner
    return found
