"""Sources of other languages, annotated as PTX is: carets in a comment under the marked text of the line above.

    asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a));
    //                   ^^ error[E901]: …         without a message only place and code are compared
    // <--- error[E104]                            for marks that begin at the first word of the line

The lines are in a function of the device, unless one of them contains ``__``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings

_CARETS = re.compile(
    r"\s*(?://|#)(?P<gap>\s*)(?P<mark>\^+|<-+)\s*(?P<severity>error|warning|information|hint)"
    r"\[(?P<code>\w+)\](?::\s*(?P<message>.*))?"
)


class Expectation(NamedTuple):
    """A finding; of an annotation without a message it is empty."""

    line: int
    column: int
    length: int | None
    severity: str
    code: str
    message: str


def whole(source: str) -> str:
    """The text around the lines of an example."""
    return source if "__" in source else f"__device__ void f(int d, int a, int b, unsigned p) {{\n{source}\n}}\n"


def findings(
    source: str, targets: tuple[str, ...] = (), host: str = "cuda-cpp", settings: Settings | None = None
) -> tuple[str, list[Diagnostic]]:
    """The whole text, and what is found in it."""
    text = whole(source) if host == "cuda-cpp" else source
    return text, HostChecker(HostText(text, host, targets), find_sites(text, host), settings or Settings()).findings()


def expected(text: str) -> list[Expectation]:
    """The annotations of a text."""
    found = []
    at = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        mark = _CARETS.fullmatch(line)
        if mark is None:
            at = number
            continue
        if mark["mark"].startswith("^"):
            column, length = mark.start("mark"), len(mark["mark"])
        else:
            column, length = len(lines[at]) - len(lines[at].lstrip()), None
        found.append(Expectation(at, column, length, mark["severity"], mark["code"], mark["message"] or ""))
    return found


def check_source(
    source: str, *targets: str, host: str = "cuda-cpp", settings: Settings | None = None
) -> list[Diagnostic]:
    """Fail unless the annotated findings are all there are; hints and notes count only if some is annotated."""
    text, found = findings(source, targets, host, settings)
    wanted = expected(text)
    codes = {one.code for one in wanted}
    found = [one for one in found if one.severity <= Severity.WARNING or one.code in codes]
    actual = []
    for one in found:
        line = text.count("\n", 0, one.span.start)
        column = one.span.start - (text.rfind("\n", 0, one.span.start) + 1)
        actual.append(
            Expectation(
                line, column, max(one.span.end - one.span.start, 1), one.severity.name.lower(), one.code, one.message
            )
        )
    shown = "\n".join(map(str, actual))
    assert len(actual) == len(wanted), shown
    for one, want in zip(actual, sorted(wanted), strict=True):
        assert (one[:2], one.code, one.severity) == (want[:2], want.code, want.severity), shown
        assert want.length in (None, one.length), shown
        assert want.message in ("", one.message), shown
    return found
