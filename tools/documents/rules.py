"""The index of all rules: code, name, severity, and the first sentences of the rule's page."""

from __future__ import annotations

from itertools import groupby

from ptx_lsp import codes
from ptx_lsp.checks import all_checks
from ptx_lsp.features.pages.code_pages import code_page

_HEAD = """\
# Rules

Every code that `ptx-lsp check` and the editors report. `ptx-lsp explain E502` or `ptx-lsp explain newer-target` prints
the page of a rule: what it finds, why it matters, an example, the right version, and the fixes that editors offer.
Codes and names can be selected, ignored and given another severity ([configuration](configuration.md)).

ptxas rejects what is an *error* here, and accepts what is a *warning* or a *hint*. Agreement with ptxas is measured:
[single instructions](agreement.md), [broken files](mutants.md).

A check takes time in proportion to the file. So each search of a warning or hint has a bound, and each list of similar
errors in one statement: in functions and statements far larger than compilers write, a warning may be missing. Of a
statement with errors at least one is always reported.

Made by `python -m tools.documents`.
"""

_GROUPS = {
    "E1": "Syntax",
    "E2": "Names and scopes",
    "E3": "Instructions and qualifiers",
    "E4": "Operands, types and declarations",
    "E5": "PTX version and target",
    "W6": "Suspicious code",
    "W7": "Descriptors of tensor-core instructions",
    "W8": "Asynchronous operations and synchronization",
    "E9": "Inline assembly: errors",
    "W9": "Inline assembly: warnings",
    "I9": "Inline assembly: notes",
    "I7": "The list of findings",
    "H9": "Style, and hints about inline assembly",
}
"""Beginning of the numbers to title, in the order of the document."""


def text() -> str:
    """The document."""
    severities = {check.rule.code: check.rule.severity.name.lower() for check in all_checks()}
    parts = [_HEAD]
    numbers = sorted(codes.NAMES, key=lambda number: (list(_GROUPS).index(number[:2]), number))
    for group, listed in groupby(numbers, lambda number: number[:2]):
        rows = [
            f"| {number} | `{codes.NAMES[number]}` | {_severity(number, severities)} | {_first(number)} |"
            for number in listed
        ]
        parts.append(
            "\n".join([f"## {_GROUPS[group]}\n", "| code | name | severity | finds |", "|---|---|---|---|", *rows])
            + "\n"
        )
    return "\n".join(parts)


def _severity(number: str, severities: dict[str, str]) -> str:
    by_letter = {"E": "error", "W": "warning", "I": "information", "H": "hint"}
    return str(severities.get(number, by_letter[number[0]]))


def _first(number: str) -> str:
    """The first paragraph of a rule's page in one line."""
    return " ".join(code_page(number).split("\n\n")[1].split()).replace("|", "\\|")
