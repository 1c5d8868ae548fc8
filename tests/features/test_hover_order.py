"""Hovers on operations of Tensor Memory: what must be between this one and the next."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said

MMA = "//- sm_100a ptx 8.6\ntcgen05.<|>mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (MMA, "in order without a wait: `tcgen05.mma` with the same accumulator and shape, `tcgen05.shift`;"),
        (
            MMA,
            "depend on it: `tcgen05.commit`, a wait for its mbarrier and `tcgen05.fence::after_thread_sync` (PTX ISA, ",
        ),
        (
            "//- sm_100a ptx 8.6\ntcgen05.<|>shift.cta_group::1.down [%r1];",
            "in order without a wait: `tcgen05.mma`, `tcgen05.cp` with `.4x256b`; before other accesses",
        ),
        (
            "//- sm_100a ptx 8.6\ntcgen05.<|>st.sync.aligned.32x32b.x1.b32 [%r1], {%r2};",
            'depend on it: `tcgen05.wait::st`, by the same thread (PTX ISA, "tcgen05.wait")',
        ),
        (
            "//- sm_100a ptx 8.6\ntcgen05.<|>ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];",
            'depend on it: `tcgen05.wait::ld`, by the same thread (PTX ISA, "tcgen05.wait")',
        ),
    ],
)
def test_what_must_be_between_is_said(source: str, expected: str) -> None:
    check_hover(source, expected)


@pytest.mark.parametrize(
    "source",
    [
        "//- sm_90 ptx 8.0\ncp.<|>async.ca.shared.global [%r1], [%rd1], 16;",
        "//- sm_100a ptx 8.6\ntcgen05.<|>wait::ld.sync.aligned;",
    ],
)
def test_it_is_not_said_of_other_work(source: str) -> None:
    check_not_said(source, "depend on it")
