"""From ``initialize`` to ``exit``: order, answers to what is wrong, exit status."""

from __future__ import annotations

import json
import random
import subprocess
from time import sleep

import pytest

from ptx_lsp.server.transport.framing import encode
from ptx_lsp.server.transport.outgoing import PATIENCE as PATIENCE_OF_SERVER

from .conftest import COMMAND, Message, RawClient, kernel

pytestmark = pytest.mark.starts_process


def test_initialize_names_the_server_and_its_capabilities(raw: RawClient) -> None:
    result = raw.initialize()
    assert result["serverInfo"]["name"] == "ptx-lsp"
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    assert result["capabilities"]["textDocumentSync"] == {"openClose": True, "change": 2}
    assert raw.leave() == 0


def test_a_request_before_initialize_is_refused(raw: RawClient) -> None:
    assert raw.ask("textDocument/hover", {})["error"]["code"] == -32002
    raw.initialize()
    assert raw.leave() == 0


def test_a_second_initialize_is_refused(raw: RawClient) -> None:
    raw.initialize()
    assert raw.ask("initialize", {"capabilities": {}})["error"]["code"] == -32600


def test_after_shutdown_requests_are_refused(raw: RawClient) -> None:
    raw.initialize()
    raw.ask("shutdown")
    assert raw.ask("textDocument/hover", {})["error"]["code"] == -32600


def test_exit_without_shutdown_is_a_failure(raw: RawClient) -> None:
    raw.initialize()
    raw.notify("exit")
    assert raw.process.wait(10) == 1


def test_exit_before_initialize_is_a_failure(raw: RawClient) -> None:
    raw.notify("exit")
    assert raw.process.wait(10) == 1


@pytest.mark.parametrize("is_initialized", [False, True])
def test_the_server_ends_with_its_input(raw: RawClient, is_initialized: bool) -> None:
    if is_initialized:
        raw.initialize()
    assert raw.process.stdin is not None
    raw.process.stdin.close()
    assert raw.process.wait(10) == 1


def test_an_unknown_method_is_named(raw: RawClient) -> None:
    raw.initialize()
    error = raw.ask("textDocument/nonsense", {})["error"]
    assert (error["code"], "textDocument/nonsense" in error["message"]) == (-32601, True)


@pytest.mark.parametrize("params", [None, 5, [], {}, {"textDocument": 5}, {"textDocument": {"uri": None}}])
def test_parameters_that_make_no_sense_are_answered_with_an_error(raw: RawClient, params: object) -> None:
    raw.initialize()
    assert raw.ask("textDocument/hover", params)["error"]["code"] in (-32602, -32603)
    assert raw.leave() == 0


def check_no_error_output(capabilities: Message, *after_shutdown: Message) -> None:
    """Check that a session writes nothing to the error output."""
    messages: list[Message] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": capabilities}},
        {"id": 2, "method": "shutdown"},
        *after_shutdown,
        {"method": "exit"},
    ]
    sent = b"".join(encode({"jsonrpc": "2.0", **one}) for one in messages)
    ended = subprocess.run(COMMAND, input=sent, capture_output=True, timeout=60, check=True)
    assert ended.stderr == b""


def test_initialize_with_strange_parameters_is_no_traceback() -> None:
    check_no_error_output({"general": 3})


def test_a_response_that_crosses_the_shutdown_is_no_mistake() -> None:
    check_no_error_output({}, {"id": "a request of the server", "result": None})


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": None}, {"capabilities": {"general": 3}}])
def test_initialize_with_strange_parameters_still_works(raw: RawClient, params: object) -> None:
    assert "capabilities" in raw.ask("initialize", params)["result"]
    raw.notify("initialized", {})
    raw.open(kernel("bogus;"))
    assert raw.published(1)
    assert raw.leave() == 0


def test_garbage_leaves_the_server_alive(raw: RawClient) -> None:
    draw = random.Random(11)
    raw.initialize()
    for body in (b"", b"{", b"[]", b"5", b'"x"', b"null", b"\xff\xfe", b"[" * 3000, b'{"jsonrpc":"2.0"}'):
        raw.send_body(body)
    raw.send_bytes(b"stray text of a wrapper script\n\r\nContent-Length: many\r\n\r\n")
    methods = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest", "x"]
    values: list[object] = [None, 0, -1, 1.5, "", [], {}, True, {"uri": 1}, {"uri": "file:///x"}]
    for _ in range(200):
        params = {key: draw.choice(values) for key in draw.sample(["textDocument", "contentChanges", "id", "value"], 2)}
        raw.notify(draw.choice(methods), draw.choice([params, draw.choice(values)]))
    raw.send_body(json.dumps({"jsonrpc": "2.0", "id": 99, "result": {"unasked": True}}).encode())
    raw.open(kernel("bogus;"), uri="file:///after.ptx")
    assert raw.wait(lambda found: found.get("params", {}).get("uri") == "file:///after.ptx")["params"]["diagnostics"]
    assert raw.leave() == 0


@pytest.mark.parametrize("announced", [10, 70])
def test_a_wrong_length_does_not_lose_the_messages_after_it(raw: RawClient, announced: int) -> None:
    raw.initialize()
    body = json.dumps({"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "off"}}).encode()
    raw.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (announced, body + b"x" * 70_000))
    raw.open(kernel("bogus;"))
    assert raw.published(1)
    assert raw.leave() == 0


def test_a_client_that_closes_its_messages_and_does_not_read_is_given_up(raw: RawClient) -> None:
    raw.initialize()
    text = ".entry k() { bogus; }\n" * 500
    for number in range(20):
        raw.open(text, uri=f"file:///nowhere/{number}.ptx")
    assert raw.process.stdin is not None
    raw.process.stdin.close()
    assert raw.process.wait(40) == 1


def test_a_client_that_reads_late_gets_everything(raw: RawClient) -> None:
    raw.initialize()
    text = ".entry k() { bogus; }\n" * 500
    for number in range(20):
        raw.open(text, uri=f"file:///nowhere/{number}.ptx")
    sleep(PATIENCE_OF_SERVER + 1)
    assert raw.ask("shutdown")["result"] is None
    raw.notify("exit")
    assert raw.process.wait(10) == 0


def test_only_responses_are_sent_after_shutdown(raw: RawClient) -> None:
    raw.initialize()
    raw.ask("textDocument/hover", {})  # the whole server runs from now on
    raw.open(".entry k() { bogus; }\n" * 10000)
    assert raw.ask("shutdown")["result"] is None
    assert raw.ask("textDocument/hover", {})["error"]["code"] == -32600
    sleep(1)  # the findings would come now
    raw.notify("exit")
    assert raw.process.wait(10) == 0, "the server waits until somebody reads what it sends"
    assert raw.process.stdout is not None
    assert raw.process.stdout.read() == b""
