"""The pages of tcgen05: hazards of the manual that a reader must find, and claims that it contradicts."""

from __future__ import annotations

import pytest

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.model.page_words import read_words

from ..features.hovering import check_hover, check_not_said

FOLDER = "isa/matrix/"


def text_of(page: str) -> str:
    """The text of a page in one line."""
    return " ".join(read_grammar(f"{FOLDER}{page}.md").split())


def check_label(page: str, name: str, *expected: str) -> None:
    """One label of this name contains all expected texts."""
    found = [label.text for label in read_words(read_grammar(f"{FOLDER}{page}.md")).labels if label.name == name]
    assert any(all(piece in text for piece in expected) for text in found), found


@pytest.mark.parametrize("page", ["tcgen05.ld", "tcgen05.ld.spcompress"])
def test_a_load_is_waited_for_before_the_columns_are_overwritten_not_before_registers_are_read(page: str) -> None:
    """Manual 9.7.16.6.4.5: true register dependencies are respected."""
    check_label(page, "Completion", "until then do not write", "columns")
    check_label(page, "Ordering", "depends on the load and needs no wait")
    assert "until then do not read" not in text_of(page)


def test_the_hazard_of_a_load_is_a_following_product_into_its_columns() -> None:
    check_label("tcgen05.ld", "Pitfall", "no `tcgen05.wait::ld` before a `tcgen05.mma`", "overwrites the columns")
    loads, _ = read_words(read_grammar(f"{FOLDER}tcgen05.wait.md")).lead
    assert loads.text.endswith("The loaded columns can then be overwritten.")


def test_a_commit_accesses_its_mbarrier_in_the_generic_proxy() -> None:
    """Manual 9.7.16.12.1; the operations that it tracks use the async proxy."""
    check_label("tcgen05.commit", "Completion", "asynchronous (generic proxy), tracked by `mbar`")


def test_a_commit_of_reads_does_not_complete_the_product() -> None:
    """Manual of PTX 9.4, 9.7.18.12.1."""
    commit = "//- sm_107a ptx 9.4\ntcgen05.com<|>mit.cta_group::1.mbarrier::arrive::one{}.shared::cluster.b64 [%r1];"
    reads = commit.format(".sync_restrict::shared::read::mma::a")
    check_hover(reads, "`tcgen05.mma` of this thread have read A", "the products need not be complete")
    check_not_said(reads, "`tcgen05.cp`", "access its results")
    check_hover(commit.format(""), "`tcgen05.shift` of this thread are complete", "nor access its results")


@pytest.mark.parametrize(
    ("kind", "operands", "row"),
    [
        ("i8", "%p1, 3", "scale-input-d 3, constant, ignored"),
        ("i8", "%p1, %p2", "unused %p2, .pred, ignored"),
        ("f16", "%p1, 3", "scale-input-d reads 3, constant 0..15"),
    ],
)
def test_an_operand_that_ptxas_ignores_is_not_read(kind: str, operands: str, row: str) -> None:
    """ptxas 12.9 to 13.5 make the same code with and without it."""
    statement = f"tcgen05.m<|>ma.cta_group::1.kind::{kind} [%r1], %rd1, %rd2, %r2, {operands};"
    check_hover(f"//- sm_100a ptx 8.6\n{statement}", row)


@pytest.mark.parametrize("page", ["tcgen05.mma", "tcgen05.mma.sp"])
def test_products_and_shifts_are_pipelined(page: str) -> None:
    """Manual 9.7.16.6.2."""
    check_label(page, "Ordering", "before and after `tcgen05.shift` (same `.cta_group`)")
    check_label("tcgen05.shift", "Ordering", "after an earlier `tcgen05.mma`", "before a later `tcgen05.mma`")
    check_label("tcgen05.cp", "Ordering", "after an earlier `tcgen05.shift`")


def test_other_warps_have_loaded_d_before_it_is_reused() -> None:
    """Manual 9.7.16.6.4.4: load, wait, fence, signal; wait, fence, product."""
    check_label(
        "tcgen05.mma",
        "Pitfall",
        "before its readers' `tcgen05.wait::ld` and signal",
    )


@pytest.mark.parametrize("page", ["tcgen05.mma", "tcgen05.mma.sp"])
def test_scale_factors_are_repeated_in_all_quarters(page: str) -> None:
    """Manual 9.7.16.10.7."""
    bullets = {bullet.name: bullet.text for bullet in read_words(read_grammar(f"{FOLDER}{page}.md")).bullets}
    for operand in ("scale-A-tmem", "scale-B-tmem"):
        assert "a copy in each 32-lane quarter" in bullets[operand]


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        ("tcgen05.mma", ("128 | `::1`", "64 | `::1`", "256 | `::2`", "128 | `::2`")),
        ("tcgen05.mma.ws", ("128 | `m` | `n`", "64 | `m + 64 * (n / (N/2))`", "32 | `m + 32 * (n / (N/4))`")),
        ("tcgen05.mma.sp", ("M = 128 and `.cta_group::2`, D uses half of the lanes",)),
    ],
)
def test_each_layout_of_d_is_on_a_page(page: str, rows: tuple[str, ...]) -> None:
    """Manual 9.7.16.10.5, layouts A to G."""
    for row in rows:
        assert row in text_of(page)


def test_a_transposed_tf32_matrix_needs_the_swizzle_of_32_byte_atoms() -> None:
    """Manual 9.7.16.10.1."""
    assert "matrix of `::tf32` needs swizzle 128B with atoms of 32 bytes" in text_of("tcgen05.mma")


def test_a_pair_synchronizes_before_it_frees_its_columns() -> None:
    """Manual 9.7.16.5, table 48: freed on different sides of a barrier, a kernel can hang."""
    check_label("tcgen05.dealloc", "Pitfall", "different sides of their cluster barrier", "can hang")
