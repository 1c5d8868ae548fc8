"""What is asked again of long hostile files takes few steps: its facts are kept with what was read."""

from __future__ import annotations

from called import calls

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .hostile import body

TARGETS = 1000


def test_another_header_does_not_read_each_target_again():
    text = body(lambda n: f".target sm_{n:04}z\n", TARGETS * 16)
    module = Checker(text, Settings()).semantics.module
    assert calls(lambda: module.under(module.version, module.target)) < 2 * TARGETS
