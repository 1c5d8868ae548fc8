"""PTX annotated with expected findings in comments: the format of golden files, pages and rule docstrings.

    //- sm_90 ptx 8.6                              target and version; ``module``: a file of its own
    add.f32x2 %rd1, %rd2, %rd3;
    // ^^^^^^ error[E502]: '.f32x2' needs sm_100   carets stand under the marked text of the line above
    .version 9
    // <--- error[E504]                            for marks that begin at the first word of the line

Without ``module`` the lines are wrapped in a kernel with registers of every type, and declarations of textures precede
it. Data-flow findings (``W62…``: uninitialized registers, unused results, a missing ``ret`` …) are compared only with
the word ``flow``, since an example of an instruction is not a program. Without a message only span and code are
compared. Lines ``// ptxas: …`` are the expected messages of ptxas and are read by other tests. ``asks I702`` in the
first line enables a code that is off by default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.settings import Settings

_FIRST_LINE = re.compile(r"//-(?P<words>.*)")
_CARETS = re.compile(r"\s*//(?P<gap>\s*)(?P<mark>\^+|<~*-+)\s*(?P<text>\S.*)")
_EXPECTED = re.compile(r"(?P<severity>error|warning|information|hint)\[(?P<code>[A-Z]\w+)\](?::\s*(?P<message>.*))?")
_TEXTURE = re.compile(r"\.global \.(?:tex|surf|sampler)ref\b")
_REGISTERS = (
    "pred %p<16>",
    "b16 %h<16>",
    "b32 %r<64>",
    "b64 %rd<64>",
    "f32 %f<64>",
    "f64 %fd<16>",
)


class Expected(NamedTuple):
    """An expected finding of a snippet; ``length`` is None for ``<---`` marks."""

    line: int
    column: int
    length: int | None
    severity: str
    code: str
    message: str | None


@dataclass(frozen=True)
class Snippet:
    """An annotated piece of PTX, completed to a module."""

    text: str
    """The module that is checked."""
    first_line: int
    """The line of ``text`` where the snippet begins, counted from 0."""
    expected: tuple[Expected, ...]
    target: str
    version: str
    settings: Settings
    is_program: bool
    """Whether data-flow findings are compared: the word ``flow``."""

    @property
    def findings(self) -> list[Diagnostic]:
        """The findings of the checker."""
        found = check_text(self.text, self.settings)
        if not self.is_program:
            return [one for one in found if not one.code.startswith(_OF_PROGRAMS)]
        # The kernel around it declares more than it uses.
        start = _line_starts(self.text)[self.first_line]
        return [one for one in found if one.span.start >= start]


_OF_PROGRAMS = "W62"
"""Prefix of the codes of data-flow findings."""


def read(source: str) -> Snippet:
    """Read an annotated snippet."""
    lines = source.strip("\n").split("\n")
    found = _FIRST_LINE.match(lines[0])
    words = found["words"].split() if found else []
    target = next((word for word in words if word.startswith("sm_")), "sm_90a")
    version = words[words.index("ptx") + 1] if "ptx" in words else "8.6"
    expected = []
    at = 0
    for number, line in enumerate(lines):
        mark = _CARETS.fullmatch(line)
        what = _EXPECTED.match(mark["text"]) if mark else None
        if mark is None or what is None:
            if not line.lstrip().startswith("// ptxas:"):
                at = number
            continue
        if mark["mark"].startswith("^"):
            column, length = mark.start("mark"), len(mark["mark"])
        else:
            skipped = mark["mark"].count("~")
            column, length = len(lines[at]) - len(lines[at].lstrip()) + skipped, None
        expected.append(Expected(at, column, length, what["severity"], what["code"], what["message"]))
    # Annotations quote messages, which may hold characters that PTX refuses.
    code = ["//" if is_annotation(line) else line for line in lines]
    settings = Settings()
    if "asks" in words:
        asked = words[words.index("asks") + 1]
        settings = Settings(severity=((asked, Severity.INFORMATION),))
    return Snippet(*_wrapped(code, words, target, version), tuple(expected), target, version, settings, "flow" in words)


def is_annotation(line: str) -> bool:
    """Whether a line is an annotation of the line above."""
    mark = _CARETS.fullmatch(line)
    return mark is not None and _EXPECTED.match(mark["text"]) is not None


def _wrapped(lines: list[str], words: list[str], target: str, version: str) -> tuple[str, int]:
    body = "\n".join(lines)
    if "module" in words and "ptx" not in words:
        return body + "\n", 0
    number = tuple(map(int, version.split(".")))
    head = f".version {version}\n.target {target}\n{'.address_size 64' if number >= (2, 3) else '//'}"
    if "module" in words:
        return f"{head}\n{body}\n", 3
    registers = " ".join(f".reg .{declared};" for declared in _REGISTERS)
    if number >= (8, 3) and int(re.sub(r"\D", "", target)) >= 70:
        registers += " .reg .b128 %q<8>;"
    opening = f".entry kernel(.param .u64 parameter)\n{{ {registers}"
    textures = [number for number, line in enumerate(lines) if _TEXTURE.match(line)]
    if textures:
        lines = [*lines]
        lines[textures[-1]] += " " + opening.replace("\n", " ")
        return "\n".join([head, "", "", *lines, "}", ""]), 5
    return f"{head}\n{opening}\n{body}\n}}\n", 5


def differences(source: str) -> list[str]:
    """The unexpected and the missing findings of a snippet; empty if they agree."""
    snippet = read(source)
    found = snippet.findings
    starts = _line_starts(snippet.text)
    wrong = []
    open_ = list(snippet.expected)
    for diagnostic in found:
        line, column = _position(starts, diagnostic.span.start)
        line -= snippet.first_line
        fitting = next((one for one in open_ if _fits(one, diagnostic, line, column)), None)
        if fitting is not None:
            open_.remove(fitting)
        else:
            length = diagnostic.span.end - diagnostic.span.start
            wrong.append(f"unexpected at line {line + 1}, column {column + 1}, {length} long: {shown(diagnostic)}")
    wrong += [
        f"missing at line {one.line + 1}, column {one.column + 1}: {one.severity}[{one.code}]: {one.message or ''}"
        for one in open_
    ]
    return wrong


def shown(diagnostic: Diagnostic) -> str:
    """A finding in the notation of annotations."""
    return f"{diagnostic.severity.name.lower()}[{diagnostic.code}]: {diagnostic.message}"


def _fits(expected: Expected, found: Diagnostic, line: int, column: int) -> bool:
    return (
        expected.line == line
        and expected.column == column
        and expected.length in (None, max(found.span.end - found.span.start, 1))
        and expected.code == found.code
        and expected.severity == found.severity.name.lower()
        and expected.message in (None, found.message.split("\n")[0])
    )


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _position(starts: list[int], offset: int) -> tuple[int, int]:
    line = next((number for number, start in enumerate(starts) if start > offset), len(starts)) - 1
    return line, offset - starts[line]


def check(source: str) -> None:
    """Fail unless the findings of a snippet are exactly the expected ones."""
    wrong = differences(source)
    assert not wrong, "\n".join(["", *wrong, "", source])


def updated(source: str) -> str:
    """The snippet with its annotations regenerated from the findings. Lines ``// ptxas:`` are kept."""
    snippet = read(source)
    starts = _line_starts(snippet.text)
    notes: dict[int, list[str]] = {}
    lines = source.strip("\n").split("\n")
    for diagnostic in snippet.findings:
        line, column = _position(starts, diagnostic.span.start)
        line -= snippet.first_line
        length = max(diagnostic.span.end - diagnostic.span.start, 1)
        notes.setdefault(line, []).append(_annotation(column, length, shown(diagnostic).split("\n")[0]))
    written = []
    for number, line in enumerate(lines):
        if is_annotation(line):
            continue
        written += [line, *notes.get(number, [])]
    return "\n".join(written) + "\n"


def _annotation(column: int, length: int, text: str) -> str:
    if column >= 2:
        return "//" + " " * (column - 2) + "^" * length + " " + text
    return ("// <--- " if column == 0 else "//<~--- ") + text


def snippets(text: str) -> list[str]:
    """The snippets of a file: each begins with a line ``//-``."""
    return [part for part in re.split(r"^(?=//-)", text, flags=re.MULTILINE) if part.strip()]
