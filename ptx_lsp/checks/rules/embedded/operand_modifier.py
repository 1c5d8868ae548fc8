"""E902 operand-modifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import error
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.template import Sigil, SigilKind
from ptx_lsp.stepwise import in_parts
from ptx_lsp.text import Span

RULE = error("E902")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """A `%` that nvcc cannot read: before a letter and a digit, before `[`, or at the end of the template.

    Where a statement has operands, `%r1` is operand 1 with a modifier `r`, which nvcc does not have.

    ```cuda
    asm("{ .reg .b32 %t1; mov.b32 %t1, %1; mov.b32 %0, %t1; }" : "=r"(d) : "r"(a));
    //               ^^^ error[E902]: nvcc reads '%t1' as an operand with the modifier 't'; write '%%t1'
    ```

    **Right:** `asm("{ .reg .b32 t1; mov.b32 t1, %1; mov.b32 %0, t1; }" : "=r"(d) : "r"(a));`

    **Fixes offered:** `%%` for `%`.

    ---

    A letter that no digit follows is no modifier: nvcc copies `%laneid`, `%clock` and `%rd1`. Operands with names,
    `%[name]`, are known to clang and not to nvcc.
    """
    if fragment.site.dialect != "gcc":
        return
    said: set[str] = set()
    for part in in_parts(fragment.marks):
        for mark in part:
            if mark.kind in _WRONG:
                yield from _of_mark(mark, fragment, said)
        yield None


_WRONG = frozenset({SigilKind.MODIFIED, SigilKind.NAMED, SigilKind.LAST})


def _of_mark(mark: Sigil, fragment: AsmFragment, said: set[str]) -> Iterator[FragmentFinding]:
    start, end = mark.span
    text = fragment.text[start:end]
    if mark.kind is SigilKind.NAMED:
        yield in_fragment(RULE.at(mark.span, f"nvcc has no names of operands, '%[{mark.name}]'; write its number"))
    elif mark.kind is SigilKind.LAST:
        yield in_fragment(RULE.at(mark.span, "nvcc does not accept '%' at the end of a template"))
    elif text not in said:
        said.add(text)
        message = f"nvcc reads '{text}' as an operand with the modifier '{mark.name}'; write '%{text}'"
        fix = Fix(f"write '%{text}'", (Edit(Span(start, start + 1), "%"),))
        yield in_fragment(RULE.at(mark.span, message, fixes=(fix,)))
