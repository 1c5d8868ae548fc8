"""E503 removed-feature."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, other_needs, place_of, would_do
from ptx_lsp.checks.support.modern_spelling import modern_spelling
from ptx_lsp.diagnostic import Fix
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E503")


def check(context: StatementContext) -> Iterator[Finding]:
    """A spelling that was removed from PTX for this version and target.

    ```ptx
    //- sm_80 ptx 7.0
    shfl.idx.b32 %r1, %r2, 0, 31;
    // <--- error[E503]: 'shfl.idx.b32' existed only in PTX 6.3 or older or a target before sm_70; this module: PTX 7.0, sm_80
    // ptxas: Instruction 'shfl' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4
    ```

    **Right:** `shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;`

    **Fixes offered:** the spelling that replaced it. The mask `-1` means that all lanes of the warp participate; if
    they do not, write the mask of those that do.
    """  # noqa: E501 (a caret line carries its message)
    module = context.module
    for token, gone, what in other_needs(context):
        if gone.until:
            message = f"{what} existed only in {gone.describe()}"
            yield RULE.at(context.span(token), f"{message}; this module: PTX {module.version}, {module.target}")
    for mismatch in mismatches(context, Problem.REMOVED):
        span = place_of(context, mismatch)
        text = context.statement.text[span.start : span.end]
        need = f"existed only in {mismatch.need.describe()}" if mismatch.need is not None else "was removed"
        message = f"'{text}' {need}; this module: PTX {module.version}, {module.target}"
        yield RULE.at(span, mismatch.message or message, fixes=_fixes(context))


def _fixes(context: StatementContext) -> tuple[Fix, ...]:
    """The newer spelling that the page names, if the module has it."""
    tree, match = context.instruction, context.match
    if tree is None or match is None:
        return ()
    found = (
        modern_spelling(context, one, tree.opcode.index(one.word))
        for one in match.form.deprecated
        if one.word in tree.opcode
    )
    return tuple(fix for fix in found if would_do(context, *fix.edits))
