"""Origins of the unknown bits of a value: a walk back to opaque values."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.transfer_functions import transfer_function
from ptx_lsp.analysis.descriptors.terms import Pieces, Unknown, Unseen, ValueNode, ValueTerm, value

_ALL = (1 << 64) - 1
_MOST_STEPS = 500


def origins(term: ValueTerm, mask: int) -> list[Unknown]:
    """The origins of the unknown ones of some bits, each once, the nearest first; of a term that is solved.

    Args:
        term: a value.
        mask: the bits of it that are asked about.

    """
    found: dict[Unknown, None] = {}
    seen: set[tuple[int, int]] = set()
    waiting = [(term, mask)]
    while waiting and len(seen) < _MOST_STEPS:
        one, mask = waiting.pop(0)
        fact = value(one)
        if fact is not None:
            mask &= ~fact.bits.known
        if not mask or (id(one), mask) in seen:
            continue
        seen.add((id(one), mask))
        if isinstance(one, Unknown):
            found[one] = None
        elif isinstance(one, Pieces):
            for low, size, sources in one.segments:
                inner = (mask >> low) & ((1 << size) - 1)
                waiting += [(source, inner << cut) for source, cut in sources]
        elif isinstance(one, ValueNode):
            deeper = _deeper(one, mask)
            if deeper:
                waiting += deeper
            else:
                found[_leaf(one)] = None
    return list(found)


def _leaf(node: ValueNode) -> Unknown:
    if node.definition is None:
        return Unknown(Unseen.NEVER, node.register.name)
    known = transfer_function(node.definition.chunk, node.definition.statement)
    return Unknown(Unseen.INSTRUCTION, known.mnemonic if known is not None else "?", node.definition[:2])


def _deeper(node: ValueNode, mask: int) -> list[tuple[ValueTerm, int]]:
    """The inputs of a node, with the bits of it that matter; nothing if that is not followed."""
    inputs = list(node.inputs or ())
    known = node.transfer
    if known is None:
        return [(one, mask) for one in inputs]
    mnemonic = known.mnemonic
    if ".hi" in known.opcode:
        return []
    if mnemonic in ("mov", "cvta", "and", "or", "xor", "not", "lop3"):
        return [(one, mask) for one in inputs[:3]]
    if mnemonic == "cvt":
        return [(one, mask & ((1 << known.types[-1][1]) - 1) or 1 << (known.types[-1][1] - 1)) for one in inputs]
    if mnemonic in ("selp", "shfl"):
        return [(one, mask) for one in inputs[: 2 if mnemonic == "selp" else 1]]
    if mnemonic in ("add", "sub", "mul", "mad"):
        exact = [(one, mask) for one in inputs if _is_unknown(one, mask)] if mnemonic != "mul" else []
        below = (1 << mask.bit_length()) - 1
        return exact or [(one, below) for one in inputs if _is_unknown(one, below)]
    numbers = [fact.bits.number if (fact := value(one)) is not None else None for one in inputs]
    if mnemonic in ("shl", "shr") and len(inputs) == 2 and numbers[1] is not None:
        by = min(numbers[1], 63)
        return [(inputs[0], mask >> by if mnemonic == "shl" else mask << by & _ALL)]
    if mnemonic == "bfe" and len(inputs) == 3 and numbers[1] is not None:
        return [(inputs[0], mask << (numbers[1] & 63) & _ALL)]
    if mnemonic == "bfi" and len(inputs) == 4 and numbers[2] is not None and numbers[3] is not None:
        field = ((1 << (numbers[3] & 63)) - 1) << (numbers[2] & 63)
        return [(inputs[0], (mask & field) >> (numbers[2] & 63)), (inputs[1], mask & ~field)]
    return []


def _is_unknown(term: ValueTerm, mask: int) -> bool:
    fact = value(term)
    return fact is None or bool(mask & ~fact.bits.known)
