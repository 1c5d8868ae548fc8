"""E502 newer-target."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import feature_needs, lacks, other_needs
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E502")


def check(context: StatementContext) -> Iterator[Finding]:
    """An instruction, or a part of one, that the module's `.target` does not support.

    ```ptx
    //- sm_90 ptx 8.6
    add.f32x2 %rd1, %rd2, %rd3;
    // ^^^^^^ error[E502]: '.f32x2' requires sm_100 or newer; this module targets sm_90
    // ptxas: Feature 'add.f32x2' requires .target sm_100 or higher
    ```

    **Right:** a target that supports it, if the file is only for such devices; or other instructions:

    ```ptx
    //- sm_90 ptx 8.6
    mov.b64 {%f1, %f2}, %rd2;
    mov.b64 {%f3, %f4}, %rd3;
    add.f32 %f1, %f1, %f3;
    add.f32 %f2, %f2, %f4;
    mov.b64 %rd1, {%f1, %f2};
    ```

    **Fixes offered:** the nearest target that supports it; another one that supports the whole module, if there is one;
    none if other statements would be wrong with it.

    ---

    - Features of a plain target are supported by every later target, those of an `f` target by the later `f` and `a`
      targets of its family, those of an `a` target only by itself: `sm_100a` does not support what requires `sm_90a`.
    - If a newer `.version` is required too, `E501` is also reported.
    - Not reported in text without `.target`, unless the settings name one: the newest target is assumed.
    """
    if not context.module.header.is_target_known:
        return
    for token, need, what in other_needs(context):
        if need.targets and not need.until:
            wanted = need._replace(version=None).describe()
            message = f"{what} requires {wanted}; this module targets {context.module.target}"
            yield RULE.at(context.span(token), message).needing(target=need.targets[0])
    for token, words, need in feature_needs(context):
        if need.targets and not need.until:
            wanted = need._replace(version=None).describe()
            message = f"{words} requires {wanted}; this module targets {context.module.target}"
            yield RULE.at(context.span(token), message).needing(target=need.targets[0])
    for span, text, mismatch in lacks(context, Problem.NEWER_TARGET):
        lacking = mismatch.need
        wanted = lacking.describe() if lacking is not None else "another target"
        message = f"'{text}' requires {wanted}; this module targets {context.module.target}"
        target = lacking.targets[0] if lacking is not None and lacking.targets else None
        yield RULE.at(span, mismatch.message or message).needing(target=target)
