"""The message loop: a thread reads messages ahead, one event loop handles them in order.

All other work is done on the event loop, so no locks are needed. The thread passes
on whole messages; at most :data:`READ_AHEAD` wait at a time.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

from pygls.exceptions import JsonRpcException

from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.handlers import register_all
from ptx_lsp.server.server import Server
from ptx_lsp.server.startup.parent import exit_with
from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body

READ_AHEAD = 64
"""Number of messages that may wait in memory; further ones stay in the pipe."""

_SWITCH = 0.0005
"""Interpreter switch interval in seconds: the reading thread needs several switches per message."""

log = logging.getLogger(__name__)


def run(initialize: dict[str, Any], source: BinaryIO, sink: BinaryIO, *, is_child: bool = False) -> int:
    """Serve a client whose ``initialize`` has been answered; the exit status.

    Args:
        initialize: that message.
        source: the stream of its messages.
        sink: the stream of the server's messages.
        is_child: whether to exit with the process that ``initialize`` names. A client on a socket may run on another
            machine; for it the end of the connection suffices.

    """
    server = build(initialize)
    server.protocol.set_writer(_ClientWriter(sink, server))
    _log_to(server)
    sys.setswitchinterval(_SWITCH)
    gc.freeze()  # imported modules stay: collections skip them
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    try:
        parent = lookup(initialize, "params", "processId") if is_child else None
        return asyncio.run(_serve(server, source, parent))
    except KeyboardInterrupt:
        return 1


def build(initialize: dict[str, Any]) -> Server:
    """A server with all handlers, in the state after ``initialize``."""
    server = Server(initialize.get("params"))
    register_all(server)
    server.protocol.replay_initialize(initialize)
    return server


async def _serve(server: Server, source: BinaryIO, parent: object) -> int:
    loop = asyncio.get_running_loop()
    slots = threading.Semaphore(READ_AHEAD)

    def handle(body: bytes) -> None:
        slots.release()
        try:
            server.protocol.receive(body)
        except Exception:
            log.exception("a message could not be handled; the server continues")

    def ended() -> None:
        server.stop(0 if server.protocol.has_shut_down else 1)

    def on_loop(action: Callable[..., None], *arguments: object) -> None:
        loop.call_soon_threadsafe(action, *arguments)

    def read_ahead() -> None:
        try:
            while (body := read_body(source)) is not None:
                slots.acquire()
                on_loop(handle, body)
        except (BrokenStreamError, OSError, ValueError) as error:
            log.error("the client's messages cannot be read any further: %s", error)
        except RuntimeError:  # the loop is closed: the server has stopped
            return
        try:
            on_loop(ended)
        except RuntimeError:
            return

    stopped = asyncio.ensure_future(server.run_until_stopped())
    await asyncio.sleep(0)
    exit_with(parent, partial(on_loop, ended))
    threading.Thread(target=read_ahead, name="reader", daemon=True).start()
    return await stopped


class _ClientWriter:
    """Writes to the client; stops the server if the stream is closed."""

    def __init__(self, stream: BinaryIO, server: Server) -> None:
        self._stream = stream
        self._server = server

    def write(self, data: bytes) -> None:
        """Send ``data`` without delay."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            self._server.stop(1)

    def close(self) -> None:
        """Do nothing: the stream belongs to the caller of :func:`run`."""


class _ClientLog(logging.Handler):
    """Sends warnings and errors to the editor's log."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__(logging.WARNING)
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Send one ``window/logMessage``."""
        kind = 1 if record.levelno >= logging.ERROR else 2  # MessageType.Error, .Warning
        params = {"type": kind, "message": self.format(record)}
        self._write(encode({"jsonrpc": "2.0", "method": "window/logMessage", "params": params}))


def _log_to(server: Server) -> None:
    """Send log records to standard error and to the client."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ptx-lsp: %(levelname)s: %(message)s")
    logging.getLogger().addHandler(_ClientLog(server.protocol.write))
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_not_reported_elsewhere)


def _is_not_reported_elsewhere(record: logging.LogRecord) -> bool:
    """False for errors that pygls logs with a full traceback although they are reported elsewhere.

    ``ServerProtocol.receive`` logs an invalid message in one line; a ``JsonRpcException`` is the response to a request.
    """
    error = record.exc_info[1] if record.exc_info else None
    return "Unable to deserialize" not in str(record.msg) and not isinstance(error, JsonRpcException)
