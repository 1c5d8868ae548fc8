"""Authorization of clients on a socket: the user who started the server, on this machine, and whoever has the token."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from ptx_lsp.server.client.lookup import lookup

VARIABLE = "PTX_LSP_TOKEN"
"""The variable of the environment that has the token."""
PATIENCE = 20.0
"""Seconds in which a client must send the token."""
_TABLE = "/proc/net/tcp"
_ESTABLISHED = "01"


class Authorization:
    """One connection that needs the token.

    Args:
        connection: the connection; it is closed if the token does not arrive in time.
        token: the expected token.
        granted: called when the token has arrived.

    """

    def __init__(self, connection: socket.socket, token: str, granted: Callable[[], object]) -> None:
        self.is_granted = False
        self._token = token
        self._granted = granted
        self._timer = threading.Timer(PATIENCE, _shut_down, (connection,))
        self._timer.daemon = True
        self._timer.start()

    def reason_to_refuse(self, params: object) -> str | None:
        """Why a client with these parameters of ``initialize`` is refused; None if it has the token."""
        import hmac

        found = lookup(params, "initializationOptions", "token")
        self._timer.cancel()
        if not isinstance(found, str) or not hmac.compare_digest(_bytes(found), _bytes(self._token)):
            return "the server requires its token in 'initializationOptions': {\"token\": …}"
        self.is_granted = True
        self._granted()
        return None

    def end(self) -> None:
        """Stop waiting for the token."""
        self._timer.cancel()


def token_for(host: str) -> str | None:
    """The token for clients that are not known to be of this user: that of the environment, or a new one.

    None if only clients of this user are served: on a loopback address where the user of a client can be found out.
    """
    token = os.environ.get(VARIABLE)
    if token:
        return token
    if _is_loopback(host) and os.path.exists(_TABLE):
        return None
    import secrets

    return secrets.token_urlsafe(24)


def is_of_this_user(connection: socket.socket, table: str = _TABLE) -> bool:
    """Whether the other end of a connection is on this machine and belongs to the user of this process.

    Linux lists the owners of all sockets in ``table``. Elsewhere the answer is always False.
    """
    try:
        (host, port), (own_host, own_port) = connection.getpeername()[:2], connection.getsockname()[:2]
        if not _is_loopback(host):
            return False
        wanted = [_in_table(host, port), _in_table(own_host, own_port), _ESTABLISHED]
        with open(table, encoding="ascii") as lines:
            for fields in map(str.split, lines):
                if fields[1:4] == wanted:
                    return int(fields[7]) == os.geteuid()
    except (OSError, ValueError, IndexError, AttributeError):
        return False
    return False


def _in_table(host: str, port: int) -> str:
    """An IPv4 address as the table of Linux has it: the bytes of the address are one number of this machine."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _shut_down(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
