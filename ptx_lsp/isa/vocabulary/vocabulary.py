"""The words of the language outside the instruction pages: ``grammar/vocabulary/*.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.derived_values import once
from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.operand_pattern import read_range
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.toolkits import VersionWord, language_versions
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.records import (
    Comparison,
    DirectiveWord,
    FeatureWord,
    NamedValue,
    QualifierWord,
    SpaceWord,
    SpecialRegister,
    TargetWord,
    TuningWord,
    TypeWord,
)
from ptx_lsp.markdown_tables import or_empty, vocabulary_table

if TYPE_CHECKING:
    from ptx_lsp.isa.vocabulary.rare_words import RareWords

_NUMBERED = re.compile(r"<(?:(\d+)\.\.)?(\d+)>")
_NUMBERS = re.compile(r"\d+")


class Vocabulary:
    """All of it, each list read when it is first asked for."""

    @once
    def types(self) -> dict[str, TypeWord]:
        """The types of registers, variables and instructions."""
        return {
            row["type"]: TypeWord(
                row["type"],
                int(row["bits"]),
                row["class"],
                or_empty(row["holder"]),
                row["what"],
                None if row["declare"] in ("-", "ptxas", "arrays") else Gate.parse(row["declare"]),
                row["declare"] == "ptxas",
                row["declare"] in ("ptxas", "arrays"),
                row["vector"] == "yes",
                frozenset("integers floats".split() if row["initial"] == "any" else row["initial"].split(", ")) - {"-"},
            )
            for row in vocabulary_table("types")
        }

    @once
    def declarable(self) -> frozenset[str]:
        """The types with which registers, variables or parameters are declared."""
        return frozenset(name for name, word in self.types.items() if word.declared is not None)

    @once
    def spaces(self) -> dict[str, SpaceWord]:
        """The state spaces."""
        return {
            row["space"]: SpaceWord(
                row["space"],
                row["generic"] == "yes",
                or_empty(row["access"]),
                or_empty(row["seen by"]),
                row["initializer"] == "yes",
                Gate.parse(row["module"]) if or_empty(row["module"]) else None,
                Gate.parse(row["body"]) if or_empty(row["body"]) else None,
                row["what"],
            )
            for row in vocabulary_table("spaces")
        }

    @once
    def qualifiers(self) -> dict[str, QualifierWord]:
        """The meaning of qualifiers where a page says nothing else."""
        return {
            row["qualifier"]: QualifierWord(row["qualifier"], row["what"]) for row in vocabulary_table("qualifiers")
        }

    def qualifier_role(self, word: str) -> str:
        """The role of a qualifier: ``rounding``, ``order``, ``scope``, ``cache`` or ``shape``; empty for all else."""
        return self._qualifier_roles.get(word) or self._qualifier_roles.get(_NUMBERS.sub("#", word), "")

    @once
    def _qualifier_roles(self) -> dict[str, str]:
        rows = vocabulary_table("qualifier_roles")
        return {word: row["role"] for row in rows for word in row["qualifiers"].split()}

    def meaning(self, word: str) -> str:
        """The general meaning of a qualifier, type or space; empty if that is not known."""
        for words in (self.qualifiers, self.types, self.spaces):
            if word in words:
                return words[word].words
        series = self.qualifiers.get(_NUMBERS.sub("#", word))
        if series is None:
            return ""
        numbers = iter(_NUMBERS.findall(word))
        return re.sub("#", lambda _: next(numbers), series.words)

    @once
    def special_registers(self) -> dict[str, SpecialRegister]:
        """The special registers, without their components."""
        rows = vocabulary_table("special_registers")
        return {register.name: register for row in rows for register in _registers(row)}

    @once
    def directives(self) -> dict[str, DirectiveWord]:
        """The directives."""
        return {
            row["directive"]: DirectiveWord(
                row["directive"],
                or_empty(row["grammar"]),
                row["place"],
                OPEN if row["gate"] == "-" else Gate.parse(row["gate"]),
                row["what"],
                *_limits(or_empty(row["limits"])),
            )
            for row in vocabulary_table("directives")
        }

    @once
    def comparisons(self) -> dict[str, Comparison]:
        """The comparisons of ``setp``."""
        return {
            row["comparison"]: Comparison(
                row["comparison"], or_empty(row["sign"]), row["with nan"] == "true", row["opposite"]
            )
            for row in vocabulary_table("comparisons")
        }

    @once
    def named_values(self) -> tuple[NamedValue, ...]:
        """Constants with a meaning as a whole, in the order in which they are offered."""
        return tuple(
            NamedValue(
                row["value"],
                frozenset(row["operand"].split()),
                frozenset(row["of"].split()),
                frozenset(or_empty(row["when"]).split()) - {"not"},
                row["when"].startswith("not "),
                row["means"],
            )
            for row in vocabulary_table("named_values")
        )

    @once
    def results_only(self) -> dict[str, frozenset[str]]:
        """Pages, or folders of them, whose instructions do nothing but write results, unless with a qualifier."""
        return {row["page"]: frozenset(or_empty(row["unless"]).split()) for row in vocabulary_table("results")}

    @once
    def tuning(self) -> dict[str, TuningWord]:
        """The directives in heads of functions."""
        return {
            row["directive"]: TuningWord(
                row["directive"],
                frozenset(row["on"].split(", ")),
                int(or_empty(row["values"]) or 0),
                int(or_empty(row["least"]) or 0),
                int(or_empty(row["rank"]) or 0),
                row["once"] == "yes",
                row["once"] == "last",
                *(_words(row[column]) for column in ("excludes", "requires", "beside")),
            )
            for row in vocabulary_table("tuning")
        }

    @once
    def features(self) -> dict[str, FeatureWord]:
        """Features that came with a version or target without a word of their own."""
        return {
            row["feature"]: FeatureWord(row["feature"], Gate.parse(row["gate"]), row["what"])
            for row in vocabulary_table("features")
        }

    def limit(self, name: str, version: Version, target: Target) -> int:
        """The largest size of its kind that a module of this version and target can have."""
        key = name, version, target
        found = self._found_limits.get(key)
        if found is None:
            allowed = (value for value, gate in self._limits[name] if gate.why_not(version, target) is None)
            found = self._found_limits[key] = max(allowed)
        return found

    @once
    def _found_limits(self) -> dict[tuple[str, Version, Target], int]:
        return {}

    @once
    def _limits(self) -> dict[str, list[tuple[int, Gate]]]:
        limits: dict[str, list[tuple[int, Gate]]] = {}
        for row in vocabulary_table("limits"):
            limits.setdefault(row["limit"], []).append((int(row["value"]), Gate.parse(row["gate"])))
        return limits

    @once
    def versions(self) -> dict[Version, VersionWord]:
        """The versions, oldest first."""
        return language_versions()

    @once
    def targets(self) -> dict[str, TargetWord]:
        """The targets by name, oldest first."""
        return {
            row["target"]: TargetWord(
                Target.parse(row["target"]), Version.parse(row["ptx"]), or_empty(row["family"]), row["what"]
            )
            for row in vocabulary_table("targets")
        }

    @once
    def rare(self) -> RareWords:
        """The lists that are seldom asked for: pragmas, target options, fields of opaque types and tensor-maps ..."""
        from ptx_lsp.isa.vocabulary.rare_words import RareWords

        return RareWords()

    @property
    def newest_version(self) -> Version:
        """The version to assume where none is written."""
        return max(self.versions)

    @property
    def newest_target(self) -> Target:
        """The target to assume where none is written: the last data-center architecture with all its features."""
        return Target(100, "a")

    @once
    def mnemonics(self) -> tuple[str, ...]:
        """The names of all instructions of the manual, with or without a page."""
        lines = read_grammar("vocabulary/mnemonics.md").splitlines()
        return tuple(line[3:-1] for line in lines if line.startswith("- `"))


def _words(cell: str) -> tuple[str, ...]:
    """The words of a cell that lists some."""
    return tuple(or_empty(cell).replace("`", "").split())


def _registers(row: dict[str, str]) -> Iterator[SpecialRegister]:
    """The members of a line: ``%envreg<32>`` stands for 32 registers, ``%pm<4..7>`` for four."""
    numbered = _NUMBERED.search(row["register"])
    names = [row["register"]]
    if numbered is not None:
        first, last = (int(numbered[1]), int(numbered[2])) if numbered[1] else (0, int(numbered[2]) - 1)
        names = [_NUMBERED.sub(str(number), row["register"]) for number in range(first, last + 1)]
    gate, vector = Gate.parse(row["gate"]), int(or_empty(row["vector"]) or 0)
    for name in names:
        yield SpecialRegister(name, row["type"], vector, row["narrow"] == "yes", gate, row["what"])


def _limits(text: str) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """``1..1024 1..64, product 1024`` as ranges and the most that the product can be."""
    ranges, _, product = text.partition(", product ")
    return tuple(map(read_range, ranges.split())), int(product or 0)
