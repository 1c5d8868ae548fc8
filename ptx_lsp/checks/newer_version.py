"""E501 newer-version."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.mismatches import mismatches, place_of
from ptx_lsp.isa.match import Problem

RULE = error("E501")


def check(use: Use) -> Iterator[Finding]:
    """A part of an instruction that the module's `.version` does not have yet.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.L2::128B.u32 %r1, [%rd1];
    //       ^^^^^^^^^ error[E501]
    ```

    **Fixes offered:** raise `.version`.
    """
    for mismatch in mismatches(use, Problem.NEWER_VERSION):
        span = place_of(use, mismatch)
        text = use.statement.text[span.start : span.end]
        need = mismatch.need
        wanted = need.describe() if need is not None else "a newer PTX version"
        message = f"'{text}' needs {wanted}; this module is PTX {use.module.version}"
        yield RULE.at(span, mismatch.message or message, version=need.version if need is not None else None)
