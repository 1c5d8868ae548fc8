"""The words of a page: everything outside its ``isa`` fence. Read only when someone asks, for a hover or a test.

Their order on a page: heading, lead, labels (``**Pitfall (`.ne` and `.f32`, `.f64`):** ...``), the fence, bullets for
operands and qualifiers, examples, a rule (``---``) with what does not belong into a hover, and ``Manual: ...`` with
links. A paragraph of the lead, a label, a bullet and a link can have a condition: the spellings that it is for.
"""

from __future__ import annotations

import re

from ptx_lsp.isa.model.page_condition import ALWAYS, CONDITION, PageCondition, Spelling, read_condition
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple

_LABEL = re.compile(r"\*\*(\w+)(?: \(([^)]*)\))?:\*\*\s*(.*)", re.DOTALL)
_LEAD = re.compile(rf"\(({CONDITION})\) (.*)", re.DOTALL)
_BULLET = re.compile(rf"^- (`[^`]+`(?:, `[^`]+`)*)(?: \(({CONDITION})\))?: (.*(?:\n(?!- |\n|```).*)*)", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_EXAMPLE = re.compile(
    r"^```ptx[ \t]*\n//- *(sm_\w+) +ptx +(\d+\.\d+)([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL
)
_FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_MANUAL = re.compile(r"^Manual: (.+?): (?=[(\[])(.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(rf"(?:\(({CONDITION})\)\s)?\[([^\]]+)\]\((https://[^)\s]+)\)")


class LeadParagraph(NamedTuple):
    """A paragraph of what the instruction does."""

    text: str
    condition: PageCondition = ALWAYS


class LabelledParagraph(NamedTuple):
    """A paragraph with a label."""

    name: str
    """``Threads``, ``Completion``, ``Ordering``, ``Undefined`` or ``Pitfall``."""
    text: str
    condition: PageCondition = ALWAYS


class Bullet(NamedTuple):
    """The meaning of an operand or a qualifier."""

    name: str
    """As in the forms: an operand, a place, a qualifier, or several qualifiers in a row."""
    text: str
    condition: PageCondition = ALWAYS


class Example(NamedTuple):
    """Lines of PTX with the module they are for."""

    text: str
    target: Target
    version: Version
    is_module: bool
    """A file of its own; else lines of a kernel in which the usual registers are declared."""
    line: int
    """The line of the page where the text begins, counted from 1."""


class ManualSection(NamedTuple):
    """A section of NVIDIA's manual about the instruction."""

    title: str
    url: str
    condition: PageCondition = ALWAYS


class PageWords(NamedTuple):
    """The prose of a page; each paragraph in one line."""

    title: str
    lead: tuple[LeadParagraph, ...]
    labels: tuple[LabelledParagraph, ...]
    bullets: tuple[Bullet, ...]
    """In the page's order: of those of one name the first whose condition holds is shown."""
    examples: tuple[Example, ...]
    below: str
    """The Markdown below the rule, without the links."""
    manual: tuple[ManualSection, ...] = ()
    """From the general to the special: of those whose condition holds the last one is shown."""

    def lead_of(self, spelling: Spelling) -> tuple[str, ...]:
        """The paragraphs of the lead that are for a spelling; the title if there is none."""
        return tuple(one.text for one in self.lead if one.condition.holds(spelling)) or (self.title,)

    def labels_of(self, spelling: Spelling) -> tuple[LabelledParagraph, ...]:
        """The labelled paragraphs that are for a spelling."""
        return tuple(one for one in self.labels if one.condition.holds(spelling))

    def bullets_of(self, spelling: Spelling) -> dict[str, Bullet]:
        """The bullets that are for a spelling, by name."""
        found: dict[str, Bullet] = {}
        for one in self.bullets:
            if one.name not in found and one.condition.holds(spelling):
                found[one.name] = one
        return found

    def manual_of(self, spelling: Spelling) -> ManualSection | None:
        """The section of the manual about a spelling; None if the page has no link."""
        return next((one for one in reversed(self.manual) if one.condition.holds(spelling)), None)

    def meaning(self, name: str, spelling: Spelling) -> str:
        """The text of the bullet of a name for a spelling; empty if there is none."""
        return next((one.text for one in self.bullets if one.name == name and one.condition.holds(spelling)), "")


def read_words(text: str) -> PageWords:
    """The words in the text of a page."""
    above, _, rest = text.partition("```isa")
    heading, *paragraphs = above.strip().split("\n\n")
    lead: list[LeadParagraph] = []
    labels: list[LabelledParagraph] = []
    for paragraph in paragraphs:
        words = " ".join(paragraph.split())
        label = _LABEL.match(words)
        if label is not None:
            labels.append(LabelledParagraph(label[1], label[3], read_condition(label[2] or "")))
        elif (conditional := _LEAD.match(words)) is not None:
            lead.append(LeadParagraph(conditional[2], read_condition(conditional[1])))
        elif words:
            lead.append(LeadParagraph(words))
    after_forms = rest.partition("\n```")[2]
    body, _, below = after_forms.partition("\n---\n")
    bullets = [
        Bullet(name, " ".join(found[3].split()), read_condition(found[2] or ""))
        for found in _BULLET.finditer(_FENCE.sub("", body))
        for name in _CODE.findall(found[1])
    ]
    manual = _MANUAL.search(text)
    sections = _LINK.finditer(manual[2]) if manual else ()
    return PageWords(
        heading.partition(": ")[2],
        tuple(lead),
        tuple(labels),
        tuple(bullets),
        tuple(_examples(text)),
        _MANUAL.sub("", below).strip(" .\n"),
        tuple(ManualSection(one[2], one[3], read_condition(one[1] or "")) for one in sections),
    )


def with_conditions_in_words(text: str) -> str:
    """The text of a page for a reader: each condition says what must be written.

    >>> with_conditions_in_words("- `.sys` (`.mmio`): the whole system.")
    '- `.sys` (with `.mmio`): the whole system.'
    """
    return _WITH_CONDITION.sub(lambda found: f"{found[1]}({read_condition(found[2]).in_words})", text)


_WITH_CONDITION = re.compile(
    rf"(^\*\*\w+ |^- `[^`]+`(?:,\s+`[^`]+`)* |(?<=\n\n)|(?=\([^)]*\)\s\[))\(({CONDITION})\)(?=[:\s])", re.MULTILINE
)
"""Matches a condition after a label, after the names of a bullet, at the beginning of a paragraph, before a link."""


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
