"""Facts of the manual that the pages of synchronization, warp and control state, for the right spelling."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.page_condition import Spelling

from ..annotated import read


def page_of(opcode: str) -> InstructionPage:
    """The page of an opcode."""
    name, *qualifiers = opcode.split(".")
    page = catalogue().instruction((name, *(f".{one}" for one in qualifiers)))
    assert page is not None, opcode
    return page


def labels_of(opcode: str, *operands: str) -> dict[str, str]:
    """The labelled paragraphs that are shown for a spelling; those of one name together."""
    qualifiers = (f".{one}" for one in opcode.split(".")[1:])
    found: dict[str, str] = {}
    for label in page_of(opcode).words.labels_of(Spelling(opcode, frozenset({*qualifiers, *operands}))):
        found[label.name] = f"{found.get(label.name, '')} {label.text}".strip()
    return found


def check_label(label: str, opcode: str, *operands: str, says: str) -> None:
    """A label is shown for a spelling, and says this."""
    assert says in labels_of(opcode, *operands).get(label, ""), opcode


def check_no_label(label: str, opcode: str, *operands: str, says: str) -> None:
    """A label does not say this for a spelling."""
    assert says not in labels_of(opcode, *operands).get(label, ""), opcode


def check_below(opcode: str, *pieces: str) -> None:
    """The text below the rule of a page holds these."""
    below = " ".join(page_of(opcode).words.below.split())
    for piece in pieces:
        assert piece in below, below


def check_findings(statement: str, *codes: str) -> None:
    """The findings of a statement."""
    assert [one.code for one in check_text(read(statement).text) if not one.code.startswith("W62")] == [*codes]


@pytest.mark.parametrize("opcode", ["bar.sync", "bar.red.popc.u32", "barrier.arrive", "barrier.red.and.pred"])
def test_a_reduction_does_not_share_an_active_barrier(opcode: str) -> None:
    others = "by `.sync` or `.arrive`" if ".red" in opcode else "by `.red`"
    check_label("Undefined", opcode, says=f"the barrier is in use {others}")
    assert "`.red` and `.sync`" not in page_of(opcode).words.meaning("a", Spelling(opcode))


@pytest.mark.parametrize("opcode", ["bar.arrive", "barrier.arrive.aligned"])
def test_an_arrival_does_not_order_later_accesses(opcode: str) -> None:
    check_label("Ordering", opcode, says="later accesses are not ordered")
    check_no_label("Ordering", opcode.replace("arrive", "sync"), says="not ordered")


def test_the_order_of_a_cluster_barrier_depends_on_its_spelling() -> None:
    check_label("Ordering", "barrier.cluster.arrive", says="release at scope `.cluster`")
    check_label("Ordering", "barrier.cluster.arrive.relaxed", says="none")
    check_no_label("Ordering", "barrier.cluster.arrive.relaxed", says="release")
    check_label("Ordering", "barrier.cluster.wait.acquire", says="those of asynchronous operations")


def test_fences_of_sequential_consistency_have_a_total_order() -> None:
    check_label("Ordering", "fence.sc.gpu", says="one total order")
    check_no_label("Ordering", "fence.acq_rel.gpu", says="total order")


def test_the_range_of_a_tensormap_fence_is_in_global_memory() -> None:
    acquire = "fence.proxy.tensormap::generic.acquire.gpu"
    check_label("Undefined", acquire, "addr", says="not in global memory")
    check_no_label("Undefined", acquire.replace("acquire", "release"), says="global memory")


def test_pitfalls_of_fences_are_about_the_fence_that_is_written() -> None:
    for opcode in ("fence.gpu", "fence.acq_rel.gpu", "fence.release.gpu"):
        check_label("Pitfall", opcode, says="a flag must pass")
    for opcode in ("fence.proxy.async", "fence.sc.gpu", "fence.proxy.async::generic.acq_rel.cluster"):
        check_no_label("Pitfall", opcode, says="a flag must pass")
    check_label("Pitfall", "fence.proxy.async.global", says="after the barrier")
    check_no_label("Pitfall", "fence.acq_rel.async.cta", says="after the barrier")


def test_a_dependent_grid_waits_before_it_reads_or_writes() -> None:
    check_label("Pitfall", "griddepcontrol.wait", says="is overwritten")
    check_label("Pitfall", "griddepcontrol.launch_dependents", says="must execute `griddepcontrol.wait`")
    check_below("griddepcontrol.wait", "An early start is not guaranteed")


@pytest.mark.parametrize(
    "opcode",
    [page.names[0] for page in catalogue().each_instruction() if page.names[0].startswith("mbarrier.")],
)
def test_the_mbarrier_is_in_the_window_of_shared_memory(opcode: str) -> None:
    operands = {operand.name for form in page_of(opcode).forms for operand in form.operands}
    about_memory = bool(operands & {"addr"})
    assert about_memory is ("is outside shared memory" in labels_of(opcode, *operands).get("Undefined", ""))


@pytest.mark.parametrize("name", ["mbarrier.test_wait", "mbarrier.try_wait"])
def test_waits_observe_each_phase_and_acquire_from_the_cluster(name: str) -> None:
    check_label("Pitfall", f"{name}.b64", says="must be seen complete before any thread arrives in the next")
    check_label(
        "Ordering", f"{name}.parity.b64", says="other CTAs require `.release.cluster`, and `.acquire.cluster` here"
    )
    check_label("Ordering", f"{name}.relaxed.cta.b64", says="none")
    check_no_label("Ordering", f"{name}.relaxed.cta.b64", says="acquire")


@pytest.mark.parametrize("name", ["mbarrier.arrive", "mbarrier.arrive_drop"])
def test_an_arrival_at_another_cta_releases_to_the_cluster(name: str) -> None:
    check_label("Pitfall", f"{name}.shared::cluster.b64", says="wait with `.acquire.cluster`")
    check_label("Pitfall", f"{name}.release.cta.shared::cluster.b64", says="`.release.cluster`")
    check_no_label("Pitfall", f"{name}.release.cluster.shared::cluster.b64", says="`.release.cluster`")
    check_no_label("Pitfall", f"{name}.shared::cta.b64", says="`.release.cluster`")


def test_only_states_of_incomplete_arrivals_have_a_pending_count() -> None:
    check_label("Undefined", "mbarrier.pending_count.b64", says="`.noComplete`")
    (right, _) = page_of("mbarrier.pending_count").words.examples
    assert "mbarrier.arrive.noComplete" in right.text


def test_counts_of_an_mbarrier_have_twenty_bits() -> None:
    first = "//- sm_90 ptx 8.0\n.shared .align 8 .b64 m;\n"
    check_findings(f"{first}mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 1048575;")
    check_findings(f"{first}mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 1048576;", "W611")
    check_findings(f"{first}mbarrier.expect_tx.shared::cta.b64 [m], 1048576;", "W611")
    check_findings(f"{first}mbarrier.arrive.shared::cta.b64 _, [m], 1048576;", "W611")


@pytest.mark.parametrize("action", ["inc", "dec"])
def test_registers_move_only_with_a_limit_at_entry(action: str) -> None:
    opcode = f"setmaxnreg.{action}.sync.aligned.u32"
    check_label("Pitfall", opcode, says="`.maxntid` and `.minnctapersm`")
    check_label("Pitfall", opcode, says="the entry has no register limit")
    check_label("Undefined", opcode, says={"inc": "already higher", "dec": "already lower"}[action])


@pytest.mark.parametrize("opcode", ["shfl.sync", "vote.sync", "bar.warp.sync", "barrier.sync", "brx.idx"])
def test_where_ptxas_and_the_manual_differ_about_the_version(opcode: str) -> None:
    check_below(opcode, "5.1", "manual lists it from", "6.0")


@pytest.mark.parametrize("opcode", ["shfl.up.b32", "vote.ballot.b32"])
def test_no_mask_is_required_where_there_is_none(opcode: str) -> None:
    assert "Threads" not in labels_of(opcode)
    check_label("Threads", opcode.replace(".", ".sync.", 1), "membermask", says="has not exited")


def test_no_place_of_reconvergence_is_promised() -> None:
    check_below("bra", "the manual guarantees no point")


def test_a_table_of_jumps_is_uniform_only_with_one_index() -> None:
    check_label("Pitfall", "brx.idx.uni", says="`index` differs")
    check_no_label("Pitfall", "brx.idx", says="`index` differs")


def test_a_call_by_address_matches_its_prototype() -> None:
    check_label("Undefined", "call", "fptr", says="a `.callprototype` that the called function does not match")
    assert not labels_of("call", "func").get("Undefined")


def test_the_lanes_of_a_reduction_wait_for_each_other() -> None:
    """Manual 9.7.13.12: only a lane that is not in the mask is undefined."""
    check_label("Threads", "redux.sync.add.u32", says="each waits for the others")
    check_label("Undefined", "redux.sync.add.u32", says="the executing lane is not in `membermask`")
