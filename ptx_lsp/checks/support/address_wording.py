"""The findings about addresses in registers: whose they are, and where the variable is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, Rule

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.address_faults import AddressFault


def witnesses(fault: AddressFault) -> str:
    """The thread that an address is of, and when it has it; empty if it is that of all threads."""
    thread, is_last = fault.witness
    words = [f"in thread {thread}"] if thread is not None else []
    if is_last:
        words.append("in the last iteration")
    return " " + " ".join(words) if words else ""


def fault_finding(flow: Flow, rule: Rule, fault: AddressFault, message: str) -> PlacedFinding:
    """A finding at the address of an access, with the declaration of the variable."""
    context = flow.steps.context(fault.step)
    finding = rule.at(context.operand_span(fault.operand), message).explained_by(fault.symbol)
    return PlacedFinding(fault.step.place, finding)
