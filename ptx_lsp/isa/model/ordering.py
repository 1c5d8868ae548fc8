"""Facts about order: the asynchronous work that an instruction starts, completes, waits for or fences.

They are the ``ordering`` lines of the pages. Rules about asynchronous work read them and name no instruction.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from enum import Enum

from ptx_lsp.named_tuples import NamedTuple

WORK = {
    "copies": "copies of a thread, completed by groups or an mbarrier",
    "bulk-copies": "bulk operations that bulk groups complete",
    "bytes": "operations that complete bytes on an mbarrier",
    "products": "products of a warpgroup, completed by groups",
    "tensor-loads": "loads from Tensor Memory",
    "tensor-stores": "stores to Tensor Memory",
    "tensor-work": "operations on Tensor Memory that a commit completes on an mbarrier",
}
"""The kinds of asynchronous work."""

TENSOR_MEMORY = frozenset({"tensor-loads", "tensor-stores", "tensor-work"})
"""The kinds whose addresses are those of Tensor Memory."""

PHASE, THREADS, BYTES, GRIDS = "phase", "threads", "bytes", "grids"
"""The phase of an mbarrier, whose end completes any work that arrives there; other threads; bytes of an mbarrier;
the grids that this one depends on."""

LANES, CLUSTER, SOURCES, TIME = "lanes", "cluster", "sources", "time"
"""Lanes of the warp; the threads of a cluster, which are also threads; the sources of bulk copies; nothing but time."""

COUNT, CTAS, REGISTERS, TENSOR_MAPS = "count", "ctas", "registers", "tensor-maps"
"""The number of arrivals of an mbarrier; other CTAs; registers of a thread; tensor-maps."""

TENSOR_SIGNALS, TENSOR_WAITS = "tensor-signals", "tensor-waits"
"""Signals of a thread after its work on Tensor Memory; waits of a thread before its work on Tensor Memory."""

PROXIES = frozenset({"async", TENSOR_MAPS})
"""The proxies beside the generic one."""

ALL = "all"
"""In the place of the number of a wait: for everything, committed or not."""


class Verb(Enum):
    """The first word of a fact."""

    STARTS = "starts"
    """Begins work of a kind; what it reads and writes is in use until a wait."""
    COMMITS = "commits"
    """Makes a group of the work of a kind that was started since the last one."""
    COMPLETES = "completes"
    """Makes started work of a kind arrive at an mbarrier: an operand."""
    WAITS = "waits"
    """Waits for work of a kind, of groups until at most as many as an operand says are unfinished."""
    FENCES = "fences"
    """Orders earlier accesses before those of a proxy, accesses of registers before work of a kind, or work on Tensor
    Memory before signals and after waits."""
    PROXY = "proxy"
    """The proxy of its accesses of memory, if not the generic one."""
    INITIALIZES = "initializes"
    """Makes an mbarrier in memory: the operand, and the one with the number of arrivals."""
    INVALIDATES = "invalidates"
    """Makes an mbarrier invalid."""
    EXPECTS = "expects"
    """Announces bytes that an mbarrier waits for: the mbarrier and their number."""
    ARRIVES = "arrives"
    """Brings a phase of an mbarrier nearer to its end, or tells other threads that this one is here."""
    MAPS = "maps"
    """Makes, of this address, that of the same place in another CTA."""
    READS = "reads"
    """Reads the register, or the memory at the address or descriptor, that an operand is."""
    WRITES = "writes"
    """Writes it."""
    FREES = "frees"
    """Frees the memory at the address."""
    ALLOCATES = "allocates"
    """Allocates memory, and writes its address there."""
    RELINQUISHES = "relinquishes"
    """Gives up the right to allocate."""
    CALLS = "calls"
    """Executes another function."""
    ORDERS = "orders"
    """Tells other threads what this one has done, or this one what others have done, without a barrier."""
    CHANGES = "changes"
    """Changes the number of arrivals that an mbarrier waits for."""
    SIGNALS = "signals"
    """Arrives at mbarriers of other CTAs."""
    MODIFIES = "modifies"
    """Changes a tensor-map in memory."""
    RAISES = "raises"
    """Asks for more registers."""
    LOWERS = "lowers"
    """Gives registers back."""
    CONVERGES = "converges"
    """All lanes of a warp must execute it together, as with ``.aligned``, which its opcode need not have."""

    __hash__ = object.__hash__  # facts are looked up by the thousand: that of enumerations takes five times as long


OBJECTS: dict[Verb, frozenset[str]] = {
    Verb.STARTS: frozenset(WORK),
    Verb.COMMITS: frozenset(WORK),
    Verb.COMPLETES: frozenset(WORK),
    Verb.INITIALIZES: frozenset({PHASE}),
    Verb.INVALIDATES: frozenset({PHASE}),
    Verb.EXPECTS: frozenset({BYTES}),
    Verb.ARRIVES: frozenset({PHASE, BYTES, THREADS, CLUSTER}),
    Verb.WAITS: frozenset({*WORK, PHASE, THREADS, GRIDS, LANES, CLUSTER, SOURCES, TIME}),
    Verb.FENCES: frozenset({*PROXIES, *WORK, THREADS, TENSOR_SIGNALS, TENSOR_WAITS}),
    Verb.PROXY: PROXIES,
    Verb.ORDERS: frozenset({THREADS}),
    Verb.CHANGES: frozenset({COUNT}),
    Verb.SIGNALS: frozenset({CTAS}),
    Verb.MODIFIES: frozenset({TENSOR_MAPS}),
    Verb.RAISES: frozenset({REGISTERS}),
    Verb.LOWERS: frozenset({REGISTERS}),
}
"""The words that can follow a verb; after the others operands follow."""


_IF, _NOT = "if", "not"


class OrderingFact(NamedTuple):
    """One fact: ``waits copies n``, ``waits grids if .wait``."""

    verb: Verb
    what: str = ""
    """A kind of work, a proxy; empty for accesses."""
    operands: tuple[str, ...] = ()
    """The operands concerned, or ``all``."""
    only: tuple[str, ...] = ()
    """It holds for opcodes with one of these words; empty if for all."""
    unless: tuple[str, ...] = ()
    """It does not hold for opcodes with one of these words."""

    def holds(self, opcode: Sequence[str]) -> bool:
        """Whether it holds for an opcode, given by its words."""
        if self.only and not any(word in opcode for word in self.only):
            return False
        return not any(word in opcode for word in self.unless)

    def concerns(self, names: Set[str]) -> bool:
        """Whether it is about forms with operands of these names: one of its own, of ``expects`` all of them."""
        if self.verb is Verb.EXPECTS:
            return set(self.operands) <= names
        return not self.operands or not names.isdisjoint(self.operands)

    @property
    def written(self) -> tuple[str, ...]:
        """The words of the page; the inverse of :meth:`parse`."""
        condition = (_IF, *self.only) if self.only else (_IF, _NOT, *self.unless) if self.unless else ()
        return (self.verb.value, *([self.what] if self.what else []), *self.operands, *condition)

    @staticmethod
    def parse(words: tuple[str, ...]) -> OrderingFact:
        """Read ``verb what operand … if qualifier …``; ``if not …`` for the opposite.

        Raises:
            ValueError: for an unknown verb, or a word that cannot follow it.

        """
        if _IF in words:
            at = words.index(_IF)
            fact, condition = OrderingFact.parse(words[:at]), words[at + 1 :]
            if not condition or condition == (_NOT,):
                raise ValueError(f"nothing follows '{words[-1]}'")
            if condition[0] == _NOT:
                return fact._replace(unless=condition[1:])
            return fact._replace(only=condition)
        verb = next((one for one in Verb if one.value == words[0]), None)
        if verb is None:
            raise ValueError(f"'{words[0]}' is no fact about order")
        if verb not in OBJECTS:
            return OrderingFact(verb, "", words[1:])
        what = words[1] if len(words) > 1 else ""
        if what not in OBJECTS[verb]:
            raise ValueError(f"'{what}' cannot follow '{verb.value}'")
        return OrderingFact(verb, what, words[2:])


Ordering = tuple[OrderingFact, ...]
"""All facts of a form."""
