"""The document that holds the tables: made anew, or with some of its sections replaced."""

from __future__ import annotations

import re

_INTRODUCTION = """\
# Agreement with ptxas

Written by `python -m benchmarks.certification --ptxas PTXAS-13.5 PTXAS-12.9 --write docs/agreement.md`. It compares:

* [gates](../benchmarks/certification/gates.py): the spellings of the pages, with operands of every kind that they list,
  around every version and target at which a gate opens or closes;
* [neighbours](../benchmarks/certification/neighbours.py): legal statements with one small change, in modules for old
  and new versions;
* [completions](../benchmarks/certification/completions.py): whether every offer leads to a statement that ptxas
  accepts, and whether any is missing;
* [meaningless](../benchmarks/certification/meaningless.py): whether the machine code is the same without each word
  that the checker offers to delete because ptxas ignores it (`W601`) or because it is repeated (`W602`).

*Only we accept* counts missed errors, *only ptxas accepts* false errors. Where releases of ptxas differ, a gate lists
those that accept a spelling (`ptxas 13.4`), and each release is compared with the pages under its gates. The checker
does not know which release will be used, so it reports such spellings as a warning (`W604`).
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
