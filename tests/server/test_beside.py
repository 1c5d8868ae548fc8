"""``ptx-lsp beside -- SERVER``: one server for the editor, of which this one answers within templates."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import RawClient, child, replacement

OTHER = """
import json, sys
from ptx_lsp.server.transport.framing import encode, read_body

def send(**message):
    sys.stdout.buffer.write(encode({"jsonrpc": "2.0", **message}))
    sys.stdout.buffer.flush()

while (body := read_body(sys.stdin.buffer)) is not None:
    message = json.loads(body)
    method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "exit" or method == "workspace/symbol":
        break
    if method == "initialized":
        registered = {"registrations": [{"id": "7", "method": "workspace/x"}]}
        send(id="r", method="client/registerCapability", params=registered)
        send(method="$/progress", params={"token": "index", "value": {"kind": "begin", "title": "indexing"}})
    if method == "textDocument/didOpen":
        uri = params["textDocument"]["uri"]
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        text = params["textDocument"]["text"].splitlines()[0]
        found = [{"range": place, "message": "of the other: " + text, "severity": 2}]
        send(method="textDocument/publishDiagnostics", params={"uri": uri, "diagnostics": found})
    if number is None:
        continue
    results = {
        "initialize": {"capabilities": {"hoverProvider": True, "documentFormattingProvider": True,
                                        "completionProvider": {"triggerCharacters": [">"]}}},
        "textDocument/hover": {"contents": "of the other"},
        "textDocument/formatting": [],
    }
    send(id=number, result=results.get(method))
"""
URI = "file:///home/me/kernel.cu"
THEIRS = "of the other: __device__ void f(int &a) {"
CUDA = '__device__ void f(int &a) {\n  asm("add.s3 %0, %0, 1;" : "+r"(a));\n}\n'


@pytest.fixture
def both(tmp_path: Path) -> Iterator[RawClient]:
    """An editor whose server is this one beside another."""
    other = tmp_path / "other.py"
    other.write_text(OTHER)
    client = RawClient([sys.executable, "-m", "ptx_lsp", "beside", "--", sys.executable, str(other)])
    yield client
    client.end()


def hover(both: RawClient, line: int, character: int) -> Any:
    position = {"line": line, "character": character}
    answer = both.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": position})["result"]
    return answer["contents"] if answer else answer


def published(both: RawClient) -> list[str]:
    """The messages of the next findings."""
    message = both.wait(lambda found: found.get("method") == "textDocument/publishDiagnostics")
    return [one["message"] for one in message["params"]["diagnostics"]]


def wait_for_findings(both: RawClient, *wanted: str) -> None:
    """Wait until the findings are those with these words in their messages."""
    while len(found := published(both)) != len(wanted) or not all(any(one in two for two in found) for one in wanted):
        pass


def test_capabilities_are_those_of_both(both: RawClient) -> None:
    found = both.initialize()["capabilities"]
    assert found["documentFormattingProvider"] is True
    assert {">", "."} <= set(found["completionProvider"]["triggerCharacters"])
    assert "semanticTokensProvider" not in found


def test_answers_within_templates_and_those_of_the_other_server(both: RawClient) -> None:
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    assert "add" in hover(both, 1, 8)["value"]
    assert hover(both, 0, 3) == "of the other"
    assert both.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}})["result"] == []
    assert both.leave() == 0


def test_findings_are_joined(both: RawClient) -> None:
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    first, second = published(both), published(both)
    assert len(first) == 1
    assert len(second) == 2
    assert THEIRS in second


def end_other(both: RawClient) -> None:
    """Have the other server exit; the request on which it does is answered."""
    both.request(77, "workspace/symbol", {"query": ""})
    assert both.wait(lambda found: found.get("id") == 77)["result"] is None


def said(both: RawClient) -> str:
    """The next message to the user."""
    return both.wait(lambda found: found.get("method") == "window/showMessage")["params"]["message"]


def test_a_server_that_has_ended_is_started_again(both: RawClient) -> None:
    """It gets the present texts; meanwhile its findings are gone, and those of this server remain."""
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    wait_for_findings(both, THEIRS, ".s3")
    both.change(2, replacement(0, 16, 0, 17, "😀g"), uri=URI)
    both.change(3, replacement(0, 18, 0, 19, "h"), uri=URI)
    end_other(both)
    wait_for_findings(both, ".s3")
    assert "is started again" in said(both)
    wait_for_findings(both, ".s3", THEIRS.replace(" f(", " 😀h("))
    assert hover(both, 0, 3) == "of the other"
    assert "add" in hover(both, 1, 8)["value"]


def test_a_document_that_was_closed_is_not_opened_again(both: RawClient) -> None:
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    both.open("void g();", uri=f"{URI}h", language="cuda-cpp")
    both.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    end_other(both)
    message = both.wait(lambda found: "void g" in str(found.get("params")))
    assert message["params"]["uri"] == f"{URI}h"
    assert hover(both, 0, 3) == "of the other"


def test_registrations_and_progress_of_a_server_that_has_ended(both: RawClient) -> None:
    """Both end: the new process announces its own."""
    both.initialize()
    both.wait(lambda found: found.get("method") == "$/progress")
    end_other(both)
    ended = both.wait(lambda found: found.get("method") == "$/progress")
    assert ended["params"] == {"token": "index", "value": {"kind": "end"}}
    gone = both.wait(lambda found: found.get("method") == "client/unregisterCapability")
    assert gone["params"] == {"unregisterations": [{"id": "7", "method": "workspace/x"}]}
    assert "id" in gone
    both.answer(gone, None)
    both.wait(lambda found: found.get("method") == "client/registerCapability")


def test_a_server_that_ends_again_and_again(both: RawClient) -> None:
    """It is started again a few times; then its requests have no result, and templates are served as before."""
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    for _ in range(4):
        end_other(both)
        assert "is started again" in said(both)
        assert hover(both, 0, 3) == "of the other"
    end_other(both)
    assert said(both).endswith(" has ended too often and is not started again")
    assert hover(both, 0, 3) is None
    assert "add" in hover(both, 1, 8)["value"]
    assert both.leave() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="child processes are found in /proc")
def test_this_server_ends(both: RawClient) -> None:
    """It is started again too; the other one continues."""
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    wait_for_findings(both, THEIRS, ".s3")
    os.kill(child(both.process.pid, "ptx_lsp"), signal.SIGKILL)
    wait_for_findings(both, THEIRS)
    assert "is started again" in said(both)
    assert "add" in hover(both, 1, 8)["value"]
    assert hover(both, 0, 3) == "of the other"


def test_a_server_that_cannot_be_started(tmp_path: Path) -> None:
    client = RawClient([sys.executable, "-m", "ptx_lsp", "beside", "--", str(tmp_path / "missing")])
    assert client.process.wait(60) == 2
    client.end()
