"""The value of ``createpolicy``, as far as its words and constants say it.

Source: the page grammar/layouts/cache-policy.md.
"""

from __future__ import annotations

import math

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.layouts.decode import fields_of
from ptx_lsp.layouts.encode import encode
from ptx_lsp.layouts.layout import CodeMeaning
from ptx_lsp.layouts.load import layouts
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, OperandKind

_PRIORITY = ".L2::"
_SIXTEENTHS = 16


def policy(statement: Statement, tree: Instruction) -> KnownBits:
    """The bits of the policy that are known; those of a range depend on its address."""
    layout = layouts()["cache-policy"]
    mode = {".fractional": "share", ".range": "range"}.get(tree.opcode[1]) if len(tree.opcode) > 1 else None
    priorities = [word.removeprefix(_PRIORITY) for word in tree.opcode if word.startswith(f"{_PRIORITY}evict_")]
    if mode is None or not priorities:
        return UNKNOWN
    said: dict[str, CodeMeaning] = {"mode": mode, "primary": priorities[0]}
    if len(priorities) > 1:
        said["secondary"] = priorities[1]
    open_fields = {"block", "first", "count"}
    if mode == "share":
        share = _share(statement, tree)
        open_fields = set() if share else {"share"}
        said |= {"share": share} if share else {}
    unknown = 0
    for field in fields_of(layout, frozenset(), lambda field: said.get(field.key)):
        unknown |= field.mask if field.key in open_fields else 0
    known = (1 << layout.width) - 1 & ~unknown
    return KnownBits(known, encode(layout, said) & known)


def _share(statement: Statement, tree: Instruction) -> int:
    """The sixteenths of the accesses, rounded up: all of them without a fraction; 0 if it is not known."""
    if len(tree.operands) < 2:
        return _SIXTEENTHS
    operand = tree.operands[1]
    value = evaluate(statement, operand) if operand.kind is OperandKind.FLOAT else None
    if not isinstance(value, float) or not 0 < value <= 1:
        return 0
    return math.ceil(value * _SIXTEENTHS)
