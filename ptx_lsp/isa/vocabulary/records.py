"""The records that the lists of the vocabulary become."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple


class TypeWord(NamedTuple):
    """A type: ``.bf16x2`` has 32 bits, is a packed float and lives in ``.b32``."""

    name: str
    bits: int
    kind: str
    holder: str
    """The type of the registers that hold such values; empty if it has registers of its own, or none."""
    words: str
    declared: Gate | None
    """Since when registers, variables or parameters are declared with it; None if nothing is."""
    tolerated: bool
    """Whether ptxas takes declarations with it that the manual does not know."""
    arrays: bool
    """Whether ptxas lets arrays of it pass, and nothing else."""
    vector: bool
    """Whether there are vectors of it, as far as they have 128 bits at most."""
    initial: frozenset[str]
    """The parts of initializers: ``integers``, ``floats``, ``bytes``, ``addresses``, ``fields``."""


class SpaceWord(NamedTuple):
    """A state space."""

    name: str
    generic: bool
    """Whether its variables have generic addresses."""
    access: str
    """``read`` or ``read, write``; empty where that depends."""
    seen_by: str
    """Whose threads see one copy of a variable: ``thread``, ``CTA``, ``grid``; empty where that depends."""
    initialized: bool
    """Whether a declaration can have an initializer."""
    module: Gate | None
    """Since when variables are declared in it outside of functions; None if none is."""
    body: Gate | None
    """Since when variables are declared in it between the braces of a function; None if none is."""
    words: str


class QualifierWord(NamedTuple):
    """A qualifier that means the same nearly everywhere."""

    name: str
    """With ``#`` for each number of a whole series of qualifiers: ``.m#n#k#``."""
    words: str


class Comparison(NamedTuple):
    """A comparison of the language."""

    name: str
    sign: str
    """As in C; empty for those that ask for NaNs only."""
    with_nan: bool
    """The answer where one of two floats is a NaN."""
    opposite: str
    """The comparison that is true where this one is false, floats included."""


class NamedValue(NamedTuple):
    """A whole constant that people write for an operand."""

    text: str
    """In hexadecimal."""
    operands: frozenset[str]
    instructions: frozenset[str]
    """The first words of their names."""
    words: frozenset[str]
    """Of the opcode: one of them is needed, or none may be there."""
    is_without: bool
    """Whether none of the words may be there."""
    means: str

    def is_for(self, operand: str, opcode: Sequence[str]) -> bool:
        """Whether it is a value of an operand of an instruction, by the operand's name on the page."""
        if operand not in self.operands or opcode[0] not in self.instructions:
            return False
        return not self.words or self.words.isdisjoint(opcode) is self.is_without


class SpecialRegister(NamedTuple):
    """A special register; of a numbered group each member by itself."""

    name: str
    type: str
    """The type of it, or of each component."""
    vector: int
    """The number of components ``.x .y .z .w``; 0 for a scalar."""
    narrow: bool
    """Whether ``mov`` reads it with fewer bits too."""
    gate: Gate
    words: str


class DirectiveWord(NamedTuple):
    """A directive and where it stands."""

    name: str
    grammar: str
    """Its syntax, ``{}`` around what may be left out; empty if it cannot be."""
    place: str
    gate: Gate
    words: str
    limits: tuple[tuple[int, int, int], ...] = ()
    """The numbers that make sense, a range for each: first, last, step."""
    product: int = 0
    """The most that the product of the numbers can be; 0 for any."""


class TuningWord(NamedTuple):
    """A directive in the head of a function, and what can stand beside it."""

    name: str
    heads: frozenset[str]
    """Its heads: ``entry`` and ``func`` with a body, ``declared func``, ``unended func``, ``prototype``."""
    values: int
    """The number of numbers that may follow; 0 where none may, or where it takes strings."""
    least: int
    """The smallest of them."""
    rank: int
    """Its place among the directives of functions and prototypes; 0 where the order is free."""
    once: bool
    replaces: bool
    """Whether a second one takes the place of the first."""
    excludes: tuple[str, ...]
    requires: tuple[str, ...]
    beside: tuple[str, ...]
    """Without one of these it is ignored."""


class FeatureWord(NamedTuple):
    """Something that came later and has no word of its own."""

    name: str
    gate: Gate
    words: str
    """Its name in messages, as it precedes "needs PTX 6.0"."""


class TargetWord(NamedTuple):
    """A target and the first version that takes it."""

    target: Target
    version: Version
    family: str
    """``10x``, ``11x``, ``12x``, or empty."""
    words: str
