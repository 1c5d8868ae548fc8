"""Start of the server: answer ``initialize`` at once, load everything else afterwards.

Importing the protocol's types takes 0.3 s, answering takes none of them. So the
first messages are read by hand; when ``initialize`` has come and its answer is
on the way, the rest is imported and gets to see the same message once more (see
``loop``), with its answer thrown away.

Imports at the top of this module are paid before the answer: keep them few.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from ptx_lsp.server.capabilities import initialize_result
from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
SERVER_NOT_INITIALIZED = -32002


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server as the command line ``arguments`` say; the exit status of the process.

    0 after ``shutdown`` and ``exit``, 1 where the client went away without them.
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
    """Serve the client at the other end of standard input and output.

    Both are taken away from the rest of the program: what anything prints goes to
    standard error and cannot spoil the stream. The reader's own file object lets
    the process end while a thread still waits for input.
    """
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    try:
        return serve(source, sink, is_child=True)
    finally:
        with contextlib.suppress(OSError):
            sink.close()


def serve(source: BinaryIO, sink: BinaryIO, *, is_child: bool = False) -> int:
    """Serve one client, if ``is_child`` the parent of this process; the exit status that the protocol wants."""
    gc.disable()  # until everything is imported: a tenth of the start
    try:
        first = answer_initialize(source, sink)
    except (OSError, BrokenStreamError) as error:
        print(f"ptx-lsp: {error}", file=sys.stderr)
        return 1
    if first is None:
        return 1
    from ptx_lsp.server.startup.loop import run

    return run(first, source, sink, is_child=is_child)


def answer_initialize(source: BinaryIO, sink: BinaryIO) -> dict[str, Any] | None:
    """Read up to ``initialize`` and answer it; that message, or None if the client leaves before.

    Any other request is refused, as the protocol demands; a notification is dropped.
    """
    while (body := read_body(source)) is not None:
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
            result = initialize_result(message.get("params"))
            sink.write(encode({"jsonrpc": "2.0", "id": message["id"], "result": result}))
            sink.flush()
            return message
        if is_request and method is not None:
            _refuse(sink, message["id"], SERVER_NOT_INITIALIZED, "the first request must be 'initialize'")
    return None


def _refuse(sink: BinaryIO, request: object, code: int, reason: str) -> None:
    sink.write(encode({"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": reason}}))
    sink.flush()


if __name__ == "__main__":
    sys.exit(main())
