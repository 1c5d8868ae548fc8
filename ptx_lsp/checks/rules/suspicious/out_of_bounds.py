"""W613 out-of-bounds."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.statements.accesses import accesses, has_named_address, may_be_wrong
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.checks.support.address_wording import fault_finding, witnesses
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, warning
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.syntax.tree import Instruction

RULE = warning("W613").in_trees(Instruction)

accepts_shape = has_named_address
prefilter_names = may_be_wrong


def check(context: StatementContext) -> Iterator[Finding]:
    """An access beyond the end, or before the beginning, of the variable or parameter that it names.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .b32 table[4];
    ld.shared.b32 %r1, [table+16];
    //                 ^^^^^^^^^^ warning[W613]: this access starts at byte 16; 'table' has 16 bytes (line 7)
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .b32 table[4];
    ld.shared.b32 %r1, [table+12];
    ```

    ---

    Variables without a size, such as `.extern .shared .b8 x[]`, are not checked. An address in a register is checked
    where its value is proven: as a sum of a variable, constants, multiples of `%tid.x` and counters of loops. It is
    reported if it is outside for all threads, for one of the first two threads, by `.reqntid` also for the last thread
    or the first or last one of a warp, or in the last iteration of a loop whose count is constant:

    ```ptx
    .visible .entry kernel() .reqntid 128
    {
        .shared .align 4 .b8 tile[256];      // 64 elements
        …
        shl.b32 %r2, %tid.x, 2;
        add.s32 %r3, %r_tile, %r2;
        st.shared.b32 [%r3], %r4;            // threads 64 to 127 are outside
    ```

    ---

    The thread must execute the access for sure: in front of it are no branches but those that are decided by the number
    of the thread and by constants. In functions with more than 100
    statements, the accesses that all threads execute are looked at, up to 1,000.
    """
    for one in accesses(context):
        end = one.offset + one.size
        name, size = one.symbol.name, one.layout.size
        if not one.is_outside:
            continue
        if one.offset < 0:
            message = f"this access is {counted(-one.offset, 'byte')} before '{name}'"
        elif size is not None and one.offset >= size:
            message = f"this access starts at byte {one.offset}; '{name}' has {counted(size, 'byte')}"
        else:
            message = f"this access ends at byte {end}; '{name}' has {counted(size or 0, 'byte')}"
        yield RULE.at(context.operand_span(one.operand), message).explained_by(one.symbol)


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Addresses in registers."""
    facts = flow.derived(ThreadFacts)
    yield from facts.preparing()
    for fault in facts.address_faults:
        layout = layout_of(fault.symbol) if fault.symbol is not None else None
        if not fault.is_outside or fault.symbol is None or layout is None or layout.size is None:
            continue
        name, whose = fault.symbol.name, witnesses(fault)
        has = f"'{name}' has {counted(layout.size, 'byte')}"
        if fault.offset < 0:
            says = f"this access is {counted(-fault.offset, 'byte')} before '{name}'{whose}"
        elif fault.offset >= layout.size:
            says = f"this access starts at byte {fault.offset}{whose}; {has}"
        else:
            says = f"this access ends at byte {fault.offset + fault.size}{whose}; {has}"
        yield fault_finding(flow, RULE, fault, says)
