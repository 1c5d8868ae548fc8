"""Control flow and data flow of a function.

The functions are annotated: ``// 2 -> 3 5`` after the last statement of a block gives its number and its
successors; other marks are explained where they are used.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.liveness import UnusedResults
from ptx_lsp.analysis.dataflow.paths import Dominance
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.synchronization.before_and_after import Leaving
from ptx_lsp.syntax.document import Document

HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;"


def flow_of(text: str) -> Flow:
    """The flow through the last function of a module, or through a kernel with these statements.

    The declarations of the kernel are node 0, the statements begin with node 1.
    """
    if ".func" not in text and ".entry" not in text:
        text = f".entry kernel() {{ {REGISTERS} START:\n{text}\n}}\n"
    module = Module(Document(HEAD + text))
    return Semantics(module).flow([function for function in module.functions if function.has_body][-1])


def line_of(flow: Flow, chunk, statement: int) -> int:
    """The line, counted from 0, on which a statement ends."""
    document = flow.module.document
    start = document.chunk_start(flow.module.positions.chunk_number(chunk))
    return document.position(start + chunk.starts()[statement] + len(chunk.part(statement).rstrip()))[0]


def lines(flow: Flow) -> list[str]:
    return flow.module.document.text.split("\n")


_ARROW = re.compile(r"// (\d+) -> ?([\d ]*)$")


def check_graph(text: str) -> Flow:
    """Compare the graph of a function with its marks."""
    flow = flow_of(text)
    marked = {int(found[1]): set(map(int, found[2].split())) for line in lines(flow) if (found := _ARROW.search(line))}
    made = {}
    for node in flow.graph.nodes:
        line = lines(flow)[line_of(flow, node.chunk, node.piece.end - 1)]
        found = _ARROW.search(line)
        if found:
            assert node.number == int(found[1]), f"node {node.number} ends in: {line}"
            made[node.number] = set(node.successors)
    assert made == marked
    for node in flow.graph.nodes:
        for number in node.successors:
            assert node.number in flow.graph.nodes[number].predecessors
    return flow


# ---------------------------------------------------------------------- graph


def test_a_branch_goes_on_or_jumps():
    flow = check_graph("""
        mov.u32 %r1, %tid.x;
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra DONE;              // 1 -> 2 3
        add.u32 %r1, %r1, 1;        // 2 -> 3
    DONE:
        ret;                        // 3 ->
    """)
    assert flow.graph.falls_off is None
    assert flow.graph.is_whole


def test_a_loop_goes_back():
    check_graph("""
        mov.u32 %r1, 0;             // 1 -> 2
    AGAIN:
        add.u32 %r1, %r1, 1;
        setp.lt.u32 %p1, %r1, 9;
        @%p1 bra AGAIN;             // 2 -> 2 3
        ret;                        // 3 ->
    """)


def test_a_jump_without_a_guard_does_not_go_on():
    flow = check_graph("""
        bra.uni DONE;               // 1 -> 3
        add.u32 %r1, %r1, 1;        // 2 -> 3
    DONE:
        ret;                        // 3 ->
    """)
    assert flow.graph.reachable == {0, 1, 3}


def test_a_guarded_exit_may_go_on():
    flow = check_graph("""
        @%p1 ret;                   // 1 -> 2
        @!%p1 exit;                 // 2 -> 3
        @%p2 trap;                  // 3 -> 4
        trap;                       // 4 ->
    """)
    assert [flow.graph.leaves(node) for node in flow.graph.nodes] == [False, True, True, False, False]


def test_a_table_leads_to_each_of_its_labels():
    flow = check_graph("""
        mov.u32 %r1, %tid.x;
    LIST: .branchtargets ONE, TWO, ONE;
        brx.idx %r1, LIST;          // 2 -> 4 5
        add.u32 %r1, %r1, 1;
    ONE:
        add.u32 %r1, %r1, 2;        // 4 -> 5
    TWO:
        ret;                        // 5 ->
    """)
    assert 3 not in flow.graph.reachable
    assert flow.graph.is_whole


def test_a_table_with_numbered_labels():
    check_graph("""
        brx.idx %r1, LIST;          // 1 -> 3 4
    LIST: .branchtargets L<2>;      // 2 -> 3
    L0:
        add.u32 %r1, %r1, 2;        // 3 -> 4
    L1:
        ret;                        // 4 ->
    """)


def test_a_table_that_is_none_makes_the_graph_doubtful():
    assert not flow_of("LIST: brx.idx %r1, LIST; ret;").graph.is_whole
    assert not flow_of("LIST: .branchtargets NOWHERE; brx.idx %r1, LIST; ret;").graph.is_whole


def test_a_variable_is_no_list_of_labels() -> None:
    """It can be the last statement before the function."""
    flow = flow_of(".global .b32 table;\n.entry kernel() { .reg .b32 %r1; brx.idx %r1, table; }")
    assert not flow.graph.is_whole


def test_labels_of_inner_blocks_hide_outer_ones():
    check_graph("""
        bra X;                      // 1 -> 5
        {
            bra X;                  // 2 -> 3
        X:
            add.u32 %r1, %r1, 1;    // 3 -> 4
        }
        bra X;                      // 4 -> 5
    X:
        ret;                        // 5 ->
    """)


def test_a_label_with_nothing_behind_it_is_the_end():
    flow = flow_of("@%p1 bra END;\nret;\nEND:\n")
    assert flow.graph.falls_off == len(flow.graph.nodes) - 1
    assert flow.graph.falls_off in flow.graph.reachable


@pytest.mark.parametrize(
    ("body", "falls_off"),
    [
        ("ret;", False),
        ("add.u32 %r1, %r1, 1;", True),
        ("@%p1 ret;", True),
        ("HERE: bra HERE;", False),
        ("{ ret; }", False),
        ("{ { add.u32 %r1, %r1, 1; } }", True),
        ("trap;", False),
    ],
)
def test_the_end_of_the_body(body: str, falls_off: bool):
    graph = flow_of(body).graph
    assert (graph.falls_off is not None and graph.falls_off in graph.reachable) is falls_off


def test_torn_functions_and_broken_statements_make_the_graph_doubtful():
    assert not flow_of(".func f()\n{\n{\nret;\n").graph.is_whole
    assert not flow_of("add.u32 %r1, ; ret;").graph.is_whole
    assert not flow_of("bra NOWHERE; ret;").graph.is_whole


def test_a_function_of_many_chunks():
    body = "\n".join(f"L{one}: add.u32 %r1, %r1, {one}; @%p1 bra L{(one * 37) % 2000};" for one in range(2000))
    flow = flow_of(f"{body}\nret;")
    graph = flow.graph
    assert len(flow.function.chunks) > 3
    nodes = {lines(flow)[line_of(flow, node.chunk, node.piece.end - 1)].partition(":")[0]: node for node in graph.nodes}
    for one in range(2000):
        node = nodes[f"L{one}"]
        assert nodes[f"L{(one * 37) % 2000}"].number in node.successors
    for node in graph.nodes:
        for statement in range(node.piece.start, node.piece.end):
            assert graph.node_at(node.chunk, statement) is node


def test_names_of_inner_blocks_are_other_registers():
    flow = flow_of("""
        {
            .reg .b32 t, %r<3>;
            { .reg .b32 t; mov.u32 t, %r1; }
            mov.u32 t, %r2;
            mov.u32 %r5, t;
        }
        mov.u32 %r1, %r2;
        ret;
    """)
    written = [register for node in flow.graph.nodes for register in flow.sets.written[node.number]]
    read = [register for node in flow.graph.nodes for register in flow.sets.exposed[node.number]]
    assert written == ["t 2", "t 1", "%r5", "%r1"]
    assert read == ["%r1 1", "%r2 1", "%r2"]


def test_special_registers_and_called_functions_are_read_too():
    flow = flow_of("""
        .func other(.reg .b32 a);
        .func f(.reg .b32 b) { .reg .b32 c; mov.u32 c, %tid.x; call other, (c); ret; }
    """)
    assert [step.reads for step in flow.steps.of(flow.graph.nodes[-1].number)] == [("%tid",), ("other", "c"), ()]
    assert flow.graph.registers.declaration("b", flow.function.scope) is None
    assert flow.graph.registers.declaration("c", flow.function.scope) is not None


# ---------------------------------------------------------------------- steps


def marked_steps(flow: Flow) -> dict[str, Step]:
    """The instructions by the marks ``// <a>`` after them."""
    found = {}
    for node in flow.graph.nodes:
        for step in flow.steps.of(node.number):
            mark = re.search(r"// <(\w+)>", lines(flow)[line_of(flow, step.chunk, step.statement)])
            if mark:
                found[mark[1]] = step
    return found


