"""Placeholder: two forms that accept one spelling."""

from __future__ import annotations

from ptx_lsp.isa.instruction import Instruction


def check_overlaps(instruction: Instruction) -> None:
    """Nothing yet."""
