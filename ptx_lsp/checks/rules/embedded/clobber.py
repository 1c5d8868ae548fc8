"""E906 clobber."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_host
from ptx_lsp.embedded.fragment import AsmFragment

RULE = error("E906")
_MEMORY = "memory"


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
    """A clobber other than `"memory"`. Registers of PTX are virtual, so that none can be overwritten.

    ```cuda
    asm volatile("bar.sync 0;" ::: "memory", "cc");
    //                                        ^^ error[E906]: 'cc' is no clobber of device code; there is only 'memory'
    ```

    **Right:** `asm volatile("bar.sync 0;" ::: "memory");`
    """
    if fragment.site.dialect != "gcc":
        return
    for clobber in fragment.variant.clobbers:
        if clobber.text != _MEMORY:
            message = f"'{clobber.text}' is no clobber of device code; there is only 'memory'"
            yield in_host(RULE.at(clobber.span, message))
