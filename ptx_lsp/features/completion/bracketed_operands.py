"""Bracketed operands: vectors of the required length, addresses, and pairs of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ptx_lsp.analysis.cursor.expected_operands import ExpectedOperand
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.names import usage, variables
from ptx_lsp.features.completion.operand_request import (
    FIRST,
    LIKELY,
    LONGEST_LABEL,
    LOOSE,
    NAMES,
    POSSIBLE,
    OperandRequest,
    RegisterCandidate,
)
from ptx_lsp.features.completion.registers import address_sizes, candidates, type_rank
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.named_tuples import NamedTuple

_MOST_ADDRESSES = 8
_MOST_VECTORS = 4
"""The maximum number of vectors used above that are offered again."""
_MOST_PAIRS = 3
_MOST_PLACES = 16
"""The maximum number of tab stops of a snippet."""


class ComposedOperand(NamedTuple):
    """An operand composed of visible symbols."""

    parts: tuple[str, ...]
    """The words between its brackets, or the single word."""
    written: ActualOperand
    brackets: str = ""

    @property
    def text(self) -> str:
        """The text to insert."""
        return f"{self.brackets[:1]}{', '.join(self.parts)}{self.brackets[1:]}"

    @property
    def snippet(self) -> str:
        """The text as a snippet with one tab stop per word; empty if there would be too many."""
        pieces: list[str] = []
        places = 0
        for piece in _PIECES.findall(self.text):
            if piece[0] in " ,[]{}":
                pieces.append(piece.replace("}", "\\}"))
            else:
                places += 1
                pieces.append(f"${{{places}:{piece.replace('$', _DOLLAR)}}}")
        return "".join(pieces) if places <= _MOST_PLACES else ""


_PIECES = re.compile(r"[ ,\[\]{}]+|[^ ,\[\]{}]+")
_DOLLAR = "\\$"


def bracketed(request: OperandRequest) -> Iterator[Item]:
    """Yield addresses, vectors and pairs for an operand that begins at the cursor."""
    yield from _once(_addresses(request))
    yield from _once(_vectors(request))
    yield from _once(_pairs(request))


def _once(items: Iterable[Item]) -> Iterator[Item]:
    seen: set[str] = set()
    for item in items:
        if item.label not in seen:
            seen.add(item.label)
            yield item


# ---- vectors


def _vectors(request: OperandRequest) -> Iterator[Item]:
    """Yield vectors of the expected lengths: those used above, then new ones."""
    sizes: dict[int, None] = {}
    for one in request.wanted:
        if one.operand is None:
            continue
        for wanted in one.alternatives:
            size = one.fitting.count(wanted.length) if wanted.length is not None else None
            if size:
                sizes[size] = None
        if one.operand.kind == "vector" or any(wanted.elements for wanted in one.alternatives):
            composed = _composed_vector(request, one)
            if composed is not None and request.takes(composed.written):
                yield _vector_item(request, composed, FIRST)
    levels = _levels(request) if sizes else {}
    for size in sizes:
        for composed, rank in _of_registers(request, size, levels):
            yield _vector_item(request, composed, rank)


def _vector_item(request: OperandRequest, composed: ComposedOperand, rank: int) -> Item:
    text, count = composed.text, len(composed.parts)
    label = text if len(text) <= LONGEST_LABEL else f"{{{composed.parts[0]}, … {composed.parts[-1]}}}"
    item = request.item(text, ItemKind.VALUE, rank, f"{count} elements", label=label)
    return replace(item, snippet=composed.snippet, match=text)


def _levels(request: OperandRequest) -> dict[str, int]:
    """Return the rank of each visible register type as an element type."""
    types = dict.fromkeys(found.written.type for found in candidates(request))
    return {name: type_rank(request, name) for name in types}


def _of_registers(request: OperandRequest, size: int, levels: dict[str, int]) -> Iterator[tuple[ComposedOperand, int]]:
    """Yield vectors of registers of one type: nearby vectors, then one composed of unused or recent registers."""
    taken: dict[str, bool] = {}

    def takes(type_: str) -> bool:
        if type_ not in taken:
            taken[type_] = request.takes(ActualOperand("vector", parts=(ActualOperand("register", type_),) * size))
        return taken[type_]

    ranks = {name: level for name, level in levels.items() if takes(name)}
    nearby = request.nearby
    made: list[tuple[ComposedOperand, int]] = []
    for names in nearby.vectors:
        types = [OPERANDS[nearby.recent[name].code].type if name in nearby.recent else "" for name in names]
        if len(names) == size and len(set(types)) == 1 and types[0] in ranks and ranks[types[0]] < LOOSE:
            made.append((_vector(names, types[0]), ranks[types[0]]))
    yield from islice(made, _MOST_VECTORS)
    for type_, rank in sorted(ranks.items(), key=lambda pair: pair[1]):
        if rank >= LOOSE and any(level < LOOSE for level in ranks.values()):
            continue
        names = _names(request, type_, size)
        if names:
            yield _vector(names, type_), max(rank, LIKELY if made else FIRST)


def _vector(names: tuple[str, ...], type_: str) -> ComposedOperand:
    return ComposedOperand(names, ActualOperand("vector", parts=(ActualOperand("register", type_),) * len(names)), "{}")


def _names(request: OperandRequest, type_: str, size: int) -> tuple[str, ...]:
    """Return register names for a new vector: unused registers for a destination, recently used ones for a source."""
    nearby = request.nearby
    groups = [group for group in nearby.groups if OPERANDS[group.code].type == type_]
    if request.is_written:
        for group in groups:
            fresh = nearby.unused(group, size)
            if fresh:
                return fresh
    near = [found.name for found in candidates(request) if found.written.type == type_ and not found.is_new][:size]
    if len(near) == size:
        return tuple(sorted(near, key=lambda name: (len(name), name)))
    for group in groups:
        if (group.count or 0) > size:
            return tuple(f"{group.name}{number}" for number in range(1, size + 1))
    return ()


def _composed_vector(request: OperandRequest, one: ExpectedOperand) -> ComposedOperand | None:
    """Return a vector whose elements differ in type; None if an element has no candidate."""
    if one.operand is not None and one.operand.kind == "vector":
        parts = [_part(request, one.fitting, part) for part in one.fitting.operands(one.operand.parts)]
    else:
        elements = next(wanted.elements for wanted in one.alternatives if wanted.elements)
        parts = [
            next(filter(None, (_leaf(request, one.fitting, wanted) for wanted in kind.alternatives)), None)
            for kind in elements
        ]
    found = [part for part in parts if part is not None]
    if len(found) != len(parts):
        return None
    return ComposedOperand(
        tuple(part.text for part in found), ActualOperand("vector", parts=tuple(p.written for p in found)), "{}"
    )


def _part(request: OperandRequest, fitting: Fitting, operand: FormOperand) -> ComposedOperand | None:
    """Return a candidate for a part of an operand."""
    if operand.kind == "number":
        return ComposedOperand((operand.name,), ActualOperand("integer", value=int(operand.name)))
    if operand.kind == "vector":
        parts = [_part(request, fitting, part) for part in fitting.operands(operand.parts)]
        found = [part for part in parts if part is not None]
        if len(found) != len(parts):
            return None
        written = ActualOperand("vector", parts=tuple(part.written for part in found))
        return ComposedOperand(tuple(part.text for part in found), written, "{}")
    kinds = fitting.kinds(operand.name)
    leaves = (_leaf(request, fitting, wanted) for kind in kinds for wanted in kind.alternatives)
    return next(filter(None, leaves), None)


def _leaf(request: OperandRequest, fitting: Fitting, wanted: Alternative) -> ComposedOperand | None:
    """Return a candidate for one alternative: a register, or the first legal constant."""
    if wanted.what == "imm":
        value = wanted.ranges[0][0] if wanted.ranges else 0
        return ComposedOperand((str(value),), ActualOperand("integer", value=value))
    if wanted.what != "type":
        return None
    want = fitting.value(wanted.type) or ""
    holder = fitting.form.shared.holders.get(want, want)
    near = [found for found in candidates(request) if not found.is_new]
    fitting_ones = [found for found in near if _is_near(found.written.type, want, holder)]
    size = fitting.count(wanted.length) if wanted.length is not None else None
    if size is None:
        return ComposedOperand((fitting_ones[0].name,), fitting_ones[0].written) if fitting_ones else None
    same = [found for found in fitting_ones if found.written.type == fitting_ones[0].written.type][:size]
    names = [found.name for found in same]
    if not names:
        return None
    names += names[-1:] * (size - len(names))
    return _vector(tuple(names), same[0].written.type)


def _is_near(have: str, want: str, holder: str) -> bool:
    integers = have[1:2] in "bus" and holder[1:2] in "bus" and BITS.get(have) == BITS.get(holder)
    return have in (want, holder) or integers


# ---- addresses


def _addresses(request: OperandRequest) -> Iterator[Item]:
    for one in request.wanted:
        if one.operand is None or one.operand.kind != "address":
            continue
        parts = one.fitting.operands(one.operand.parts)
        following = [_part(request, one.fitting, part) for part in parts[1:]]
        rest = [part for part in following if part is not None]
        if len(rest) != len(following):
            continue
        for base, written, rank in islice(_bases(request, one), _MOST_ADDRESSES):
            address = ActualOperand("address", parts=(written, *(part.written for part in rest)))
            if not request.takes(address):
                continue
            composed = ComposedOperand((base, *(part.text for part in rest)), address, "[]")
            snippet = composed.snippet if rest else ""
            item = request.item(composed.text, ItemKind.VALUE, rank, _kind_of(written))
            match = composed.text[1:] if request.place.prefix else composed.text
            yield replace(item, snippet=snippet, match=match)


def _kind_of(written: ActualOperand) -> str:
    return f"{written.space} {written.type}".strip()


def _bases(request: OperandRequest, one: ExpectedOperand) -> Iterator[tuple[str, ActualOperand, int]]:
    """Yield the possible bases of an address: registers of the right size, and variables."""
    for wanted in one.fitting.spaces(one.operand) if one.operand is not None else ():
        word = one.fitting.value(wanted.type) or "generic"
        sizes = (BITS[word],) if word in BITS else address_sizes(request, word)
        names = list(variables(request, lambda symbol: bool(symbol.code)))
        if word not in BITS and word.startswith(".param"):
            yield from ((symbol.name, OPERANDS[symbol.code], NAMES) for symbol in names)
        for found in _sized(candidates(request), sizes):
            yield found.name, found.written, FIRST if BITS[found.written.type] == sizes[0] else POSSIBLE
        is_used = usage(request)
        for symbol in names:
            yield symbol.name, OPERANDS[symbol.code], NAMES if is_used(symbol) else LOOSE


def _sized(registers: Iterable[RegisterCandidate], sizes: tuple[int, ...]) -> Iterator[RegisterCandidate]:
    for found in registers:
        if BITS.get(found.written.type) in sizes and found.written.type[1] in "bus" and not found.is_new:
            yield found


# ---- pairs


def _pairs(request: OperandRequest) -> Iterator[Item]:
    """Yield pairs of destination predicates: ``%p1|%p2``."""
    for one in request.wanted:
        if one.operand is None or not one.fitting.wants_pair(one.operand) or request.draft.operand.pair is not None:
            continue
        seconds = [wanted for kind in one.fitting.kinds(one.operand.pair) for wanted in kind.alternatives]
        words = {one.fitting.value(wanted.type) for wanted in seconds if wanted.what == "type"}
        second = [found for found in candidates(request) if found.written.type in words]
        made = 0
        for first in candidates(request):
            other = next((found for found in second if found.name != first.name), None)
            if other is None or made == _MOST_PAIRS:
                break
            if request.takes(first.written._replace(pair=other.written)):
                made += 1
                yield request.item(f"{first.name}|{other.name}", ItemKind.REGISTER, POSSIBLE, "pair")
