"""Completion agrees with the checker: what is offered in an opcode is what leads to a legal spelling, and nothing else.

For every page and three targets: each beginning of each sampled spelling is typed into a module, and the list is held
against spellings that the matcher takes. ``python -m benchmarks.completion`` does the same with many more samples.
"""

from __future__ import annotations

import pytest

from benchmarks.completion import TARGETS, disagreements
from ptx_lsp.isa.catalogue import catalogue


@pytest.mark.parametrize("instruction", catalogue().instructions, ids=str)
def test_what_is_offered_is_what_is_legal(instruction):
    for version, target in TARGETS:
        assert list(disagreements(instruction, version, target, spellings=2)) == []
