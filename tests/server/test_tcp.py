"""The server on a socket."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys

import pytest

from ptx_lsp.server.startup.tcp import SocketAddress, parse


def test_a_client_on_a_socket_is_served_and_the_process_ends_with_it() -> None:
    command = [sys.executable, "-m", "ptx_lsp.server.startup.boot", "--tcp", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        listening = re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert listening is not None
        connection = socket.create_connection(("127.0.0.1", int(listening[1])), 10)
        with connection, connection.makefile("rwb") as stream:
            for message in (
                {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
                {"id": 2, "method": "shutdown"},
                {"method": "exit"},
            ):
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            stream.flush()
            answers = stream.read()
        assert process.wait(10) == 0
    assert b'"serverInfo"' in answers
    assert b'"id":2' in answers.replace(b" ", b"")


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
