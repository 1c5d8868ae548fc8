"""Another target or version: what becomes of the first lines."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.header_edits import HeaderError, set_target, set_version
from ptx_lsp.isa.catalogue import catalogue

NEWEST = str(catalogue().vocabulary.newest_version)
BODY = ".entry k() { ret; }\n"


def written(text: str, target: str | None = None, version: str | None = None) -> str:
    """The text without its body after one of the changes."""
    module = Checker(text + BODY).module
    edits = set_target(module, target) if target is not None else set_version(module, version or "")
    found = text + BODY
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        found = found[: edit.span.start] + edit.text + found[edit.span.end :]
    assert not [one for one in Checker(found).diagnostics() if one.code.startswith("E5")]
    return found.removesuffix(BODY)


@pytest.mark.parametrize(
    ("before", "target", "after"),
    [
        (".version 8.0\n.target sm_80\n", "sm_90", ".version 8.0\n.target sm_90\n"),
        (".version 8.0\n.target sm_80\n", "sm_80", ".version 8.0\n.target sm_80\n"),
        (".version 7.0\n.target sm_80\n", "sm_90a", ".version 8.0\n.target sm_90a\n"),
        (".version 8.0\n.target sm_80, texmode_unified\n", "sm_86", ".version 8.0\n.target sm_86, texmode_unified\n"),
        (".version 8.0\n.target texmode_unified, sm_80\n", "sm_86", ".version 8.0\n.target texmode_unified, sm_86\n"),
        ("// mine\n.version 8.0 // old\n", "sm_86", "// mine\n.version 8.0\n.target sm_86 // old\n"),
        ("// mine\n.target sm_80\n", "sm_86", "// mine\n.version NEWEST\n.target sm_86\n"),
        ("// mine\n", "sm_86", "// mine\n.version NEWEST\n.target sm_86\n"),
    ],
)
def test_another_target(before: str, target: str, after: str) -> None:
    assert written(before, target=target) == after.replace("NEWEST", NEWEST)


@pytest.mark.parametrize(
    ("before", "version", "after"),
    [
        (".version 8.0\n.target sm_80\n", "8.6", ".version 8.6\n.target sm_80\n"),
        (".version 8.6\n.target sm_80\n", "7.0", ".version 7.0\n.target sm_80\n"),
        (".version 8.65\n.target sm_80\n", "8.6", ".version 8.6\n.target sm_80\n"),
        ("// mine\n.target sm_80\n", "8.6", "// mine\n.version 8.6\n.target sm_80\n"),
    ],
)
def test_another_version(before: str, version: str, after: str) -> None:
    assert written(before, version=version) == after


def test_an_empty_file() -> None:
    module = Checker("").module
    assert [edit.text for edit in set_target(module, "sm_90")] == [f".version {NEWEST}\n.target sm_90\n"]
    assert [edit.text for edit in set_version(module, "8.0")] == [".version 8.0\n"]


@pytest.mark.parametrize(("target", "reason"), [("sm_91", "did you mean 'sm_9"), ("", "unknown target ''")])
def test_targets_that_do_not_exist(target: str, reason: str) -> None:
    with pytest.raises(HeaderError, match=reason):
        set_target(Checker(BODY).module, target)


def test_versions_that_do_not_exist_or_are_too_old() -> None:
    module = Checker(".version 8.0\n.target sm_90a\n" + BODY).module
    with pytest.raises(HeaderError, match=r"unknown PTX version '8\.99'"):
        set_version(module, "8.99")
    with pytest.raises(HeaderError, match=r"'sm_90a' requires PTX 8\.0 or newer: choose another target first"):
        set_version(module, "7.8")
