"""The three lines that open a module: ``.version``, ``.target``, ``.address_size``.

Source: PTX ISA, "PTX Module Directives".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Header

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module


class HeaderLine(NamedTuple):
    """One of the lines, with the words after the directive."""

    place: Place
    directive: str
    words: tuple[str, ...]
    tokens: tuple[int, ...]
    """The token of each word."""


def header_lines(places: Iterable[Place]) -> list[HeaderLine]:
    """Read the header statements at ``places``."""
    lines = []
    for place in places:
        statement = place.chunk.statement(place.statement)
        tree = statement.shape.tree
        if isinstance(tree, Header):
            words = tuple(statement.word(token) for token in tree.values)
            lines.append(HeaderLine(place, statement.word(tree.word), words, tree.values))
    return lines


def written_version(lines: Iterable[HeaderLine]) -> Version | None:
    """The version of the first ``.version`` line, if it is one that exists."""
    for line in lines:
        if line.directive == ".version" and line.words:
            try:
                version = Version.parse(line.words[0])
            except ValueError:
                return None
            return version if version in catalogue().vocabulary.versions else None
    return None


def target_of(word: str) -> Target | None:
    """The architecture that a word after ``.target`` names; ptxas reads ``compute_90`` as ``sm_90``."""
    name = "sm_" + word.removeprefix("compute_") if word.startswith("compute_") else word
    return Target.parse(name) if name in catalogue().vocabulary.targets else None


def written_target(lines: Iterable[HeaderLine]) -> Target | None:
    """The first architecture of the first ``.target`` line that names one that exists."""
    for line in lines:
        if line.directive == ".target":
            for word in line.words:
                target = target_of(word)
                if target is not None:
                    return target
    return None


def first_statement(module: Module) -> tuple[Place, int] | None:
    """The first statement of a module with the number of its tokens; None in a document without chunks."""
    for chunk in module.document.chunks:
        for index, kind in enumerate(chunk.kinds):
            if kind != Kind.EMPTY:
                return Place(chunk, index, 0), 1
    chunks = module.document.chunks
    return (Place(chunks[0], 0, 0), 0) if chunks and chunks[0].kinds else None
