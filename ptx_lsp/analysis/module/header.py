"""The three lines that open a module: ``.version``, ``.target``, ``.address_size``.

Source: PTX ISA, "PTX Module Directives".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Header

ADDRESS_SIZES = (32, 64)
"""The operands of ``.address_size``."""


class HeaderLine(NamedTuple):
    """One of the lines, with the words after the directive."""

    place: Place
    directive: str
    words: tuple[str, ...]
    tokens: tuple[int, ...]
    """The token of each word."""
    is_opening: bool
    """Whether nothing but such lines stands before it."""


class ModuleHeader(NamedTuple):
    """The header of a module, and what counts by it and by the settings of the user."""

    lines: tuple[HeaderLine, ...]
    version: Version
    target: Target
    is_target_known: bool
    """Whether the module or the settings name a target, so that it is not merely assumed."""
    has_separate_samplers: bool
    """Whether the texture mode is ``texmode_independent`` rather than ``texmode_unified``."""
    options: frozenset[str]
    """The words after ``.target`` besides the architecture: ``debug``, ``texmode_independent`` …"""

    @property
    def language(self) -> tuple[Version, Target, bool]:
        """The version, target and texture mode, which decide which statements are legal."""
        return self.version, self.target, self.has_separate_samplers

    @property
    def meaning(self) -> tuple[object, ...]:
        """All but the lines themselves."""
        return self[1:]


def module_header(lines: Iterable[HeaderLine], version: Version | None, target: Target | None) -> ModuleHeader:
    """The header that some lines make; ``version`` and ``target`` override them, else the newest count."""
    lines = tuple(lines)
    vocabulary = catalogue().vocabulary
    version = version or written_version(lines) or vocabulary.newest_version
    named = target or written_target(lines)
    options = frozenset(word for line in lines if line.directive == ".target" for word in line.words[1:])
    is_separate = any(line.directive == ".target" and "texmode_independent" in line.words for line in lines)
    return ModuleHeader(lines, version, named or vocabulary.newest_target, named is not None, is_separate, options)


def header_lines(places: Iterable[Place], chunks: Sequence[Chunk]) -> list[HeaderLine]:
    """Read the header statements at ``places`` of a document."""
    lines = []
    opening = set(opening_statements(chunks))
    for place in places:
        statement = place.chunk.statement(place.statement)
        tree = statement.shape.tree
        if isinstance(tree, Header):
            words = tuple(statement.word(token) for token in tree.values)
            lines.append(HeaderLine(place, statement.word(tree.word), words, tree.values, place in opening))
    return lines


def written_version(lines: Iterable[HeaderLine]) -> Version | None:
    """The version of the first ``.version`` line, if it is one that exists."""
    for line in lines:
        if line.directive == ".version" and line.words:
            return version_of(line.words[0])
    return None


def version_of(word: str) -> Version | None:
    """The version that a word after ``.version`` names, if there is such a one; ``8.01`` is 8.1."""
    try:
        version = Version.parse(word)
    except ValueError:
        return None
    return version if version in catalogue().vocabulary.versions else None


def target_of(word: str) -> Target | None:
    """The architecture that a word after ``.target`` names; ptxas reads ``compute_90`` and ``sm_090`` as ``sm_90``."""
    match = _TARGET(word)
    name = f"sm_{match[1]}" if match is not None else word
    return Target.parse(name) if name in catalogue().vocabulary.targets else None


_TARGET = re.compile(r"(?:sm|compute)_0*(\d+[af]?)").fullmatch


def written_target(lines: Iterable[HeaderLine]) -> Target | None:
    """The last architecture that the ``.target`` lines name, for that is the one that ptxas goes by.

    ptxas also takes ``.target`` in a function, and goes by that from there on. Here the newest then counts everywhere.
    """
    found = _counting(lines)
    return found[0] if found is not None else None


def target_place(lines: Iterable[HeaderLine]) -> Place | None:
    """The word that :func:`written_target` goes by."""
    found = _counting(lines)
    return found[1] if found is not None else None


def version_place(lines: Iterable[HeaderLine]) -> Place | None:
    """The word after the first ``.version``."""
    for line in lines:
        if line.directive == ".version" and line.tokens:
            return line.place._replace(token=line.tokens[0])
    return None


def _counting(lines: Iterable[HeaderLine]) -> tuple[Target, Place] | None:
    """The architecture that counts, and where it stands."""
    found = None
    is_opening = True
    for line in lines:
        is_opening = is_opening and line.is_opening
        if line.directive == ".target":
            for word, token in zip(line.words, line.tokens, strict=True):
                target = target_of(word)
                if target is not None and (is_opening or found is None or target.number > found[0].number):
                    found = target, line.place._replace(token=token)
    return found


def reworded(lines: Iterable[HeaderLine], version: Version, target: Target) -> list[HeaderLine]:
    """The lines with another version and architecture at the places that count."""
    lines = list(lines)
    places = {version_place(lines): str(version), target_place(lines): str(target)}
    return [
        line._replace(
            words=tuple(
                places.get(line.place._replace(token=token), word)
                for word, token in zip(line.words, line.tokens, strict=True)
            )
        )
        for line in lines
    ]


def opening_statements(chunks: Sequence[Chunk]) -> Iterator[Place]:
    """The statements that open a document: header lines, also broken ones, and the first that is something else."""
    for chunk in chunks:
        for index, kind in enumerate(chunk.kinds):
            yield Place(chunk, index, 0)
            if kind != Kind.HEADER and SHAPES[chunk.shapes[index]].meant != Kind.HEADER:
                return
