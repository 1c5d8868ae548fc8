"""E424 head-directive."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.function_heads import (
    IN_PARAMETERS,
    LARGEST_NUMBER,
    HeadFault,
    HeadFaultKind,
    head_faults,
)
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.records import TuningWord
from ptx_lsp.syntax.tree import FunctionHead, Prototype, Tuning
from ptx_lsp.text import Span

RULE = error("E424")


def check(context: StatementContext) -> Iterator[Finding]:
    """A directive between the head and the body of a function that cannot stand there, or not so.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxntid 256 .reqntid 128 { ret; }
    //                           ^^^^^^^^ error[E424]
    // ptxas: Conflicting directives: .maxntid and .reqntid cannot both be specified
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .reqntid 128 { ret; }
    ```

    **Fixes offered:** remove it.

    ---

    - `.maxnreg`, `.maxntid` and the other directives that tune belong to kernels with a body; `.noreturn`,
      `.abi_preserve` and `.abi_preserve_control` to functions and prototypes, in this order and once each.
    - ptxas takes a cluster size of 0, and directives that stand twice on a kernel.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, (FunctionHead, Prototype)):
        return
    for fault in head_faults(context.statement, context.module.version, context.module.target):
        if fault.kind in IN_PARAMETERS or fault.kind is HeadFaultKind.SIZE:
            continue
        tuning = next(one for one in tree.tuning if one.word <= fault.token <= max((one.word, *one.values)))
        word = catalogue().vocabulary.tuning[context.word(tuning.word)]
        yield RULE.at(
            context.span(fault.token), _message(context, fault, word, tree), fixes=_fixes(context, fault, tuning)
        )


def _message(context: StatementContext, fault: HeadFault, word: TuningWord, tree: FunctionHead | Prototype) -> str:
    name, text = word.name, context.word(fault.token)
    other = context.word(fault.other) if fault.other >= 0 else ""
    match fault.kind:
        case HeadFaultKind.PLACE:
            return _misplaced(word, tree)
        case HeadFaultKind.CONFLICT:
            return f"'{name}' cannot stand beside '{other}'"
        case HeadFaultKind.TWICE:
            return f"'{name}' stands here already"
        case HeadFaultKind.ORDER:
            return f"'{name}' must stand before '{other}'"
        case HeadFaultKind.REQUIRES:
            required = " and ".join(f"'{one}'" for one in word.requires)
            return f"'{name}' needs {required} beside it"
        case HeadFaultKind.RETURNS:
            return "'.noreturn' is for functions without results"
        case HeadFaultKind.COUNT:
            return f"'{name}' takes {counted(word.values, 'number')}" + (" at most" if word.values > 1 else "")
        case HeadFaultKind.OVERFLOW:
            return f"{text} is too large; {LARGEST_NUMBER} is the largest number here"
        case _:
            return f"'{name}' takes positive numbers, not {text}"


def _misplaced(word: TuningWord, tree: FunctionHead | Prototype) -> str:
    if "entry" in word.heads and isinstance(tree, FunctionHead) and tree.kind == ".entry":
        return f"'{word.name}' can stand only where the body follows"
    if word.heads == {"entry"}:
        return f"'{word.name}' is for kernels"
    if "entry" in word.heads:
        return f"'{word.name}' is for kernels and functions with a body"
    return f"'{word.name}' is for functions and prototypes, not for kernels"


def _fixes(context: StatementContext, fault: HeadFault, tuning: Tuning) -> tuple[Fix, ...]:
    if fault.kind not in (HeadFaultKind.PLACE, HeadFaultKind.CONFLICT, HeadFaultKind.TWICE, HeadFaultKind.RETURNS):
        return ()
    last = max((tuning.word, *tuning.values))
    span = Span(context.span(tuning.word).start, context.span(last).end)
    return (Fix(f"remove '{context.word(tuning.word)}'", (Edit(span, ""),)),)