DIAMOND = """
    mov.u32 %r1, 1;             // <first>
    setp.eq.u32 %p1, %r2, 0;    // <compare>
    @%p1 bra ELSE;              // <branch>
    mov.u32 %r1, 2;             // <then>
    bra JOIN;                   // <jump>
ELSE:
    @%p2 mov.u32 %r1, 3;        // <else>
JOIN:
    add.u32 %r3, %r1, 1;        // <use>
    @%p3 bra JOIN;              // <again>
    ret;                        // <end>
"""


def test_what_comes_after_and_before():
    flow = flow_of(DIAMOND)
    steps = marked_steps(flow)
    names = {step: name for name, step in steps.items()}

    def after(name: str, stop=None) -> list[str]:
        return [names[step] for step in flow.steps.after(steps[name], stop)]

    assert after("branch") == ["then", "jump", "else", "use", "again", "end"]
    assert after("use") == ["again", "end", "use"]
    assert after("end") == []
    assert after("first", lambda step: step.opcode[0] == "bra") == ["compare", "branch"]
    assert [names[step] for step in flow.steps.before(steps["then"])] == ["branch", "compare", "first"]
    assert {names[step] for step in flow.steps.before(steps["end"])} == set(steps) - {"end"}


def test_definitions_that_reach_a_read():
    flow = flow_of(DIAMOND)
    steps = marked_steps(flow)
    names = {step: name for name, step in steps.items()}
    assert {names[step] for step in flow.steps.definitions(steps["use"], "%r1")} == {"then", "else", "first"}
    assert [names[step] for step in flow.steps.definitions(steps["branch"], "%p1")] == ["compare"]
    assert flow.steps.definitions(steps["compare"], "%r2") == ()


