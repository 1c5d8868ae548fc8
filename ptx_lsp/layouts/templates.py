"""The common values of a layout that are legal in a context."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ptx_lsp.layouts.decode import DecodedValue, decode
from ptx_lsp.layouts.encode import EncodeError, encode
from ptx_lsp.layouts.layout import Layout, Template


def templates(layout: Layout, context: AbstractSet[str]) -> Iterator[tuple[Template, DecodedValue]]:
    """The legal templates of a page with their decoded values, without duplicates, in page order."""
    seen: set[int] = set()
    for template in layout.templates:
        try:
            value = encode(layout, dict(template.meanings), context)
        except EncodeError:
            continue  # not encodable in this context
        reading = decode(layout, value, context)
        if value not in seen and not reading.findings:
            seen.add(value)
            yield template, reading
