"""Deviations of ptxas from the manual about operands: the ``lenient`` and ``strict`` lines of the pages.

A line names behaviours. Each of them is general: it speaks of kinds and types of operands, never of an instruction,
and is implemented once, in :mod:`ptx_lsp.isa.matching`. No one should write what a ``lenient`` line allows: no
completion offers it, and a statement that needs it has a warning, never an error. All of it is measured
(``python -m benchmarks.certification``).
"""

from __future__ import annotations

from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.named_tuples import NamedTuple

LENIENT = {
    # addresses
    "any-base": "anything but a variable as the base of the address",
    "opaque-base": "any register, texture or surface as the base of the address",
    "function-base": "the name of a function as the base of the address",
    "bare-address": "a register, constant, variable or texture without brackets for the address",
    "integer-address": "an integer without brackets for the address",
    "sink-address": "_ for the address",
    # constants
    "cut-constants": "a constant of which 32 bits are in range",
    "constant-results": "a constant as result",
    "function-results": "the name of a function as result",
    "ignored-result": "a constant where the operand is written, if its kind takes constants",
    # single values
    "short-values": "an integer register of 8 or 16 bits for 64 bits",
    "raw-words": "32 bits of any kind, in two registers as well, for the vector",
    "raw-halves": "32 bits of any kind for .bf16x2",
    "raw-registers": "32 bits of any kind, constants as well, where a register is wanted",
    "raw-values": "32 bits of any kind, constants as well; constants for 16 bits",
    "raw-integers": "two integers as a vector for 32 bits",
    "signed-predicates": "a sign before a predicate",
    # vectors
    "braced-values": "a single value in braces",
    "bare-vectors": "a value without braces for a vector of one element",
    "float-elements": "a constant .f32 as the only element of a vector",
    "single-words": "any 32-bit register and predicates as the only element of a vector",
    "single-longs": "64 bits of any kind as the only element of a vector",
    "special-elements": "special registers as elements",
    "vector-halves": "a vector of 32 bits for .bf16x2",
    "vectors-of-bytes": "untyped registers in braces for four small floats",
    "packed-constants": "integer registers of any width after a constant in a vector",
    "sizes-after-constant": "an integer register of any width after a constant in braces",
    "common-type": "elements in braces that have one type in common",
    # reads of textures
    "texture": "coordinates, derivatives and offsets as ptxas reads them, and in other brackets",
    "result": "the vector of the texture's components",
    "coordinates": "the coordinates",
    "sampler": "the sampler",
    "level": "the level of detail",
    "gradients": "the derivatives",
    "offset": "the offset in texels",
    "depth": "the value that the depth is compared with",
    "level-functions": "the name of a function as level",
    "handle-with-sampler": "a register as texture beside a sampler",
    "bare-with-sampler": "coordinates without braces beside a sampler",
    "expanded-gradients": "elements that are checked one by one with derivatives",
}
"""Behaviours that take more than the manual lists; a statement that needs one has the warning W604."""

WRITTEN_BY_COMPILERS = frozenset({"braced-values"})
"""Lenient behaviours without a warning: Triton writes ``ld.global.b32 { %r1 }, …`` on nearly every line."""

STRICT = {
    # addresses
    "references": "the name of a texture, sampler or surface as address",
    "special-base": "a special register as address",
    "short-generic": "a register of 8 or 16 bits as generic address",
    "short-base": "a register of 8 or 16 bits as address",
    "words-base": "a register of 32 bits as address",
    "integer-base": "a register of type .f16x2 as address, where the page lists the types of addresses",
    "narrow-address": "a register of 32 bits as generic or global address, when code is generated",
    "narrow-pointer": "a value of 32 bits that is a generic address, when code is generated",
    "narrow-name": "the name of a global variable for a value of 32 bits, when code is generated",
    "unshared": "a variable outside of shared memory as generic address",
    # single values
    "functions": "the name of a function for a value, of these types if some are listed",
    "narrow-specials": "a special register with more bits than the value, but for those that are meant to be cut",
    "wider": "registers of these types for smaller values",
    "braced-halves": "registers in braces for .bf16 and .bf16x2",
    # vectors
    "unlike-elements": "integer registers for floats in a vector",
    "function-elements": "the name of a function in a vector",
    "vector-elements": "vector registers in a vector",
    "plain-elements": "elements that are no registers of one type, no integers and no .f32 constants",
    "register-elements": "vectors without a register",
    # words of the opcode
    "second-kind": "a second .kind, which is not ignored",
    "vector-length": "a length that some vector does not have, which is not ignored",
}
"""Behaviours that refuse something that ptxas takes in general."""

IMPLIED = {
    "plain-elements": ("unlike-elements", "function-elements"),
    "register-elements": ("unlike-elements", "function-elements"),
}
"""Behaviours that others bring along."""


class DeviationCondition(NamedTuple):
    """A part of ``if …``: one of the words is written, or none of them."""

    words: tuple[str, ...]
    negated: bool = False


class Deviation(NamedTuple):
    """One behaviour of ptxas on a form."""

    behaviour: str
    about: tuple[str, ...] = ()
    """The operands, or types, that it is about; empty: all."""
    conditions: tuple[DeviationCondition, ...] = ()
    """All of them must hold."""
    gate: Gate = OPEN

    @property
    def written(self) -> tuple[str, ...]:
        """The words of the page; the inverse of :meth:`parse`."""
        words = [self.behaviour, *self.about]
        for at, condition in enumerate(self.conditions):
            words += ["and" if at else "if", *(["not"] if condition.negated else []), *condition.words]
        return tuple(words)

    @staticmethod
    def parse(words: tuple[str, ...], gate: Gate) -> Deviation:
        """Read ``behaviour operand … if .word … and not .word …``."""
        behaviour, *rest = words
        about, conditions = (rest[: rest.index("if")], rest[rest.index("if") + 1 :]) if "if" in rest else (rest, [])
        parts: list[list[str]] = [[]] if conditions else []
        for word in conditions:
            if word == "and":
                parts.append([])
            else:
                parts[-1].append(word)
        read = (
            DeviationCondition(tuple(part[negated:]), negated) for part in parts for negated in [part[:1] == ["not"]]
        )
        return Deviation(behaviour, tuple(about), tuple(read), gate)


def by_behaviour(deviations: tuple[Deviation, ...]) -> dict[str, tuple[Deviation, ...]]:
    """The deviations of a form by behaviour, with those that others imply."""
    found: dict[str, tuple[Deviation, ...]] = {}
    for one in deviations:
        for behaviour in (one.behaviour, *IMPLIED.get(one.behaviour, ())):
            found[behaviour] = (*found.get(behaviour, ()), one)
    return found
