"""E408 call-arguments."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.calls import count, fits, read_call
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.wording import counted

RULE = error("E408")


def check(use: Use) -> Iterator[Finding]:
    """A call with more or fewer arguments or results than the function has, or a call of a kernel.

    ```ptx
    //- sm_80 ptx 7.0 module
    .func twice(.reg .b32 value) { ret; }
    .func user()
    {
        call twice;
    //  ^^^^ error[E408]
        ret;
    }
    // ptxas: Call has wrong number of parameters
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .func twice(.reg .b32 value) { ret; }
    .func user()
    {
        .reg .b32 %r1;
        call twice, (%r1);
        ret;
    }
    ```
    """
    tree = use.instruction
    call = read_call(tree) if tree is not None else None
    if tree is None or call is None:
        return
    target = use.symbols.get(call.target.name)
    if target is None or target.signature is None or fits(call, target):
        return
    name = target.name
    if target.type == ".entry":
        message = f"'{name}' is a kernel; only a '.func' can be called"
        yield RULE.at(use.span(call.target.name), message, declared=target)
        return
    results, parameters = target.signature
    if count(call.arguments) != len(parameters):
        span = use.operand_span(call.arguments) if call.arguments is not None else use.opcode_span()
        takes = counted(len(parameters), "argument")
        yield RULE.at(span, f"'{name}' takes {takes}, not {count(call.arguments)}", declared=target)
    if count(call.results) != len(results):
        span = use.operand_span(call.results) if call.results is not None else use.opcode_span()
        returns = counted(len(results), "value")
        yield RULE.at(span, f"'{name}' returns {returns}, not {count(call.results)}", declared=target)
