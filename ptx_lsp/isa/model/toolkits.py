"""The releases of the PTX language and of the CUDA toolkits: ``grammar/vocabulary/versions.md``."""

from __future__ import annotations

from functools import cache

from ptx_lsp.isa.model.version import Version
from ptx_lsp.markdown_tables import or_empty, vocabulary_table
from ptx_lsp.named_tuples import NamedTuple


class VersionWord(NamedTuple):
    """A version of the language and what came with it."""

    version: Version
    toolkit: str
    """The CUDA release whose ptxas was the first to read it: ``12.0``; empty if none carries its number."""
    driver: str
    """The oldest branch of the driver that loads it: ``r525``; empty if none is named."""


@cache
def language_versions() -> dict[Version, VersionWord]:
    """The versions of the language, oldest first."""
    words = (
        VersionWord(Version.parse(row["ptx"]), or_empty(row["cuda"]), or_empty(row["driver"]))
        for row in vocabulary_table("versions")
    )
    return {word.version: word for word in words}


@cache
def first_reader(version: Version) -> Version | None:
    """The oldest release of ptxas that reads a version of the language; None if no toolkit carries its number."""
    word = language_versions().get(version)
    return Version.parse(word.toolkit) if word is not None and word.toolkit else None
