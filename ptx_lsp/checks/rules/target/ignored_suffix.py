"""W608 ignored-suffix."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.header import has_ignored_suffix, target_of
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.diagnostic import Edit, Fix

RULE = warning("W608")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Characters after the number of a target that ptxas ignores.

    ```ptx
    //- module
    .version 8.0
    .target sm_90b
    //      ^^^^^^ warning[W608]: ptxas reads 'sm_90b' as 'sm_90'
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- module
    .version 8.0
    .target sm_90a
    ```

    **Fixes offered:** the target that ptxas reads.

    ---

    Of all characters after the number ptxas reads only the last, and only if it is `a` or `f`: `sm_90b` is `sm_90`,
    without the features of `sm_90a`.
    """
    for line in module.header.lines:
        yield None
        if not line.targets:
            continue
        for word, token in zip(line.words, line.tokens, strict=True):
            if not has_ignored_suffix(word):
                continue
            target = str(target_of(word))
            span = line.place.chunk.statement(line.place.statement).span(token)
            fix = Fix(f"write '{target}'", (Edit(span, target),))
            yield PlacedFinding(line.place, RULE.at(span, f"ptxas reads '{word}' as '{target}'", fixes=(fix,)))
