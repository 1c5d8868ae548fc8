"""W903 outside-braces."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import warning
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.embedded.declared import declared_outside
from ptx_lsp.embedded.fragment import AsmFragment

RULE = warning("W903")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """A register or label that is declared outside of braces. It is one of the whole function.

    The compiler repeats the statement where it unrolls a loop or inlines the function, and ptxas refuses the second
    declaration.

    ```cuda
    asm(".reg .b32 t; mov.b32 t, %1; mov.b32 %0, t;" : "=r"(d) : "r"(a));
    //             ^ warning[W903]: 't' is declared outside of braces; a second copy of the statement redeclares it
    ```

    **Right:** `asm("{ .reg .b32 t; mov.b32 t, %1; mov.b32 %0, t; }" : "=r"(d) : "r"(a));`

    ---

    Not reported for labels with `%=`, which is another number in each copy.
    """
    for declared in declared_outside(fragment):
        if declared is None:
            yield None
            continue
        name, span = declared
        message = f"'{name}' is declared outside of braces; a second copy of the statement redeclares it"
        yield in_fragment(RULE.at(span, message))
