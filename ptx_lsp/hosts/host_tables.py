"""The tables of ``grammar/hosts``: languages, dialects, guards, and the words that tell device code from other code."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from functools import cache

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.markdown_tables import or_empty, read_tables
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


class HostLanguage(NamedTuple):
    """A line of ``languages.md``."""

    host: str
    suffixes: frozenset[str]
    """With the dot."""
    ids: frozenset[str]
    """Identifiers of the Language Server Protocol."""
    words: tuple[str, ...]
    """A text without any of them has no inline assembly."""


class MacroTargets(NamedTuple):
    """The targets for which a macro holds: a line of ``guards.md``."""

    name: re.Pattern[str]
    targets: tuple[str, ...]
    """In the notation of the table, with ``#`` for the number in the name."""
    is_exact: bool
    """Whether it holds for all of them; otherwise it holds for no others."""


class Guards(NamedTuple):
    """The tables of ``guards.md``."""

    macros: tuple[MacroTargets, ...]
    numbers: dict[str, tuple[str, bool]]
    """The number that a macro has, and whether it is 0 where it has none (otherwise it is not defined then)."""
    toolkit: frozenset[str]
    """Macros about the release of the toolkit."""
    calls: frozenset[str]
    """Macros with conditions and code as arguments."""


class CallArguments(NamedTuple):
    """A line of ``calls.md``; an argument is its position and its keyword."""

    template: tuple[int, str] | None
    constraints: tuple[int, str] | None
    operands: tuple[int, str] | None
    dialect: str
    words: tuple[str, ...]
    """Words of a file that make it device code."""
    other_words: tuple[str, ...]
    """Words of a file that leave it open, since it has code for other processors too."""

    def is_device(self, text: str) -> bool:
        """Whether the text of a file makes the calls in it device code."""
        return any(word in text for word in self.words) and not any(word in text for word in self.other_words)


class Processor(NamedTuple):
    """Another processor whose assembly can stand in a file."""

    instructions: re.Pattern[str]
    clobbers: frozenset[str]
    letters: frozenset[str]
    """Letters of constraints that PTX does not have."""


@cache
def languages() -> tuple[HostLanguage, ...]:
    """The languages, each with its suffixes and ids."""
    (table,) = read_tables(read_grammar("hosts/languages.md"))
    return tuple(
        HostLanguage(
            row["host"], frozenset(row["suffixes"].split()), frozenset(row["ids"].split()), tuple(row["words"].split())
        )
        for row in table
    )


def host_of(path: str, language_id: str | None = None) -> str | None:
    """The language of a file: by the id that an editor gives, or by the suffix. None for all other files."""
    for one in languages():
        if language_id in one.ids:
            return one.host
    suffix = os.path.splitext(path)[1].lower()
    return next((one.host for one in languages() if suffix in one.suffixes), None)


@cache
def guards() -> Guards:
    """The macros that conditions on the target contain."""
    macros, numbers, toolkit, calls = read_tables(read_grammar("hosts/guards.md"))
    return Guards(
        tuple(
            MacroTargets(
                _pattern(row["macro"], r"(\d+)"), tuple(or_empty(row["targets"]).split()), row["exact"] == "yes"
            )
            for row in macros
        ),
        {row["macro"]: (row["number"].partition(" ")[0], row["number"].endswith("or 0")) for row in numbers},
        frozenset(row["macro"] for row in toolkit),
        frozenset(row["call"] for row in calls),
    )


@cache
def calls(host: str) -> dict[str, CallArguments]:
    """The calls with templates in a language, by name."""
    table, _ = read_tables(read_grammar("hosts/calls.md"))
    return {
        row["call"]: CallArguments(
            _place(row["template"]),
            _place(row["constraints"]),
            _place(row["operands"]),
            row["dialect"],
            tuple(row["words"].split()),
            tuple(or_empty(row["other words"]).split()),
        )
        for row in table
        if row["host"] == host
    }


@cache
def transparent_calls() -> frozenset[str]:
    """Functions and methods that change only the white space of a string."""
    _, table = read_tables(read_grammar("hosts/calls.md"))
    return frozenset(row["call"] for row in table)


@cache
def register_classes(dialect: str) -> frozenset[str]:
    """The words for registers of PTX in the constraints of a dialect."""
    (table,) = read_tables(read_grammar("hosts/constraints.md"))
    return frozenset(row["letter"] for row in table if row["dialect"] == dialect and row["type"].startswith("."))


def _place(cell: str) -> tuple[int, str] | None:
    position, _, keyword = or_empty(cell).partition(" ")
    return (int(position), keyword) if position else None


@cache
def targets() -> tuple[str, ...]:
    """All targets of the vocabulary: ``sm_90``, ``sm_90a`` ..."""
    (table,) = read_tables(read_grammar("vocabulary/targets.md"))
    return tuple(row["target"] for row in table)


@memoized(1024)
def code_of_word(word: str) -> str | None:
    """``device`` or ``host``, if a word of the head of a function makes it such code."""
    return next((code for code, pattern in _surroundings() if pattern.fullmatch(word)), None)


@cache
def _surroundings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    words, _, _ = read_tables(read_grammar("hosts/surroundings.md"))
    return tuple((row["code"], _pattern(row["word"])) for row in words)


def have_other_processor(words: Collection[str]) -> bool:
    """Whether the assembly of another processor has an instruction with one of these names, of letters and dots."""
    if len(words) <= _FEW:
        return any(map(_names_other_processor, words))
    return _other_instructions().search("\n".join(words)) is not None


_FEW = 16
"""Words that are often those of other statements."""


@memoized(1024)
def _names_other_processor(word: str) -> bool:
    return _other_instructions().fullmatch(word) is not None


@cache
def _other_instructions() -> re.Pattern[str]:
    """Lines that are the name of such an instruction."""
    words = "|".join(processor.instructions.pattern for processor in other_processors())
    return re.compile(rf"^(?:{words})$", re.MULTILINE)


@cache
def other_processors() -> tuple[Processor, ...]:
    """The words by which the assembly of other processors is recognised."""
    _, table, _ = read_tables(read_grammar("hosts/surroundings.md"))
    return tuple(
        Processor(
            re.compile("|".join(_pattern(word).pattern for word in row["instructions"].split())),
            frozenset(or_empty(row["clobbers"]).split()),
            frozenset(or_empty(row["constraints"]).split()),
        )
        for row in table
    )


@cache
def provided_names() -> re.Pattern[str]:
    """The names that whoever compiles the PTX declares."""
    _, _, table = read_tables(read_grammar("hosts/surroundings.md"))
    return re.compile("|".join(_pattern(row["name"]).pattern for row in table))


def _pattern(words: str, number: str = r"\d+") -> re.Pattern[str]:
    return re.compile(re.escape(words).replace(r"\*", r"\w*").replace(r"\#", number))
