"""Functions that the rules about whole functions have analysed, and the reasons why others were not.

A rule that does not run must be seen not to run: silence about a function means something only where it was analysed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks import ASYNCHRONOUS, concerns_of
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple

FAMILIES = ("data flow", "values of threads", "asynchronous work")
"""The families of rules that look at whole functions, as a reader knows them: W62x; W612, W613; W8xx."""


class Coverage(NamedTuple):
    """The functions with a body, and those that each family of rules has analysed."""

    functions: int = 0
    concerned: tuple[tuple[str, int], ...] = ()
    """For each family how many functions it is about."""
    reasons: tuple[tuple[str, str, int], ...] = ()
    """Family, reason, and how many functions it has not analysed for this reason."""

    def plus(self, other: Coverage) -> Coverage:
        """Both together."""
        concerned = Counter(dict(self.concerned))
        concerned.update(dict(other.concerned))
        reasons = Counter({(family, reason): count for family, reason, count in self.reasons})
        reasons.update({(family, reason): count for family, reason, count in other.reasons})
        return Coverage(
            self.functions + other.functions,
            tuple(concerned.items()),
            tuple((*key, count) for key, count in reasons.items()),
        )

    def lines(self) -> Iterator[str]:
        """The text for a terminal."""
        yield f"functions: {self.functions}"
        concerned = dict(self.concerned)
        for family in FAMILIES:
            missed = [(count, reason) for name, reason, count in self.reasons if name == family]
            all_ = concerned.get(family, 0)
            yield f"{family}: {all_ - sum(count for count, _ in missed)} of {all_} analysed"
            for count, reason in sorted(missed, reverse=True):
                yield f"  not {count}: {reason}"


def coverage(semantics: Semantics) -> Coverage:
    """The coverage of the functions of a module."""
    concerned: Counter[str] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    functions = [function for function in semantics.module.functions if function.has_body]
    for function in functions:
        for family, reason in _of(semantics.flow(function), function):
            concerned[family] += 1
            if reason:
                reasons[family, reason] += 1
        semantics.forget_flow(function)
    return Coverage(len(functions), tuple(concerned.items()), tuple((*key, count) for key, count in reasons.items()))


def _of(flow: Flow, function: Function) -> Iterator[tuple[str, str]]:
    """The families that a function concerns, each with the reason why it is not analysed, or an empty one."""
    flows, values, asynchronous = FAMILIES
    unread = ""
    if not flow.graph.is_whole:
        unread = "unbalanced braces" if function.has_unbalanced_braces else "a statement that cannot be read"
    yield flows, unread
    yield values, unread or flow.derived(ThreadFacts).obstacle or _partly(flow)
    if not ASYNCHRONOUS.isdisjoint(concerns_of(flow.full_opcodes)):
        yield asynchronous, unread or _obstacle(flow)


def _partly(flow: Flow) -> str:
    """The reason why only some accesses of a function are looked at; empty if all are that all threads execute."""
    from ptx_lsp.analysis.symbolic.candidate_accesses import MOST

    facts = flow.derived(ThreadFacts)
    return f"more than {MOST} accesses: only the first are looked at" if facts.are_accesses_cut else ""


def _obstacle(flow: Flow) -> str:
    """The reason why a protocol may not be in sight as a whole; empty if there is none."""
    kernel, symbol = flow.kernel, flow.function.symbol
    if kernel.is_known:
        return ""
    if symbol is None or symbol.type != ".entry":
        return "a function: its callers may take part"
    if not kernel.is_complete:
        return "no end, or a statement that cannot be read"
    if any((Verb.CALLS, "") in possible_facts(opcode) for opcode in flow.full_opcodes):
        return "a call of a function that may take part"
    return "an asynchronous instruction with an error"
