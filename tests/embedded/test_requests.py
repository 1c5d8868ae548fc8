"""Requests of every kind at places of hostile sources: each is answered or refused."""

from __future__ import annotations

import asyncio
import inspect
import random
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.checks.embedded.host_checker import HostText
from ptx_lsp.preferences import InlayHints
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.settings import Settings
from tests.load.answering import answered, serving
from tests.load.sources import HOSTS

METHODS = (
    *("hover", "completion", "signatureHelp", "definition", "declaration", "typeDefinition", "implementation"),
    *("references", "documentHighlight", "prepareRename", "rename", "prepareTypeHierarchy", "prepareCallHierarchy"),
    *("codeAction", "inlayHint", "codeLens", "foldingRange", "documentSymbol", "documentLink", "selectionRange"),
    *("semanticTokens/full", "semanticTokens/range", "formatting", "onTypeFormatting"),
)
LENGTH = 500
PLACES = 6
SETTINGS = Settings(inlay_hints=InlayHints(register_types="all"))


def opened(text: str, host: str) -> Any:
    document = HostDocument("file:///a", 1, SETTINGS, Encoding.UTF_16, HostText(text, host), lambda *_: ())
    while not document.work(1.0) or not document.follow(1.0):
        pass
    return document


async def to_end(answer: Any) -> None:
    await answer


@pytest.mark.parametrize("name", HOSTS)
def test_requests_in_hostile_sources(name: str) -> None:
    host, generator = HOSTS[name]
    document = opened(generator(LENGTH), host)
    server = serving(document)
    draw = random.Random(name)
    places = [site.start + draw.randrange(len(site.text) + 1) for site in document.index.sites for _ in range(2)]
    for place in draw.sample(places, min(PLACES, len(places))):
        for method in METHODS:
            try:
                answer = answered(server, document, method, types.Position(*document.lines.position(place)))
                if inspect.isawaitable(answer):
                    asyncio.run(to_end(answer))
            except JsonRpcException:
                pass  # a refusal, with its reason
