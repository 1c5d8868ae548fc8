"""Checks of a page beyond its grammar; still to come."""

from __future__ import annotations

from ptx_lsp.isa.form import InstructionForm
from ptx_lsp.isa.page import PageText
from ptx_lsp.isa.shared import Shared
from ptx_lsp.isa.source import FenceSource


def check_lines(path: str, page: PageText, fence: FenceSource, used: set[int]) -> None:
    """Nothing yet."""


def check_forms(path: str, page: PageText, fence: FenceSource, forms: list[InstructionForm], shared: Shared) -> None:
    """Nothing yet."""
