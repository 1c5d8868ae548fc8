"""W635 unpassed-argument."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.local_parameters import has_local_parameters, is_local_parameter
from ptx_lsp.analysis.statements.role_misuse import accessed_name
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W635")
_SPACE = ".param"
_MOST_NODES = 64
_STEPS_BETWEEN_PAUSES = 128
"""So many basic blocks above a call are looked at; in longer chains the value counts as set."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `.param` variable that is stored and passed to no call, or passed without a store right before the call.

    ptxas takes the value of an argument from the `st.param` in front of the call. A variable without a store passes
    any value. The stores must stand right before the call: with a label or branch between, another path may come
    without them.

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .func show(.param .b32 first, .param .b32 second);
    .visible .entry kernel()
    {
        .param .b32 one;
        .param .b32 other;
        st.param.b32 [one], 1;
        st.param.b32 [one], 2;
        call show, (one, other);
    //                   ^^^^^ warning[W635]: 'other' is passed without a value; no 'st.param' sets it (line 9)
    // ptxas: accepts it
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .func show(.param .b32 first, .param .b32 second);
    .visible .entry kernel()
    {
        .param .b32 one;
        .param .b32 other;
        st.param.b32 [one], 1;
        st.param.b32 [other], 2;
        call show, (one, other);
        ret;
    }
    ```

    ---

    Arrays are not reported if nothing is stored in them: compilers pass empty structs so. Labels that no branch names
    do not count. PTX ISA, "Parameter State Space".
    """
    if not has_local_parameters(flow.function):
        return
    stores = yield from _stores(flow)
    calls = yield from _calls(flow)
    passed = {symbol for _, _, symbol in calls}
    for number, (symbol, steps) in enumerate(stores.items(), 1):
        if not number % _STEPS_BETWEEN_PAUSES:
            yield None
        if symbol not in passed:
            context = flow.steps.context(steps[0])
            token = accessed_name(context.instruction.operands[0]) if context.instruction is not None else 0
            message = f"'{symbol.name}' is stored and passed to no call"
            yield PlacedFinding(steps[0].place, RULE.at(context.span(token), message).explained_by(symbol))
    for number, (call, token, symbol) in enumerate(calls, 1):
        if not number % _STEPS_BETWEEN_PAUSES:
            yield None
        steps = stores.get(symbol, [])
        context = flow.steps.context(call)
        if not steps and (symbol.layout is None or symbol.layout.length is None):
            message = f"'{symbol.name}' is passed without a value; no 'st.param' sets it"
            yield PlacedFinding(call.place, RULE.at(context.span(token), message).explained_by(symbol))
        elif steps and not _is_set(flow.graph, steps, call):
            message = f"no 'st.param' of '{symbol.name}' stands right before this call; the one{HERE} is elsewhere"
            beside = RelatedPlace(_nearest(steps, call).place, "the value is stored here")
            yield PlacedFinding(call.place, RULE.at(context.span(token), message).related_to(beside))


def _is_set(graph: Graph, stores: list[Step], call: Step) -> bool:
    """Whether control comes from one of some stores to a call past no label to which others jump, and no branch."""
    if any(step.node == call.node and step.statement < call.statement for step in stores):
        return True
    nodes = {step.node for step in stores}
    node = graph.nodes[call.node]
    for _ in range(_MOST_NODES):
        if len(node.predecessors) != 1:
            return False
        node = graph.nodes[node.predecessors[0]]
        if len(node.successors) != 1:
            return False
        if node.number in nodes:
            return True
    return True


def _nearest(stores: list[Step], call: Step) -> Step:
    """The last of some stores above a call, or the first one below it."""
    above = [step for step in stores if (step.node, step.statement) < (call.node, call.statement)]
    return above[-1] if above else stores[0]


def _words(flow: Flow, verb: Verb) -> frozenset[str]:
    """The mnemonics of the instructions of a function with a fact of a verb."""
    return frozenset(opcode[0] for opcode in flow.full_opcodes if (verb, "") in possible_facts(opcode))


def _stores(flow: Flow) -> Generator[None, None, dict[Symbol, list[Step]]]:
    """The stores to `.param` variables of the body."""
    found: dict[Symbol, list[Step]] = {}
    for number, step in enumerate(flow.steps.all(_words(flow, Verb.WRITES)), 1):
        if not number % _STEPS_BETWEEN_PAUSES:
            yield
        if not any(word.startswith(_SPACE) for word in step.opcode):
            continue
        context = flow.steps.context(step)
        if context.instruction is None or not context.instruction.operands:
            continue
        symbol = context.symbols.get(accessed_name(context.instruction.operands[0]))
        if symbol is not None and is_local_parameter(symbol):
            found.setdefault(symbol, []).append(step)
    return found


def _calls(flow: Flow) -> Generator[None, None, list[tuple[Step, int, Symbol]]]:
    """The `.param` variables of the body that are arguments of calls: call, token and variable."""
    found = []
    for number, step in enumerate(flow.steps.all(_words(flow, Verb.CALLS)), 1):
        if not number % _STEPS_BETWEEN_PAUSES:
            yield
        context = flow.steps.context(step)
        call = read_call(context.instruction) if context.instruction is not None else None
        for part in call.arguments.parts if call is not None and call.arguments is not None else ():
            symbol = context.symbols.get(part.name)
            if symbol is not None and is_local_parameter(symbol):
                found.append((step, part.name, symbol))
    return found
