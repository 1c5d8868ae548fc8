"""Start of the server: answer ``initialize`` at once, import everything else afterwards.

Importing the protocol's types takes 0.3 s, and the response needs none of them. So
the first messages are parsed here, without pygls; after the response to
``initialize`` the checks are imported, then the rest. In between, the findings of documents
that are open already are published (see ``first_findings``). At last ``initialize`` is replayed to pygls (see
``loop``), whose response is dropped, and the other messages are handled.

Imports at the top of this module delay the response: keep them few.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from ptx_lsp.server.capabilities import initialize_result
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body
from ptx_lsp.server.transport.incoming import Incoming
from ptx_lsp.server.transport.outgoing import Outgoing, Sink

if TYPE_CHECKING:
    from ptx_lsp.server.first_work import FirstWork

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
SERVER_NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803

MAX_FIRST_BODY = 1 << 26
"""Bytes of ``initialize``, which a client that is not known yet may send."""

_THE_REST = (
    "asyncio",
    "cattrs",
    "lsprotocol.types",
    "pygls.lsp.server",
    "ptx_lsp.server.handlers",
    "ptx_lsp.server.startup.loop",
)
"""The modules that only the full server needs: libraries, those that others import first, then the server itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server with command line ``arguments``; the exit status of the process.

    0 after ``shutdown`` and ``exit``, 1 if the client disconnects without them.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    if "--tcp" in arguments or not set(arguments) <= {"--stdio"}:
        from ptx_lsp.server.startup.tcp import parse, serve_once

        address = parse(arguments)
        if address is not None:
            return serve_once(address, serve)
    return serve_stdio()


def serve_stdio() -> int:
    """Serve the client on standard input and output.

    The streams are duplicated, and ``print`` is redirected to standard error, so
    that no other output corrupts the messages. With its own file object a thread
    that still waits for input does not keep the process from exiting.
    """
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb", buffering=0)
    sys.stdout = sys.stderr
    try:
        return serve(source, sink, is_child=True)
    finally:
        with contextlib.suppress(OSError):
            sink.close()


def serve(
    source: BinaryIO,
    sink: BinaryIO,
    *,
    is_child: bool = False,
    authorize: Callable[[object], str | None] | None = None,
) -> int:
    """Serve one client; the exit status that the protocol specifies.

    Args:
        source: the stream of its messages.
        sink: the stream of the server's messages.
        is_child: whether to exit with the process that ``initialize`` names. A client on a socket may run on another
            machine; for it the end of the connection suffices.
        authorize: why a client with these parameters of ``initialize`` is refused; None if it is served.

    """
    output = Outgoing(sink, source)
    gc.disable()  # until everything is imported: saves a tenth of the startup time
    try:
        initialize = answer_initialize(source, output, authorize)
    except (OSError, BrokenStreamError) as error:
        print(f"ptx-lsp: {error}", file=sys.stderr)
        return 1
    if initialize is None:
        return 1
    incoming = Incoming(source)
    incoming.start()
    if is_child:
        from ptx_lsp.server.startup.parent import exit_with

        exit_with(lookup(initialize, "params", "processId"), incoming.end)
    try:
        first = import_the_rest(initialize.get("params"), incoming, output)
    except OSError as error:
        print(f"ptx-lsp: {error}", file=sys.stderr)
        return 1
    from ptx_lsp.server.startup.loop import run

    return run(initialize, first, incoming, output)


def import_the_rest(params: object, incoming: Incoming, sink: Sink) -> FirstWork:
    """Import the full server, and publish in between what can be published without it."""

    def write(data: bytes) -> None:
        sink.write(data)
        sink.flush()

    from ptx_lsp.server.startup.first_findings import FirstFindings

    first = FirstFindings(params, incoming, write)
    first.work()
    for module in _THE_REST:
        import_module(module)
        first.work()
    return first.done


def answer_initialize(
    source: BinaryIO, sink: Sink, authorize: Callable[[object], str | None] | None = None
) -> dict[str, Any] | None:
    """Read up to ``initialize``, answer and return it; None if the client disconnects first or is refused.

    Any other request is refused, as the protocol requires; a notification is dropped.
    """
    while (body := read_body(source, MAX_FIRST_BODY)) is not None:
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            _refuse(sink, None, PARSE_ERROR, f"not JSON: {error}")
            continue
        if not isinstance(message, dict):
            _refuse(sink, None, INVALID_REQUEST, "a message is a JSON object")
            continue
        method, is_request = message.get("method"), "id" in message
        if method == "exit":
            return None
        if method == "initialize" and is_request:
            reason = authorize(message.get("params")) if authorize is not None else None
            if reason is not None:
                _refuse(sink, message["id"], REQUEST_FAILED, reason)
                return None
            result = initialize_result(message.get("params"))
            sink.write(encode({"jsonrpc": "2.0", "id": message["id"], "result": result}))
            sink.flush()
            return message
        if is_request and method is not None:
            _refuse(sink, message["id"], SERVER_NOT_INITIALIZED, "the first request must be 'initialize'")
    return None


def _refuse(sink: Sink, request: object, code: int, reason: str) -> None:
    sink.write(encode({"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": reason}}))
    sink.flush()


if __name__ == "__main__":
    sys.exit(main())
