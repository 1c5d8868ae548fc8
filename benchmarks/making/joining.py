"""Several modules of one target as one module, as if a bigger program had been compiled.

What two modules define under one name gets another name in the later one, as do labels of debug sections; file numbers
go on counting, debug strings of ``-lineinfo`` keep their references, and what is declared twice (``.extern``) is
declared once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_HEADER = re.compile(r"^\.(?:version|target|address_size)\b.*\n", re.MULTILINE)
_COMMENT = re.compile(r"^//.*\n", re.MULTILINE)
_FUNCTION = re.compile(r"^\.(?:[\w. ]+ )?\.?(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)", re.MULTILINE)
_VARIABLE = re.compile(
    r"^\.(?:\w+ \.)?(?:global|const|shared)\b(?: \.(?:align \d+|attribute\([^)]*\)|\w+))* ([\w$]+)[\[;= ]", re.MULTILINE
)
_EXTERN = re.compile(r"^\.extern [^;]*;\n", re.MULTILINE)
_FILE = re.compile(r"^(\s*\.file\s+)(\d+)", re.MULTILINE)
_LOCATION = re.compile(r"(\.loc\s+|inlined_at )(\d+)")
_STRING_LABEL = re.compile(r"\$L__info_string(\d+)")
_DEBUG_LABEL = re.compile(r"\$L__debug_\w+")
_WORD = re.compile(r"[%$\w]+(?![%$\w.])")
"""A word that may be a name. One before a dot is an opcode: unoptimised code has functions named ``min``, ``abs``."""


def join(modules: Iterable[str]) -> str:
    """One module with the header of the first and the contents of all."""
    header, parts = "", []
    taken: set[str] = set()
    externs: set[str] = set()
    files = strings = 0
    for number, text in enumerate(modules):
        header = header or "".join(_HEADER.findall(text))
        body = _COMMENT.sub("", _HEADER.sub("", text))
        for declaration in _EXTERN.findall(body):
            if declaration in externs:
                body = body.replace(declaration, "", 1)
            externs.add(declaration)
        body = _rename(body, taken, f"_{number}")
        body = _DEBUG_LABEL.sub(rf"\g<0>_{number}", body)
        parts.append(_renumber(body, files, strings))
        files += len(_FILE.findall(body))
        strings += len(set(_STRING_LABEL.findall(body)))
    return header + "".join(parts)


def _rename(body: str, taken: set[str], suffix: str) -> str:
    """Give a new name to all that is defined here and already taken; what is defined is taken from now on."""
    externs = "".join(_EXTERN.findall(body))
    defined = set(_FUNCTION.findall(body)) | set(_VARIABLE.findall(body))
    defined -= set(_WORD.findall(externs))
    clashes = defined & taken
    taken |= defined
    if not clashes:
        return body
    return _WORD.sub(lambda word: word[0] + suffix if word[0] in clashes else word[0], body)


def _renumber(body: str, files: int, strings: int) -> str:
    """Count files and debug strings on from those of the modules before."""
    body = _FILE.sub(lambda found: f"{found[1]}{int(found[2]) + files}", body)
    body = _LOCATION.sub(lambda found: f"{found[1]}{int(found[2]) + files}", body)
    return _STRING_LABEL.sub(lambda found: f"$L__info_string{int(found[1]) + strings}", body)
