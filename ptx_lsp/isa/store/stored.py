"""The source of instructions: the compiled data file, and the pages themselves where that is missing or stale.

Each instruction is made when it is first asked for.
"""

from __future__ import annotations

import os

from ptx_lsp.derived_values import once
from ptx_lsp.grammar_files import grammar_file, is_checkout, page_paths
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.shared import Shared
from ptx_lsp.isa.store.encoding import Decoder, Json, decode_shared
from ptx_lsp.isa.store.format import COMMON_SOURCES, COMPILED, FORMAT, checksum, read_compiled


class Library:
    """All pages by path; the fresh ones from compiled form, the others from Markdown."""

    def __init__(self, stored: dict[str, Json] | None, stale: frozenset[str]) -> None:
        """``stored`` is the compiled form, None if there is none; ``stale`` the pages it does not know as they are."""
        self._stored = stored or {"page": {}}
        self._stale = stale
        self._instructions: dict[str, InstructionPage] = {}
        self.names: dict[str, tuple[str, ...]] = {
            path: tuple(names) for path, (names, _) in self._stored["page"].items() if path not in stale
        }
        """The opcode names of each page."""
        for path in sorted(stale):
            self.names[path] = self.instruction(path).names

    @once
    def shared(self) -> Shared:
        """The lists that the forms of all pages share."""
        if "shared" in self._stored:
            return decode_shared(self._stored["shared"])
        from ptx_lsp.isa.pages.load import load_shared

        return load_shared()

    @once
    def _decoder(self) -> Decoder:
        return Decoder(self._stored, self.shared)

    def instruction(self, path: str) -> InstructionPage:
        """The instruction of a page.

        Raises:
            PageError: if the page had to be read and says something impossible.
        """
        known = self._instructions.get(path)
        if known is None:
            known = self._instructions[path] = self._make(path)
        return known

    def _make(self, path: str) -> InstructionPage:
        if path not in self._stale:
            return self._decoder.instruction(path)
        from ptx_lsp.isa.pages.load import load_instruction
        from ptx_lsp.isa.pages.source import PageError

        try:
            return load_instruction(path)
        except PageError:
            # Someone is writing the page: what was compiled last serves until it can be read again.
            if path not in self._stored["page"]:
                raise
            return self._decoder.instruction(path)


def open_library() -> Library:
    """The library of this installation or checkout."""
    try:
        with open(grammar_file(COMPILED), encoding="utf-8") as stream:
            stored = read_compiled(stream.read())
    except (OSError, ValueError):
        stored = None
    if stored is not None and not is_checkout():
        return Library(stored, frozenset())
    pages = page_paths()
    if stored is None or stored.get("format") != FORMAT:
        return Library(None, frozenset(pages))
    compiled_at = os.path.getmtime(grammar_file(COMPILED))
    if any(_changed(path, stored, compiled_at) for path in COMMON_SOURCES):
        return Library(None, frozenset(pages))
    present = frozenset(pages)
    stored["page"] = {path: page for path, page in stored["page"].items() if path in present}
    return Library(stored, frozenset(path for path in pages if _changed(path, stored, compiled_at)))


def _changed(path: str, stored: dict[str, Json], compiled_at: float) -> bool:
    """Whether a file is another than when it was compiled; its text is only read if it was touched since."""
    known = stored["sources"].get(path)
    if known is None:
        return True
    return os.path.getmtime(grammar_file(path)) >= compiled_at and checksum(path) != known
