"""E904 constraint-letter."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_host
from ptx_lsp.embedded.constraints import letters_of
from ptx_lsp.embedded.fragment import AsmFragment

RULE = error("E904")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding]:
    """A constraint that device code does not have. An operand has one letter, which says its size and class.

    ```cuda
    asm("mov.b32 %0, %1;" : "=r"(d) : "i"(5));
    //                                 ^ error[E904]: 'i' is not for device code; expected h, r, l, q, f, d, n or C
    ```

    **Right:** `asm("mov.b32 %0, %1;" : "=r"(d) : "n"(5));`

    ---

    `h`, `r`, `l`, `q`: an integer of 16, 32, 64, 128 bits. `f`, `d`: `float`, `double`. `n`: an integer constant. `C`:
    the address of a constant array of characters, whose text is inserted. Numbers that repeat an output (`"0"`), memory
    (`m`) and alternatives (`rn`) are for host code only.
    """
    dialect = fragment.site.dialect
    letters = letters_of(dialect)
    if dialect != "gcc":
        return
    every = [*letters]
    expected = f"expected {', '.join(every[:-1])} or {every[-1]}"
    for operand in fragment.operands:
        constraint = operand.constraint
        if constraint is None:
            continue
        span = operand.written.constraint_span
        written = constraint.letters if constraint.tied is None else str(constraint.tied)
        if not written:
            yield in_host(RULE.at(span, f"a constraint has a letter; {expected}"))
        elif len(written) > 1 and constraint.tied is None:
            yield in_host(RULE.at(span, f"'{written}': an operand of device code has one letter; {expected}"))
        elif written not in letters:
            yield in_host(RULE.at(span, f"'{written}' is not for device code; {expected}"))
        elif operand.written.is_output and not letters[written].is_register:
            yield in_host(RULE.at(span, f"'{written}' is a constant, which cannot be an output"))
