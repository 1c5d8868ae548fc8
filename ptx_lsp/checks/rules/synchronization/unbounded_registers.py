"""W818 unbounded-registers."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, information

RULE = information("W818", opcodes=frozenset({"setmaxnreg"}))
_ACTION = "setmaxnreg"
_THREADS = frozenset({".maxntid", ".reqntid"})
_CTAS = frozenset({".minnctapersm", ".maxnctapersm"})


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `setmaxnreg` in a kernel that does not say how many registers its warps begin with.

    Warps take registers from a pool of their CTA, and give them back to it. How many each has at the start must be
    fixed in the kernel's head, or ptxas ignores the instruction.

    ```ptx
    //- sm_90a ptx 8.0
    setmaxnreg.dec.sync.aligned.u32 40;
    // <--- information[W818]
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

    `.maxnreg` alone does, or `.maxntid` (`.reqntid`) together with `.minnctapersm`; so does the option
    `-maxrregcount` of ptxas, which no file shows. Nothing is said of functions and of
    bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    symbol = flow.function.symbol
    if symbol is None or symbol.type != ".entry" or not kernel.is_complete:
        return
    found = kernel.all(_ACTION)
    if not found:
        return
    first = found[0]
    head = kernel.head()
    if ".maxnreg" not in head and (_CTAS.isdisjoint(head) or _THREADS.isdisjoint(head)):
        message = "without '.maxnreg', or '.maxntid' and '.minnctapersm', ptxas ignores this"
        yield PlacedFinding(first.place, RULE.at(kernel.context(first).opcode_span(), message))
