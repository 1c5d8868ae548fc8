"""Values of loads: in local memory what was stored there, in ``.param`` variables what a call passed or returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ptx_lsp.analysis.dataflow.known_bits import NOTHING
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import (
    OperandSource,
    Part,
    TransferFunction,
    WrittenOperand,
    transfer_function,
    words_of,
)
from ptx_lsp.analysis.descriptors.call_contexts import CallContext
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey, Store, access, access_size
from ptx_lsp.analysis.descriptors.pointers import base_of, is_variable
from ptx_lsp.analysis.descriptors.reaching_stores import reaching
from ptx_lsp.analysis.descriptors.terms import BitSegment, Pieces, Unknown, Unseen, ValueTerm
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.kind import Kind

TermOf = Callable[[CallContext, StatementKey, Sequence[str], OperandSource, Part, int], ValueTerm]
"""A source operand of a statement, of so many bits."""

_ELSEWHERE = (".shared", ".global", ".const")
_SPACES = (*_ELSEWHERE, ".local", ".param")
_LONGEST_WAY = 50
"""So many loads of addresses are followed."""
_MOST_KEPT = 3
"""So many addresses are fetched from memory on the way to one object."""
_WORD = 32


class Bytes(NamedTuple):
    """Some bytes of an object."""

    offset: int
    size: int


def loaded(
    frame: CallContext, at: StatementKey, known: TransferFunction, name: str, part: Part, term_of: TermOf
) -> ValueTerm:
    """The value that a load leaves in a register.

    Args:
        frame: the function that loads.
        at: the load.
        known: the same.
        name: the register.
        part: which part of a descriptor it becomes.
        term_of: reads operands of other statements.

    """
    words = words_of(*at)
    address, size = access(known, 1, *at, words), access_size(known)
    word = ".".join((known.mnemonic, *(one[1:] for one in known.opcode[1:] if one.startswith(_SPACES))))
    elsewhere = Unknown(Unseen.INSTRUCTION, word, at)
    if address is None or size is None or not known.types or known.types[0][0] == "s":
        return elsewhere
    elements = known.operands[0].parts or (known.operands[0],)
    names = [words[one.word] if one.word >= 0 else "" for one in elements]
    if names.count(name) != 1 or len(names) != size[1]:
        return elsewhere
    wanted = Bytes(address[1] + names.index(name) * size[0], size[0])
    if ".param" in known.opcode:
        return _of_parameter(frame, at, address[0], wanted, part, term_of)
    if any(one.startswith(_ELSEWHERE) for one in known.opcode):
        return elsewhere
    pointee = _pointee(frame, at, address[0])
    if pointee is None:
        return elsewhere
    owner, variable, offset = pointee
    stores = owner.memory.stored(variable)
    if stores is None:
        return elsewhere
    wanted = Bytes(wanted.offset + offset, wanted.size)
    where, inside = at, frame
    while inside is not owner:  # a load in a function that was called happens, for its caller, at the call
        if inside.call is None or inside.parent is None:
            return elsewhere
        where, inside = inside.call, inside.parent
    return _put_together(owner, where, stores, wanted, part, term_of, ordered=True)


def _of_parameter(
    frame: CallContext, at: StatementKey, name: str, wanted: Bytes, part: Part, term_of: TermOf
) -> ValueTerm:
    variable = frame.definitions.register(name, *at)
    if variable is None:
        return NOTHING
    if frame.memory.passing.is_parameter(variable):
        unknown = Unknown(Unseen.PARAMETER, f"{name}+{wanted.offset}" if wanted.offset else name)
        given = frame.argument(variable)
        if given is None:
            ways = [_of_parameter(one, at, name, wanted, part, term_of) for one in frame.called()]
            return Pieces((BitSegment(0, 8 * wanted.size, tuple((way, 0) for way in ways)),)) if ways else unknown
        caller, passed = given
        stores = caller.memory.passing.passed_to(passed) if not caller.memory.passing.is_parameter(passed) else None
        if stores is None:
            return unknown
        return _put_together(caller, at, stores, wanted, part, term_of)
    called = frame.memory.passing.call_of(variable)
    if called is None:
        return Unknown(Unseen.RESULT, "call", at)
    reached = called[1]
    function = reached.function.symbol
    unknown = Unknown(Unseen.RESULT, function.name if function is not None else "call", at)
    inner = frame.inner(called[0])
    returned = reached.returned(name)
    if inner is None or returned is None:
        return unknown
    callee = inner[0]
    result = callee.memory.passing.formal(returned)
    stores = callee.memory.passing.passed_to(result) if result is not None else None
    return unknown if stores is None else _put_together(callee, at, stores, wanted, part, term_of)


def _pointee(
    frame: CallContext, at: StatementKey, name: str, deeper: int = _MOST_KEPT
) -> tuple[CallContext, Register, int] | None:
    """The variable of local memory that an address is in, whose it is, and where in it."""
    offset = 0
    for _ in range(_LONGEST_WAY):
        base = base_of(frame.definitions, at, name)
        if base is None:
            return None
        register, offset = base.name, offset + base.offset
        if is_variable(register):
            return (frame, register, offset) if _is_local(register) else None
        only = frame.definitions.only(register)
        known = transfer_function(*only[:2]) if only is not None and not only.guarded else None
        kind = register.declared.chunk.kinds[register.declared.statement]
        if kind != Kind.REGISTERS or only is None or known is None or known.mnemonic != "ld":
            return None
        at = only[:2]
        words = words_of(*at)
        if ".param" in known.opcode:
            address = access(known, 1, *at, words)
            passed = _passed(frame, at, address[0]) if address is not None and not address[1] else None
            if passed is None or access_size(known) != (8, 1):
                return None
            frame, at, name = passed
            continue
        kept = _kept(frame, at, known, words, deeper - 1) if deeper else None
        if kept is None:
            return None
        at, name = kept
    return None


def _kept(
    frame: CallContext, at: StatementKey, known: TransferFunction, words: Sequence[str], deeper: int
) -> tuple[StatementKey, str] | None:
    """The register whose address a load fetches from a local variable of its function, where only one can be."""
    address = access(known, 1, *at, words)
    place = _pointee(frame, at, address[0], deeper) if address is not None else None
    if address is None or place is None or place[0] is not frame or access_size(known) != (8, 1):
        return None
    _, variable, offset = place
    offset += address[1]
    near = [store for store in frame.memory.stored(variable) or () if offset - store.size < store.offset < offset + 8]
    if any((store.offset, store.size) != (offset, 8) for store in near):
        return None
    if len(near) > 1:
        near = reaching(frame.memory, near, at)
    stored = transfer_function(*near[0].at) if len(near) == 1 and not near[0].calls else None
    if stored is None or stored.operands[1].written is not WrittenOperand.NAME:
        return None
    return near[0].at, words_of(*near[0].at)[stored.operands[1].word]


def _passed(frame: CallContext, at: StatementKey, name: str) -> tuple[CallContext, StatementKey, str] | None:
    """The register that holds what is passed as a parameter, in the caller."""
    parameter = frame.definitions.register(name, *at)
    if parameter is None or not frame.memory.passing.is_parameter(parameter):
        return None
    given = frame.argument(parameter)
    if given is None or given[0].memory.passing.is_parameter(given[1]):
        return None
    stores = given[0].memory.passing.passed_to(given[1])
    if stores is None or len(stores) != 1 or (stores[0].offset, stores[0].size) != (0, 8):
        return None
    at = stores[0].at
    known = transfer_function(*at)
    if known is None or known.operands[1].written is not WrittenOperand.NAME:
        return None
    return given[0], at, words_of(*at)[known.operands[1].word]


def _is_local(variable: Register) -> bool:
    place = variable.declared
    return ".local" in place.chunk.part(place.statement)


def _put_together(
    owner: CallContext,
    at: StatementKey,
    stores: Sequence[Store],
    wanted: Bytes,
    part: Part,
    term_of: TermOf,
    *,
    ordered: bool = False,
) -> ValueTerm:
    """Bytes of an object: for each run of them what can have been stored there last."""
    end = wanted.offset + wanted.size
    near = [store for store in stores if store.offset < end and wanted.offset < store.offset + store.size]
    cuts = {wanted.offset, end}
    cuts.update(cut for store in near for cut in (store.offset, store.offset + store.size) if wanted.offset < cut < end)
    places = sorted(cuts)
    segments = []
    for first, last in pairwise(places):
        here = [store for store in near if store.offset <= first and last <= store.offset + store.size]
        if ordered and len(here) > 1:
            here = reaching(owner.memory, here, at)
        low = 8 * (first - wanted.offset)
        inner = part if low == 0 else Part.HIGH if low == _WORD and part is Part.WHOLE else Part.NONE
        sources = tuple(
            (_stored(owner, store, 8 * (first - store.offset), inner, term_of), 8 * (first - store.offset))
            for store in here
        )
        segments.append(BitSegment(low, 8 * (last - first), sources or ((Unknown(Unseen.NEVER, ""), 0),)))
    return Pieces(tuple(segments))


def _stored(owner: CallContext, store: Store, cut: int, part: Part, term_of: TermOf) -> ValueTerm:
    frame = owner
    for call in store.calls:
        inner = frame.inner(call)
        if inner is None:
            return NOTHING
        frame = inner[0]
    known = transfer_function(*store.at)
    assert known is not None
    source = known.operands[1]
    if store.element >= 0:
        if store.element >= len(source.parts):
            return NOTHING
        source = source.parts[store.element]
    kept = part if cut == 0 else Part.WHOLE if cut == _WORD and part is Part.HIGH else Part.NONE
    return term_of(frame, store.at, words_of(*store.at), source, kept, 8 * store.size)
