"""The server on a socket."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.server.startup import authorization
from ptx_lsp.server.startup.authorization import VARIABLE, Authorization, is_of_this_user, token_for
from ptx_lsp.server.startup.tcp import SocketAddress, parse


@pytest.fixture
def listening() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server that waits for a client, and its port."""
    command = [sys.executable, "-m", "ptx_lsp.server.startup.boot", "--tcp", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert found is not None
        yield process, int(found[1])
        process.kill()


def framed(*messages: dict[str, object]) -> bytes:
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}


def said(port: int, data: bytes) -> bytes:
    """What the server answers to ``data`` until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection, connection.makefile("rwb") as stream:
        try:
            stream.write(data)
            stream.flush()
            return stream.read()
        except ConnectionError:  # closed with data that were not read
            return b""


def check_session(process: subprocess.Popen[str], port: int) -> None:
    """Fail unless a client is served, and the process ends with it."""
    answers = said(port, framed(INITIALIZE, {"id": 2, "method": "shutdown"}, {"method": "exit"}))
    assert process.wait(10) == 0
    assert b'"serverInfo"' in answers
    assert b'"id":2' in answers.replace(b" ", b"")


def test_a_client_on_a_socket_is_served_and_the_process_ends_with_it(
    listening: tuple[subprocess.Popen[str], int],
) -> None:
    check_session(*listening)


def test_the_request_of_a_web_page_is_not_answered(listening: tuple[subprocess.Popen[str], int]) -> None:
    process, port = listening
    body = framed(INITIALIZE)
    assert said(port, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)) == b""
    check_session(process, port)


def test_connections_without_data_do_not_end_the_server(listening: tuple[subprocess.Popen[str], int]) -> None:
    process, port = listening
    socket.create_connection(("127.0.0.1", port), 10).close()
    with socket.create_connection(("127.0.0.1", port), 10):
        check_session(process, port)


@pytest.mark.parametrize(
    ("arguments", "address"),
    [
        ([], None),
        (["--stdio"], None),
        (["--stdio", "--clientProcessId=12"], None),
        (["--tcp"], SocketAddress("127.0.0.1", 2087)),
        (["--tcp", "--host", "0.0.0.0", "--port", "99"], SocketAddress("0.0.0.0", 99)),
    ],
)
def test_arguments(arguments: list[str], address: SocketAddress | None) -> None:
    assert parse(arguments) == address


@pytest.mark.parametrize("port", ["65536", "-1", "many", pytest.param("9" * 5000, id="huge")])
def test_a_port_that_is_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse(["--tcp", f"--port={port}"])
    assert end.value.code == 2
    assert f"must be a number from 0 to 65535, not '{port[:60]}" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", " "])
def test_an_empty_host_does_not_mean_all_addresses(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse(["--tcp", "--host", host])
    assert end.value.code == 2
    assert "must not be empty; 0.0.0.0 listens on all addresses" in capsys.readouterr().err


# ---- other users and other machines


def with_token(token: object) -> bytes:
    options = {"capabilities": {}, "initializationOptions": {"token": token}}
    return framed(
        {"id": 1, "method": "initialize", "params": options}, {"id": 2, "method": "shutdown"}, {"method": "exit"}
    )


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server that takes all clients for those of another user and has the token ``secret``."""
    script = (
        "import sys; from ptx_lsp.server.startup import boot, tcp;"
        "tcp.is_of_this_user = lambda connection: False; sys.exit(boot.main(['--tcp', '--port', '0']))"
    )
    monkeypatch.setenv(VARIABLE, "secret")
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert found is not None
        yield process, int(found[1])
        process.kill()


@pytest.mark.parametrize("token", [None, "", "wrong", "secret2", 5, "\ud800"])
def test_a_client_of_another_user_needs_the_token(foreign: tuple[subprocess.Popen[str], int], token: object) -> None:
    process, port = foreign
    answers = said(port, with_token(token))
    assert b"requires its token" in answers
    assert b"serverInfo" not in answers
    assert b"serverInfo" in said(port, with_token("secret")), "and the next client is served"
    assert process.wait(10) == 0


def test_a_client_without_a_message_does_not_keep_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authorization, "PATIENCE", 0.05)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Authorization(ours, "secret", lambda: pytest.fail("it was granted"))
        assert theirs.recv(1) == b"", "the connection is closed"


def test_a_socket_of_another_user_is_told_by_its_owner(tmp_path: Path) -> None:
    if not os.path.exists("/proc/net/tcp"):
        pytest.skip("owners of sockets are listed by Linux")
    table = tmp_path / "tcp"
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, socket.create_connection(listener.getsockname()) as client:
        connection, _ = listener.accept()
        with connection:
            assert is_of_this_user(connection)
            lines = Path("/proc/net/tcp").read_text().splitlines()
            ours = f":{client.getsockname()[1]:04X}"
            fields = next(line.split() for line in lines if line.split()[1].endswith(ours))
            fields[7] = str(os.geteuid() + 1)
            table.write_text(" ".join(fields))
            assert not is_of_this_user(connection, str(table))
            assert not is_of_this_user(connection, str(tmp_path / "missing"))


def test_a_token_is_made_where_other_machines_can_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    first, second = token_for("0.0.0.0"), token_for("0.0.0.0")
    assert first is not None
    assert first != second
    assert len(first) >= 32
    monkeypatch.setenv(VARIABLE, "chosen")
    assert token_for("0.0.0.0") == "chosen"
