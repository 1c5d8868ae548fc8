"""Of what compilers make and ptxas takes nothing is wrong: every PTX file that the repository keeps."""

from __future__ import annotations

import pytest

from benchmarks import kept
from benchmarks.mutations.bases import handwritten
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

SHOWN = 5
TARGETS = "sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103a sm_120 sm_120a".split()
WAYS = "plain lineinfo unoptimised debug llvm".split()
LISTS = frozenset(
    {
        "bulk_copies",
        "descriptor_iterators",
        "descriptors",
        "f100k",
        "f10k",
        "ptx_wrappers",
        "tensor_memory",
    }
)
"""Files some of whose kernels are lists of asynchronous instructions that complete no protocol: ``W8…`` is right."""
ON_PURPOSE = (
    "'t3' is read but never written",
    "no 'wgmma.fence' after '%r88' was written",
    "no 'wgmma.fence' after the product of another shape",
    "the other CTA may have ended; 'barrier.cluster' must follow this",
)
"""What ``scoped_asm.cu`` does to see that names are renamed; what ``warpgroups.cu`` does wrong: it loads A's registers
after the fence, and has products of several shapes in one accumulator; what ``cluster_launch.cu`` does wrong: its last
access of another CTA is between arrival and wait."""


@pytest.mark.parametrize("name", kept.names())
def test_no_errors(name):
    text = kept.read(name)
    found = [
        finding
        for finding in check_text(text)
        if finding.severity in (Severity.ERROR, Severity.WARNING) and not finding.message.startswith(ON_PURPOSE)
    ]
    if name.split(".")[0] in LISTS:
        found = [finding for finding in found if not finding.code.startswith("W8")]
    assert not found, _report(name, text, found)


@pytest.mark.parametrize(("name", "text"), handwritten().items(), ids=list(handwritten()))
def test_what_people_wrote(name, text):
    """ptxas takes these too; of warnings they may have some."""
    found = [finding for finding in check_text(text) if finding.severity is Severity.ERROR]
    assert not found, _report(name, text, found)


def test_there_is_enough():
    """Half a million lines, all targets, all ways to compile."""
    names = kept.names()
    assert sum(kept.read(name).count("\n") for name in names) >= 500_000
    for word in (*TARGETS, *WAYS):
        assert any(f".{word}." in name for name in names), word


def _report(name: str, text: str, found: list[Diagnostic]) -> str:
    """The first findings with their lines."""
    lines = text.splitlines()
    shown = [f"{name}: {len(found)} findings, but ptxas takes this file"]
    for one in found[:SHOWN]:
        line = text.count("\n", 0, one.span.start)
        shown.append(f"  line {line + 1}: {one.code} {one.message.splitlines()[0]}\n      {lines[line].strip()}")
    return "\n".join(shown)
