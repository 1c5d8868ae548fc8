"""What is asked again of long hostile files takes few steps: its facts are kept with what was read."""

from __future__ import annotations

from called import calls

from ptx_lsp.analysis.statements.operand_advice import may_be_unlikely
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.statement import Statement

from .hostile import body

TARGETS = 1000


def test_another_header_does_not_read_each_target_again():
    text = body(lambda n: f".target sm_{n:04}z\n", TARGETS * 16)
    module = Checker(text, Settings()).semantics.module
    assert calls(lambda: module.under(module.version, module.target)) < 2 * TARGETS


def test_the_advice_of_an_opcode_is_looked_up_once():
    statement = Statement("setp.lt.s32 %q1, %r1, 17;")
    may_be_unlikely(statement.shape, statement.text)
    assert calls(lambda: may_be_unlikely(statement.shape, statement.text)) < 20
