"""W635 unpassed-argument."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.local_parameters import has_local_parameters, is_local_parameter
from ptx_lsp.analysis.statements.role_misuse import accessed_name
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import Place, Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import chosen, collected
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = warning("W635")
_SPACE = ".param"
_MOST_NODES = 64
_USES_BETWEEN_PAUSES = 128
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
    passed = {symbol for _, symbol in calls}
    for number, (symbol, uses) in enumerate(stores.items(), 1):
        if not number % _USES_BETWEEN_PAUSES:
            yield None
        if symbol not in passed:
            message = f"'{symbol.name}' is stored and passed to no call"
            yield PlacedFinding(uses[0].place, RULE.at(uses[0].span, message).explained_by(symbol))
    for number, (call, symbol) in enumerate(calls, 1):
        if not number % _USES_BETWEEN_PAUSES:
            yield None
        uses = stores.get(symbol, [])
        if not uses and (symbol.layout is None or symbol.layout.length is None):
            message = f"'{symbol.name}' is passed without a value; no 'st.param' sets it"
            yield PlacedFinding(call.place, RULE.at(call.span, message).explained_by(symbol))
        elif uses and not _is_set(flow.graph, uses, call):
            message = f"no 'st.param' of '{symbol.name}' stands right before this call; the one{HERE} is elsewhere"
            beside = RelatedPlace(_nearest(uses, call).place, "the value is stored here")
            yield PlacedFinding(call.place, RULE.at(call.span, message).related_to(beside))


class _Use(NamedTuple):
    """A name in an instruction."""

    node: BasicBlock
    statement: int
    token: int

    @property
    def place(self) -> Place:
        """The instruction as a place."""
        return Place(self.node.chunk, self.statement, 0)

    @property
    def span(self) -> Span:
        """The span of the name in the statement."""
        return self.node.chunk.statement(self.statement).span(self.token)


def _is_set(graph: Graph, stores: list[_Use], call: _Use) -> bool:
    """Whether control comes from one of some stores to a call past no label to which others jump, and no branch."""
    above = bisect_left(stores, (call.node.number, call.statement), key=_place_of)
    if above and stores[above - 1].node is call.node:
        return True
    node = call.node
    for _ in range(_MOST_NODES):
        if len(node.predecessors) != 1:
            return False
        node = graph.nodes[node.predecessors[0]]
        if len(node.successors) != 1:
            return False
        first = bisect_left(stores, (node.number, 0), key=_place_of)
        if first < len(stores) and stores[first].node is node:
            return True
    return True


def _nearest(stores: list[_Use], call: _Use) -> _Use:
    """The last of some stores above a call, or the first one below it."""
    above = bisect_left(stores, (call.node.number, call.statement), key=_place_of)
    return stores[max(above - 1, 0)]


def _place_of(use: _Use) -> tuple[int, int]:
    """Uses are found in the order of their places."""
    return use.node.number, use.statement


def _words(flow: Flow, verb: Verb) -> Generator[None, None, frozenset[str]]:
    """The mnemonics of the instructions of a function with a fact of a verb."""
    having = chosen(lambda opcode: (verb, "") in possible_facts(opcode), flow.full_opcodes)
    opcodes = yield from collected(having)
    return frozenset(opcode[0] for opcode in opcodes)


def _stores(flow: Flow) -> Generator[None, None, dict[Symbol, list[_Use]]]:
    """The stores to `.param` variables of the body."""
    found: dict[Symbol, list[_Use]] = {}
    for number, (node, index) in enumerate(flow.steps.places((yield from _words(flow, Verb.WRITES))), 1):
        if not number % _USES_BETWEEN_PAUSES:
            yield
        tree = _tree(node, index)
        if tree is None or not tree.operands or not any(word.startswith(_SPACE) for word in tree.opcode):
            continue
        use = _Use(node, index, accessed_name(tree.operands[0]))
        symbol = _local_parameter(flow, use)
        if symbol is not None:
            found.setdefault(symbol, []).append(use)
    return found


def _calls(flow: Flow) -> Generator[None, None, list[tuple[_Use, Symbol]]]:
    """The `.param` variables of the body that are arguments of calls."""
    found = []
    for number, (node, index) in enumerate(flow.steps.places((yield from _words(flow, Verb.CALLS))), 1):
        if not number % _USES_BETWEEN_PAUSES:
            yield
        tree = _tree(node, index)
        call = read_call(tree) if tree is not None else None
        for part in call.arguments.parts if call is not None and call.arguments is not None else ():
            use = _Use(node, index, part.name)
            symbol = _local_parameter(flow, use)
            if symbol is not None:
                found.append((use, symbol))
    return found


def _tree(node: BasicBlock, index: int) -> Instruction | None:
    """The tree of an instruction without syntax errors."""
    shape = SHAPES[node.chunk.shapes[index]]
    return shape.tree if isinstance(shape.tree, Instruction) and not shape.errors else None


def _local_parameter(flow: Flow, use: _Use) -> Symbol | None:
    """The `.param` variable of the body that a name means."""
    if use.token < 0:
        return None
    context = StatementContext(flow.graph.module, flow.function, use.node.chunk, use.statement)
    symbol = context.visible(context.word(use.token))
    return symbol if symbol is not None and is_local_parameter(symbol) else None
