"""Regions of branches: those that are intervals are what a search finds."""

from __future__ import annotations

from random import Random

from ptx_lsp.analysis.dataflow import branch_regions, control_flow_graph
from ptx_lsp.analysis.dataflow.branch_regions import BranchRegions
from ptx_lsp.checks.engine.checker import Checker, check_text

_HEADER = ".version 8.7\n.target sm_90\n.address_size 64\n"
_BEGIN = ".reg .b32 %r<9>; .reg .pred %p<4>;\nmov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n"


class _Program:
    """A random kernel of nested branches and loops, with a few jumps across them."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._labels = 0
        self._lines: list[str] = []
        self._body(random.randrange(1, 6))
        self._lines += ["ret;", "}"]
        self.text = f"{_HEADER}.entry k() {{\n{_BEGIN}" + "\n".join(self._lines) + "\n"

    def _label(self) -> str:
        self._labels += 1
        return f"L{self._labels}"

    def _guard(self) -> str:
        return self._random.choice(["@%p1", "@!%p1", "@%p2"])

    def _body(self, depth: int) -> None:
        add = self._lines.append
        for _ in range(self._random.randrange(1, 4)):
            first, second = self._label(), self._label()
            match self._random.randrange(9) if depth else 0:
                case 0 | 1:
                    add(f"{first}: {second}: bar.sync 0;")
                case 2 | 3:
                    add(f"{second}: {self._guard()} bra {first};")
                    self._body(depth - 1)
                    add(f"{first}:")
                case 4 | 5:
                    add(f"{self._guard()} bra {first};")
                    self._body(depth - 1)
                    add(f"bra {second};\n{first}:")
                    self._body(depth - 1)
                    add(f"{second}:")
                case 6:
                    add(f"{first}: {second}:")
                    self._body(depth - 1)
                    add(f"{self._guard()} bra {first};")
                case 7:
                    add(f"{first}: {second}: {self._guard()} ret;")
                case _:
                    add(f"{first}: {second}: {self._guard()} bra L{self._random.randrange(1, self._labels + 1)};")


def test_intervals_are_what_a_search_finds(monkeypatch) -> None:
    monkeypatch.setattr(branch_regions, "_FEW_VISITS", 1 << 30)
    intervals = 0
    for seed in range(150):
        checker = Checker(_Program(Random(seed)).text)
        function = next(one for one in checker.module.functions if one.has_body)
        graph = checker.semantics.flow(function).graph
        regions = BranchRegions(graph)
        order = list(graph.reachable)
        for node in graph.nodes:
            if node.piece.guarded and node.piece.control and node.number in graph.reachable:
                region = regions.of(node.number)
                expected = _searched(graph, node.number)
                assert region.nodes | {*order[region.first : region.stop]} == expected, (seed, node.number)
                intervals += region.stop > region.first
    assert intervals > 100


def _searched(graph: control_flow_graph.Graph, branch: int) -> frozenset[int]:
    """The nodes on some ways of a branch, but not on all, up to where they meet."""
    meeting = graph.postdominance.immediate(branch)
    if meeting is None:
        return frozenset()
    ways = []
    for start in graph.nodes[branch].successors:
        found, waiting = set(), [start]
        while waiting:
            number = waiting.pop()
            if number != meeting and number not in found:
                found.add(number)
                waiting += graph.nodes[number].successors
        ways.append(frozenset(found))
    if graph.nodes[branch].piece.control is control_flow_graph.Control.LEAVE:
        ways.append(frozenset())
    return frozenset().union(*ways) - frozenset.intersection(*ways) if len(ways) > 1 else frozenset()


def test_tables_of_labels_change_no_finding(monkeypatch) -> None:
    for seed in range(60):
        text = _indirect(Random(seed))
        monkeypatch.setattr(control_flow_graph, "MOST_EDGES", 1 << 20)
        expected = [(one.code, one.span, one.message) for one in check_text(text)]
        monkeypatch.setattr(control_flow_graph, "MOST_EDGES", 0)
        assert [(one.code, one.span, one.message) for one in check_text(text)] == expected, seed


def _indirect(random: Random) -> str:
    """A kernel of branches by one table."""
    count = random.randrange(2, 9)
    labels = ", ".join(f"L{one}" for one in range(count))
    body = []
    for one in range(count):
        body.append(f"L{one}:")
        for _ in range(random.randrange(3)):
            register, other = random.randrange(1, 9), random.randrange(1, 9)
            lines = ["bar.sync 0;", f"add.u32 %r{register}, %r{other}, 1;", f"st.shared.u32 [%r1], %r{other};"]
            body.append(random.choice(lines))
        body.append(random.choice(["brx.idx %r1, T;", "@%p1 brx.idx %r1, T;", "@%p1 bra L0;", "ret;", ""]))
    lines = "\n".join(body)
    return f"{_HEADER}.entry k() {{\nT: .branchtargets {labels};\n{_BEGIN}{lines}\nret;\n}}\n"
