"""Facts about order that hold for some opcodes of a form only."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import OrderingFact


def check_facts(opcode: str, expected: str) -> None:
    """Fail unless instructions with an opcode have these facts, written without their operands."""
    first, *rest = opcode.split(".")
    found = possible_facts((first, *(f".{word}" for word in rest)))
    assert sorted(f"{verb.value} {what}".strip() for verb, what in found) == sorted(expected.split(", "))


@pytest.mark.parametrize(
    ("opcode", "facts"),
    [
        ("griddepcontrol.wait", "waits grids"),
        ("cp.async.bulk.wait_group", "waits bulk-copies"),
        ("cp.async.bulk.wait_group.read", "waits bulk-copies, waits sources"),
        ("cp.async.mbarrier.arrive.b64", "completes copies, arrives phase, changes count"),
        ("cp.async.mbarrier.arrive.noinc.b64", "completes copies, arrives phase"),
        ("ld.shared.b32", "reads"),
        ("ld.acquire.cta.shared.b32", "reads, orders threads"),
        ("st.release.gpu.global.b32", "writes, orders threads"),
        ("setmaxnreg.inc.sync.aligned.u32", "raises registers"),
        ("setmaxnreg.dec.sync.aligned.u32", "lowers registers"),
        ("shfl.sync.idx.b32", "waits lanes"),
        ("barrier.cluster.wait.aligned", "waits threads, waits cluster"),
        (
            "tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64",
            "completes tensor-work, arrives phase, signals ctas",
        ),
        ("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64", "completes tensor-work, arrives phase"),
    ],
)
def test_the_facts_of_an_opcode(opcode: str, facts: str) -> None:
    check_facts(opcode, facts)


def test_a_start_of_dependent_grids_waits_for_nothing() -> None:
    assert possible_facts(("griddepcontrol", ".launch_dependents")) == frozenset()


@pytest.mark.parametrize("page", catalogue().instructions, ids=lambda page: page.names[0])
def test_facts_are_read_as_they_are_written(page) -> None:
    facts = [fact for form in page.forms for fact in form.ordering]
    assert [OrderingFact.parse(fact.written) for fact in facts] == facts


@pytest.mark.parametrize("words", ["waits grids if", "waits grids if not", "waits for", "sleeps"])
def test_a_fact_with_a_mistake_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"cannot follow|is no fact|nothing follows"):
        OrderingFact.parse(tuple(words.split()))
