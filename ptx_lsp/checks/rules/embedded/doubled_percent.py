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


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
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
    found = [
        Span(*match.span()) for match in _DOUBLED.finditer(fragment.text) if not fragment.is_comment(match.start())
    ]
    if not found:
        return
    fix = Fix("write '%'", tuple(Edit(Span(span.start, span.start + 1), "") for span in found))
    message = "'%%' is an escape only where a statement has operands; write '%'"
    yield in_fragment(RULE.at(found[0], message, fixes=(fix,)), Replaced("E"))
