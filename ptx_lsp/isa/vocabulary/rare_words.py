"""Lists of the vocabulary that are only looked into when someone asks for a word of theirs."""

from __future__ import annotations

from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.markdown_tables import or_empty, vocabulary_table
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


class TargetOption(NamedTuple):
    """A word that ``.target`` takes besides the architecture."""

    name: str
    gate: Gate
    before: Target | None
    """The first architecture that refuses it; None if all take it."""
    words: str


class DirectivePart(NamedTuple):
    """A part of a directive that is younger than the directive."""

    name: str
    directive: str
    gate: Gate
    words: str


class PragmaWord(NamedTuple):
    """A string of ``.pragma``."""

    name: str
    """Its first word."""
    grammar: str
    """The contents of the string: ``frequency n``."""
    place: str
    gate: Gate
    words: str


class LanguageWord(NamedTuple):
    """A source language of ``.language``."""

    name: str
    number: int
    words: str


class ConstantWord(NamedTuple):
    """A name that the language itself gives to a constant."""

    name: str
    type: str
    value: int
    gate: Gate
    words: str


class OpaqueField(NamedTuple):
    """A field of textures, samplers or surfaces."""

    name: str
    owners: dict[str, str]
    """The types that have it, each with the texturing mode: ``unified``, ``independent`` or ``both``."""
    gate: Gate
    values: str
    words: str


class OpaqueValue(NamedTuple):
    """A value of such a field."""

    name: str
    field: str
    """The field, or what several fields begin with: ``addr_mode``."""
    words: str


class PipelinedPair(NamedTuple):
    """Two asynchronous instructions: the second one is executed after the first one without a wait."""

    first: str
    """The beginning of the opcode of the first one."""
    then: str
    same: tuple[str, ...]
    """The properties that both must have in common: ``accumulator``, ``shape``."""
    qualifier: str
    """A qualifier that the second one must have; empty if there is none."""

    def begins_with(self, opcode: tuple[str, ...]) -> bool:
        """Whether an instruction with this opcode can be the first one."""
        return _begins(opcode, self.first)

    def is_of(self, first: tuple[str, ...], then: tuple[str, ...]) -> bool:
        """Whether two instructions with these opcodes are such a pair, as far as opcodes say."""
        is_qualified = not self.qualifier or self.qualifier in then
        return is_qualified and self.begins_with(first) and _begins(then, self.then)


class WorkCompletion(NamedTuple):
    """The end of asynchronous work of a kind."""

    between: str
    """The instructions between an operation and what depends on it."""
    section: str
    """The section of the manual."""


class TensormapField(NamedTuple):
    """A field of a tensor-map."""

    name: str
    type: str
    each_dimension: bool
    """Whether it has a value for each dimension."""
    values: str
    words: str


class RareWords:
    """The lists, each read when it is first asked for."""

    @once
    def target_options(self) -> dict[str, TargetOption]:
        """The words that ``.target`` takes besides the architecture."""
        return {
            row["option"]: TargetOption(
                row["option"],
                Gate.parse(row["gate"]),
                Target.parse(row["before"]) if or_empty(row["before"]) else None,
                row["what"],
            )
            for row in vocabulary_table("target_options")
        }

    @once
    def directive_parts(self) -> dict[str, DirectivePart]:
        """The parts of directives that came later."""
        return {
            row["part"]: DirectivePart(row["part"], row["of"], Gate.parse(row["gate"]), row["what"])
            for row in vocabulary_table("directive_parts")
        }

    @once
    def pragmas(self) -> dict[str, PragmaWord]:
        """The strings of ``.pragma``, by their first word."""
        return {
            row["pragma"]: PragmaWord(row["pragma"], row["grammar"], row["place"], Gate.parse(row["gate"]), row["what"])
            for row in vocabulary_table("pragmas")
        }

    @once
    def languages(self) -> dict[str, LanguageWord]:
        """The languages of ``.language``, in small letters."""
        return {
            row["language"]: LanguageWord(row["language"], int(row["number"]), row["what"])
            for row in vocabulary_table("languages")
        }

    @once
    def constants(self) -> dict[str, ConstantWord]:
        """The names that stand for constants."""
        return {
            row["constant"]: ConstantWord(
                row["constant"], row["type"], int(row["value"]), Gate.parse(row["gate"]), row["what"]
            )
            for row in vocabulary_table("constants")
        }

    @once
    def opaque_fields(self) -> dict[str, OpaqueField]:
        """The fields of textures, samplers and surfaces."""
        types = ("texref", "samplerref", "surfref")
        return {
            row["field"]: OpaqueField(
                row["field"],
                {f".{type_}": row[type_] for type_ in types if or_empty(row[type_])},
                Gate.parse(row["gate"]),
                row["values"],
                row["what"],
            )
            for row in vocabulary_table("opaque_fields")
        }

    @once
    def opaque_values(self) -> dict[str, OpaqueValue]:
        """The words and numbers that are values of these fields."""
        return {
            row["value"]: OpaqueValue(row["value"], row["field"], row["what"])
            for row in vocabulary_table("opaque_values")
        }

    @once
    def register_ranges(self) -> dict[str, dict[str, str]]:
        """The values of vector registers, by component: ``x``, ``y``, ``z``, ``w``; empty where nothing is known."""
        return {
            row["register"]: {component: or_empty(row[component]) for component in "xyzw"}
            for row in vocabulary_table("register_ranges")
        }

    @once
    def fixed_registers(self) -> dict[str, tuple[int, int]]:
        """Special registers that keep their value while a thread runs, with the least and greatest value."""
        return {row["register"]: (int(row["least"]), int(row["most"])) for row in vocabulary_table("fixed_registers")}

    @once
    def instruction_roles(self) -> dict[str, str]:
        """The role of each instruction that is counted in blocks: ``mma``, ``ld`` …"""
        rows = vocabulary_table("instruction_roles")
        return {name: row["role"] for row in rows for name in row["instructions"].replace("`", "").split()}

    @once
    def pipelined_pairs(self) -> tuple[PipelinedPair, ...]:
        """The pairs of asynchronous instructions of which the second one needs no wait for the first."""
        return tuple(
            PipelinedPair(
                row["first"], row["then"], tuple(filter(None, or_empty(row["same"]).split(", "))), or_empty(row["with"])
            )
            for row in vocabulary_table("pipelined_pairs")
        )

    @once
    def work_completion(self) -> dict[str, WorkCompletion]:
        """The end of work on Tensor Memory, by its kind."""
        return {
            row["work"]: WorkCompletion(row["between"], row["section"]) for row in vocabulary_table("work_completion")
        }

    @once
    def initial_values(self) -> dict[str, Gate]:
        """Since when initializers of variables contain addresses and parts of them."""
        return {row["value"]: Gate.parse(row["gate"]) for row in vocabulary_table("initial_values")}

    @once
    def tensormap_fields(self) -> dict[str, TensormapField]:
        """The fields that ``tensormap.replace`` writes."""
        return {
            row["field"]: TensormapField(
                row["field"], row["type"], row["each"] == "dimension", row["values"], row["what"]
            )
            for row in vocabulary_table("tensormap_fields")
        }


@memoized(1 << 10)
def _begins(opcode: tuple[str, ...], name: str) -> bool:
    first, *rest = name.split(".")
    parts = (first, *(f".{part}" for part in rest))
    return opcode[: len(parts)] == parts


def _listed(cell: str) -> tuple[str, ...]:
    """The words of a cell with commas."""
    return tuple(or_empty(cell).split(", ")) if or_empty(cell) else ()
