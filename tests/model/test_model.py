"""A sample of the model-checked fuzz, and what its judgements are worth; the long run is ``python -m tests.model``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .answers import check_places, edits_by_document, text_edits, token_places, with_own_diagnostics
from .client import FailureError
from .forks import ROOT, Forks, Plan
from .places import ENCODINGS, Text, difference
from .report import MODEL, PROMISES, write_run, write_section
from .requests import requests_of
from .run import Options, Recording, replay, run_session, shrink

SEEDS = range(16)
STEPS = 400

PLACE = {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}}


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    made = Forks()
    yield made
    made.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_random_sessions(seed: int, forks: Forks, tmp_path: Path) -> None:
    outcome = run_session(f"sample/{seed}", STEPS, forks)
    if outcome.failure is not None:
        outcome.recording.write(tmp_path / "session.json")
        pytest.fail(f"{outcome.failure}\npython -m tests.model --replay {tmp_path / 'session.json'} --shrink")


# ---------------------------------------------------------------- the judgements


def test_a_capability_without_a_request_here_is_found() -> None:
    assert "textDocument/hover" in requests_of({"hoverProvider": True})
    with pytest.raises(LookupError):
        requests_of({"colorProvider": True})
    with pytest.raises(LookupError):
        requests_of({"executeCommandProvider": {"commands": ["ptx-lsp.new"]}})


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_there_and_back(encoding: str) -> None:
    text = Text("a😀é\r\nb\rc\n", encoding)
    for offset in (0, 1, 2, 3, 5, 6, 7, 8, 9):
        assert text.offset(text.position(offset)) == offset
        assert text.contains(text.position(offset))
    assert text.offset({"line": 0, "character": 99}) == 3
    assert not text.contains({"line": 0, "character": 99})
    assert not text.contains({"line": 4, "character": 0})


@pytest.mark.parametrize(
    "answer",
    [
        {"range": PLACE},
        [{"uri": "a", "range": PLACE}],
        {"changes": {"a": [{"range": PLACE, "newText": ""}]}},
        {"documentChanges": [{"textDocument": {"uri": "a"}, "edits": [{"range": PLACE}]}]},
        [{"targetUri": "a", "targetRange": PLACE}],
        [{"from": {"uri": "a"}, "fromRanges": [PLACE]}],
        [{"position": PLACE["end"]}],
        [{"startLine": 0, "endLine": 1}],
    ],
)
def test_places_outside_the_document_are_found(answer: Any) -> None:
    longer, shorter = Text("abc\n\n", "utf-16"), Text("a", "utf-16")
    check_places(answer, "a", lambda uri: [longer])
    check_places(answer, "a", lambda uri: [shorter, longer])
    with pytest.raises(FailureError, match="a place outside"):
        check_places(answer, "a", lambda uri: [shorter])


def test_diagnostics_of_the_request_may_be_older_than_the_text() -> None:
    sent, own = ({"message": message, "range": PLACE} for message in ("sent", "own"))
    params = {"context": {"diagnostics": [sent]}}
    actions = [{"title": "remove", "diagnostics": [sent]}, {"title": "declare"}]
    check_places(with_own_diagnostics(actions, params), "a", lambda uri: [Text("a", "utf-16")])
    actions[1]["diagnostics"] = [own]
    with pytest.raises(FailureError, match="own"):
        check_places(with_own_diagnostics(actions, params), "a", lambda uri: [Text("a", "utf-16")])


def test_overlapping_edits_are_found() -> None:
    text = Text("abcdef", "utf-16")
    edits = [{"range": text.range(start, end), "newText": "x"} for start, end in ((0, 2), (2, 2), (2, 4), (3, 5))]
    assert text.edited(text_edits(edits[:3], text)) == "xxxef"
    with pytest.raises(FailureError, match="overlap"):
        text_edits(edits, text)


def test_parts_of_answers() -> None:
    assert edits_by_document({"documentChanges": [{"textDocument": {"uri": "a"}, "edits": [1]}]}) == {"a": [1]}
    assert [place["start"]["character"] for place in token_places([0, 1, 2, 0, 0, 0, 3, 1, 0, 0, 1, 3, 1, 0, 0])] == [
        1,
        4,
        3,
    ]
    for old, new in (("abc", "abbc"), ("", "x"), ("aa", "a"), ("abc", "abc")):
        start, end, text = difference(old, new)
        assert old[:start] + text + old[end:] == new


def test_a_session_is_shortened_to_what_fails(forks: Forks, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a promise that cannot be kept: no request about a position is answered."""
    take = "tests.model.session.check_places"

    def refuse(result: Any, uri: str, texts: Any) -> None:
        if "contents" in result:
            raise FailureError("planted", "a hover")

    monkeypatch.setattr(take, refuse)
    uri = "untitled:Untitled-1"
    item = {"uri": uri, "languageId": "ptx", "version": 1, "text": ".version 8.0\n"}
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    symbols = {"textDocument": {"uri": uri}}
    messages = [
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 1, "method": "textDocument/documentSymbol", "params": symbols},
        {"id": 2, "method": "textDocument/hover", "params": hover},
        {"id": 3, "method": "textDocument/foldingRange", "params": symbols},
    ]
    capabilities: Any = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": False}}}
    params = {"processId": None, "capabilities": capabilities, "initializationOptions": None, "workspaceFolders": []}
    operations: list[Any] = [["send", {"jsonrpc": "2.0", **message}] for message in messages]
    recording = Recording(Options(params, Plan((1, 2))), [*operations, ["wait"], ["pause", 0.0]])
    failure = replay(recording, forks)
    assert failure is not None
    shorter = shrink(recording, failure.kind, forks, report=lambda _: None)
    methods = [one[1]["method"] if one[0] == "send" else one[0] for one in shorter.operations]
    assert methods == ["textDocument/didOpen", "textDocument/hover", "wait"]


# ---------------------------------------------------------------- the document


def test_the_tests_of_promises_exist() -> None:
    assert all((ROOT / test).exists() for one in PROMISES for test in one.tests)


def test_a_section_replaces_its_former_text_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "reliability.md"
    for name, text in (("One", "first"), ("Two", "a\n\nb"), ("One", "second")):
        write_section(name, text, path)
    found = path.read_text()
    assert "first" not in found
    assert "## One\n\nsecond\n\n## Two\n\na\n\nb\n" in found
    assert found.count("## Promises") == 1


def test_runs_of_the_same_product_are_added_up(tmp_path: Path) -> None:
    path = tmp_path / "reliability.md"
    for seed, counts in (("7", (1, 1_000, 3, 4, 0)), ("8", (2, 2_000, 4, 5, 0)), ("7", (3, 500, 5, 6, 1))):
        write_run(MODEL, (seed, "2"), counts, lambda _: True, path)
    assert re.findall(r"^\| (7|8|together) \| 2? \| \w* ?\| (.*) \|$", path.read_text(), re.M) == [
        ("8", "2 | 2,000 | 4 | 5 | 0"),
        ("7", "3 | 500 | 5 | 6 | 1"),
        ("together", "5 | 2,500 | 9 | 11 | 1"),
    ]


def test_runs_of_another_product_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "reliability.md"
    write_run(MODEL, ("7", "2"), (1, 1_000, 3, 4, 0), lambda _: True, path)
    write_run(MODEL, ("8", "2"), (2, 2_000, 4, 5, 0), lambda _: False, path)
    assert "| 7 |" not in path.read_text()
    assert "| together |  |  | 2 | 2,000 | 4 | 5 | 0 |" in path.read_text()
