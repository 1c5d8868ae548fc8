"""W612 misaligned-access."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.statements.accesses import accesses, has_named_address, may_be_wrong
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks.support.address_wording import fault_finding, witnesses
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, warning
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.syntax.tree import Instruction

RULE = warning("W612").in_trees(Instruction)

accepts_shape = has_named_address
prefilter_names = may_be_wrong


def check(context: StatementContext) -> Iterator[Finding]:
    """An access whose address is not a multiple of its size.

    An access must be aligned to its whole size: a `.v4.f32` to 16 bytes. A misaligned access is undefined; usually the
    kernel is aborted.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 8 .b8 buffer[64];
    ld.shared.f64 %fd1, [buffer+12];
    //                  ^^^^^^^^^^^ warning[W612]: this access must be aligned to 8 bytes; the offset is 12
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 8 .b8 buffer[64];
    ld.shared.f64 %fd1, [buffer+8];
    ```

    ---

    A declaration without `.align` is aligned to the size of one element, or of one vector. Arguments of calls are not
    checked: ptxas passes them in registers, and compilers access them in larger pieces than declared.

    An address in a register is checked where its value is proven: as a sum of a variable, constants, multiples of
    `%tid.x` and counters of loops. It is reported if no thread can have an aligned address, or if one of the first two
    threads, or the last one by `.reqntid`, executes the access for sure and its address is misaligned. In functions
    with more than 100 statements, the accesses that all threads execute are looked at, up to 1,000:

    ```ptx
    mov.u32 %r1, %tid.x;
    mad.lo.s32 %r2, %r1, 4, %r3;         // 4 bytes for each thread
    ld.shared.v4.b32 {…}, [%r2];         // and each reads 16: of 4 threads 3 are misaligned
    ```
    """
    for one in accesses(context):
        if one.is_outside:
            continue
        known = min(one.align, one.layout.align)
        if one.offset % known:
            message = f"this access must be aligned to {counted(one.align, 'byte')}; the offset is {one.offset}"
            yield RULE.at(context.operand_span(one.operand), message)
        elif known < one.align and not _is_passed(context, one.symbol):
            needs = f"this access must be aligned to {counted(one.align, 'byte')}"
            span = context.operand_span(one.operand)
            yield RULE.at(span, f"{needs}; '{one.symbol.name}' is aligned to {known}").explained_by(one.symbol)


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Addresses in registers."""
    facts = flow.derived(ThreadFacts)
    yield from facts.preparing()
    for fault in facts.address_faults:
        if fault.is_outside:
            continue
        needs = f"this access must be aligned to {counted(fault.align, 'byte')}"
        if fault.symbol is None:
            says = f"{needs}; the addresses of threads 0 and 1 are {counted(abs(fault.offset), 'byte')} apart"
        elif fault.offset % fault.align:
            says = f"{needs}; the distance from '{fault.symbol.name}' is {fault.offset}{witnesses(fault)}"
        else:
            says = f"{needs}; '{fault.symbol.name}' is not"
        yield fault_finding(flow, RULE, fault, says)


def _is_passed(context: StatementContext, symbol: Symbol) -> bool:
    """Whether a variable is a parameter or result of a call, not of a kernel."""
    function = context.function.symbol
    is_of_kernel = function is not None and function.type == ".entry" and symbol.kind is SymbolKind.PARAMETER
    return symbol.space == ".param" and not is_of_kernel
