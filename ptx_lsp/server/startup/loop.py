"""The running server: a thread reads messages ahead, one event loop handles them in order.

All Python work is done on the event loop, so there is nothing to lock. The reading
thread hands over whole messages; at most :data:`READ_AHEAD` wait at a time.
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
from ptx_lsp.server.startup.parent import end_with
from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body

READ_AHEAD = 64
"""Messages that may wait in memory; more of them stay in the pipe."""

_SWITCH = 0.0005
"""Seconds after which the reading thread has its turn while other work goes on: a message takes several turns."""

log = logging.getLogger(__name__)


def run(initialize: dict[str, Any], source: BinaryIO, sink: BinaryIO, *, is_child: bool = False) -> int:
    """Serve a client whose ``initialize`` is answered already; the exit status.

    Args:
        initialize: that message.
        source: where its messages come from.
        sink: where ours go to.
        is_child: whether to end with the process that ``initialize`` names. Without it, on a socket, the client may
            run on another machine, and the end of the connection says enough.

    """
    server = build(initialize)
    server.protocol.set_writer(_Sink(sink, server))
    _log_to(server)
    sys.setswitchinterval(_SWITCH)
    gc.freeze()  # what is imported stays: no collection need look at it again
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
            log.exception("a message could not be handled; the server goes on")

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
        except RuntimeError:  # the loop is closed: the server has ended
            return
        try:
            on_loop(ended)
        except RuntimeError:
            return

    stopped = asyncio.ensure_future(server.run_until_stopped())
    await asyncio.sleep(0)
    end_with(parent, partial(on_loop, ended))
    threading.Thread(target=read_ahead, name="reader", daemon=True).start()
    return await stopped


class _Sink:
    """The way to the client. When it is gone, the server ends."""

    def __init__(self, stream: BinaryIO, server: Server) -> None:
        self._stream = stream
        self._server = server

    def write(self, data: bytes) -> None:
        """Send ``data`` at once."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            self._server.stop(1)

    def close(self) -> None:
        """The stream belongs to the caller of :func:`run`."""


class _ClientLog(logging.Handler):
    """Shows warnings and errors in the editor's log."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__(logging.WARNING)
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Send one ``window/logMessage``."""
        kind = 1 if record.levelno >= logging.ERROR else 2  # MessageType.Error, .Warning
        params = {"type": kind, "message": self.format(record)}
        self._write(encode({"jsonrpc": "2.0", "method": "window/logMessage", "params": params}))


def _log_to(server: Server) -> None:
    """Send what is logged to standard error and to the client."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ptx-lsp: %(levelname)s: %(message)s")
    logging.getLogger().addHandler(_ClientLog(server.protocol.write))
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_says_more_than_we)


def _says_more_than_we(record: logging.LogRecord) -> bool:
    """False for pygls's page-long reports of what is told elsewhere.

    A message that makes no sense is logged in one line by ``Protocol.receive``, a refusal is an answer.
    """
    error = record.exc_info[1] if record.exc_info else None
    return "Unable to deserialize" not in str(record.msg) and not isinstance(error, JsonRpcException)
