"""Promises about single answers: places lie within the document, and edits do not overlap."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from .client import FailureError
from .places import Edit, Range, Text

Place = tuple[str, Range]


def places(value: Any, uri: str) -> Iterator[Place]:
    """The ranges and positions in an answer, each with the URI of its document.

    Args:
        value: a result.
        uri: the document of places that do not name one.

    """
    if isinstance(value, list):
        for one in value:
            yield from places(one, uri)
    elif isinstance(value, dict):
        if isinstance(value.get("start"), dict) and isinstance(value.get("end"), dict):
            yield uri, {"start": value["start"], "end": value["end"]}
        named = value.get("uri") or (value.get("textDocument") or {}).get("uri")
        uri = named if isinstance(named, str) else uri
        for name, inner in value.items():
            yield from _places_of(name, inner, value, uri)
        if "startLine" in value:
            yield uri, {name: {"line": value[f"{name}Line"], "character": 0} for name in ("start", "end")}


def _places_of(name: str, inner: Any, value: dict[str, Any], uri: str) -> Iterator[Place]:
    if name == "data":
        return
    if name == "changes" and isinstance(inner, dict):
        for one, edits in inner.items():
            yield from places(edits, one)
    elif name in ("targetRange", "targetSelectionRange"):
        yield from places(inner, value["targetUri"])
    elif name == "fromRanges" and "from" in value:
        yield from places(inner, value["from"]["uri"])
    elif name == "position":
        yield uri, {"start": inner, "end": inner}
    else:
        yield from places(inner, uri)


def with_own_diagnostics(actions: Any, params: Any) -> Any:
    """Code actions without the diagnostics that the request named: these may be older than the text."""
    sent = (params.get("context") or {}).get("diagnostics") or []
    if not sent or not isinstance(actions, list):
        return actions
    return [{**one, "diagnostics": [own for own in one.get("diagnostics") or [] if own not in sent]} for one in actions]


def check_places(answer: Any, uri: str, texts: Callable[[str], list[Text]]) -> None:
    """Fail if a place in an answer does not exist.

    Args:
        answer: a result.
        uri: the document of the request.
        texts: the texts that a document had since the request; none if that is unknown.

    """
    by_uri: dict[str, list[Range]] = {}
    for one, place in places(answer, uri):
        by_uri.setdefault(one, []).append(place)
    for one, found in by_uri.items():
        candidates = texts(one)
        if candidates and not any(all(_is_in(place, text) for place in found) for text in candidates):
            wrong = [place for place in found if not _is_in(place, candidates[-1])]
            raise FailureError("a place outside the document", f"{one} {wrong[:3]} {json.dumps(answer)[:1500]}")


def _is_in(place: Range, text: Text) -> bool:
    start, end = place["start"], place["end"]
    is_ordered = (start["line"], start["character"]) <= (end["line"], end["character"])
    return is_ordered and text.contains(start) and text.contains(end)


def text_edits(edits: Any, text: Text) -> list[Edit]:
    """``TextEdit`` items as edits of a text.

    Raises:
        FailureError: two overlap, or a place does not exist.

    """
    check_places(edits, "", lambda _: [text])
    found = sorted(
        Edit(text.offset(one["range"]["start"]), text.offset(one["range"]["end"]), one["newText"]) for one in edits
    )
    for before, after in pairwise(found):
        if after.start < before.end:
            raise FailureError("edits overlap", json.dumps(edits)[:3000])
    return found


def edits_by_document(edit: Any) -> dict[str, Any]:
    """The ``TextEdit`` items of a ``WorkspaceEdit`` by URI."""
    found: dict[str, Any] = dict((edit or {}).get("changes") or {})
    for change in (edit or {}).get("documentChanges") or ():
        found.setdefault(change["textDocument"]["uri"], []).extend(change["edits"])
    return found


def token_places(data: list[int]) -> list[Range]:
    """The ranges of semantic tokens."""
    found, line, character = [], 0, 0
    for at in range(0, len(data), 5):
        lines, columns, length = data[at : at + 3]
        line, character = line + lines, columns if lines else character + columns
        start = {"line": line, "character": character}
        found.append({"start": start, "end": {"line": line, "character": character + length}})
    return found


def changed_tokens(data: list[int], edits: list[Any]) -> list[int]:
    """The data of semantic tokens after the edits of a delta."""
    found = list(data)
    for edit in sorted(edits, key=lambda one: one["start"], reverse=True):
        found[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    return found
