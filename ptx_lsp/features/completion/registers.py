"""Registers: recently used ones of a legal type, then unused ones, then all registers with individual names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.symbols.symbols import Symbol, split_number
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import (
    FIRST,
    LIKELY,
    LONGEST_DETAIL,
    LOOSE,
    POSSIBLE,
    OperandRequest,
    RegisterCandidate,
)
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.register_types import BITS

_INTEGERS = "bus"
_NEW = "new"


def registers(request: OperandRequest) -> Iterator[Item]:
    """Yield the registers that are legal at the cursor."""
    for found in fitting_registers(request):
        detail = type_of(found.symbol) + (f" {_NEW}" if found.is_new else "")
        if not found.is_new and not request.is_written:
            detail = with_value(request, found.name, detail)
        yield request.item(found.name, ItemKind.REGISTER, found.rank, detail)


def with_value(request: OperandRequest, name: str, detail: str) -> str:
    """Return a detail with what is known of the value of a register, if there is room for it."""
    found = request.expression(name)
    longer = f"{detail} = {found.text}" if found is not None and found.is_known else ""
    return longer if 0 < len(longer) <= LONGEST_DETAIL else detail


def fitting_registers(request: OperandRequest) -> Iterator[RegisterCandidate]:
    """Yield the registers whose type the matcher accepts, likely ones first."""
    for found in candidates(request):
        if request.takes(found.written) and not _is_narrow_address(request, found.written.type):
            fit = type_rank(request, found.written.type)
            yield found._replace(rank=max(found.rank, fit) if fit < LOOSE else LOOSE)


def _is_narrow_address(request: OperandRequest, have: str) -> bool:
    """Whether ptxas generates no code for such a register as address: 32 bits where addresses have 64."""
    if BITS.get(have) != BITS[".b32"] or not request.place.context.module.header.has_wide_addresses:
        return False
    return any(
        (one.fitting.value(wanted.type) or "generic") in ("generic", ".global")
        for one in request.wanted
        if one.is_base and one.fitting.deviates("narrow-address")
        for wanted in one.alternatives
    )


def candidates(request: OperandRequest) -> tuple[RegisterCandidate, ...]:
    """Return all candidate registers of any type; of numbered groups, only recent and next ones."""
    if not request.registers:
        request.registers = tuple(_candidates(request))
    return request.registers


def _candidates(request: OperandRequest) -> Iterator[RegisterCandidate]:
    nearby = request.nearby
    seen = set(_others(request)) if request.is_written else set()
    following = _following(request)
    if following is not None:
        yield from _fresh([following], seen)
    new = [
        RegisterCandidate(name, group, FIRST, is_new=True) for group in nearby.groups for name in nearby.unused(group)
    ]
    if request.is_written:
        yield from _fresh(new, seen)
    yield from _fresh((RegisterCandidate(*one, FIRST) for one in nearby.recent.items()), seen)
    yield from _fresh((RegisterCandidate(name, group, LIKELY) for name, group in nearby.earlier.items()), seen)
    yield from _fresh((RegisterCandidate(one.name, one, LIKELY) for one in nearby.named()), seen)
    groups = ((nearby.last(group), group) for group in nearby.groups)
    yield from _fresh((RegisterCandidate(name, group, LIKELY) for name, group in groups), seen)
    typed = request.place.prefix
    symbol = nearby.symbol(typed) if typed else None
    if symbol is not None:
        yield from _fresh([RegisterCandidate(typed, symbol, LIKELY)], seen)
    yield from _fresh((one._replace(rank=LIKELY) for one in new), seen)


def _following(request: OperandRequest) -> RegisterCandidate | None:
    """Return the register that continues a vector: ``%f3`` after ``{%f1, %f2,``."""
    draft = request.draft
    if len(draft.path) == 1 or draft.path[-1] < 1:
        return None
    operand = draft.tree.operands[draft.path[0]]
    for step in draft.path[1:-1]:
        operand = operand.parts[step]
    before = operand.parts[draft.path[-1] - 1].name
    parts = split_number(draft.statement.word(before)) if before >= 0 else None
    name = f"{parts[0]}{parts[1] + 1}" if parts is not None else ""
    symbol = request.nearby.symbol(name) if name else None
    return RegisterCandidate(name, symbol, FIRST) if symbol is not None else None


def _fresh(found: Iterable[RegisterCandidate], seen: set[str]) -> Iterator[RegisterCandidate]:
    for one in found:
        if one.name not in seen:
            seen.add(one.name)
            yield one


def _others(request: OperandRequest) -> frozenset[str]:
    """Return the elements before the cursor in the enclosing vector."""
    draft = request.draft
    operands = draft.tree.operands
    if len(draft.path) == 1:
        return frozenset()
    operand = operands[draft.path[0]]
    for step in draft.path[1:-1]:
        operand = operand.parts[step]
    word = draft.statement.word
    return frozenset(word(part.name) for part in operand.parts if part.name >= 0)


def type_rank(request: OperandRequest, have: str) -> int:
    """Return the best rank for a register type at the cursor, by its similarity to the expected types."""
    holders = catalogue().shared.holders
    best = LOOSE
    for one in request.wanted:
        for wanted in one.alternatives:
            if wanted.what != "type":
                continue
            want = one.fitting.value(wanted.type) or ""
            if one.is_base and want not in BITS:
                rank = _usual(want, have) if BITS.get(have, 0) in address_sizes(request, want) else LOOSE
            else:
                rank = _fit(have, want, holders.get(want, want))
            best = min(best, rank)
    return best


def _usual(space: str, have: str) -> int:
    """The rank of a register for an address: parameters are read by name, and addresses in ``.shared`` have 32 bits."""
    if space.startswith(".param"):
        return LIKELY
    return POSSIBLE if space.startswith(".shared") and BITS[have] > BITS[".b32"] else FIRST


def _fit(have: str, want: str, holder: str) -> int:
    if have in (want, holder):
        return FIRST
    size = BITS.get(have)
    if size is None or size != BITS.get(holder):
        return LOOSE
    if have[1] in _INTEGERS and holder[1] in _INTEGERS:
        return FIRST
    return POSSIBLE if "b" in (have[1], holder[1]) else LOOSE


def address_sizes(request: OperandRequest, space: str) -> tuple[int, ...]:
    """Return the register sizes in bits that can address a state space; 32 is enough for on-chip spaces."""
    words = (line.words for line in request.place.context.module.header.lines if line.directive == ".address_size")
    size = next((int(one[0]) for one in words if one and one[0] in ("32", "64")), 64)
    near = space.startswith((".shared", ".local", ".const", ".param"))
    return (size, 32) if near else (size,)


def type_of(symbol: Symbol) -> str:
    """Return the declared type of a register or variable: ``.v4 .f32``."""
    return f".v{symbol.vector} {symbol.type}" if symbol.vector else symbol.type
