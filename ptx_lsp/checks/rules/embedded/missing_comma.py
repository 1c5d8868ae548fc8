"""H912 missing-comma."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ptx_lsp.checks.support.finding import hint
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_host
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.text import Span

RULE = hint("H912")
_GAP = re.compile(r"\s*\)(?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)*)\"", re.DOTALL)


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
    """Two operands without a comma between them. nvcc accepts it; clang and GCC do not.

    ```cuda
    asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a) "r"(b));
    //                                           ^ hint[H912]: ',' expected between operands; only nvcc accepts this
    ```

    **Right:** `asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));`

    **Fixes offered:** the `,`.
    """
    if fragment.site.dialect != "gcc":
        return
    for before, after in pairwise(one.written for one in fragment.operands):
        if before.is_output is not after.is_output:
            continue
        match = _GAP.match(fragment.site.text, before.expression_span.end)
        if match is not None and match.end() == after.constraint_span.start:
            at = match.start("gap")
            fix = Fix("insert ','", (Edit(Span(at, at), ","),))
            span = Span(match.end() - 1, match.end())
            yield in_host(RULE.at(span, "',' expected between operands; only nvcc accepts this", fixes=(fix,)))
