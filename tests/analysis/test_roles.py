"""Roles of instructions, which are counted in blocks and loops."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.structure.roles import added, counts_of, role_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.document import Document


def shape_number(text: str) -> int:
    """The number of the shape of a statement."""
    return Document(text).chunks[0].shapes[0]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c;", "mma"),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 d, a, b, p, 1, 1, 0, 0;", "mma"),
        ("ld.global.f32 %f1, [%rd1];", "ld"),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 d, [a];", "ld"),
        ("cp.async.cg.shared.global [a], [b], 16;", "copy"),
        ("cp.async.commit_group;", ""),
        ("cp.async.bulk.wait_group 0;", ""),
        ("bar.sync 0;", "bar"),
        ("mbarrier.try_wait.parity.shared.b64 p, [a], 0;", "bar"),
        ("mbarrier.init.shared.b64 [a], 1;", ""),
        ("add.s32 a, b, c;", ""),
    ],
)
def test_roles(text: str, role: str) -> None:
    assert role_of(shape_number(text)) == role


def test_counts() -> None:
    shapes = [shape_number(text) for text in ("st.b32 [a], b;", "ld.b32 b, [a];", "ld.b32 b, [a];")]
    assert counts_of(shapes) == (("ld", 2), ("st", 1))
    assert added(counts_of(shapes), (("mma", 1), ("ld", 1))) == (("mma", 1), ("ld", 3), ("st", 1))


def test_all_names_are_those_of_pages() -> None:
    assert set(catalogue().vocabulary.rare.instruction_roles) <= set(catalogue().names)
