"""E424 head-directive."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.function_heads import (
    IN_PARAMETERS,
    LARGEST_NUMBER,
    HeadFault,
    HeadFaultKind,
    faults_of_head,
)
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.records import TuningWord
from ptx_lsp.syntax.tree import FunctionHead, Prototype, Tuning

RULE = error("E424").in_trees(FunctionHead, Prototype)


def check(context: StatementContext) -> Iterator[Finding]:
    """A directive between the head and the body of a function that is not allowed there, or has wrong numbers.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxntid 256 .reqntid 128 { ret; }
    //                           ^^^^^^^^ error[E424]: '.reqntid' cannot be combined with '.maxntid'
    // ptxas: Conflicting directives: .maxntid and .reqntid cannot both be specified
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .reqntid 128 { ret; }
    ```

    **Fixes offered:** remove it.

    ---

    - `.maxnreg`, `.maxntid` and the other performance-tuning directives are for kernels with a body; `.noreturn`,
      `.abi_preserve` and `.abi_preserve_control` for functions and prototypes, in this order and once each.
    - ptxas accepts a cluster size of 0, and repeated directives of a kernel.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, (FunctionHead, Prototype)):
        return
    tunings = {token: one for one in tree.tuning for token in (one.word, *one.values)}
    known = catalogue().vocabulary.tuning
    for number, fault in enumerate(faults_of_head(context)):
        if fault.kind in IN_PARAMETERS or fault.kind is HeadFaultKind.SIZE:
            continue
        tuning = tunings[fault.token]
        word = known[context.word(tuning.word)]
        if fault.kind is HeadFaultKind.PLACE and _ends_declaration(context, tree, tuning, word):
            continue
        fixes = _fixes(context, fault, tuning) if number < _MOST_WITH_FIXES else ()
        yield RULE.at(context.span(fault.token), _message(context, fault, word, tree), fixes=fixes)


_MOST_WITH_FIXES = 1024
"""Later faults of one head have no fixes: hardly any of them is shown."""


def _ends_declaration(
    context: StatementContext, tree: FunctionHead | Prototype, tuning: Tuning, word: TuningWord
) -> bool:
    """Whether a directive after a declaration without ``;`` belongs to the module: ptxas reads it as the next one."""
    return (
        isinstance(tree, FunctionHead)
        and not tree.has_semicolon
        and f"unended {tree.kind[1:]}" in word.heads
        and tuning is tree.tuning[-1]
        and not context.function.has_body
    )


def _message(context: StatementContext, fault: HeadFault, word: TuningWord, tree: FunctionHead | Prototype) -> str:
    name, text = word.name, context.word(fault.token)
    other = context.word(fault.other) if fault.other >= 0 else ""
    match fault.kind:
        case HeadFaultKind.PLACE:
            return _misplaced(word, tree)
        case HeadFaultKind.CONFLICT:
            return f"'{name}' cannot be combined with '{other}'"
        case HeadFaultKind.TWICE:
            return f"'{name}' is written twice"
        case HeadFaultKind.ORDER:
            return f"'{name}' must be before '{other}'"
        case HeadFaultKind.REQUIRES:
            required = " and ".join(f"'{one}'" for one in word.requires)
            return f"'{name}' also requires {required}"
        case HeadFaultKind.RETURNS:
            return "'.noreturn' is only allowed for functions without results"
        case HeadFaultKind.COUNT:
            return f"'{name}' allows {'at most ' if word.values > 1 else ''}{counted(word.values, 'number')}"
        case HeadFaultKind.OVERFLOW:
            return f"{text} is too large; the maximum is {LARGEST_NUMBER}"
        case _:
            return f"'{name}' expects positive numbers, not {text}"


def _misplaced(word: TuningWord, tree: FunctionHead | Prototype) -> str:
    if "entry" in word.heads and isinstance(tree, FunctionHead) and tree.kind == ".entry":
        return f"'{word.name}' is only allowed if the body follows"
    if "entry" in word.heads and "func" not in word.heads:
        return f"'{word.name}' is only allowed for kernels"
    if "entry" in word.heads:
        return f"'{word.name}' is only allowed for kernels and functions with a body"
    return f"'{word.name}' is only allowed for functions and prototypes, not for kernels"


def _fixes(context: StatementContext, fault: HeadFault, tuning: Tuning) -> tuple[Fix, ...]:
    if fault.kind not in (HeadFaultKind.PLACE, HeadFaultKind.CONFLICT, HeadFaultKind.TWICE, HeadFaultKind.RETURNS):
        return ()
    last = max((tuning.word, *tuning.values))
    name = context.word(tuning.word)
    if "unended func" in catalogue().vocabulary.tuning[name].heads:  # its ';' would then end a declaration
        return ()
    span = context.statement.span(tuning.word, last + 1)
    return (Fix(f"remove '{name}'", (Edit(span, ""),)),)
