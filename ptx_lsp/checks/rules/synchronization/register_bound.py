"""E429 register-bound."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import REGISTERS, Verb
from ptx_lsp.syntax.constants import WARP_SZ

RULE = error("E429")
_REGISTERS, _CTAS = ".maxnreg", ".minnctapersm"
_THREADS = frozenset({".maxntid", ".reqntid"})
_OF_THREAD = "registers of a thread"
_WARPS_OF_STEP = 4
"""Registers are allocated for groups of so many warps."""
_STEP = 8
"""Registers of a thread are allocated in steps of so many."""
_LEAST = 24
"""The smallest number of registers that ptxas uses for kernels that change it."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `setmaxnreg.dec` with more registers than a thread of the kernel has at entry.

    ```ptx
    //- sm_90a ptx 8.0 module
    .entry kernel() .maxnreg 128
    {
        setmaxnreg.dec.sync.aligned.u32 192;
    //                                  ^^^ error[E429]: each thread has at most 128 registers because of '.maxnreg'
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.0 module
    .entry kernel() .maxnreg 128
    {
        setmaxnreg.dec.sync.aligned.u32 40;
        ret;
    }
    ```

    ---

    The registers at entry are limited by `.maxnreg`, and by `.reqntid` or `.maxntid`: all threads of the CTA, times
    `.minnctapersm`, share 65536 registers. ptxas reports it only when it generates code. Not reported in kernels with a
    `setmaxnreg.inc` or a `call`, and for instructions with a guard.
    """
    kernel = flow.kernel
    symbol = flow.function.symbol
    if symbol is None or symbol.type != ".entry" or not kernel.graph.is_whole or _may_raise(kernel):
        return
    limit, reason = _limit(kernel.head(), flow.module)
    most = _most(_OF_THREAD, flow.module)
    for step in kernel.facts.steps(Verb.LOWERS, REGISTERS):
        roles = kernel.facts.roles(step, Verb.LOWERS)
        operand, count = kernel.operand(step, *roles), kernel.constant(step, *roles)
        instruction = kernel.context(step).instruction
        if operand is None or count is None or instruction is None or instruction.guard is not None:
            continue
        if min(count, most) > limit:
            message = f"each thread has at most {limit} registers because of '{reason}'"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).operand_span(operand), message))


def _may_raise(kernel: Kernel) -> bool:
    """Whether the kernel asks for more registers, or calls a function, which may."""
    return kernel.facts.has(Verb.RAISES, REGISTERS) or kernel.facts.has(Verb.CALLS)


def _limit(head: dict[str, tuple[str, ...]], module: Module) -> tuple[int, str]:
    """The number of registers of a thread at entry, and the directive that limits it."""
    limits = [(_most(_OF_THREAD, module), "")]
    numbers = {name: prod(map(declared_number, values)) for name, values in head.items() if values}
    if _REGISTERS in numbers:
        limits.append((numbers[_REGISTERS], _REGISTERS))
    for name in _THREADS & numbers.keys():
        warps = -(-numbers[name] // WARP_SZ) * numbers.get(_CTAS, 1)
        warps = max(-(-warps // _WARPS_OF_STEP), 1) * _WARPS_OF_STEP
        share = _most("registers of a multiprocessor", module) // (warps * WARP_SZ)
        limits.append((share // _STEP * _STEP, name))
    limit, name = min(limits)
    return max(limit, _LEAST), name


def _most(limit: str, module: Module) -> int:
    return catalogue().vocabulary.limit(limit, module.version, module.target)
