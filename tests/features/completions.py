"""Completion lists at a cursor ``<|>``, for the tests of what is in them."""

from __future__ import annotations

from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion.item import Item
from ptx_lsp.preferences import Completion

from .cursor import opened


def items(source: str, preferences: Completion | None = None, trigger: str = "") -> list[Item]:
    """The list at the cursor."""
    checker, offset, _ = opened(source)
    return completion(checker.semantics, offset, preferences or Completion(), trigger)


def offered(source: str) -> list[str]:
    """The labels of what this module may use, best first."""
    return [item.label for item in items(source) if not item.needs]


def lacking(source: str) -> dict[str, str]:
    """What only other modules may use, and what this one lacks for it."""
    return {item.label: item.needs for item in items(source) if item.needs}


def accepted(source: str, label: str) -> str:
    """The snippet's text once the item is accepted, with its text rather than its places to fill in."""
    checker, offset, start = opened(source)
    item = next(item for item in completion(checker.semantics, offset) if item.label == label)
    text = checker.document.text
    assert item.typed.start <= offset <= item.typed.end, "the cursor is in what is replaced"
    text = text[: item.typed.start] + (item.insert or item.label) + text[item.typed.end :]
    first = source.strip("\n").split("\n")[0]
    whole = text[start:].replace(" // ptx-lsp: ignore-file[W62]", "").rstrip("\n").removesuffix("\n}")
    return whole.removeprefix(f"{first}\n") if first.startswith("//-") else whole


def check_has(source: str, *labels: str) -> None:
    """Fail unless all of these may be written."""
    found = offered(source)
    assert not [label for label in labels if label not in found], found


def check_lacks(source: str, *labels: str) -> None:
    """Fail if one of these is in the list at all."""
    found = [item.label for item in items(source)]
    assert not [label for label in labels if label in found], found


def check_exactly(source: str, *labels: str) -> None:
    """Fail unless these may be written and nothing else, in any order."""
    assert sorted(offered(source)) == sorted(labels)


def check_order(source: str, *labels: str) -> None:
    """Fail unless these come in this order."""
    found = [label for label in offered(source) if label in labels]
    assert found == list(labels)
