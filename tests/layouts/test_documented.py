"""docs/layouts.md lists every layout, and every value that has documented bits has one."""

from __future__ import annotations

import pytest

from benchmarks.packed.document import DOCUMENT, written
from benchmarks.packed.observe import module
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.load import layouts
from ptx_lsp.layouts.lop3 import expression

SECTIONS = {
    "tcgen05 instruction descriptor, kinds without block scaling": ["idesc"],
    "tcgen05 instruction descriptor, kind mxf8f6f4": ["idesc-mxf8f6f4"],
    "tcgen05 instruction descriptor, kinds mxf4 and mxf4nvf4": ["idesc-mxf4"],
    "Shared-memory matrix descriptor of wgmma": ["smem-desc-wgmma"],
    "Shared-memory matrix descriptor of tcgen05": ["smem-desc-tcgen05"],
    "Zero-column mask descriptor": ["zero-column-mask"],
    "Tensor memory": ["tmem-address", "disabled-lanes"],
    "tcgen05.mma shapes and block scaling": ["idesc-mxf4", "idesc-mxf8f6f4", "scale-input-d"],
    "mbarrier object": ["mbarrier-object", "mbarrier-state", "phase-parity"],
    "tensormap.replace": [
        f"tensormap.{name[1:].replace('_', '-')}" for name in catalogue().vocabulary.rare.tensormap_fields
    ],
    "createpolicy, cache policy": ["cache-policy"],
    "lop3, prmt, bfe": ["lop3-table", "prmt-selector", "prmt-pattern", "bit-field-position", "bit-field-length"],
    "Video selectors": ["video-bytes", "video-halves", "video-byte-mask", "video-half-mask"],
    "Block-scale selectors of mma": ["scale-byte", "scale-thread-a", "scale-thread-b"],
    "Sparse metadata and selectors": ["sparse-metadata-2-4", "sparse-metadata-1-2", "sparsity-selector"],
    "Immediates of wgmma": ["wgmma-scale-d", "wgmma-sign", "wgmma-transpose"],
    "Masks of lanes, CTAs and bytes": ["lane-mask", "cta-mask", "byte-mask"],
    "shfl, szext, bmsk, fns": [
        "shfl-c",
        "szext-length",
        "bmsk-position",
        "bmsk-length",
        "fns-base",
        "fns-offset",
    ],
    "im2col offsets": ["im2col-offset"],
    "Answer of clusterlaunchcontrol.try_cancel": ["try-cancel-response"],
}
"""The packed values of PTX by the chapters that describe them."""


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_has_its_layouts(section: str) -> None:
    assert set(SECTIONS[section]) <= set(layouts())


def test_each_layout_has_its_section() -> None:
    assert {name for names in SECTIONS.values() for name in names} == set(layouts())


def test_the_document_lists_them() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == written(), "run python -m benchmarks.packed.document"


OBSERVED = {
    "10f0000000000000": "evict_unchanged for 16 of 16 accesses, else evict_unchanged",
    "12f0000000000000": "evict_first for 16 of 16 accesses, else evict_unchanged",
    "14f0000000000000": "evict_last for 16 of 16 accesses, else evict_unchanged",
    "17f0000000000000": "evict_normal for 16 of 16 accesses, else evict_first",
    "1270000000000000": "evict_first for 8 of 16 accesses, else evict_unchanged",
    "1c00020000000000": "evict_last for 16 blocks of 4 KB, else evict_unchanged",
    "7ffff800001ffffe": "even phase, 1 of 1 arrivals pending, tx-count 0",
    "7ff80000001ffe00": "even phase, 256 of 256 arrivals pending, tx-count 0",
    "7fffe000001ffff6": "even phase, 4 of 5 arrivals pending, tx-count 0",
    "ffffd800001ffff6": "odd phase, 5 of 5 arrivals pending, tx-count 0",
    "7fffe000001ffff8": "even phase, 4 of 4 arrivals pending, tx-count 0",
    "7fffdbfffe1ffff6": "even phase, 5 of 5 arrivals pending, tx-count 16",
    "7fffda00003ffff6": "even phase, 5 of 5 arrivals pending, tx-count 1048575",
    "7fffd800021ffff6": "even phase, 5 of 5 arrivals pending, tx-count -16",
}
"""Words that a GPU made, as docs/layouts.md records them."""


@pytest.mark.parametrize("word", OBSERVED)
def test_what_was_observed_reads_as_it_was_made(word: str) -> None:
    layout = layouts()["cache-policy" if word.startswith("1") else "mbarrier-object"]
    reading = decode(layout, int(word, 16))
    assert reading.summary == OBSERVED[word]
    assert not reading.findings
    assert f"`{word}`" in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize(("word", "kind"), [("7ffff800001ffffe", "v0"), ("7ffff800001fffff", "v1")])
def test_an_mbarrier_records_its_layout(word: str, kind: str) -> None:
    """Bit 0 is what ptxas 13.5 sets for ``.layout::v1``."""
    reading = decode(layouts()["mbarrier-object"], int(word, 16))
    assert {one.field.key: one.meaning for one in reading.fields}["layout"] == kind


def test_the_program_that_observes_them_is_ptx() -> None:
    assert module().count("st.global.b64") > 60


def test_the_table_of_lop3_is_its_expression() -> None:
    """The layout and the hints agree on all 256 functions."""
    for table in range(256):
        assert decode(layouts()["lop3-table"], table).summary == f"d = {expression(table)}"
