"""Terms of values: facts, nodes whose fact is being found, and pieces of others put together."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ptx_lsp.analysis.dataflow.definitions import RegisterDefinition
from ptx_lsp.analysis.dataflow.known_bits import NOTHING, Fact, KnownBits
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import Part, TransferFunction
from ptx_lsp.analysis.descriptors.call_contexts import CallContext
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey
from ptx_lsp.named_tuples import NamedTuple


class ValueNode:
    """The value of a register: anywhere, or as one definition left it."""

    __slots__ = ("definition", "fact", "frame", "inputs", "is_done", "key", "part", "register", "transfer", "users")

    def __init__(
        self,
        key: tuple[object, ...],
        frame: CallContext,
        register: Register,
        definition: RegisterDefinition | None,
        part: Part,
    ) -> None:
        self.key = key
        self.frame = frame
        self.register = register
        self.definition = definition
        """None if all its definitions are joined."""
        self.part = part
        self.fact: Fact | None = None
        """Known bits so far; None if that is nothing yet."""
        self.is_done = False
        self.inputs: Sequence[ValueTerm] | None = None
        self.transfer: TransferFunction | None = None
        """The computation from the inputs; None if the first of them is the value."""
        self.users: list[ValueNode] = []
        """The nodes that have this among their inputs, while it is being found."""


class Unseen(Enum):
    """Why a value is opaque."""

    PARAMETER = "parameter"
    RESULT = "result of"
    """Of a function that is called."""
    SPECIAL = "special register"
    INSTRUCTION = "instruction"
    """A load, or another instruction that is not followed."""
    NEVER = "never written"
    """A register, or memory."""


class BitSegment(NamedTuple):
    """Some bits of a value, and what they can be."""

    low: int
    size: int
    sources: tuple[tuple[ValueTerm, int], ...]
    """Each with the bit that it is cut at."""


class Pieces(NamedTuple):
    """A value that is put together."""

    segments: tuple[BitSegment, ...]


class Unknown(NamedTuple):
    """Something that nothing is known of."""

    what: Unseen
    name: str
    """Of the parameter, function, special register or opcode."""
    at: StatementKey | None = None
    """The statement that it is read or made in, where the name alone does not say it."""


ValueTerm = Fact | ValueNode | Pieces | Unknown


def value(term: ValueTerm) -> Fact | None:
    """Known bits of a term so far; None as long as that is nothing."""
    if isinstance(term, ValueNode):
        return term.fact
    if isinstance(term, Fact):
        return term
    if isinstance(term, Unknown):
        return NOTHING
    sure_known = sure_value = bits_known = bits_value = 0
    above = 0
    for low, size, sources in term.segments:
        found: Fact | None = None
        for source, cut in sources:
            fact = value(source)
            if fact is not None:
                if cut:
                    fact = Fact(fact.sure >> cut, fact.bits >> cut)
                found = fact if found is None else found.join(fact)
        if found is None:
            return None
        mask = (1 << size) - 1
        sure, bits = found
        sure_known |= (sure.known & mask) << low
        sure_value |= (sure.value & mask) << low
        bits_known |= (bits.known & mask) << low
        bits_value |= (bits.value & mask) << low
        above = max(above, low + size)
    rest = _ALL & ~((1 << above) - 1)
    together = KnownBits(sure_known | rest, sure_value)
    if sure_known == bits_known:
        return Fact(together, together)
    return Fact(together, KnownBits(bits_known | rest, bits_value))


_ALL = (1 << 64) - 1
