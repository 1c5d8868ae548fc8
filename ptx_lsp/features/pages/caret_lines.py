"""The lines under the code of an example that carry its findings, as they are printed.

An annotation whose place is the first or second column cannot have carets under it, since ``//`` takes these columns:
it is written ``// <---``. In print the code is indented, and the carets are under the word that is meant.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"(?<=^```ptx\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_ARROW = re.compile(r"//\s*<(?P<skipped>~*)-+ (?P<finding>\S.*)")
_CARETS = re.compile(r"//(?P<gap> *)(?P<carets>\^+) (?P<finding>\S.*)")
_LINE = re.compile(r"(?<=^//)(?P<finding>[ <~]*[\^\-]+ .*?) \(line \d+\)", re.MULTILINE)
"""The line of another statement in the module around an example, which is not shown."""
_WORD = re.compile(r"[^\s,;]+")
_INDENTATION = "    "


def with_carets(page: str) -> str:
    """A page whose examples have carets under each place that has a finding."""
    return _FENCE.sub(lambda fence: _drawn(_LINE.sub(r"\g<finding>", fence[0])), page)


def _drawn(example: str) -> str:
    if _ARROW.search(example) is None:
        return example
    drawn: list[str] = []
    code = ""
    for line in example.splitlines():
        arrow, carets = _ARROW.fullmatch(line), _CARETS.fullmatch(line)
        if arrow is not None:
            start = len(code) - len(code.lstrip()) + len(arrow["skipped"])
            word = _WORD.match(code, start)
            drawn.append(_caret_line(start, word.end() - start if word is not None else 1, arrow["finding"]))
        elif carets is not None:
            drawn.append(_caret_line(len(carets["gap"]) + 2, len(carets["carets"]), carets["finding"]))
        elif line.startswith("//"):
            drawn.append(line)
        else:
            code = line
            drawn.append(f"{_INDENTATION}{line}".rstrip())
    return "\n".join(drawn) + "\n"


def _caret_line(start: int, count: int, finding: str) -> str:
    """The carets of a place in code that is indented."""
    return f"//{' ' * (start + len(_INDENTATION) - 2)}{'^' * count} {finding}"
