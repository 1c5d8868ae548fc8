"""E430 missing-call."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.local_parameters import has_local_parameters, is_local_parameter
from ptx_lsp.analysis.statements.role_misuse import FIRST_LOCAL_PARAM, accessed_name
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.shape import SHAPES

RULE = error("E430")
_SPACE = ".param"
_IN_A_STEP = 16


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `ld.param` of a `.param` variable of the body, without a `call` above it that returns its result there.

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .func (.param .b32 result) twice(.param .b32 value);
    .visible .entry kernel()
    {
        .reg .b32 %r<3>;
        .param .b32 argument;
        .param .b32 returned;
        mov.b32 %r1, 7;
        st.param.b32 [argument], %r1;
        ld.param.b32 %r2, [returned];
    //                     ^^^^^^^^ error[E430]: no call before this line returns a result in 'returned' (line 10)
        call (returned), twice, (argument);
        ret;
    }
    // ptxas: Function call sequence invalid: 'ld.param' of 'returned' without corresponding call
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .func (.param .b32 result) twice(.param .b32 value);
    .visible .entry kernel()
    {
        .reg .b32 %r<3>;
        .param .b32 argument;
        .param .b32 returned;
        mov.b32 %r1, 7;
        st.param.b32 [argument], %r1;
        call (returned), twice, (argument);
        ld.param.b32 %r2, [returned];
        ret;
    }
    ```

    ---

    The order of the lines counts, not the order of execution. ptxas 13.5 reports it only when it generates code;
    earlier releases crash.
    """
    if flow.module.version < FIRST_LOCAL_PARAM or not has_local_parameters(flow.function):
        return
    returned: set[Symbol] = set()
    for number, context in enumerate(_loads_and_calls(flow), 1):
        if not number % _IN_A_STEP:
            yield None
        tree = context.instruction
        if tree is None:
            continue
        call = read_call(tree)
        if call is not None:
            results = call.results.parts if call.results is not None else ()
            returned.update(context.symbols[one.name] for one in results if one.name in context.symbols)
            continue
        token = accessed_name(tree.operands[1]) if len(tree.operands) > 1 else -1
        symbol = context.symbols.get(token)
        if symbol is not None and is_local_parameter(symbol) and symbol not in returned:
            returned.add(symbol)
            message = f"no call before this line returns a result in '{symbol.name}'"
            finding = RULE.at(context.span(token), message).explained_by(symbol)
            yield PlacedFinding(context.place, finding)


def _loads_and_calls(flow: Flow) -> Iterator[StatementContext]:
    """The loads of `.param` and the calls of a function, in the order of the text."""
    for chunk in flow.function.chunks:
        wanted = {number for number in set(chunk.shapes) if _is_load_or_call(SHAPES[number].opcode)}
        if wanted:
            for index, number in enumerate(chunk.shapes):
                if number in wanted:
                    yield StatementContext(flow.module, flow.function, chunk, index)


def _is_load_or_call(opcode: tuple[str, ...]) -> bool:
    facts = possible_facts(opcode)
    return (Verb.CALLS, "") in facts or (
        (Verb.READS, "") in facts and (Verb.WRITES, "") not in facts and any(word.startswith(_SPACE) for word in opcode)
    )
