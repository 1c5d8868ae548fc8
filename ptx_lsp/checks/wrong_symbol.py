"""E205 wrong-symbol."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbols import SymbolKind
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.kind import Kind

RULE = error("E205")


def check(use: Use) -> Iterator[Finding]:
    """A label of another sort than the branch wants: `brx.idx` goes by a `.branchtargets` list, `bra` to a place.

    ```ptx
    //- sm_80 ptx 7.0
    CASE0:
    brx.idx %r1, CASE0;
    //           ^^^^^ error[E205]
    ```

    **Right:** `CASES: .branchtargets CASE0, CASE1;` first, then `brx.idx %r1, CASES;`.
    """
    tree = use.instruction
    if tree is None or tree.opcode[0] not in ("bra", "brx") or not tree.operands:
        return
    operand = tree.operands[-1]
    label = use.symbols.get(operand.name)
    if label is None or label.kind is not SymbolKind.LABEL:
        return
    is_list = use.module.kind_after(label.place) is Kind.TARGETS
    span = use.span(operand.name)
    if tree.opcode[0] == "brx" and not is_list:
        yield RULE.at(span, f"'{label.name}' is a place; 'brx.idx' wants a '.branchtargets' list", declared=label)
    elif tree.opcode[0] == "bra" and is_list:
        yield RULE.at(span, f"'{label.name}' is a list of targets; 'bra' wants a label of a place", declared=label)
