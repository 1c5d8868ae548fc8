"""Pages of one function: its control flow, the origin and uses of a value, its barriers and asynchronous work.

Their addresses name a document and a place in it: ``ptx-lsp:/flow/<document>/<line>.<character>/<title>.md``. The title
is for the reader, who sees it on a tab; it may be left out: ``…/<line>.<character>.md``.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from urllib.parse import quote, unquote, urlsplit

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.references.register_writes import is_register
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.flow_pages.barriers import BarrierPage
from ptx_lsp.features.flow_pages.control_flow import FlowPage
from ptx_lsp.features.flow_pages.value_trees import TreePage
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names.demangle import brief_name
from ptx_lsp.stepwise import run_to_completion

FLOW, ORIGIN, USES, BARRIERS = "flow", "origin", "uses", "barriers"
"""The kinds of pages."""
KINDS = (FLOW, ORIGIN, USES, BARRIERS)
"""All of them."""
_SCHEME = "ptx-lsp"
_ADDRESS = re.compile(r"(.+)/(\d{1,9})\.(\d{1,9})(?:/(.*))?\.md", re.ASCII | re.DOTALL).fullmatch


class FlowPageAddress(NamedTuple):
    """The address of a page."""

    kind: str
    uri: str
    line: int
    """Counted from 0, and so is the character, in the units of the client."""
    character: int
    title: str = ""

    def __str__(self) -> str:
        """As a URI."""
        title = f"/{quote(self.title, safe=' ,')}".replace(" ", "%20") if self.title else ""
        # Escaped twice: VS Code removes the escapes of a path once, and has no empty folders in it, as in "file:///".
        uri = quote(quote(self.uri, safe=""), safe="")
        return f"{_SCHEME}:/{self.kind}/{uri}/{self.line}.{self.character}{title}.md"


def address(text: str) -> FlowPageAddress | None:
    """Return the parts of the address of such a page; None for any other address.

    The document in it may be escaped once or twice, and slashes in the title need no escapes.
    """
    parts = urlsplit(text)
    kind, _, rest = parts.path.strip("/").partition("/")
    found = _ADDRESS(rest)
    if found is None or parts.scheme != _SCHEME or kind not in KINDS:
        return None
    uri, line, character, title = found.groups()
    uri = unquote(uri)
    return FlowPageAddress(kind, uri if ":" in uri else unquote(uri), int(line), int(character), unquote(title or ""))


def title(semantics: Semantics, kind: str, offset: int) -> str:
    """Return the title of a page for a tab: ``barriers of gemm``, ``origin of %r5, line 12``."""
    if kind in (ORIGIN, USES):
        cursor, line = at(semantics, offset), semantics.module.document.position(offset)[0] + 1
        return f"{kind} of {cursor.word}, line {line}" if cursor is not None else ""
    context = _context(semantics, offset)
    symbol = context.function.symbol if context is not None else None
    return f"{kind} of {brief_name(symbol.name)}" if symbol is not None else ""


def preparing(semantics: Semantics, kind: str, offset: int) -> Iterator[None]:
    """Make what a page of the function around ``offset`` needs, in steps of some milliseconds."""
    context = _context(semantics, offset)
    if context is not None and context.function.has_body:
        if kind == BARRIERS:
            yield from semantics.finding_barriers(context.function)
            return
        yield from semantics.flow(context.function).preparing()
        yield from semantics.structuring(context.function)


def page(semantics: Semantics, kind: str, offset: int, uri: str) -> str | None:
    """:func:`making` at once."""
    return run_to_completion(making(semantics, kind, offset, uri))


def making(semantics: Semantics, kind: str, offset: int, uri: str) -> Generator[None, None, str | None]:
    """Make a page as Markdown with links to lines of ``uri``, a row in a step; None if ``offset`` has nothing to show.

    :func:`preparing` has run.
    """
    context = _context(semantics, offset)
    if context is None or not context.function.has_body:
        return None
    if kind == BARRIERS:
        barriers = semantics.barriers(context.function)
        return (
            None if barriers is None else (yield from BarrierPage(semantics, context.function, barriers, uri).making())
        )
    if kind == FLOW:
        structure = semantics.structure(context.function)
        return None if structure is None else FlowPage(semantics, context, structure, uri).text()
    cursor = at(semantics, offset)
    if cursor is None or not is_register(cursor.context, cursor.symbol):
        return None
    return (yield from TreePage(semantics, cursor, kind == ORIGIN, uri).making())


def _context(semantics: Semantics, offset: int) -> StatementContext | None:
    document = semantics.module.document
    if not document.chunks:
        return None
    number, index, _ = document.locate(max(0, min(offset, document.length)))
    chunk = document.chunks[number]
    return StatementContext(semantics.module, semantics.module.function_of(chunk), chunk, index)
