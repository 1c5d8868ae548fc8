"""The tables of fragments against a GPU: here where there is one, else by what was recorded in docs/fragments.md."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.fragments.jobs import Job, jobs
from benchmarks.fragments.observe import observe
from benchmarks.gpu import Gpu
from ptx_lsp.markdown_tables import read_tables

RECORDED = Path(__file__).parents[2] / "docs" / "fragments.md"


@cache
def recorded() -> dict[tuple[str, str, str], list[dict[str, str]]]:
    """The lines of the record by instruction, shape and types."""
    found: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    (table,) = read_tables(RECORDED.read_text(encoding="utf-8"))
    for row in table:
        found.setdefault((row["instruction"], row["shape"], row["types"]), []).append(row)
    return found


@cache
def all_jobs() -> list[Job]:
    """A kernel for each spelling on the pages."""
    return list(jobs())


def line_of(job: Job) -> tuple[tuple[str, str, str], str]:
    """The line in which a kernel must be recorded, and its N if it is a wgmma."""
    shape = next(word for _, word in job.slots if word and re.match(r"\.m\d", word))
    width = re.fullmatch(r"\.m64n(\d+)k\d+", shape)
    types = " ".join(f".{one}" for one in job.types) or ".b16"
    return (job.page, re.sub(r"(?<=m64)n\d+", "nN", shape), types), width[1] if width else ""


def test_the_record_has_all_kernels_of_the_pages() -> None:
    chosen = all_jobs()
    assert sum(int(row["kernels"]) for rows in recorded().values() for row in rows) == len(chosen) > 1000
    for job in chosen:
        key, width = line_of(job)
        assert key in recorded(), f"{job.name}: run benchmarks/fragments again on an sm_90a GPU"
        assert not width or any(width in row["n"].split() for row in recorded()[key]), job.name


def test_nothing_in_the_record_is_wrong() -> None:
    rows = [row for rows in recorded().values() for row in rows]
    assert {row["wrong"] for row in rows} == {"0"}
    assert all(int(row["elements"]) for row in rows)


def test_all_swizzles_and_both_orders_are_recorded() -> None:
    said = {row["variant"] for row in recorded()["wgmma.mma_async", ".m64nNk16", ".f32 .f16 .f16"]}
    for swizzle in ("none", "32B", "64B", "128B"):
        for order in ("", ", A M-major", ", B N-major", ", A M-major, B N-major"):
            assert f"A by descriptor, swizzle {swizzle}{order}" in said


def test_sparse_products_and_base_offsets_are_recorded() -> None:
    for page, shape in (("wgmma.mma_async", ".m64nNk16"), ("wgmma.mma_async.sp", ".m64nNk32")):
        rows = recorded()[page, shape, ".f32 .f16 .f16"]
        for swizzle in ("32B", "64B", "128B"):
            how = f"A by descriptor, swizzle {swizzle}, base offsets of A"
            assert [row["kernels"] for row in rows if row["variant"] == how] == ["7"]


def test_the_gpu_here_agrees() -> None:
    try:
        ctypes.CDLL("libcuda.so.1")
        gpu = Gpu()
    except OSError:
        pytest.skip("no GPU here: docs/fragments.md has the last result")
    if "sm_90" not in gpu.name():
        pytest.skip(f"{gpu.name()} is no sm_90a: docs/fragments.md has the last result")
    pytest.importorskip("numpy", reason="the comparison needs numpy")
    from benchmarks.fragments.compare import check

    for job, stored in observe(gpu, all_jobs()):
        _, wrong, _ = check(job, stored)
        assert not wrong, job.name
