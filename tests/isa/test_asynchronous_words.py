"""The pages of asynchronous copies and tensor-maps: facts and hazards of the manual, for the right spelling."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.page_words import PageWords

BULK_GROUPS = "cp.async.bulk.wait_group"
LOAD = "cp.async.bulk.tensor.2d.shared::cta.global{}.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.tensor.2d.global.shared::cta{}.bulk_group"
BULK_STORE = "cp.async.bulk.global.shared::cta.bulk_group"


def page_of(opcode: str) -> InstructionPage:
    """The page of an opcode."""
    name, *qualifiers = opcode.split(".")
    page = catalogue().instruction((name, *(f".{one}" for one in qualifiers)))
    assert page is not None, opcode
    return page


def shown(opcode: str, *operands: str) -> tuple[PageWords, Spelling]:
    """The words of a page with a spelling."""
    return page_of(opcode).words, Spelling(
        opcode, frozenset({*(f".{one}" for one in opcode.split(".")[1:]), *operands})
    )


def lead_of(opcode: str, *operands: str) -> str:
    """What the page says first of a spelling."""
    words, spelling = shown(opcode, *operands)
    return " ".join(words.lead_of(spelling))


def label_of(name: str, opcode: str, *operands: str) -> str:
    """The labelled paragraphs of one name that are shown for a spelling."""
    words, spelling = shown(opcode, *operands)
    return " ".join(label.text for label in words.labels_of(spelling) if label.name == name)


def bullet_of(name: str, opcode: str, *operands: str) -> str:
    """The bullet of one name that is shown for a spelling."""
    words, spelling = shown(opcode, *operands)
    return words.meaning(name, spelling)


def below(opcode: str) -> str:
    """The text below the rule of a page, in one line."""
    return " ".join(page_of(opcode).words.below.split())


@pytest.mark.parametrize("opcode", ["cp.async.ca.shared.global", "cp.async.cg.shared.global"])
def test_zero_fill_is_of_the_spelling_that_has_it(opcode: str) -> None:
    assert "zeros" not in lead_of(opcode)
    assert "the rest of `dst` is filled with zeros" in lead_of(opcode, "src-size")
    assert "`dst` is filled with zeros instead" in lead_of(opcode, "ignore-src")
    assert "larger than the copy" in label_of("Undefined", opcode, "src-size")
    assert "larger than" not in label_of("Undefined", opcode, "ignore-src")


def test_the_alignment_of_a_copy_is_its_size() -> None:
    assert "`cp-size`" in label_of("Undefined", "cp.async.ca.shared.global")
    assert "multiple of 16" in label_of("Undefined", "cp.async.cg.shared.global")
    assert "copies 16 only" in label_of("Pitfall", "cp.async.cg.shared.global")
    assert not label_of("Pitfall", "cp.async.ca.shared.global")


def test_two_copies_of_one_group_to_one_location_are_undefined() -> None:
    assert "write to the same location" in label_of("Undefined", "cp.async.commit_group")
    assert "not ordered among each other" in label_of("Ordering", "cp.async.commit_group")


@pytest.mark.parametrize("opcode", ["cp.async.wait_group", "cp.async.wait_all"])
def test_a_wait_is_for_this_thread_alone(opcode: str) -> None:
    assert "visible to this thread only" in label_of("Ordering", opcode)
    assert ("`n` youngest" in lead_of(opcode)) is (opcode == "cp.async.wait_group")


def test_whether_the_count_includes_an_arrival_depends_on_noinc() -> None:
    counted, added = "cp.async.mbarrier.arrive.noinc.shared.b64", "cp.async.mbarrier.arrive.shared.b64"
    assert "too early" in label_of("Pitfall", counted)
    assert "never completes" in label_of("Pitfall", added)
    assert "2^20 - 1" in label_of("Undefined", added)
    assert "2^20 - 1" not in label_of("Undefined", counted)
    assert "outside shared memory of this CTA" in label_of("Undefined", counted)
    assert "not ordered with other accesses" in label_of("Ordering", counted)


def test_read_waits_for_sources_and_tensor_maps() -> None:
    assert "still read their sources or tensor-maps" in lead_of(f"{BULK_GROUPS}.read")
    assert "destinations written, and the writes visible to this thread" in lead_of(BULK_GROUPS)
    assert not label_of("Pitfall", BULK_GROUPS)


def test_a_bulk_group_can_track_reads_of_the_tensor_map() -> None:
    """Manual, table of completion mechanisms: the page said that copies with an mbarrier belong to no group."""
    assert "wait until the tensor-map has been read" in below("cp.async.bulk.commit_group")


@pytest.mark.parametrize(
    ("opcode", "direction"),
    [
        ("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", "from global to this CTA's shared memory"),
        ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "to the cluster's shared memory"),
        ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "shared memory of another CTA"),
        (BULK_STORE, "from shared to global memory"),
    ],
)
def test_a_bulk_copy_says_its_direction(opcode: str, direction: str) -> None:
    assert direction in lead_of(opcode)
    assert lead_of(opcode).count("Starts") == 1
    assert ("in another CTA" in label_of("Undefined", opcode)) is (".shared::cta.global." in opcode)


@pytest.mark.parametrize("opcode", [BULK_STORE, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"])
def test_the_blocks_of_a_bulk_copy_stay_inside_their_memory(opcode: str) -> None:
    """A size that is not a multiple of 16 is undefined, it does not fail."""
    undefined = label_of("Undefined", opcode)
    assert "source or destination exceeds its memory; a register `size` is not a multiple of 16" in undefined
    assert "fails" not in label_of("Pitfall", opcode)
    assert "not ordered among each other" in below(opcode)


@pytest.mark.parametrize("name", ["cp.reduce.async.bulk", "multimem.cp.reduce.async.bulk"])
def test_an_addition_of_f32_flushes_subnormals(name: str) -> None:
    assert "rounds to nearest even" in below(name)
    assert "`.add.f32` replaces subnormal inputs and results" in below(name)


def test_the_operations_of_a_tensor_depend_on_its_element_type() -> None:
    name = "cp.reduce.async.bulk.tensor"
    add = label_of("Pitfall", f"{name}.2d.global.shared::cta.add.bulk_group")
    assert "another type than `.u32 .s32 .u64 .f32 .f16 .bf16`" in add
    assert "undefined" not in label_of("Pitfall", f"{name}.2d.global.shared::cta.and.bulk_group")
    assert "multiple" not in bullet_of("srcMem", f"{name}.2d.global.shared::cta.and.bulk_group")


@pytest.mark.parametrize(
    ("opcode", "operands", "words"),
    [
        (LOAD.format(""), ("mbar",), "load a tile into shared memory"),
        (LOAD.format(".tile"), ("mbar",), "load a tile into shared memory"),
        (LOAD.format(".tile::gather4"), ("mbar",), "load four rows of a 2D tensor"),
        (LOAD.replace("2d", "4d").format(".im2col"), ("mbar", "im2colInfo"), "load pixels, as columns,"),
        (STORE.format(""), (), "store a tile from shared memory"),
        (STORE.format(".tile::scatter4"), (), "store four rows of a 2D tensor"),
    ],
)
def test_a_tensor_copy_says_its_direction_and_its_mode(opcode: str, operands: tuple[str, ...], words: str) -> None:
    assert words in lead_of(opcode, *operands)
    assert lead_of(opcode, *operands).count("Starts") == 1


def test_only_a_load_can_have_negative_coordinates() -> None:
    assert "negative coordinate" in label_of("Pitfall", STORE.format(""))
    assert "negative" not in label_of("Pitfall", LOAD.format(""), "mbar")


def test_coordinates_of_four_rows_are_a_column_and_four_rows() -> None:
    for opcode in (LOAD.format(".tile::gather4"), STORE.format(".tile::scatter4")):
        assert "a column and four rows" in bullet_of("tensorCoords", opcode)
    assert "innermost dimension first" in bullet_of("tensorCoords", LOAD.format(""))


def test_a_swizzled_tile_can_start_inside_a_pattern() -> None:
    name = "cp.async.bulk.tensor"
    assert "A tile can start in the middle of a pattern" in below(name)
    assert "`(address / 128) % 8` for 128 bytes, `% 4` for 64, `% 2` for 32 and 96" in below(name)
    assert "boundary" not in bullet_of("dstMem", LOAD.format(""), "dstMem")


def _cell(formula: str, row: int) -> list[int]:
    """Which cell of a row is at each 16 bytes of shared memory, by a formula of the page."""
    return [eval(formula, {"i": i, "r": row}) for i in range(8)]


@pytest.mark.parametrize(
    ("swizzle", "atom", "row", "cells"),
    [
        ("32", "16", 1, [1, 0, 3, 2, 5, 4, 7, 6]),
        ("32", "16", 2, [0, 1, 2, 3, 4, 5, 6, 7]),
        ("64", "16", 3, [3, 2, 1, 0, 7, 6, 5, 4]),
        ("96", "16", 1, [1, 0, 3, 2, 5, 4, 7, 6]),
        ("128", "16", 5, [5, 4, 7, 6, 1, 0, 3, 2]),
        ("128", "32", 1, [2, 3, 0, 1, 6, 7, 4, 5]),
        ("128", "32", 3, [6, 7, 4, 5, 2, 3, 0, 1]),
        ("128", "64", 1, [4, 5, 6, 7, 0, 1, 2, 3]),
    ],
)
def test_formulas_of_swizzles_are_those_of_the_manual(swizzle: str, atom: str, row: int, cells: list[int]) -> None:
    (line,) = [
        line
        for line in page_of("cp.async.bulk.tensor").words.below.splitlines()
        if re.match(rf"\| (?:\d+ or )?{swizzle}(?: or \d+)? bytes \| {atom} bytes \|", line)
    ]
    assert _cell(line.split("|")[4].strip().strip("`"), row) == cells


def test_values_of_a_tensor_map_field_are_of_that_field() -> None:
    field = "tensormap.replace.tile.{}.global.b1024.b32"
    assert bullet_of("value", field.format("rank")).startswith("the rank minus 1")
    assert "constant" in bullet_of("value", field.format("swizzle_mode"))
    assert "constant" not in bullet_of("value", field.format("global_dim"))
    assert "rank minus 1" in label_of("Pitfall", field.format("rank"))
    assert not label_of("Pitfall", field.format("box_dim"))


def test_a_generic_tensor_map_is_in_global_or_shared_memory() -> None:
    said = "outside global memory and shared memory of this CTA"
    assert said in label_of("Undefined", "tensormap.replace.tile.rank.b1024.b32")
    assert said not in label_of("Undefined", "tensormap.replace.tile.rank.global.b1024.b32", ".ss")


def test_what_is_undefined_of_a_request_depends_on_its_spelling() -> None:
    request = "clusterlaunchcontrol.try_cancel.async{}.mbarrier::complete_tx::bytes{}.b128"
    multicast = request.format("", ".multicast::cluster::all")
    assert "has exited" in label_of("Undefined", multicast)
    assert "outside shared memory of this CTA" in label_of("Undefined", multicast)
    assert "has exited" not in label_of("Undefined", request.format(".shared::cta", ""))
    assert "outside shared memory of this CTA" in label_of("Undefined", request.format(".shared::cta", ""))


def test_only_a_successful_request_has_a_first_cta() -> None:
    query = "clusterlaunchcontrol.query_cancel"
    assert "the request failed" in label_of("Undefined", f"{query}.get_first_ctaid.v4.b32.b128")
    assert not label_of("Undefined", f"{query}.is_canceled.pred.b128")
    assert "Tests whether" in lead_of(f"{query}.is_canceled.pred.b128")


def test_a_cache_policy_can_precede_another_operand() -> None:
    """``cache-policy`` is not the last operand if ``byteMask`` follows it."""
    name = "cp.async.bulk"
    (form,) = [form for form in page_of(name).forms if ".bulk_group" in form.syntax and ".weak" in form.syntax]
    assert form.syntax.index("cache-policy") < form.syntax.index("byteMask")
    assert "last" not in catalogue().vocabulary.meaning(".L2::cache_hint")
