"""W905 missing-memory."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import warning
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.reads import memory_writes

RULE = warning("W905")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
    """A statement that writes memory or orders accesses, without the clobber `"memory"`: the compiler may move others.

    Off by default; `select = ["W905"]` enables it.

    ```cuda
    asm volatile("st.shared.b32 [%0], %1;" :: "r"(p), "r"(a));
    //            ^^^^^^^^^^^^^ warning[W905]: 'st.shared.b32' accesses memory; the statement has no clobber "memory"
    ```

    **Right:** `asm volatile("st.shared.b32 [%0], %1;" :: "r"(p), "r"(a) : "memory");`

    ---

    Reported once in a statement. Loads are not reported.
    """
    if fragment.site.dialect != "gcc" or any(one.text == "memory" for one in fragment.variant.clobbers):
        return
    for span in memory_writes(fragment):
        opcode = fragment.text[span.start : span.end]
        yield in_fragment(RULE.at(span, f"'{opcode}' accesses memory; the statement has no clobber \"memory\""))
        return