def test_a_way_out_without_an_instruction():
    flow = flow_of(DIAMOND)
    steps = marked_steps(flow)
    assert steps["branch"] in Leaving(flow.graph, [steps["then"]])
    assert steps["branch"] not in Leaving(flow.graph, [steps["use"]])


# ---------------------------------------------------------------------- sets


def reads_without_value(flow: Flow) -> dict[str, bool]:
    return {register: always for _, register, _, always in flow.assignment.read_before_write()}


def test_reads_before_writes():
    flow = flow_of("""
        add.u32 %r1, %r2, %r3;      // nothing writes %r2 and %r3
        @%p1 bra SKIP;
        mov.u32 %r4, 1;
    SKIP:
        add.u32 %r1, %r1, %r4;      // %r4 only on one way
        ret;
    """)
    assert reads_without_value(flow) == {"%r2": True, "%r3": True, "%p1": True, "%r4": False}


def test_a_write_with_a_guard_is_a_write_for_readers_but_does_not_end_a_value():
    flow = flow_of("""
        mov.u32 %r1, 1;
        mov.u32 %r2, 1;
        @%p1 bra NEXT;
    NEXT:
        @%p1 mov.u32 %r1, 2;
        mov.u32 %r2, 2;
        st.shared.u32 [%r1], %r2;
        ret;
    """)
    assert reads_without_value(flow) == {"%p1": True}
    first = flow.graph.nodes[1]
    assert "%r1" in flow.liveness.live_after(first)
    assert "%r2" not in flow.liveness.live_after(first)


def test_an_accumulator_is_live_but_need_not_have_a_value():
    flow = flow_of("""
        mov.f32 %f1, 0f00000000;
        @%p1 bra NEXT;
    NEXT:
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd1, 0, 1, 1, 0, 0;
        ret;
    """)
    assert "%f1" in flow.liveness.live_after(flow.graph.nodes[1])
    assert reads_without_value(flow) == {"%p1": True, "%rd1": True}


