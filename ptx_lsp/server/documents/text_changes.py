"""The changes of ``textDocument/didChange``, read without the protocol's classes.

It is the most frequent message, and the findings wait for it. Converting it takes as long as everything else that is
done for a character outside of inline assembly.
"""

from __future__ import annotations

from typing import Any

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.documents.lines import Position


class DocumentChanges(NamedTuple):
    """The parameters of the notification."""

    uri: str
    version: int
    changes: list[TextChange]


def changes_in(message: dict[str, Any]) -> DocumentChanges | None:
    """The changes of a notification as received; None if its parameters are not what the protocol requires."""
    match message:
        case {
            "params": {
                "textDocument": {"uri": str(uri), "version": int(version)},
                "contentChanges": list(changes),
            }
        } if "id" not in message and type(version) is int:
            found = [_change(one) for one in changes]
            known = [one for one in found if one is not None]
            return DocumentChanges(uri, version, known) if len(known) == len(found) else None
    return None


def _change(change: object) -> TextChange | None:
    match change:
        case {
            "range": {
                "start": {"line": int(line), "character": int(column)},
                "end": {"line": int(last_line), "character": int(last_column)},
            },
            "text": str(text),
        }:
            numbers = line, column, last_line, last_column
            is_number = all(type(one) is int and one >= 0 for one in numbers)
            return TextChange(text, Position(line, column), Position(last_line, last_column)) if is_number else None
        case {"range": _}:
            return None
        case {"text": str(text)}:
            return TextChange(text)
    return None
