"""The message loop: a thread reads messages ahead (see ``transport/incoming``), one event loop handles them in order.

All other work is done on the event loop, so no locks are needed.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException

from ptx_lsp.server.first_work import FirstWork
from ptx_lsp.server.handlers import register_all
from ptx_lsp.server.server import Server
from ptx_lsp.server.transport.framing import encode
from ptx_lsp.server.transport.incoming import Incoming
from ptx_lsp.server.transport.outgoing import Sink

log = logging.getLogger(__name__)

COLLECTIONS = 5_000, 8, 2_500
"""The thresholds of garbage collections. They come while someone types: one of 5,000 new objects takes as long as a
keystroke, one of 50,000 as ten. What survives is looked at again after 40,000, which takes 20 ms on a busy machine;
after 100,000 it took 50, after a million on an idle one 200."""


def run(initialize: dict[str, Any], first: FirstWork, incoming: Incoming, sink: Sink) -> int:
    """Serve a client whose ``initialize`` has been answered; the exit status.

    Args:
        initialize: that message.
        first: what was done for the client already.
        incoming: its messages after ``initialize``.
        sink: the stream of the server's messages.

    """
    server = build(initialize, first)
    server.protocol.set_writer(_ClientWriter(sink, server))
    _log_to(server)
    gc.freeze()  # imported modules stay: collections skip them
    gc.set_threshold(*COLLECTIONS)
    gc.enable()
    return asyncio.run(_serve(server, incoming))


def build(initialize: dict[str, Any], first: FirstWork | None = None) -> Server:
    """A server with all handlers, in the state after ``initialize``."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_not_reported_elsewhere)
    server = Server(initialize.get("params"), first)
    register_all(server)
    server.protocol.replay_initialize(initialize)
    return server


async def _serve(server: Server, incoming: Incoming) -> int:
    loop = asyncio.get_running_loop()

    def handle(body: bytes | None) -> None:
        if body is None:
            if incoming.problem is not None:
                log.error("the client's messages cannot be read any further: %s", incoming.problem)
            server.stop(0 if server.protocol.has_shut_down else 1)
            return
        incoming.handled()
        try:
            server.protocol.receive(body)
        except Exception:
            log.exception("a message could not be handled; the server continues")

    def deliver(body: bytes | None) -> None:
        loop.call_soon_threadsafe(handle, body)

    stopped = asyncio.ensure_future(server.run_until_stopped())
    await asyncio.sleep(0)
    incoming.connect(deliver)
    return await stopped


class _ClientWriter:
    """Writes to the client; stops the server if the stream is closed."""

    def __init__(self, stream: Sink, server: Server) -> None:
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
    if os.environ.get("PTX_LSP_LOG", "").lower() == "debug":
        logging.getLogger("ptx_lsp").setLevel(logging.DEBUG)


def _is_not_reported_elsewhere(record: logging.LogRecord) -> bool:
    """False for errors that pygls logs with a full traceback although they are reported elsewhere.

    ``ServerProtocol.receive`` logs an invalid message in one line; a ``JsonRpcException`` is the response to a request.
    """
    error = record.exc_info[1] if record.exc_info else None
    return "Unable to deserialize" not in str(record.msg) and not isinstance(error, JsonRpcException)
