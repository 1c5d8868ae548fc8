"""Where instructions come from."""

from __future__ import annotations

from functools import cached_property

from ptx_lsp.isa.instruction import Instruction
from ptx_lsp.isa.shared import Shared


class Library:
    """All pages."""

    def __init__(self) -> None:
        from ptx_lsp.isa.files import page_paths
        from ptx_lsp.isa.load import load_instruction

        self._instructions = {path: load_instruction(path) for path in page_paths()}
        self.names = {path: instruction.names for path, instruction in self._instructions.items()}

    @cached_property
    def shared(self) -> Shared:
        """Shared lists."""
        from ptx_lsp.isa.load import load_shared

        return load_shared()

    def instruction(self, path: str) -> Instruction:
        """One page."""
        return self._instructions[path]


def open_library() -> Library:
    """The pages."""
    return Library()
