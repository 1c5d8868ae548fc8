"""The paths of ``file:`` URIs.

Used before pygls is imported (see ``startup/first_findings``), whose functions would do otherwise.
"""

from __future__ import annotations

import os
import re

_LONGEST = 1 << 17
"""Characters; no system has paths of more than 32,767, each of which is written with three or fewer."""
_DRIVE = re.compile(r"/[a-zA-Z]:")


def path_of_file(uri: str, *, is_windows: bool = os.name == "nt") -> str | None:
    r"""The path in a ``file:`` URI, not normalized; None for another scheme, and for what no file can be named.

    >>> path_of_file("file:///home/me/a%20b.ptx"), path_of_file("untitled:Untitled-1")
    ('/home/me/a b.ptx', None)
    >>> path_of_file("file:///C%3A/me/a.ptx", is_windows=True), path_of_file("file://host/share", is_windows=True)
    ('c:\\me\\a.ptx', '\\\\host\\share')
    """
    if not uri.startswith("file:") or len(uri) > _LONGEST:
        return None
    rest = uri[len("file:") :].partition("#")[0].partition("?")[0]
    host = ""
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path
    path = _decoded(rest)
    if host and path:
        path = f"//{_decoded(host)}{path}"
    elif _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    if "\0" in path:
        return None
    return path.replace("/", "\\") if is_windows else path


def _decoded(text: str) -> str:
    """``text`` without percent-encoding."""
    if "%" not in text:
        return text
    from urllib.parse import unquote  # imports more than the rest of the server's start; most URIs do not need it

    return unquote(text)
