"""Sessions of messages that are played to a server in this process, cut anywhere between what comes before it runs
and what comes after."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import sleep
from typing import Any

from ptx_lsp.server.first_work import FirstWork
from ptx_lsp.server.server import Server
from ptx_lsp.server.startup import loop
from ptx_lsp.server.startup.first_findings import FirstFindings
from ptx_lsp.server.transport.framing import frame, read_body
from ptx_lsp.server.transport.incoming import Incoming

Message = dict[str, Any]
Sent = Message | bytes
"""A message, or a body that is none."""


def notification(method: str, **params: object) -> Message:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def request(number: int, method: str, **params: object) -> Message:
    """A request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def opened(uri: str, text: str, version: int = 1) -> Message:
    """``textDocument/didOpen``."""
    document = {"uri": uri, "languageId": "ptx", "version": version, "text": text}
    return notification("textDocument/didOpen", textDocument=document)


def changed(uri: str, version: int, *changes: Message) -> Message:
    """``textDocument/didChange``."""
    return notification(
        "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=list(changes)
    )


def closed(uri: str) -> Message:
    """``textDocument/didClose``."""
    return notification("textDocument/didClose", textDocument={"uri": uri})


@dataclass
class Heard:
    """What a client has received."""

    messages: list[Message] = field(default_factory=list)

    @classmethod
    def of(cls, data: bytes) -> Heard:
        """All messages in a stream."""
        stream = io.BytesIO(data)
        return cls([json.loads(body) for body in iter(lambda: read_body(stream), None)])

    @property
    def answers(self) -> list[tuple[object, str]]:
        """The responses, by id, as text."""
        found = [message for message in self.messages if "id" in message and "method" not in message]
        return sorted((str(one["id"]), json.dumps(one, sort_keys=True)) for one in found)

    @property
    def requests(self) -> list[str]:
        """The methods of the server's requests, in order."""
        return [message["method"] for message in self.messages if "id" in message and "method" in message]

    @property
    def shown(self) -> list[str]:
        """The texts that the user sees."""
        return [one["params"]["message"] for one in self.messages if one.get("method") == "window/showMessage"]

    @property
    def published(self) -> list[Message]:
        """The parameters of each ``textDocument/publishDiagnostics``, in order."""
        return [one["params"] for one in self.messages if one.get("method") == "textDocument/publishDiagnostics"]

    @property
    def findings(self) -> dict[str, Message]:
        """What was published last, by document."""
        return {one["uri"]: one for one in self.published}


def play(params: Message, messages: Sequence[Sent], early: Iterable[int] | None = None) -> Heard:
    """Send messages to a server; what it sends.

    Args:
        params: the parameters of ``initialize``, which is answered already.
        messages: all messages after it, without ``shutdown`` and ``exit``; those are sent when all work is done.
        early: counts of messages that have arrived whenever the work before the full server looks for some; None
            without that work.

    """
    output = io.BytesIO()
    receiving, sending = os.pipe()
    with os.fdopen(receiving, "rb") as source, os.fdopen(sending, "wb") as sink:
        incoming = Incoming(source)
        incoming.start()
        sent = 0
        done: FirstWork | None = None
        if early is not None:
            first = FirstFindings(params, incoming, output.write)
            for count in early:
                send(sink, messages[sent:count])
                sent = count
                while len(incoming.waiting(0)) < count:
                    sleep(0.001)
                first.work()
            done = first.done
        initialize = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        server = loop.build(initialize, done)
        server.protocol.set_writer(_Output(output))
        asyncio.run(_session(server, incoming, sink, messages[sent:], output))
    return Heard.of(output.getvalue())


def send(sink: Any, messages: Iterable[Sent]) -> None:
    """Write messages to a stream."""
    for message in messages:
        sink.write(frame(message if isinstance(message, bytes) else json.dumps(message).encode()))
    sink.flush()


async def _session(server: Server, incoming: Incoming, sink: Any, rest: Sequence[Sent], output: io.BytesIO) -> None:
    serving = asyncio.ensure_future(loop._serve(server, incoming))
    send(sink, [*rest, notification("$/setTrace", value="off"), request(9999, "workspace/symbol", query="nothing")])
    while not re.search(rb'"id": ?9999', output.getvalue()):
        await asyncio.sleep(0.005)
    while not all(document.is_ready and document.is_complete for document in server.documents):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.02)
    send(sink, [request(10000, "shutdown"), notification("exit")])
    await serving


class _Output:
    """A writer for pygls."""

    def __init__(self, stream: io.BytesIO) -> None:
        self.stream = stream

    def write(self, data: bytes) -> None:
        """Keep ``data``."""
        self.stream.write(data)

    def close(self) -> None:
        """Nothing to close."""
