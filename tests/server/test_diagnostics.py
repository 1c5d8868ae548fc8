"""Findings as clients get them: pushed, fetched, capped, with links and related places."""

from __future__ import annotations

from .conftest import URI, RawClient, insertion, kernel

PULL = {"textDocument": {"diagnostic": {}}}


def test_a_finding_has_code_link_and_source(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    (found,) = raw.published(1)
    assert (found["code"], found["source"], found["severity"]) == ("E301", "ptx-lsp", 1)
    assert found["codeDescription"]["href"].startswith("https://docs.nvidia.com/")
    assert found["range"] == {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 5}}


def test_a_declaration_is_a_related_place(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("add.s64 %rd1, %rd2, %r3;"))
    (found,) = raw.published(1)
    (place,) = found["relatedInformation"]
    assert place["location"]["uri"] == URI
    assert place["location"]["range"]["start"]["line"] == 5
    assert "line 6" in found["message"], "editors that show no related places must say it too"


def test_each_use_of_an_undeclared_name_is_marked(raw: RawClient) -> None:
    """One finding, which is counted once, and a mark at each place."""
    literal = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    raw.initialize(capabilities={"textDocument": {"codeAction": literal}})
    raw.open(kernel("mov.u32 %r1, %cuont;", "add.u32 %r1, %r1, %cuont;"))
    first, second = (one for one in raw.published(1) if one["code"] == "E201")
    assert [one["range"]["start"]["line"] for one in (first, second)] == [6, 7]
    assert first["message"] == second["message"] == "'%cuont' is not declared"
    (place,) = second["relatedInformation"]
    assert place["location"]["range"] == first["range"]
    status = raw.ask("workspace/executeCommand", {"command": "ptx-lsp.status", "arguments": [URI]})["result"]
    assert status["document"]["findings"]["error"] == 1
    context = {"diagnostics": [second], "only": ["quickfix"]}
    params = {"textDocument": {"uri": URI}, "range": second["range"], "context": context}
    assert any("declare" in one["title"] for one in raw.ask("textDocument/codeAction", params)["result"])


def test_a_long_list_is_cut_and_says_so(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"maxDiagnostics": 10})
    raw.open(kernel(*["bogus;"] * 50))
    found = raw.published(1)
    assert len(found) == 11
    assert found[-1]["message"].startswith("not shown: 40 errors; the first one is here")


def test_an_error_is_shown_however_many_hints_come_before_it(raw: RawClient) -> None:
    hint = "mov.b32 %r1, %r1;"
    raw.initialize()
    raw.open(kernel(*[hint] * 3_001, "bogus;"))
    for _ in range(5):  # the last findings come when all statements are examined
        found = raw.published(1)
        if found[-2]["code"] == "E301":
            break
    assert [one["code"] for one in found if one["severity"] == 1] == ["E301"]
    assert "hints" in found[-1]["message"]


def test_pulled_findings_are_those_that_are_pushed(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    pushed = raw.published(1)
    pulled = raw.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})["result"]
    assert (pulled["kind"], pulled["items"]) == ("full", pushed)
    again = {"textDocument": {"uri": URI}, "previousResultId": pulled["resultId"]}
    assert raw.ask("textDocument/diagnostic", again)["result"] == {"kind": "unchanged", "resultId": pulled["resultId"]}
    raw.change(2, insertion(6, 0, "\n"))
    assert raw.ask("textDocument/diagnostic", again)["result"]["kind"] == "full"


def test_a_client_that_can_only_pull_is_not_pushed_to(raw: RawClient) -> None:
    result = raw.initialize(capabilities=PULL)
    assert result["capabilities"]["diagnosticProvider"]["interFileDependencies"] is False
    raw.open(kernel("bogus;"))
    answer = raw.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert answer["result"]["items"]


def test_a_client_that_can_do_both_gets_each_finding_once(raw: RawClient) -> None:
    both = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}
    assert "diagnosticProvider" not in raw.initialize(capabilities=both)["capabilities"]
    raw.open(kernel("bogus;"))
    assert raw.published(1)


def test_a_client_that_can_do_both_may_choose_to_pull(raw: RawClient) -> None:
    both = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}
    result = raw.initialize(capabilities=both, initializationOptions={"pullDiagnostics": True})
    assert "diagnosticProvider" in result["capabilities"]


def test_of_a_binary_file_one_thing_is_said_until_it_is_text(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;") + "\x7f\0bogus; é\0" * 100)
    (found,) = raw.published(1)
    assert (found["code"], found["message"]) == ("E108", "this is a binary file, not PTX text")
    start = {"line": kernel("bogus;").count("\n"), "character": 1}
    assert found["range"] == {"start": start, "end": {**start, "character": 2}}
    assert raw.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 6, "character": 1}})
    raw.change(2, {"text": kernel("bogus;")})
    assert [one["code"] for one in raw.published(2)] == ["E301"]
