"""Names listed in directives: functions in ``.alias`` and ``.calltargets``, labels in ``.branchtargets``."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.completion.item import Item, ItemKind

_MOST = 500
"""The maximum number of names offered."""


def listed_names(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the declared names that a directive can list; none where a new name is declared."""
    first = place.words[0]
    if first in (".alias", ".calltargets"):
        wanted = (SymbolKind.FUNCTION, ItemKind.FUNCTION)
    elif first == ".branchtargets":
        wanted = (SymbolKind.LABEL, ItemKind.LABEL)
    else:
        return
    kind, shown_as = wanted
    count = 0
    for scope in place.context.scope.chain():
        for symbol in scope.names.values():
            if symbol.kind is kind and count < _MOST:
                count += 1
                yield Item(symbol.name, shown_as, place.typed)
