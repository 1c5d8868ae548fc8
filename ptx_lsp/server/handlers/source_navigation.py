"""The definition of a ``.loc`` line, and the commands that lead from a source line to its PTX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pygls.uris import from_fs_path

from ptx_lsp.features.source_navigation import MOST_PLACES, generated_from, source_at
from ptx_lsp.server.client.file_uris import path_of_file
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.documents.source_lines import folder_of, local_path, readable_path
from ptx_lsp.server.transport.raw_json import RawJson, quoted

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


def source_definition(server: Server, document: OpenDocument, offset: int) -> RawJson | None:
    """The source lines of the ``.loc`` line at the cursor, with the inlined calls; None for other statements."""
    found = source_at(document.checker.semantics, offset)
    if found is None:
        return None
    span, frames = found
    folder = folder_of(document.uri)
    places = []
    for frame in frames:
        path = readable_path(folder, server.files.table.folders, frame.path)
        uri = from_fs_path(path) if path is not None and os.path.isfile(path) else None
        if uri:
            at = f'{{"line":{frame.line - 1},"character":{max(frame.column - 1, 0)}}}'
            places.append((uri, f'{{"start":{at},"end":{at}}}'))
    if not places:
        _say_why(server, document, frames[0].path)
        return None
    if server.client.supports("textDocument", "definition", "linkSupport"):
        origin = range_json(span, document.lines)
        links = [
            f'{{"originSelectionRange":{origin},"targetUri":{quoted(uri)},"targetRange":{place},'
            f'"targetSelectionRange":{place}}}'
            for uri, place in places
        ]
    else:
        links = [f'{{"uri":{quoted(uri)},"range":{place}}}' for uri, place in places]
    return RawJson(f"[{','.join(links)}]")


def _say_why(server: Server, document: OpenDocument, written: str) -> None:
    """Tell the user, once for each file, why no source line is opened: only files of the workspace are."""
    folder = folder_of(document.uri)
    whole = local_path(folder, written)
    if readable_path(folder, server.files.table.folders, written) is not None:
        reason = "there is no such file"
    elif whole is None:
        reason = "it is on another machine"
    else:
        reason = "it is outside of the workspace and of the folder of the PTX file; add its folder to the workspace"
    text = f"ptx-lsp: the source '{written[-_LONGEST:]}' is not opened: {reason}"
    server.configurations.show_once(text, server.protocol.write)


_LONGEST = 200
"""Characters of a path that are shown, the last ones."""


def ptx_of_source(server: Server, uri: str, line: int | None) -> dict[str, Any]:
    """The places in open PTX documents that were generated from a source file.

    Args:
        server: the server.
        uri: the source file.
        line: the line, counted from 0; None for all lines.

    Returns:
        Without a line the lines and their numbers of instructions; with one also the places, as ``Location``.

    """
    path = path_of_file(uri)
    counts: dict[int, int] = {}
    locations: list[dict[str, Any]] = []
    wanted = _identity(path) if path else None
    for document in server.documents if wanted is not None else ():
        if not document.is_ready:
            continue
        folder = folder_of(document.uri)
        name = os.path.basename(path or "")

        def is_wanted(written: str, folder: str | None = folder, name: str = name) -> bool:
            if written.replace("\\", "/").rpartition("/")[2] != name:
                return False
            whole = local_path(folder, written)
            return whole is not None and _identity(whole) == wanted

        found = generated_from(document.checker.module, is_wanted)
        for one, count in found.instructions.items():
            counts[one - 1] = counts.get(one - 1, 0) + count
        for span in found.places.get(line + 1, ()) if line is not None else ():
            start, end = document.lines.position(span.start), document.lines.position(span.end)
            place = {"start": start._asdict(), "end": end._asdict()}
            locations.append({"uri": document.uri, "range": place})
    lines = [{"line": one, "instructions": count} for one, count in sorted(counts.items())]
    return {"lines": lines, "places": locations[:MOST_PLACES]}


def _identity(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))


def arguments_of(given: Sequence[object]) -> tuple[str, int | None] | None:
    """The URI and the line among the arguments of the command; None if they are others."""
    if len(given) not in (1, 2) or not isinstance(given[0], str):
        return None
    line = given[1] if len(given) == 2 else None
    if line is not None and (not isinstance(line, int) or isinstance(line, bool)):
        return None
    return given[0], line
