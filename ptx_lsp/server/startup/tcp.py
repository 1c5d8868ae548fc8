"""The server on a socket, for editors that attach to a running process and for debugging."""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import BinaryIO, Protocol, cast

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.startup.authorization import VARIABLE, Authorization, is_of_this_user, token_for
from ptx_lsp.value_text import truncated

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 2087
_LAST_PORT = 65535
_BEGIN = b"content-"
"""The beginning of the first header of a client, in lower case; the request of a browser begins with its method."""
_MOST_SILENT = 16
"""The number of connections without data that are kept; the oldest ones are closed first."""


class SocketAddress(NamedTuple):
    """Host and port to listen on."""

    host: str
    port: int


def parse(arguments: Sequence[str]) -> SocketAddress | None:
    """The address to listen on, or None for standard input and output.

    Options that client libraries of editors add, such as ``--clientProcessId=1``,
    are ignored. Exits with status 2 if the port is no number or the host is empty.
    """
    parser = argparse.ArgumentParser(prog="ptx-lsp", description="the language server for NVIDIA PTX")
    parser.add_argument("--stdio", action="store_true", help="communicate over standard input and output (the default)")
    parser.add_argument("--tcp", action="store_true", help="wait for one client on a socket")
    parser.add_argument(
        "--host",
        type=_host,
        default=LOOPBACK,
        help=f"address to listen on (default {LOOPBACK}, this machine only); 0.0.0.0 listens on all addresses",
    )
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help="0 selects a free one and prints it")
    found, _ = parser.parse_known_args(arguments)
    return SocketAddress(found.host, found.port) if found.tcp else None


def _host(word: str) -> str:
    """A host; an empty one would listen on all addresses, for example if a variable of a script has no value."""
    if not word.strip():
        raise argparse.ArgumentTypeError("must not be empty; 0.0.0.0 listens on all addresses")
    return word


def _port(word: str) -> int:
    if not word.isdecimal() or len(word) > 5 or int(word) > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_LAST_PORT}, not '{truncated(word)}'")
    return int(word)


class Serve(Protocol):
    """Serves one client, see ``boot.serve``."""

    def __call__(
        self, source: BinaryIO, sink: BinaryIO, *, authorize: Callable[[object], str | None] | None = None
    ) -> int:
        """Serve a client; the exit status."""


def serve_once(address: SocketAddress, serve: Serve) -> int:
    """Wait for one client and serve it; the exit status. Prints the address to standard error.

    Connections that do not begin as a client does are closed, as are those of other users that do not have the token;
    then the server waits for another one.
    """
    try:
        listener = socket.create_server(address)
    except OSError as error:
        print(f"ptx-lsp: cannot listen on {address.host}:{address.port}: {error}", file=sys.stderr)
        return 2
    token = token_for(address.host)
    with listener:
        host, port = listener.getsockname()[:2]
        _report(f"listening on {host}:{port}")
        if token is not None and VARIABLE not in os.environ:
            _report(f'the client must send "initializationOptions": {{"token": "{token}"}}')
        while True:
            connection = _first_client(listener)
            if is_of_this_user(connection):
                listener.close()
                return _served(connection, serve)
            if token is None:
                _report("a connection of another user was closed")
                connection.close()
                continue
            authorization = Authorization(connection, token, listener.close)
            status = _served(connection, partial(serve, authorize=authorization.reason_to_refuse))
            authorization.end()
            if authorization.is_granted:
                return status
            _report("a connection without the token was closed")


def _served(connection: socket.socket, serve: Callable[[BinaryIO, BinaryIO], int]) -> int:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as source, connection.makefile("wb", buffering=0) as sink:
        try:
            return serve(source, cast("BinaryIO", sink))
        finally:
            with contextlib.suppress(OSError):  # unblocks the thread that waits for input
                connection.shutdown(socket.SHUT_RDWR)


def _first_client(listener: socket.socket) -> socket.socket:
    """The first connection that begins with the header of a message; all others are closed.

    A port scanner connects and sends nothing. A web page can send a request with any body to a port of this machine,
    and the lines before that body must not be skipped as those of a wrapper script on standard input are.
    """
    silent: list[socket.socket] = []
    while True:
        for ready in select.select([listener, *silent], [], [])[0]:
            if ready is listener:
                silent.append(listener.accept()[0])
                if len(silent) > _MOST_SILENT:
                    silent.pop(0).close()
                break
            silent.remove(ready)
            if _is_client(ready):
                for other in silent:
                    other.close()
                return ready
            ready.close()


def _is_client(connection: socket.socket) -> bool:
    """Whether the data that have arrived begin as the first header of a message does."""
    try:
        begin = connection.recv(len(_BEGIN), socket.MSG_PEEK)
    except OSError:
        return False
    if begin and not _BEGIN.startswith(begin.lower()):
        _report("a connection that does not use the protocol was closed")
    return bool(begin) and _BEGIN.startswith(begin.lower())


def _report(message: str) -> None:
    print(f"ptx-lsp: {message}", file=sys.stderr, flush=True)
