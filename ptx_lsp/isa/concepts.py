"""The concept pages (``grammar/concepts``): what several instructions share, such as the memory model.

A page is a heading ``# Title: one line``, a paragraph with two lists, and Markdown:

    Words: what people look up, with commas
    Instructions: the beginnings of opcodes whose hovers refer to the page, most important first; ``ld.acquire`` also
    counts for ``ld.global.acquire.gpu``
"""

from __future__ import annotations

import os
import re
from functools import cache

from ptx_lsp.grammar_files import grammar_file, read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.named_tuples import NamedTuple

FOLDER = "concepts"
_HEAD = re.compile(
    r"# (?P<title>[^:\n]+): (?P<summary>[^\n]+)\n\n"
    r"Words: (?P<words>.+?)\n(?:Instructions: (?P<instructions>.+?)\n)?\n(?P<body>.*)",
    re.DOTALL,
)

_TABLE = re.compile(r"^Table: (\w+)$", re.MULTILINE)
"""A line for the table of a vocabulary file."""


class Concept(NamedTuple):
    """A page about a concept."""

    name: str
    """The file's name without extension: ``memory-model``."""
    title: str
    summary: str
    words: tuple[str, ...]
    """The words under which it is found, in lower case."""
    instructions: tuple[tuple[str, ...], ...]
    """Opcodes: the mnemonic, then qualifiers in any order and with others between."""
    text: str
    """The page as Markdown, without the two lists."""

    @property
    def short_title(self) -> str:
        """The title up to its first comma."""
        return self.title.partition(",")[0]

    @property
    def address(self) -> str:
        """The address of the page in editors."""
        return f"ptx-lsp:/{FOLDER}/{self.name}.md"

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that lead to the page: its words, its title and the name of its file."""
        return tuple(dict.fromkeys((*self.words, self.title.lower(), self.name)))

    def is_about(self, opcode: tuple[str, ...]) -> bool:
        r"""Whether hovers of an opcode refer to this page.

        >>> read_concept("x", "# X: y\n\nWords: x\nInstructions: ld.acquire\n\nText").is_about(
        ...     ("ld", ".global", ".acquire", ".gpu", ".u32")
        ... )
        True
        """
        return self.distance(opcode) is not None

    def distance(self, opcode: tuple[str, ...]) -> tuple[int, int] | None:
        """Return the rank of the page for an opcode, the smallest first; None if it is about others."""
        written = set(opcode)
        ranks = [
            (-len(one), at)
            for at, one in enumerate(self.instructions)
            if one[0] == opcode[0] and written.issuperset(one)
        ]
        return min(ranks, default=None)


@cache
def concepts() -> tuple[Concept, ...]:
    """All concept pages, in the order of their names."""
    names = sorted(entry.name.removesuffix(".md") for entry in os.scandir(grammar_file(FOLDER)))
    return tuple(read_concept(name, read_grammar(f"{FOLDER}/{name}.md")) for name in names)


def read_concept(name: str, text: str) -> Concept:
    """Read a page.

    Raises:
        ValueError: if the page does not begin with a heading and the list of words.
    """
    found = _HEAD.fullmatch(text)
    if found is None:
        raise ValueError(f"{FOLDER}/{name}.md: a concept page begins with '# Title: summary' and 'Words: …'")
    return Concept(
        name,
        found["title"],
        found["summary"],
        tuple(word.lower() for word in _listed(found["words"])),
        tuple(tuple(re.findall(r"^\w+|\.[\w:]+", opcode)) for opcode in _listed(found["instructions"] or "")),
        f"# {found['title']}: {found['summary']}\n\n{_TABLE.sub(_table, found['body'])}",
    )


def _table(line: re.Match[str]) -> str:
    """The table of a vocabulary file as it is written there."""
    rows = [row for row in read_grammar(f"vocabulary/{line[1]}.md").splitlines() if row.startswith("|")]
    return "\n".join(rows)


def key(topic: str) -> str:
    """A topic without its case and separators: ``Async-Proxy`` and ``async proxy`` are equal."""
    return re.sub(r"[-_\s]+", "", topic.lower())


def concept_of(topic: str) -> Concept | None:
    """The page that a topic names, by the file's name, the title, or one of the page's words."""
    return _by_key().get(key(topic))


@cache
def _by_key() -> dict[str, Concept]:
    return {key(topic): one for one in reversed(concepts()) for topic in one.topics}


def nearest_topics(topic: str, count: int) -> tuple[str, ...]:
    """The most similar words of concept pages, best first; empty if none is close."""
    from difflib import get_close_matches  # imported late: needed only for errors

    words = {key(word): word for one in concepts() for word in reversed(one.topics)}
    return tuple(words[near] for near in get_close_matches(key(topic), words, count, 0.75))


def concepts_about(opcode: tuple[str, ...]) -> tuple[Concept, ...]:
    """The pages that hovers of an opcode refer to, the most specific first."""
    found = [(rank, one) for one in concepts() if (rank := one.distance(opcode)) is not None]
    return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))


def concepts_on(page: InstructionPage) -> tuple[Concept, ...]:
    """The pages about any form of an instruction page."""
    return tuple(one for one in concepts() if any(catalogue().instruction(name) is page for name in one.instructions))


def _listed(text: str) -> list[str]:
    return [part for part in (" ".join(one.split()) for one in text.split(",")) if part]
