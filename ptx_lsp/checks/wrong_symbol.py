"""E205 wrong-symbol."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbols import SymbolKind
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import HERE, Finding, error
from ptx_lsp.syntax.kind import Kind

RULE = error("E205")


def check(use: Use) -> Iterator[Finding]:
    """A label of a place where `brx.idx` wants one of a `.branchtargets` list.

    ```ptx
    //- sm_80 ptx 7.0
    CASE0:
    brx.idx %r1, CASE0;
    //           ^^^^^ error[E205]
    // ptxas: Label with '.branchtargets' directive expected for argument 1 of instruction 'brx.idx'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    CASES: .branchtargets CASE0, CASE1;
    brx.idx %r1, CASES;
    CASE0:
    CASE1:
    ```
    """
    tree = use.instruction
    if tree is None or tree.opcode[0] != "brx" or not tree.operands:
        return
    operand = tree.operands[-1]
    label = use.symbols.get(operand.name)
    if label is None or label.kind is not SymbolKind.LABEL:
        return
    if use.module.kind_after(label.place) is not Kind.TARGETS:
        message = f"'{label.name}' is a place{HERE}; 'brx.idx' wants a '.branchtargets' list"
        yield RULE.at(use.span(operand.name), message, declared=label)
