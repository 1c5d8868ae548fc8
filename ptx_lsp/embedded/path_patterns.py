"""Patterns of paths: ``*`` within a folder, ``**`` through folders."""

from __future__ import annotations

import re

from ptx_lsp.process_cache import memoized

_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@memoized(256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_MEANINGS.get(part) or re.escape(part) for part in _PARTS.findall(pattern)))


def path_fits(path: str, pattern: str) -> bool:
    """Whether a relative path with ``/`` fits a pattern; one without ``/`` is compared with the name of the file.

    >>> path_fits("csrc/sm90/gemm.cu", "csrc/**"), path_fits("csrc/gemm.cu", "*.cu"), path_fits("a/b.cu", "a/*.cuh")
    (True, True, False)
    """
    if "/" not in pattern:
        path = path.rpartition("/")[2]
    return _compiled(pattern.removeprefix("./")).fullmatch(path) is not None
