"""E903 doubled-percent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, Replaced, in_fragment
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.text import Span

RULE = error("E903")
_DOUBLED = re.compile(r"(?<!%)%%(?=[\w$])")
_IN_A_STEP = 4096


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """`%%` in a statement without operands, where it is no escape: ptxas gets both characters.

    ```cuda
    asm volatile("{ .reg .b32 %%t; mov.u32 %%t, %%laneid; }" ::: "memory");
    //                        ^^ error[E903]: '%%' is an escape only where a statement has operands; write '%'
    ```

    **Right:** `asm volatile("{ .reg .b32 t; mov.u32 t, %laneid; }" ::: "memory");`

    **Fixes offered:** `%` for `%%`, everywhere in the statement.
    """
    if fragment.operands or fragment.site.dialect != "gcc" or "%%" not in fragment.text:
        return
    edits: list[Edit] = []
    for number, match in enumerate(_DOUBLED.finditer(fragment.text), 1):
        if not fragment.is_comment(match.start()):
            edits.append(Edit(Span(match.start(), match.start() + 1), ""))
        if not number % _IN_A_STEP:
            yield None
    if not edits:
        return
    start = edits[0].span.start
    message = "'%%' is an escape only where a statement has operands; write '%'"
    finding = RULE.at(Span(start, start + 2), message, fixes=(Fix("write '%'", tuple(edits)),))
    yield in_fragment(finding, Replaced("E"))
