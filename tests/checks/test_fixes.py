"""Every fix of every finding in the golden files and in broken programs: it fixes its finding and breaks nothing."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import annotated
import pytest

from benchmarks.mutations.bases import handwritten
from benchmarks.mutations.kind import KINDS
from benchmarks.mutations.mutants import mutants
from benchmarks.mutations.scan import read
from ptx_lsp.checks import all_checks
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.checks.support.check import Check
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.settings import Settings

FILES = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))

SHOWS_MORE = {
    "functions.ptx: write '.reg'": "the other results, which must be registers too, come next",
    "header.ptx: insert '.target sm_90a'": "an instruction is newer than the module: no target of its version has it",
    "initializers.ptx: write '1'": "a second pair of braces stood around the value",
    "initializers.ptx: write '{1}'": "the array has two dimensions: a second pair of braces comes next",
    "instructions.ptx: replace with '.bulk'": "the instruction that was meant is newer than the module",
    "syntax.ptx: insert ';'": "what stood behind the missing semicolon is looked at",
}
"""Fixes after which as much is wrong as before, or more, and why that is no fault of theirs."""


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def said(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((one.code, one.message.split("(line")[0]) for one in found)


def errors(found: list[Diagnostic]) -> int:
    return sum(one.severity is Severity.ERROR for one in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_fix_mends_its_finding_and_makes_no_error(path: Path) -> None:
    check_fixes(path.name, [one for one in annotated.snippets(path.read_text()) if one.startswith("//-")])


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.rule.code)
def test_fixes_of_the_examples_of_a_rule(check: Check) -> None:
    check_fixes(check.rule.code, _FENCE.findall(check.page.partition("**Right:**")[0]))


_FENCE = re.compile(r"^```ptx\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", sorted(handwritten()))
def test_fixes_of_broken_programs(name: str) -> None:
    """A few dozen mistakes in each of the programs of ``benchmarks/handwritten``, always the same ones."""
    wrong: list[str] = []
    made = mutants(read(handwritten()[name]), MUTANTS, SEED, list(KINDS.values()))
    for mutant in made:
        before = [one for one in check_text(mutant.text) if one.severity is Severity.ERROR]
        origin = f"{name}:{mutant.line}: {mutant.kind.name}: {mutant.after}"
        wrong += harm(origin, mutant.text, Settings(), before, before)
    assert not wrong, "\n".join(["", *wrong])


MUTANTS, SEED = 16, 3


def check_fixes(origin: str, sources: Iterable[str]) -> None:
    """Each fix of each finding in some snippets mends it, and makes no error."""
    wrong: list[str] = []
    for source in sources:
        snippet = annotated.read(source)
        before = check_text(snippet.text, snippet.settings)
        wrong += harm(origin, snippet.text, snippet.settings, before, snippet.findings)
    assert not wrong, "\n".join(["", *wrong])


def harm(
    origin: str, text: str, settings: Settings, before: list[Diagnostic], corrected: list[Diagnostic]
) -> Iterator[str]:
    """What is wrong with the fixes of some findings in a text."""
    checked: dict[str, list[Diagnostic]] = {}
    for one in corrected:
        for fix in one.fixes:
            name = f"{origin}: {fix.title}"
            if not is_well_formed(fix, text):
                yield f"{name}: ill formed: {fix}"
                continue
            fixed = applied(text, fix.edits)
            after = checked.get(fixed)
            if after is None:
                after = checked[fixed] = check_text(fixed, settings)
            stays = is_still_there(one, fix, before, after)
            if (stays or errors(after) > errors(before)) and name not in SHOWS_MORE:
                more = said(after) - said(before)
                yield f"{name}: {'stays' if stays else 'more errors'}: {one.message}: {sorted(more)[:3]}"


def is_well_formed(fix: Fix, text: str) -> bool:
    """Whether the title says something, and the edits lie in the text, apart from each other, and change it."""
    edits = sorted(fix.edits, key=lambda one: one.span)
    return (
        fix.title == fix.title.strip()
        and _EMPTY_QUOTES.search(fix.title) is None
        and all(0 <= one.span.start <= one.span.end <= len(text) for one in edits)
        and all(one.span.end <= other.span.start for one, other in pairwise(edits))
        and applied(text, fix.edits) != text
    )


_EMPTY_QUOTES = re.compile(r"(?<!')''(?!')")


def is_still_there(one: Diagnostic, fix: Fix, before: list[Diagnostic], after: list[Diagnostic]) -> bool:
    """Whether a finding is not gone. One that is reported once for many places can come up at the next of them."""
    key = (one.code, one.message.split("(line")[0])
    if said(after)[key] < said(before)[key]:
        return False
    shift = sum(len(edit.text) - edit.span.end + edit.span.start for edit in fix.edits if edit.span < one.span)
    places = {other.span.start for other in after if (other.code, other.message.split("(line")[0]) == key}
    return not one.related or one.span.start + shift in places


def test_the_exceptions_are_some() -> None:
    """An exception that no golden file needs any longer is to be removed."""
    names = {f"{path.name}" for path in FILES}
    assert {name.split(":")[0] for name in SHOWS_MORE} <= names


def with_mixed_line_ends(text: str, seed: int) -> str:
    """The text with line ends of one or two characters, at random."""
    choose = random.Random(seed)
    return "".join(line + choose.choice(("\n", "\r\n")) for line in text.split("\n"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_place_is_inside_a_line_end_of_two_characters(path: Path) -> None:
    """The protocol has no such position; clients move it to the end of the line."""
    for text in (path.read_text().replace("\n", "\r\n"), with_mixed_line_ends(path.read_text(), 7)):
        for one in check_text(text):
            spans = [one.span, *(edit.span for fix in one.fixes for edit in fix.edits)]
            inside = [at for span in spans for at in span if at and text[at - 1 : at + 1] == "\r\n"]
            assert not inside, f"{one.code} {one.message}"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_statement_is_removed_with_its_line(line_end: str) -> None:
    lines = [
        "// ptx-lsp: ignore-file[E503]",
        ".entry f()",
        "{",
        "    .reg .b32 unused;  // of no use",
        "    .reg .b32 unused_too;",
        "    ret;",
        "}",
        "",
    ]
    text = line_end.join(lines)
    for number, name in ((3, "unused"), (4, "unused_too")):
        (fix,) = [fix for one in check_text(text) if f"'{name}'" in one.message for fix in one.fixes]
        assert applied(text, fix.edits) == line_end.join(lines[:number] + lines[number + 1 :])


@pytest.mark.parametrize(
    ("line", "titles"),
    [
        (".global .b32 a\n.global .b32 b;", ["insert ';'"]),
        (".global .b8 text[] { 37, 100 };", []),  # a '=' is missing
        ("ver{ld.f32 %f1, [%rd1];", []),
    ],
)
def test_no_semicolon_is_offered_where_a_block_would_begin_outside(line: str, titles: list[str]) -> None:
    text = f".version 8.0\n.target sm_90\n.address_size 64\n{line}\n"
    found = [fix.title for one in check_text(text) if one.code == "E101" for fix in one.fixes]
    assert found == titles


@pytest.mark.parametrize("line", [".reg .b64 {%rd<64>;", ".shared .b32 {tile[4];", "add.s32 {%r1, %r2, %r3;"])
def test_no_semicolon_is_offered_before_a_brace_that_is_a_slip(line: str) -> None:
    text = f".version 8.0\n.target sm_90\n.entry k()\n{{\n{line}\nret;\n}}\n"
    assert not [fix.title for one in check_text(text) for fix in one.fixes if fix.title == "insert ';'"]


@pytest.mark.parametrize(("parameter", "is_sure"), [(".param .u64 p)", True), (".param .u-*", False)])
def test_a_brace_after_a_wrong_head_is_not_inserted_automatically(parameter: str, is_sure: bool) -> None:
    text = f".version 8.0\n.target sm_80\n.address_size 64\n.entry k({parameter}\n}}\n"
    fixes = [fix for one in check_text(text) for fix in one.fixes if fix.title == "insert '{'"]
    assert [fix.is_sure for fix in fixes] == [is_sure]


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        (".version 8.0\n.entry k() { ret; }\n", ".version 8.0\n.target sm_10\n.entry k() { ret; }\n"),
        (".version 8.0 .entry k() { ret; }\n", ".version 8.0 \n.target sm_10\n.entry k() { ret; }\n"),
        (
            ".version 8.0 // a\n/* b */ .entry k() { ret; }\n",
            ".version 8.0 // a\n/* b */ \n.target sm_10\n.entry k() { ret; }\n",
        ),
    ],
)
def test_a_target_is_inserted_on_its_own_line(text: str, edited: str) -> None:
    fix = next(fix for one in check_text(text) if one.code == "E109" for fix in one.fixes)
    assert applied(text, fix.edits) == edited
