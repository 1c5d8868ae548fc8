"""Snippets: each is right where it is offered, and offered wherever it is right."""

from __future__ import annotations

import re

import pytest

from benchmarks.assembler import find, judge
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Severity
from ptx_lsp.features.completion.item import ItemKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.snippets import Snippet, snippets
from ptx_lsp.preferences import Completion

from .completions import check_lacks, items

NAMES = list(snippets())
M = "//- module sm_90 ptx 8.0\n"


def module(snippet: Snippet, version: Version, target: Target) -> str:
    """A module of this version and target around the snippet with its defaults."""
    head = f".version {version}\n.target {target}\n" + (".address_size 64\n" if version >= Version(2, 3) else "")
    if snippet.name == "header":
        return snippet.example
    if snippet.place == "module":
        return head + snippet.example
    opening = ".visible .entry around(.param .align 64 .b8 parameter[128])\n{\n"
    return f"{head}{opening}{snippet.setting}{snippet.example}\nret;\n}}\n"


def modules() -> list[tuple[Version, Target]]:
    """Every target with the version that brought it, with 8.6 and with the newest."""
    known = catalogue().vocabulary
    return [
        (version, word.target)
        for word in known.targets.values()
        for version in dict.fromkeys((word.version, Version(8, 6), known.newest_version))
        if version >= word.version
    ]


@pytest.mark.parametrize("name", NAMES)
def test_no_error_where_it_is_offered(name: str) -> None:
    snippet = snippets()[name]
    allowed = [one for one in modules() if snippet.gate.allows(*one)]
    assert allowed
    for version, target in allowed:
        found = check_text(module(snippet, version, target))
        assert not [one.message for one in found if one.severity is Severity.ERROR], (version, target)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "header"])
def test_it_is_offered_wherever_it_is_right_from_its_version_on(name: str) -> None:
    snippet = snippets()[name]
    refused = [one for one in modules() if not snippet.gate.allows(*one)]
    since = min(since.version for since in snippet.gate.since)
    wrong = [
        one
        for one in refused
        if one[0] >= since and not any(found.severity is Severity.ERROR for found in check_text(module(snippet, *one)))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_ptxas_takes_it(name: str) -> None:
    ptxas = find()
    if ptxas is None:
        pytest.skip("there is no ptxas")
    snippet = snippets()[name]
    target = (*snippet.gate.since[0].targets, Target(80))[0]
    version, target = (Version(8, 6), Target(80)) if target.number < 80 else (Version(8, 8), target)
    verdict = judge(module(snippet, version, target), ptxas)
    assert verdict.accepted, verdict.errors


@pytest.mark.parametrize("name", NAMES)
def test_its_places_are_numbered_and_its_registers_its_own(name: str) -> None:
    snippet = snippets()[name]
    numbers = [int(number) for number in re.findall(r"\$\{(\d+)", snippet.body)]
    assert sorted(set(numbers)) == list(range(1, max(numbers, default=0) + 1))
    first = {number: re.search(rf"\$\{{{number}(:?)", snippet.body)[1] for number in numbers}
    assert set(first.values()) <= {":"}, "the first of each has the default"
    assert "$0" in snippet.body
    assert "$" not in snippet.example


def test_by_place():
    body = {item.label for item in items("<|>") if item.kind is ItemKind.SNIPPET}
    outside = {item.label for item in items(f"{M}<|>") if item.kind is ItemKind.SNIPPET}
    assert {"loop", "mbarrier_wait", "tma_load", "wgmma_tile"} <= body
    assert outside == {"kernel", "func"}


def test_the_header_only_where_there_is_none():
    assert "header" in [item.label for item in items("//- module\n<|>")][:4]
    check_lacks(f"{M}<|>", "header")


def test_by_target():
    check_lacks("//- sm_80 ptx 7.0\n<|>", "wgmma_tile", "tma_load", "tcgen05_tile")
    check_lacks("//- sm_90 ptx 8.6\n<|>", "wgmma_tile", "tcgen05_tile")
    assert "tcgen05_tile" in [item.label for item in items("//- sm_100a ptx 8.6\n<|>")]


def test_not_for_who_does_not_want_them():
    assert not [item for item in items("<|>", Completion(snippets=False)) if item.kind is ItemKind.SNIPPET]


def test_not_in_debug_sections_and_behind_guards():
    check_lacks(f"{M}.section .debug_str\n{{\n<|>\n}}", "kernel")
    check_lacks("@%p1 <|>", "loop")


def test_one_thread_starts_the_product_and_commits_it() -> None:
    """A whole warp would start 32 products, and signal 32 arrivals on an mbarrier that expects one."""
    lines = [line.strip() for line in snippets()["tcgen05_tile"].example.split("\n")]
    started = [line for line in lines if "tcgen05.mma" in line or "tcgen05.commit" in line]
    assert len(started) == 2
    assert all(line.startswith("@%leader ") for line in started), started


@pytest.mark.parametrize("name", ["tma_load", "tma_store"])
def test_one_thread_starts_a_copy_of_a_tile(name: str) -> None:
    """Each further thread would start another copy, with bytes that the mbarrier does not expect."""
    lines = [line.strip() for line in snippets()[name].example.split("\n")]
    started = [line for line in lines if "cp.async.bulk" in line or "expect_tx" in line]
    assert len(started) >= 2
    assert all(line.startswith("@%leader ") for line in started), started


def test_the_writers_of_a_tile_are_done_before_one_thread_copies_it() -> None:
    lines = [line.strip() for line in snippets()["tma_store"].example.split("\n")]
    copy = next(number for number, line in enumerate(lines) if "cp.async.bulk.tensor" in line)
    assert lines.index("fence.proxy.async.shared::cta;") < lines.index("bar.sync 0;") < copy
