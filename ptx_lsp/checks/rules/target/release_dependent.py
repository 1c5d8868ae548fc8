"""W604 release-dependent."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.mismatches import notes, place_of
from ptx_lsp.isa.model.match_result import Problem

RULE = warning("W604")


def check(context: StatementContext) -> Iterator[Finding]:
    """A spelling that only some releases of ptxas take in a module of this version and target, or that no manual lists.

    It is no error: the module may be meant for the release that takes it. Which spellings these are was measured with
    the releases from CUDA 12.9 on, and the gates of the instruction pages say it: `ptxas until 13.1`.

    ```ptx
    //- sm_90 ptx 8.0
    fence.acquire.gpu;
    //   ^^^^^^^^ warning[W604]
    ```

    **Right:** `fence.acq_rel.gpu;`, or `.version 8.6`, from which on all of them take it.

    The gate `ptxas` alone marks what all of them take and no manual lists. What it does is not known.

    ```ptx
    //- sm_80 ptx 7.0
    ldmatrix.sync.aligned.m8n8.x8.shared.b16 {%r1}, [%r2];
    //                        ^^^ warning[W604]
    // ptxas: accepts it
    ```

    **Right:** `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r3, %r4, %r5}, [%r2];`
    """
    for note in notes(context, Problem.SOME_RELEASES):
        span = place_of(context, note)
        text = context.statement.text[span.start : span.end]
        assert note.need is not None
        if note.need.releases.documented:
            module = f"PTX {context.module.version} for {context.module.target}"
            yield RULE.at(span, f"in {module} only {note.need.describe()} takes '{text}'")
        else:
            yield RULE.at(span, f"no manual lists '{text}' here, though ptxas takes it")
