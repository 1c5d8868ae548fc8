"""What the server does before pygls is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from pygls.uris import to_fs_path

from ptx_lsp.server.client.file_uris import path_of_file

from .conftest import URI, RawClient, kernel
from .sessions import Heard, notification, opened

EARLY = """\
import json, sys
from io import BytesIO
from time import sleep

from ptx_lsp.server.startup.boot import answer_initialize
from ptx_lsp.server.transport.incoming import Incoming

source, sink = sys.stdin.buffer, sys.stdout.buffer
params = answer_initialize(source, sink)["params"]
incoming = Incoming(source)
incoming.start()
from ptx_lsp.server.startup.first_findings import FirstFindings
while len(incoming.waiting(0)) < 2:
    sleep(0.001)
FirstFindings(params, incoming, sink.write).work()
sink.flush()
print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


def test_pygls_is_not_needed() -> None:
    """The findings are published although pygls and its libraries are not imported."""
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    messages = [initialize, notification("initialized"), opened(URI, kernel("bogus;"))]
    bodies = [json.dumps(message).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    found = subprocess.run([sys.executable, "-c", EARLY], input=sent, capture_output=True, check=True, timeout=60)
    assert [one["code"] for one in Heard.of(found.stdout).findings[URI]["diagnostics"]] == ["E301"]
    imported = set(found.stderr.decode().split())
    assert "ptx_lsp" in imported
    assert not imported & {"pygls", "lsprotocol", "cattrs", "attr", "attrs", "asyncio"}


@pytest.mark.starts_process
def test_a_process_hands_over(raw: RawClient) -> None:
    """One message after the other arrives while a server starts; it answers each in its order."""
    raw.initialize()
    raw.open(kernel("bogus;"))
    raw.request(50, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert [one["code"] for one in raw.published(1)] == ["E301"]
    raw.open(kernel("bogus;", "bogus;"), uri=f"{URI}.ptx")
    raw.change(2, {"text": kernel("ret;")})
    assert raw.wait(lambda message: message.get("id") == 50)["result"]
    assert raw.published(2) == []
    assert raw.leave() == 0


@pytest.mark.starts_process
def test_a_client_that_leaves_at_once(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    raw.request(50, "shutdown")
    raw.notify("exit")
    assert raw.process.wait(30) == 0


@pytest.mark.parametrize(
    "uri",
    [
        "file:///home/me/a.ptx",
        "file:///home/me/a%20b%C3%A9.ptx",
        "file:///home/me/a b\u00e9.ptx",
        "file:///home/me/a.ptx?x#y",
        "file:///home/me/a%23%3F.ptx#y",
        "file:///C%3A/me/a.ptx",
        "file:///C:/me/a.ptx",
        "file://host/share/a.ptx",
        "file:/home/me/a.ptx",
        "file:",
        "file://",
        "untitled:Untitled-1",
        "",
    ],
)
def test_paths_are_those_of_pygls(uri: str) -> None:
    expected = to_fs_path(uri)
    assert path_of_file(uri, is_windows=False) == (expected and expected.replace(os.sep, "/"))
