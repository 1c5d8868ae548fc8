"""The full server takes over what was done before it ran: at any message, nothing is lost, answered twice or checked
twice, and the findings are those of a server that does everything itself."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.server.documents import background_checker, reader
from ptx_lsp.server.first_work import FirstWork
from ptx_lsp.server.startup import first_findings, loop

from .conftest import insertion, kernel, replacement
from .sessions import Heard, Message, Sent, changed, closed, notification, opened, play, request

A, B, C = (f"file:///nowhere/{name}.ptx" for name in "abc")
NOTHING: Message = {"processId": None, "rootUri": None, "capabilities": {}}
ASKED: Message = {**NOTHING, "capabilities": {"workspace": {"configuration": True}}}
PULLING: Message = {**NOTHING, "capabilities": {"textDocument": {"diagnostic": {}}}}
NEWER = kernel("add.f32x2 %rd1, %rd2, %rd3;").replace("8.0", "8.6")
FLOW = kernel("add.s32 %r1, %r2, %r3;", "bogus;").replace("ignore-file[W62]", "")


def position(line: int, character: int) -> Message:
    return {"line": line, "character": character}


SCRIPT: list[Sent] = [
    notification("initialized"),
    notification("$/setTrace", value="off"),
    notification("workspace/didChangeConfiguration", settings={"ptx-lsp": {"target": "sm_100"}}),
    opened(A, FLOW),
    request(1, "textDocument/documentSymbol", textDocument={"uri": A}),
    opened(B, NEWER),
    request(2, "textDocument/hover", textDocument={"uri": B}, position=position(6, 2)),
    notification("$/cancelRequest", id=77),
    changed(A, 2, insertion(7, 0, "bogus two;\n")),
    request(3, "textDocument/hover", textDocument={"uri": A}, position=position(6, 2)),
    b"{ no JSON",
    opened(C, kernel("é: mov.b32 %r1, nothing; // 😀", "/* 😀 */ nothing %r1;")),
    closed(B),
    request(4, "textDocument/nonsense"),
    opened(A, kernel("bogus three;"), 3),
    request(5, "textDocument/foldingRange", textDocument={"uri": C}),
    opened(B, FLOW, 9),
]


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small documents are read at once however slow the machine is."""
    monkeypatch.setattr(reader, "SLICE", 30.0)
    monkeypatch.setattr(background_checker, "QUIET", 0.01)
    monkeypatch.setattr(first_findings, "LONGEST", 30.0)


def assert_equal(found: Heard, whole: Heard) -> None:
    """What is different about a session although it should not be."""
    assert found.answers == whole.answers
    assert found.findings == whole.findings
    assert found.shown == whole.shown
    assert Counter(found.requests) == Counter(whole.requests)
    numbers = [number for number, _ in found.answers if number != "None"]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("params", [NOTHING, PULLING], ids=["pushing", "pulling"])
def test_at_every_message(params: Message) -> None:
    whole = play(params, SCRIPT)
    assert len(whole.answers) == 8
    for arrived in range(len(SCRIPT) + 1):
        assert_equal(play(params, SCRIPT, [arrived]), whole)


