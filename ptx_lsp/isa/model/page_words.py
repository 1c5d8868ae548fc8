"""The words of a page: everything outside its ``isa`` fence. Read only when someone asks, for a hover or a test.

Their order on a page: heading, lead, labels (``**Pitfall (`.ne` and `.f32`, `.f64`):** ...``), the fence, bullets for
operands and qualifiers, examples, a rule (``---``) with what does not belong into a hover, and ``Manual: ...`` with a
link.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

_LABEL = re.compile(r"\*\*(\w+)(?: \(([^)]*)\))?:\*\*\s*(.*)", re.DOTALL)
_BULLET = re.compile(r"^- (`[^`]+`(?:, `[^`]+`)*): (.*(?:\n(?!- |\n|```).*)*)", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_EXAMPLE = re.compile(
    r"^```ptx[ \t]*\n//- *(sm_\w+) +ptx +(\d+\.\d+)([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL
)
_FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_MANUAL = re.compile(r"^Manual: (.+?): \[([^\]]+)\]\((https://[^)\s]+)\)", re.MULTILINE | re.DOTALL)


class LabelledParagraph(NamedTuple):
    """A paragraph with a label, for the statements that write one of each group of ``parts``."""

    name: str
    """``Threads``, ``Completion``, ``Ordering``, ``Undefined`` or ``Pitfall``."""
    text: str
    parts: tuple[tuple[str, ...], ...] = ()


class Example(NamedTuple):
    """Lines of PTX with the module they are for."""

    text: str
    target: Target
    version: Version
    is_module: bool
    """A file of its own; else lines of a kernel in which the usual registers are declared."""
    line: int
    """The line of the page where the text begins, counted from 1."""


class Manual(NamedTuple):
    """The chapter of NVIDIA's manual about the instruction."""

    section: str
    title: str
    url: str


class PageWords(NamedTuple):
    """The prose of a page; each paragraph in one line."""

    title: str
    lead: tuple[str, ...]
    labels: tuple[LabelledParagraph, ...]
    bullets: dict[str, str]
    """The meaning of operands and qualifiers here, by their names on the page, in the page's order."""
    examples: tuple[Example, ...]
    below: str
    """The Markdown below the rule, without the link."""
    manual: Manual | None


def read_words(text: str) -> PageWords:
    """The words in the text of a page."""
    above, _, rest = text.partition("```isa")
    heading, *paragraphs = above.strip().split("\n\n")
    lead: list[str] = []
    labels: list[LabelledParagraph] = []
    for paragraph in paragraphs:
        words = " ".join(paragraph.split())
        label = _LABEL.match(words)
        if label is not None:
            groups = label[2].split(" and ") if label[2] else ()
            labels.append(LabelledParagraph(label[1], label[3], tuple(tuple(_CODE.findall(group)) for group in groups)))
        elif words:
            lead.append(words)
    after_forms = rest.partition("\n```")[2]
    body, _, below = after_forms.partition("\n---\n")
    bullets: dict[str, str] = {}
    for found in _BULLET.finditer(_FENCE.sub("", body)):
        for name in _CODE.findall(found[1]):
            bullets.setdefault(name, " ".join(found[2].split()))
    manual = _MANUAL.search(text)
    return PageWords(
        heading.partition(": ")[2],
        tuple(lead),
        tuple(labels),
        bullets,
        tuple(_examples(text)),
        _MANUAL.sub("", below).strip(" .\n"),
        Manual(" ".join(manual[1].split()), manual[2], manual[3]) if manual else None,
    )


def _examples(text: str) -> list[Example]:
    return [
        Example(
            found[4],
            Target.parse(found[1]),
            Version.parse(found[2]),
            "module" in found[3],
            text.count("\n", 0, found.start(4)) + 1,
        )
        for found in _EXAMPLE.finditer(text)
    ]
