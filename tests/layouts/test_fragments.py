"""Fragments: every element of every matrix has one owner, and the registers are those that the pages demand."""

from __future__ import annotations

import pytest

from ptx_lsp.layouts.fragments import Element, Fragment, Holder, context_of, element, fragment_of, holds, owner

from .spellings import PATHS, Spelling, spellings

OPERANDS = ("d", "a", "b", "c", "e", "r")


def fragments(spelling: Spelling) -> dict[str, Fragment]:
    """The fragments of a spelling by operand; of metadata that of each selector."""
    found = {}
    for operand in (name for name in OPERANDS if name in spelling.registers):
        fragment = fragment_of(spelling.path, operand, spelling.context)
        assert fragment is not None, (spelling.opcode, operand)
        found[operand] = fragment
    return found


@pytest.mark.parametrize("path", PATHS)
def test_registers_are_those_of_the_page(path: str) -> None:
    assert spellings(path)
    for spelling in spellings(path):
        for operand, fragment in fragments(spelling).items():
            if not fragment.unknown:
                assert fragment.registers == spelling.registers[operand], (spelling.opcode, operand)


@pytest.mark.parametrize("path", PATHS)
def test_every_element_has_one_owner(path: str) -> None:
    """A bijection between elements, and lanes with a place in their registers."""
    for fragment in {one for spelling in spellings(path) for one in fragments(spelling).values() if not one.unknown}:
        places = [
            element(fragment, lane, i)
            for lane in range(fragment.lanes) if holds(fragment, lane) for i in range(fragment.elements)
        ]  # fmt: skip
        rows, columns, tiles = range(fragment.rows), range(fragment.columns), range(fragment.tiles)
        assert len(places) == len(set(places)) == len(rows) * len(columns) * len(tiles), fragment
        assert all(one.row in rows and one.column in columns and one.tile in tiles for one in places), fragment


def mma(shape: str, types: str) -> list[tuple[str, str]]:
    """The places of an ``mma``."""
    return [(".shape", shape), *((f".type{at}", f".{one}") for at, one in enumerate(types.split()))]


@pytest.mark.parametrize(
    ("operand", "lane", "i", "row", "column"),
    [
        ("d", 0, 0, 0, 0), ("d", 5, 3, 9, 3), ("a", 31, 7, 15, 15), ("a", 0, 2, 8, 0), ("a", 0, 4, 0, 8),
        ("b", 4, 2, 8, 1), ("b", 3, 1, 7, 0),
    ],
)  # fmt: skip
def test_places_in_m16n8k16(operand: str, lane: int, i: int, row: int, column: int) -> None:
    context = context_of(mma(".m16n8k16", "f32 f16 f16 f32"))
    fragment = fragment_of("isa/matrix/mma.md", operand, context)
    assert fragment is not None
    assert element(fragment, lane, i) == (row, column, 0)
    assert owner(fragment, row, column) == Holder(lane, i // fragment.packed, i % fragment.packed)


@pytest.mark.parametrize(
    ("page", "places", "i", "row", "column", "tile"),
    [
        ("ldmatrix", [(".shape", ".m16n16"), (".num", ".x2"), (".type", ".b8")], 6, 6, 9, 0),
        ("ldmatrix", [(".shape", ".m16n16"), (".num", ".x2"), (".type", ".b8")], 9, 5, 1, 1),
        ("stmatrix", [(".shape", ".m16n8"), (".num", ".x2"), (".type", ".b8")], 3, 9, 3, 0),
        ("stmatrix", [(".shape", ".m16n8"), (".num", ".x2"), (".type", ".b8")], 4, 1, 2, 1),
    ],
)
def test_bytes_of_transposed_matrices(page: str, places: list, i: int, row: int, column: int, tile: int) -> None:
    """In lane 5, by the copy traits of CUTLASS: ``ldmatrix`` in rows of memory, ``stmatrix`` in rows of the matrix."""
    fragment = fragment_of(f"isa/matrix/{page}.md", "r", context_of(places))
    assert fragment is not None
    assert element(fragment, 5, i) == (row, column, tile)


def test_no_such_element() -> None:
    fragment = fragment_of("isa/matrix/mma.md", "d", context_of(mma(".m16n8k16", "f32 f16 f16 f32")))
    assert fragment is not None
    with pytest.raises(KeyError):
        owner(fragment, 16, 0)


def test_wmma_is_not_told() -> None:
    fragment = fragment_of("isa/matrix/wmma.mma.md", "a", context_of(mma(".m16n16k16", "f32 f32")))
    assert fragment is not None
    assert fragment.unknown == "not specified"
    with pytest.raises(ValueError, match="not specified"):
        element(fragment, 0, 0)


def test_metadata_lies_in_the_lanes_that_the_selector_names() -> None:
    places = mma(".m16n8k16", "f32 f16 f16 f32")
    for selector in range(4):
        fragment = fragment_of("isa/matrix/mma.sp.md", "e", context_of(places, selector))
        assert fragment is not None
        assert [lane for lane in range(32) if holds(fragment, lane)] == list(range(selector, 32, 4))
        assert element(fragment, selector, 5) == Element(8, 1)
