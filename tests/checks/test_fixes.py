"""Every fix of every finding in the golden files: it mends its finding and breaks nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from inspect import cleandoc
from pathlib import Path
from typing import Any

import annotated
import pytest

from ptx_lsp.checks import CHECKS
from ptx_lsp.checks.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Edit, Severity

FILES = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))

SHOWS_MORE = {
    "functions.ptx: write '.reg'": "the other results, which must be registers too, come next",
    "header.ptx: insert '.target'": "what the target lacks is told once there is one",
    "initialisers.ptx: write '1'": "a second pair of braces stood around the value",
    "initialisers.ptx: write '{1}'": "the array has two dimensions: a second pair of braces comes next",
    "instructions.ptx: replace by '.bulk'": "the instruction that was meant is newer than the module",
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


@pytest.mark.parametrize("rule", CHECKS, ids=lambda rule: rule.RULE.code)
def test_fixes_of_the_examples_of_a_rule(rule: Any) -> None:
    functions = (getattr(rule, name, None) for name in ("check", "check_function", "check_module", "check_flow"))
    page = cleandoc(next(function.__doc__ for function in functions if function is not None))
    check_fixes(rule.RULE.code, _FENCE.findall(page.partition("**Right:**")[0]))


_FENCE = re.compile(r"^```ptx\n(.*?)^```", re.DOTALL | re.MULTILINE)


def check_fixes(origin: str, sources: Iterable[str]) -> None:
    """Each fix of each finding in some snippets mends it, and makes no error."""
    wrong = []
    for source in sources:
        snippet = annotated.read(source)
        before = check_text(snippet.text, snippet.settings)
        fixed: dict[str, list[Diagnostic]] = {}
        for one in snippet.findings:
            for fix in one.fixes:
                text = applied(snippet.text, fix.edits)
                after = fixed.get(text)
                if after is None:
                    after = fixed[text] = check_text(text, snippet.settings)
                key = (one.code, one.message.split("(line")[0])
                stays = said(after)[key] >= said(before)[key]
                name = f"{origin}: {fix.title}"
                if (stays or errors(after) > errors(before)) and name not in SHOWS_MORE:
                    more = said(after) - said(before)
                    wrong.append(f"{name}: {'stays' if stays else 'more errors'}: {one.message}: {sorted(more)[:3]}")
    assert not wrong, "\n".join(["", *wrong])


def test_the_exceptions_are_some() -> None:
    """An exception that no golden file needs any longer is to be removed."""
    names = {f"{path.name}" for path in FILES}
    assert {name.split(":")[0] for name in SHOWS_MORE} <= names