# ---------------------------------------------------------------------- against a naive reading


class Naive:
    """A function as single statements, with every question answered by trying all paths."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.steps = [step for node in flow.graph.nodes for step in flow.steps.of(node.number)]
        self.first_of = {}
        for at, step in reversed(list(enumerate(self.steps))):
            self.first_of[step.node] = at
        nodes = flow.graph.nodes
        self.next: list[list[int]] = []
        for at, step in enumerate(self.steps):
            if at + 1 < len(self.steps) and self.steps[at + 1].node == step.node:
                self.next.append([at + 1])
            else:
                self.next.append([self._entered(number) for number in nodes[step.node].successors])

    def _entered(self, number: int) -> int:
        """The first instruction from a node on; nodes without instructions have one successor."""
        while number not in self.first_of:
            (number,) = self.flow.graph.nodes[number].successors
        return self.first_of[number]

    def written_before(self) -> dict[int, set[frozenset[str]]]:
        """For each statement the sets of registers that some path has written when it comes there."""
        found: dict[int, set[frozenset[str]]] = defaultdict(set)
        waiting = [(self._entered(0), frozenset())]
        while waiting:
            at, written = waiting.pop()
            if written in found[at]:
                continue
            found[at].add(written)
            after = written | set(self.steps[at].writes)
            waiting += [(following, after) for following in self.next[at]]
        return found

    def is_read_from(self, starts: list[int], register: str) -> bool:
        """Whether a path from one of the statements reads a register before it surely writes it."""
        waiting, seen = list(starts), set()
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            step = self.steps[at]
            if register in step.reads:
                return True
            if register not in step.writes or step.guarded:
                waiting += self.next[at]
        return False

    def definitions(self, at: int, register: str) -> set[Step]:
        """The writes from which a path comes to a statement without a sure write in between."""
        found = set()
        for source, step in enumerate(self.steps):
            if register not in step.writes:
                continue
            waiting, seen = list(self.next[source]), set()
            while waiting:
                one = waiting.pop()
                if one == at:
                    found.add(step)
                    break
                if one in seen:
                    continue
                seen.add(one)
                if register not in self.steps[one].writes or self.steps[one].guarded:
                    waiting += self.next[one]
        return found


def random_body(choose: random.Random) -> str:
    """A body of a few blocks with jumps at random."""
    count = choose.randint(2, 6)
    found = []
    for block in range(count):
        found.append(f"L{block}:")
        for _ in range(choose.randint(0, 3)):
            a, b, c = (choose.randint(1, 4) for _ in range(3))
            guard = choose.choice(["", "", "@%p1 ", "@!%p2 "])
            found.append(
                choose.choice(
                    [
                        f"{guard}add.u32 %r{a}, %r{b}, %r{c};",
                        f"{guard}mov.u32 %r{a}, 1;",
                        f"{guard}st.shared.u32 [%r{a}], %r{b};",
                        f"setp.eq.u32 %p{choose.randint(1, 2)}, %r{a}, 0;",
                    ]
                )
            )
        target = choose.randrange(count)
        jumps = ["", "", f"@%p1 bra L{target};", f"@!%p2 bra L{target};", f"bra L{target};", "ret;"]
        found.append(choose.choice(jumps))
    return "\n".join([*found, "ret;"])


def reads_in(node: BasicBlock, flow: Flow) -> Iterator[tuple[str, int]]:
    yield from flow.sets.exposed[node.number].items()


@pytest.mark.parametrize("seed", range(150), ids=lambda seed: f"seed-{seed}")
def test_sets_agree_with_trying_all_paths(seed: int) -> None:
    flow = flow_of(random_body(random.Random(seed)))
    naive = Naive(flow)
    written = naive.written_before()
    at_of = {(step.node, step.statement): at for at, step in enumerate(naive.steps)}
    expected = set()
    for node in flow.graph.nodes:
        for register, statement in reads_in(node, flow):
            sets = written[at_of[node.number, statement]]
            if any(register not in one for one in sets):
                expected.add((node.number, register, all(register not in one for one in sets)))
    found = {(node.number, register, always) for node, register, _, always in flow.assignment.read_before_write()}
    assert found == expected
    for node in flow.graph.nodes:
        following = [naive._entered(number) for number in node.successors]
        for register in ("%r1", "%r2", "%r3", "%r4", "%p1", "%p2"):
            assert (register in flow.liveness.live_after(node)) is naive.is_read_from(following, register)
    for at, step in enumerate(naive.steps):
        for register in set(step.reads):
            assert set(flow.steps.definitions(step, register)) == naive.definitions(at, register)


@pytest.mark.parametrize("seed", range(150), ids=lambda seed: f"seed-{seed}")
def test_a_register_without_value_has_none_on_any_path(seed: int) -> None:
    flow = flow_of(random_body(random.Random(seed)))
    naive = Naive(flow)
    at_of = {(step.node, step.statement): at for at, step in enumerate(naive.steps)}
    for one in flow.unwritten.always:
        at = at_of[one.step.node, one.step.statement]
        naive.next[at], kept = [], naive.next[at]
        first_arrivals = naive.written_before()[at]
        naive.next[at] = kept
        assert first_arrivals
        assert all(one.register not in written for written in first_arrivals)
    for node, register, _, always in flow.assignment.read_before_write():
        if always:
            assert register in {one.register for one in flow.unwritten.always}, (node.number, register)


@pytest.mark.parametrize("seed", range(100), ids=lambda seed: f"seed-{seed}")
def test_dominators_are_what_no_path_avoids(seed: int) -> None:
    choose = random.Random(seed)
    count = choose.randint(1, 9)
    after: list[list[int]] = [[] for _ in range(count)]
    before: list[list[int]] = [[] for _ in range(count)]
    for _ in range(choose.randint(0, 2 * count)):
        one, other = choose.randrange(count), choose.randrange(count)
        if other not in after[one]:
            after[one].append(other)
            before[other].append(one)
    found = Dominance(0, after, before)

    def reached(without: int | None) -> set[int]:
        seen, waiting = set(), [0]
        while waiting:
            one = waiting.pop()
            if one not in seen and one != without:
                seen.add(one)
                waiting += after[one]
        return seen

    everything = reached(None)
    for one in range(count):
        avoiding = reached(one)
        for other in range(count):
            expected = one in everything and other in everything and other not in avoiding
            assert found.dominates(one, other) is expected
    for other in everything - {0}:
        immediate = found.immediate(other)
        assert immediate is not None
        assert all(found.dominates(one, immediate) for one in everything - {other} if found.dominates(one, other))
    assert found.immediate(0) is None


def test_postdominators_do_not_count_what_never_returns():
    flow = check_graph("""
        @%p1 bra STOP;              // 1 -> 2 3
        bra DONE;                   // 2 -> 4
    STOP:
        trap;                       // 3 ->
    DONE:
        ret;                        // 4 ->
    """)
    postdominance = flow.graph.postdominance
    chain = [1]
    while (number := postdominance.immediate(chain[-1])) is not None:
        chain.append(number)
    assert chain == [1, 2, 4, 5]
    assert all(one < other for one, other in pairwise(chain))
    assert postdominance.immediate(3) is None


class CountedSteps(Steps):
    """The instructions of a function, and how often one was asked for."""

    asked = 0

    def at(self, number: int, statement: int) -> Step:
        self.asked += 1
        return super().at(number, statement)


def test_the_next_write_of_an_unused_result_is_found_without_a_look_at_its_whole_block() -> None:
    flow = flow_of("mov.u32 %r2, 1;\n" + "add.u32 %r1, %r2, %r2;\n" * 200)
    steps = CountedSteps(flow.graph)
    found = [one for one in UnusedResults(steps, flow.sets, flow.liveness) if one is not None]
    assert [one.overwritten.statement - one.step.statement for one in found if one.overwritten] == [1] * 199
    assert len(found) == 200
    assert steps.asked < 4 * len(found)