def test_at_every_message_one_after_the_other() -> None:
    whole = play(NOTHING, SCRIPT)
    assert_equal(play(NOTHING, SCRIPT, range(len(SCRIPT) + 1)), whole)


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_document_that_is_half_read_is_read_on(is_changed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = kernel(*["mov.b32 %r1, 1;"] * 600, "bogus;")
    script: list[Sent] = [notification("initialized"), opened(A, text)]
    if is_changed:
        script.append(changed(A, 2, insertion(6, 0, "bogus two;\n")))
    whole = play(NOTHING, script)
    handed_over = []
    build = loop.build

    def recorded(initialize: Message, first: FirstWork) -> object:
        handed_over.extend((early.document.is_ready, early.is_published) for early in first.documents.values())
        return build(initialize, first)

    monkeypatch.setattr(loop, "build", recorded)
    monkeypatch.setattr(first_findings, "LONGEST", 3)
    monkeypatch.setattr(first_findings, "process_time", itertools.count().__next__)
    monkeypatch.setattr(first_findings, "_SLICE", 1e-5)
    readings = count_readings(monkeypatch)
    found = play(NOTHING, script, [2])
    assert_equal(found, whole)
    assert 1 <= len(found.published) <= 1 + is_changed, "at most once for each text"
    assert handed_over == [(False, False)]
    assert len(readings) == 1


def count_readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list of the texts that are read from now on."""
    texts: list[str] = []
    reading = Checker.reading

    def counted(text: str, *others: object) -> object:
        texts.append(text)
        return reading(text, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Checker, "reading", counted)
    return texts


def test_nothing_is_checked_or_published_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    script: list[Sent] = [notification("initialized"), opened(A, kernel("bogus;")), opened(B, NEWER)]
    readings = count_readings(monkeypatch)
    found = play(NOTHING, script, [len(script)])
    assert len(readings) == 2
    assert [one["uri"] for one in found.published] == [A, B]


def test_flow_findings_follow() -> None:
    found = play(NOTHING, [notification("initialized"), opened(A, FLOW)], [2])
    before, after = ([one["code"] for one in one["diagnostics"]] for one in found.published)
    assert set(before) < set(after)


def test_nothing_is_published_for_a_client_that_pulls() -> None:
    script: list[Sent] = [notification("initialized"), opened(A, FLOW)]
    assert not play(PULLING, script, [2]).published


def test_a_changed_document_is_not_published_in_its_old_state() -> None:
    script: list[Sent] = [opened(A, FLOW), changed(A, 2, {"text": kernel("bogus;")})]
    assert {one["version"] for one in play(NOTHING, script, [2]).published} == {2}


REFUSED = {"error": {"code": -32601, "message": "no"}}


@pytest.mark.parametrize(
    "answer", [REFUSED, *({"result": result} for result in ([{"ignore": ["E502"]}], [None], [], [{"targett": 1}]))]
)
def test_settings_are_awaited(answer: Message) -> None:
    """Whatever the editor answers, and whenever: its settings count, and others are never seen if they come in time."""
    response = {"jsonrpc": "2.0", "id": "ptx-lsp-request-1", **answer}
    script: list[Sent] = [notification("initialized"), opened(A, NEWER), response]
    whole = play(ASKED, script)
    for steps in ([1], [2], [1, 2], [2, 3], [1, 2, 3], [1, 3]):
        found = play(ASKED, script, steps)
        assert_equal(found, whole)
        if steps[-1] == 3:
            assert len(found.published) == 1


def test_a_project_file_counts(tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text('ignore = ["E502"]\nmax-diagnostics = 2\nnonsense = 1\n')
    uri = (tmp_path / "a b.ptx").as_uri()
    script: list[Sent] = [notification("initialized"), opened(uri, NEWER + NEWER.replace("kernel", "other"))]
    whole = play(NOTHING, script)
    found = play(NOTHING, script, [2])
    assert_equal(found, whole)
    assert len(found.shown) == 1
    assert len(found.published) == 1


def test_a_project_file_that_changes_before_the_server_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The change is noticed when the editor reports it."""
    file = tmp_path / "ptx-lsp.toml"
    file.write_text('ignore = ["E502"]\n')
    uri = (tmp_path / "a.ptx").as_uri()
    notified = notification("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
    work = first_findings.FirstFindings.work

    def work_and_change(self: first_findings.FirstFindings) -> None:
        work(self)
        file.write_text("")

    monkeypatch.setattr(first_findings.FirstFindings, "work", work_and_change)
    found = play(NOTHING, [opened(uri, NEWER), notified], [1])
    assert [len(one["diagnostics"]) for one in found.published] == [0, 1]


METHODS = ["documentSymbol", "foldingRange", "codeLens", "documentLink", "inlayHint"]


def random_session(draw: random.Random) -> list[Sent]:
    """Some messages of a client that knows the protocol, and some of one that does not."""
    messages: list[Sent] = [notification("initialized")] if draw.random() < 0.8 else []
    versions = dict.fromkeys((A, B, C), 0)
    uris: set[str] = set()
    for number in range(1, draw.randrange(4, 18)):
        uri = draw.choice((A, B, C))
        document = {"textDocument": {"uri": uri}}
        kind = draw.choices(
            ["open", "change", "close", "request", "settings", "noise", "unknown"], [6, 3, 1, 5, 1, 1, 1]
        )[0]
        versions[uri] += 1
        if kind == "open" and (uri not in uris or draw.random() < 0.2):
            uris.add(uri)
            messages.append(opened(uri, draw.choice((FLOW, NEWER, kernel("bogus;"), "")), versions[uri]))
        elif kind == "change" and uri in uris:
            line = draw.randrange(8)
            some = replacement(line, 0, line + draw.randrange(2), 0, draw.choice(("", "bogus;\n", "ret;\n", "{")))
            messages.append(changed(uri, versions[uri], *draw.choice(([some], [{"text": NEWER}, some]))))
        elif kind == "close" and uri in uris:
            uris.discard(uri)
            messages.append(closed(uri))
        elif kind == "request":
            method = draw.choice(METHODS)
            area = {"range": {"start": position(0, 0), "end": position(9, 0)}} if method == "inlayHint" else {}
            messages.append(request(number, f"textDocument/{method}", **document, **area))
        elif kind == "settings":
            chosen = draw.choice(({"target": "sm_100"}, {"ignore": ["E1"]}, {"maxDiagnostics": 1}, {"x": 1}, None))
            messages.append(notification("workspace/didChangeConfiguration", settings={"ptx-lsp": chosen}))
        elif kind == "noise":
            messages.append(draw.choice((b"", b"[]", b"{", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":[]}')))
        elif kind == "unknown":
            some = opened(uri, "x;")
            some["params"]["textDocument"].pop(draw.choice(("uri", "languageId", "version", "text")))
            messages.append(draw.choice((some, notification("$/what"), notification("what"), request(number, "what"))))
    return messages


@pytest.mark.logs_errors
@pytest.mark.parametrize("seed", range(12))
def test_random_sessions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    options = draw.choice((None, {"ignore": ["E502"]}, {"wrong": 1}))
    params = {**draw.choice((NOTHING, NOTHING, ASKED, PULLING)), "initializationOptions": options}
    messages = random_session(draw)
    whole = play(params, messages)
    for _ in range(3):
        if draw.random() < 0.3:
            monkeypatch.setattr(first_findings, "LONGEST", draw.choice((0.0, 0.001, 0.01)))
            monkeypatch.setattr(first_findings, "_SLICE", 0.0)
        steps = sorted(draw.sample(range(len(messages) + 1), min(3, len(messages))))
        assert_equal(play(params, messages, steps), whole)
