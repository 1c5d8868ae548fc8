"""The server on a socket, for editors that attach to a running process and for debugging."""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple

from ptx_lsp.value_text import truncated

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 2087
_LAST_PORT = 65535


class SocketAddress(NamedTuple):
    """Host and port to listen on."""

    host: str
    port: int


def parse(arguments: Sequence[str]) -> SocketAddress | None:
    """The address to listen on, or None for standard input and output.

    Options that client libraries of editors add, such as ``--clientProcessId=1``,
    are ignored. Exits with status 2 if the port is no number.
    """
    parser = argparse.ArgumentParser(prog="ptx-lsp", description="the language server for NVIDIA PTX")
    parser.add_argument("--stdio", action="store_true", help="communicate over standard input and output (the default)")
    parser.add_argument("--tcp", action="store_true", help="wait for one client on a socket")
    parser.add_argument(
        "--host", default=LOOPBACK, help=f"address to listen on (default {LOOPBACK}, this machine only)"
    )
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help="0 selects a free one and prints it")
    found, _ = parser.parse_known_args(arguments)
    return SocketAddress(found.host, found.port) if found.tcp else None


def _port(word: str) -> int:
    if not word.isdecimal() or len(word) > 5 or int(word) > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_LAST_PORT}, not '{truncated(word)}'")
    return int(word)


def serve_once(address: SocketAddress, serve: Callable[[BinaryIO, BinaryIO], int]) -> int:
    """Wait for one client and serve it; the exit status. Prints the address to standard error."""
    try:
        listener = socket.create_server(address)
    except OSError as error:
        print(f"ptx-lsp: cannot listen on {address.host}:{address.port}: {error}", file=sys.stderr)
        return 2
    with listener:
        host, port = listener.getsockname()[:2]
        print(f"ptx-lsp: listening on {host}:{port}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as source, connection.makefile("wb") as sink:
        try:
            return serve(source, sink)
        finally:
            with contextlib.suppress(OSError):  # unblocks the thread that waits for input
                connection.shutdown(socket.SHUT_RDWR)
