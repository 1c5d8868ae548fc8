"""The document that holds the tables: made anew, or with some of its sections replaced."""

from __future__ import annotations

import re

_INTRODUCTION = """\
# Agreement with ptxas

Made by `python -m benchmarks.certification --ptxas PTXAS-13.5 PTXAS-12.9 --write docs/agreement.md`, which asks:

* [gates](../benchmarks/certification/gates.py): the pages' own spellings, with operands of every kind that they list,
  around every version and target at which something begins or ends;
* [neighbours](../benchmarks/certification/neighbours.py): statements one small change away from a right one, in modules
  old and new;
* [completions](../benchmarks/certification/completions.py): does every offer lead to a statement that ptxas takes, is
  none missing?
* [meaningless](../benchmarks/certification/meaningless.py): is the machine code the same without each word that the
  checker offers to delete since ptxas ignores it (`W601`) or since it stands twice (`W602`)?

*Only we accept* is a mistake that we miss, *only ptxas accepts* a false error. Each release is asked about what the
pages say of it: where releases differ, a gate names those that take a spelling (`ptxas 13.4`), and the checker, which
does not know what a module is for, only warns of it (`W604`).
"""


def written(tables: str, former: str = "") -> str:
    """The document with the sections of ``tables``; those that only the ``former`` document has are kept."""
    sections = _sections(former)
    for release, kinds in _sections(tables).items():
        sections.setdefault(release, {}).update(kinds)
    parts = [_INTRODUCTION.rstrip()]
    for release, kinds in sections.items():
        parts += [release, *(f"{kind}\n\n{body}" for kind, body in kinds.items())]
    return "\n\n".join(parts) + "\n"


def _sections(text: str) -> dict[str, dict[str, str]]:
    """For each release, by its heading, the sections of the kinds of questions, by theirs."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
        release, *kinds = re.split(r"^(?=### )", part, flags=re.MULTILINE)
        found[release.strip()] = {}
        for kind in kinds:
            heading, _, body = kind.partition("\n")
            found[release.strip()][heading] = body.strip()
    return found
