"""W818 unbounded-registers."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, information
from ptx_lsp.isa.model.ordering import REGISTERS, Verb

RULE = information("W818")
_THREADS = frozenset({".maxntid", ".reqntid"})
_CTAS = frozenset({".minnctapersm", ".maxnctapersm"})


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `setmaxnreg` in a kernel whose number of registers at entry is not fixed.

    Warps take registers from a pool of their CTA and return them to it. The directives of the kernel must fix how many
    registers each thread has at entry, or ptxas ignores the instruction.

    ```ptx
    //- sm_90a ptx 8.0
    setmaxnreg.dec.sync.aligned.u32 40;
    // <--- information[W818]: ptxas ignores this without '.maxnreg', or '.maxntid' and '.minnctapersm'
    ret;
    // ptxas: Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.0 module
    .entry kernel() .maxntid 384 .minnctapersm 1
    {
        setmaxnreg.dec.sync.aligned.u32 40;
        ret;
    }
    ```

    ---

    `.maxnreg` alone is enough, or `.maxntid` (`.reqntid`) together with `.minnctapersm`; so is the option
    `-maxrregcount` of ptxas, which the file does not show. Not reported in functions and in bodies without `ret` or
    `exit`.
    """
    kernel = flow.kernel
    symbol = flow.function.symbol
    if symbol is None or symbol.type != ".entry" or not kernel.is_complete:
        return
    found = [*kernel.facts.steps(Verb.RAISES, REGISTERS), *kernel.facts.steps(Verb.LOWERS, REGISTERS)]
    if not found:
        return
    first = min(found, key=lambda one: (one.node, one.statement))
    head = kernel.head()
    if ".maxnreg" not in head and (_CTAS.isdisjoint(head) or _THREADS.isdisjoint(head)):
        message = "ptxas ignores this without '.maxnreg', or '.maxntid' and '.minnctapersm'"
        yield PlacedFinding(first.place, RULE.at(kernel.context(first).opcode_span(), message))
