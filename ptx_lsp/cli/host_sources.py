"""Sources of other languages on the command line: which files they are, and for which targets they are compiled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.cli.files import STANDARD_INPUT, HostOf
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.embedded.source_targets import SourceTargets

PTX = "ptx"


def host_finder(language: str | None) -> HostOf:
    """A function that gives the language of a path: ``language`` if that is given, else by the suffix.

    The tables of languages are read when a file that is no PTX is met.
    """

    def host_of(path: str) -> str | None:
        if path == STANDARD_INPUT and language is None or language == PTX:
            return None
        from ptx_lsp.hosts.host_tables import host_of as by_name

        return by_name(path, language)

    return host_of


def unknown_language(language: str | None) -> Iterator[str]:
    """The problem of a language of the command line that is not in the tables."""
    if language is None or language == PTX:
        return
    from ptx_lsp.hosts.host_tables import languages

    known = {PTX}.union(*(one.ids for one in languages()))
    if language not in known:
        yield f"'language' is '{language}', which is unknown; known languages: {', '.join(sorted(known))}"


class HostTargets:
    """The targets of sources: those of the command line, of ``ptx-lsp.toml``, of ``compile_commands.json``."""

    def __init__(self, named: tuple[str, ...]) -> None:
        self._named = named
        self._sources: SourceTargets | None = None

    def problems(self) -> Iterator[str]:
        """The problems of the targets of the command line."""
        from ptx_lsp.isa.catalogue import catalogue

        known = catalogue().vocabulary.targets
        for name in self._named:
            if name not in known:
                yield f"'target' is '{name}', which is unknown; known targets: {', '.join(known)}"

    def of(self, path: str, settings: Settings, configuration: str | None) -> tuple[str, ...]:
        """The targets of a source; empty if nothing names them.

        Args:
            path: its path.
            settings: its settings.
            configuration: the path of their file.

        """
        if self._named:
            return self._named
        if path == STANDARD_INPUT:
            path = os.path.join(os.getcwd(), "stdin")
        if self._sources is None:
            from ptx_lsp.embedded.source_targets import SourceTargets

            self._sources = SourceTargets()
        folder = os.path.dirname(configuration) if configuration is not None else os.getcwd()
        return self._sources.of(path, settings, folder)
