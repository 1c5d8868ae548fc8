"""E901 operand-number."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.notation import operand_name
from ptx_lsp.embedded.template import Sigil, SigilKind
from ptx_lsp.stepwise import in_parts

RULE = error("E901")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """A reference to an operand that the statement does not have. Operands count from 0, outputs before inputs.

    ```cuda
    asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a));
    //                   ^^ error[E901]: '%2' names no operand; the statement has 2, '%0' and '%1'
    ```

    nvcc ends with an internal error.

    **Right:** `asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));`

    ---

    A number after `%` in a comment of the template counts as well.
    """
    count = len(fragment.operands)
    if not fragment.has_known_operands:
        return
    for part in in_parts(fragment.marks):
        for mark in part:
            if mark.kind is SigilKind.OPERAND and mark.number >= count:
                yield _of_mark(mark, fragment)
        yield None


def _of_mark(mark: Sigil, fragment: AsmFragment) -> FragmentFinding:
    count = len(fragment.operands)
    last = f"'{operand_name(fragment, count - 1)}'"
    owned = {0: "the statement has none", 1: f"the statement has 1, {last}"}.get(
        count,
        f"the statement has {count}, '{operand_name(fragment, 0)}' {'and' if count == 2 else 'to'} {last}",
    )
    return in_fragment(RULE.at(mark.span, f"'{operand_name(fragment, mark.number)}' names no operand; {owned}"))
