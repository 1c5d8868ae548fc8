"""W902 unwritten-output."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import warning
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_fragment
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.notation import as_input_too, constraint_of
from ptx_lsp.embedded.reads import first_reads

RULE = warning("W902")


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """An output with `=` that the template reads before it writes it: the compiler does not set it.

    ```cuda
    asm("add.s32 %0, %0, %1;" : "=r"(d) : "r"(a));
    //               ^^ warning[W902]: '%0' is read before it is written; '=r' is an output only, use '+r'
    ```

    **Right:** `asm("add.s32 %0, %0, %1;" : "+r"(d) : "r"(a));`

    ---

    In the notation of LLVM (Triton, CuTe DSL, MLIR, Mojo) an input is tied to the output by its number: "=r,r,0".
    """
    for read in first_reads(fragment):
        if read is None:
            yield None
            continue
        span, operand = read
        name = fragment.text[span.start : span.end]
        constraint, advice = constraint_of(fragment, operand).strip('"'), as_input_too(fragment, operand)
        message = f"'{name}' is read before it is written; '{constraint}' is an output only, {advice}"
        yield in_fragment(RULE.at(span, message))
