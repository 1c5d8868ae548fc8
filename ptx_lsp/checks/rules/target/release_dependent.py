"""W604 release-dependent."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import meanings
from ptx_lsp.analysis.statements.role_misuse import MisuseKind, role_misuses
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.mismatches import notes, place_of
from ptx_lsp.isa.model.match_result import Problem

RULE = warning("W604")
_OF_PARAMETERS = {
    MisuseKind.ENTRY_BEFORE: "only ptxas before CUDA 13.1 accepts '.param::entry' with '{name}', an argument of a call",
    MisuseKind.FUNCTION_BEFORE: "only ptxas before CUDA 13.1 accepts '.param::func' with '{name}', a kernel parameter",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """A spelling that only some releases of ptxas accept here, or that the manual does not list.

    It is not an error, because the module may be for a release that accepts it. These spellings were determined with
    the releases from CUDA 12.9 on; the instruction pages list them: `ptxas until 13.1`.

    ```ptx
    //- sm_90 ptx 8.0
    fence.acquire.gpu;
    //   ^^^^^^^^ warning[W604]: '.acquire' requires PTX 8.6; only ptxas before CUDA 13.1 accepts it in this module
    ```

    `ptxas` without a release marks a spelling that all releases accept and the manual does not list. Its effect is not
    known.

    ```ptx
    //- sm_80 ptx 7.0
    ldmatrix.sync.aligned.m8n8.x8.shared.b16 {%r1}, [%r2];
    //                        ^^^ warning[W604]: the manual does not list '.x8' here, but ptxas accepts it
    // ptxas: accepts it
    ```

    **Right:** `fence.acq_rel.gpu;`, or `.version 8.6`, with which all releases accept it.

    For the second: `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r3, %r4, %r5}, [%r2];`
    """
    for note in notes(context, Problem.SOME_RELEASES):
        span = place_of(context, note)
        text = context.statement.text[span.start : span.end]
        assert note.need is not None
        if note.need.releases.documented:
            language = note.need.describe_language()
            module = f"PTX {context.module.version} and {context.module.target}"
            releases = note.need.releases.describe()
            if language and not note.need.until:
                yield RULE.at(span, f"'{text}' requires {language}; only {releases} accepts it in this module")
            else:
                yield RULE.at(span, f"only {releases} accepts '{text}' with {module}")
        else:
            yield RULE.at(span, f"the manual does not list '{text}' here, but ptxas accepts it")
    tree = context.instruction
    if tree is None:
        return
    for misuse, token in role_misuses(tree, meanings(context.statement.shape, context.codes), context.module.version):
        if misuse in _OF_PARAMETERS:
            yield RULE.at(context.span(token), _OF_PARAMETERS[misuse].format(name=context.word(token)))
