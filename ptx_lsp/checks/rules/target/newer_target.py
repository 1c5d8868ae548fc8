"""E502 newer-target."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import feature_needs, lacks, other_needs
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E502")


def check(context: StatementContext) -> Iterator[Finding]:
    """A part of an instruction that exists only on targets which the module's `.target` does not imply.

    ```ptx
    //- sm_90 ptx 8.6
    add.f32x2 %rd1, %rd2, %rd3;
    // ^^^^^^ error[E502]
    // ptxas: Feature 'add.f32x2' requires .target sm_100 or higher
    ```

    **Right:** a target that has it, if the file is for such devices alone; or other instructions:

    ```ptx
    //- sm_90 ptx 8.6
    mov.b64 {%f1, %f2}, %rd2;
    mov.b64 {%f3, %f4}, %rd3;
    add.f32 %f1, %f1, %f3;
    add.f32 %f2, %f2, %f4;
    mov.b64 %rd1, {%f1, %f2};
    ```

    **Fixes offered:** the nearest target that has it; another that all of the module has, if there is one; none where
    other statements would be wrong under it.

    ---

    - A plain target is implied by every later one, an `f` target by its family's later `f` and `a` targets, an `a`
      target by itself alone: `sm_90a` is not implied by `sm_100a`.
    - A part can need a newer `.version` too: then `E501` stands beside it.
    - Quiet in text without `.target`, unless the settings name one: the newest is assumed.
    """
    if not context.module.header.is_target_known:
        return
    for token, need, what in other_needs(context):
        if need.targets and not need.until:
            wanted = need._replace(version=None).describe()
            message = f"{what} needs {wanted}; this module targets {context.module.target}"
            yield RULE.at(context.span(token), message).needing(target=need.targets[0])
    for token, words, need in feature_needs(context):
        if need.targets and not need.until:
            wanted = need._replace(version=None).describe()
            message = f"{words} needs {wanted}; this module targets {context.module.target}"
            yield RULE.at(context.span(token), message).needing(target=need.targets[0])
    for span, text, mismatch in lacks(context, Problem.NEWER_TARGET):
        lacking = mismatch.need
        wanted = lacking.describe() if lacking is not None else "another target"
        message = f"'{text}' needs {wanted}; this module targets {context.module.target}"
        target = lacking.targets[0] if lacking is not None and lacking.targets else None
        yield RULE.at(span, mismatch.message or message).needing(target=target)
