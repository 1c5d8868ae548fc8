"""Texts of files, and their modules and interfaces, read in steps of a few milliseconds."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

from ptx_lsp.analysis.module.interface import Interface, reading_interface
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.workspace.walk import LARGEST
from ptx_lsp.source_file import UnreadableError, read_source
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise


def text_of(path: str) -> str | None:
    """The text of a file; None if it cannot be read, is no regular file or is too large."""
    try:
        return read_source(path, only_regular=True, at_most=LARGEST).removeprefix("\ufeff")
    except UnreadableError:
        return None


def reading_module(text: str) -> Generator[None, None, Module]:
    """The module of a text."""
    document = yield from load_stepwise(text)
    module = Module(document, at_once=False)
    yield from module.read()
    return module


def reading_interface_json(text: str, encoding: Encoding) -> Generator[None, None, Interface[str]]:
    """The interface of a text, with places as JSON ranges in units of ``encoding``."""
    module = yield from reading_module(text)
    lines = DocumentLines(module.document.chunks, encoding)
    return (yield from reading_interface(module, partial(range_json, lines=lines)))
