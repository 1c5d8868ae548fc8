"""The words of the language outside the instruction pages: ``grammar/vocabulary/*.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from ptx_lsp.isa.files import read_grammar
from ptx_lsp.isa.gate import Gate
from ptx_lsp.isa.shared import Shared
from ptx_lsp.isa.tables import read_tables
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version

_NUMBERED = re.compile(r"<(\d+)>")
_LATE_COUNTERS = {f"%pm{number}" for number in range(4, 8)}
_LATE_COUNTER_GATE = Gate.parse("3.0 sm_20")


class TypeWord(NamedTuple):
    """A type: ``.bf16x2`` has 32 bits, is a packed float and lives in ``.b32``."""

    name: str
    bits: int
    kind: str
    holder: str
    """The type of the registers that hold such values; empty if it has registers of its own, or none."""
    words: str
    declarable: bool
    """Whether registers, variables or parameters are declared with it."""


class SpaceWord(NamedTuple):
    """A state space."""

    name: str
    generic: bool
    """Whether its variables have generic addresses."""
    words: str


class QualifierWord(NamedTuple):
    """A qualifier that means the same nearly everywhere."""

    name: str
    words: str


class SpecialRegister(NamedTuple):
    """A special register; of a numbered group each member by itself."""

    name: str
    type: str
    """The type of it, or of each component."""
    vector: int
    """The number of components ``.x .y .z .w``; 0 for a scalar."""
    gate: Gate
    words: str


class DirectiveWord(NamedTuple):
    """A directive and where it stands."""

    name: str
    place: str
    gate: Gate
    words: str


class TargetWord(NamedTuple):
    """A target and the first version that takes it."""

    target: Target
    version: Version
    family: str
    """``10x``, ``11x``, ``12x``, or empty."""
    words: str


class Vocabulary:
    """All of it, each list read when it is first asked for."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    @property
    def repeatable(self) -> frozenset[str]:
        """Qualifiers that ptxas lets stand twice."""
        return self._shared.repeatable

    @property
    def meaningless(self) -> frozenset[str]:
        """Qualifiers that ptxas ignores where they do not belong."""
        return self._shared.meaningless

    @property
    def order(self) -> dict[str, str]:
        """The order class of each qualifier that has one."""
        return self._shared.order

    @cached_property
    def types(self) -> dict[str, TypeWord]:
        """The types of registers, variables and instructions."""
        return {
            row["type"]: TypeWord(
                row["type"],
                int(row["bits"]),
                row["class"],
                _or_empty(row["holder"]),
                row["what"],
                row["declare"] == "yes",
            )
            for row in _table("types")
        }

    @cached_property
    def declarable(self) -> frozenset[str]:
        """The types with which registers, variables or parameters are declared."""
        return frozenset(name for name, word in self.types.items() if word.declarable)

    @cached_property
    def spaces(self) -> dict[str, SpaceWord]:
        """The state spaces."""
        return {row["space"]: SpaceWord(row["space"], row["generic"] == "yes", row["what"]) for row in _table("spaces")}

    @cached_property
    def qualifiers(self) -> dict[str, QualifierWord]:
        """What qualifiers mean where a page says nothing else."""
        return {row["qualifier"]: QualifierWord(row["qualifier"], row["what"]) for row in _table("qualifiers")}

    @cached_property
    def special_registers(self) -> dict[str, SpecialRegister]:
        """The special registers, without their components."""
        return {register.name: register for row in _table("special_registers") for register in _registers(row)}

    @cached_property
    def directives(self) -> dict[str, DirectiveWord]:
        """The directives."""
        return {
            row["directive"]: DirectiveWord(row["directive"], row["place"], Gate.parse(row["gate"]), row["what"])
            for row in _table("directives")
        }

    @cached_property
    def versions(self) -> dict[Version, str]:
        """The versions, oldest first, each with the CUDA toolkit that brought it; empty if none carries its number."""
        return {Version.parse(row["ptx"]): _or_empty(row["cuda"]) for row in _table("versions")}

    @cached_property
    def targets(self) -> dict[str, TargetWord]:
        """The targets by name, oldest first."""
        return {
            row["target"]: TargetWord(
                Target.parse(row["target"]), Version.parse(row["ptx"]), _or_empty(row["family"]), row["what"]
            )
            for row in _table("targets")
        }

    @property
    def newest_version(self) -> Version:
        """The version to assume where none is written."""
        return max(self.versions)

    @property
    def newest_target(self) -> Target:
        """The target to assume where none is written: the last data-center architecture with all its features."""
        return Target(100, "a")

    @cached_property
    def mnemonics(self) -> tuple[str, ...]:
        """The names of all instructions of the manual, with or without a page."""
        lines = read_grammar("vocabulary/mnemonics.md").splitlines()
        return tuple(line[3:-1] for line in lines if line.startswith("- `"))


def _table(name: str) -> list[dict[str, str]]:
    (table,) = read_tables(read_grammar(f"vocabulary/{name}.md"))
    return table


def _or_empty(cell: str) -> str:
    return "" if cell == "-" else cell


def _registers(row: dict[str, str]) -> Iterator[SpecialRegister]:
    """The members of a line: ``%envreg<32>`` stands for 32 registers."""
    numbered = _NUMBERED.search(row["register"])
    names = [row["register"]]
    if numbered is not None:
        names = [_NUMBERED.sub(str(number), row["register"]) for number in range(int(numbered[1]))]
    for name in names:
        gate = _LATE_COUNTER_GATE if name in _LATE_COUNTERS else Gate.parse(row["gate"])
        yield SpecialRegister(name, row["type"], int(_or_empty(row["vector"]) or 0), gate, row["what"])
