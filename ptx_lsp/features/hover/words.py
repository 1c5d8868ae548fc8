"""The prose of an instruction page, cut into what a hover shows.

Source of the form: docs on pages: heading, lead, labels (``**Pitfall (`.nc`):**``), the ``isa`` fence, bullets, and a
last paragraph ``Manual: …`` with links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ptx_lsp.features.hover.info import Link
from ptx_lsp.isa.files import read_grammar

_LABEL = re.compile(r"\*\*(?P<label>\w+)(?: \((?P<parts>[^)]*)\))?:\*\*\s*(?P<text>.*)", re.DOTALL)
_BULLET = re.compile(r"^- (?P<names>`[^`]+`(?:, `[^`]+`)*): (?P<text>.*(?:\n(?!- |\n|```).*)*)", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\((https://[^)\s]+)\)")
_SENTENCE = re.compile(r"(?:`[^`]*`|[^`])*?[.;](?=\s|$)")
_NEXT_WORD = re.compile(r"[,;]? (?=`\.)")
_NO_CLAUSE = re.compile(r"(?:and|for|from|if|of|or|with)\b|.{0,2}$")
"""How what follows a word begins where it goes on about something else."""
_DOTTED = re.compile(r"\.[^.]+")
_FENCE = re.compile(r"^```.*?^```\s*?$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Label:
    """A paragraph with a label, such as "Threads"; tied to ``parts`` it concerns only spellings with one of them."""

    name: str
    text: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageWords:
    """What a page says in prose."""

    lead: tuple[str, ...]
    labels: tuple[Label, ...]
    bullets: dict[str, str]
    """What an operand or qualifier means here, by its name on the page."""
    link: Link | None

    def own(self, word: str, opcode: str = "") -> str:
        """The bullet of a qualifier, or of several in a row that ``opcode`` holds: ``.and.popc``; empty if none."""
        if word in self.bullets:
            return self.bullets[word]
        rows = (name for name in self.bullets if word in _DOTTED.findall(name) and name in opcode)
        return self.bullets.get(next(rows, ""), "")


def first_sentence(text: str) -> str:
    """The first sentence, which page writers keep understandable alone; without its final dot.

    >>> first_sentence("clamps: `.s32` to `0 .. 1`. A NaN becomes 0.")
    'clamps: `.s32` to `0 .. 1`'
    """
    found = _SENTENCE.match(text)
    return (found[0] if found else text).rstrip(".; ")


def clause_of(text: str, word: str) -> str:
    """The part of a bullet's first sentence that speaks of one word of several; empty if there is none.

    >>> clause_of("`.up` reads lane `- b`, `.down` lane `+ b`.", ".down")
    'lane `+ b`'
    >>> clause_of("`.f32`, or `.f16` from `.f16`.", ".f16")
    ''
    """
    _, mark, after = first_sentence(text).partition(f"`{word}` ")
    found = _NEXT_WORD.split(after, 1)[0].strip(" ,;.") if mark else ""
    return "" if _NO_CLAUSE.match(found) else found


@lru_cache(maxsize=64)
def page_words(path: str) -> PageWords:
    """The words of the page at ``path`` in the grammar folder."""
    return read_words(read_grammar(path))


def read_words(text: str) -> PageWords:
    """Cut the prose of a page's text."""
    above, _, below = text.partition("```isa")
    lead, labels = [], []
    for paragraph in above.split("\n\n")[1:]:
        paragraph = " ".join(paragraph.split())
        label = _LABEL.match(paragraph)
        if label is not None:
            labels.append(Label(label["label"], label["text"], tuple(_CODE.findall(label["parts"] or ""))))
        elif paragraph:
            lead.append(paragraph)
    bullets: dict[str, str] = {}
    _, _, after_forms = below.partition("\n```")
    for found in _BULLET.finditer(_FENCE.sub("", after_forms.partition("\n---\n")[0])):
        meaning = " ".join(found["text"].split())
        for name in _CODE.findall(found["names"]):
            bullets.setdefault(name, meaning)
    manual = _LINK.search(text, text.rfind("\nManual:")) if "\nManual:" in text else None
    link = Link(f"PTX ISA: {manual[1].strip('`')}", manual[2]) if manual else None
    return PageWords(tuple(lead), tuple(labels), bullets, link)
