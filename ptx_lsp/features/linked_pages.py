"""Documentation pages as documents with addresses and cross-references: ``ptx-lsp:/isa/mma.md``."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

from ptx_lsp import codes
from ptx_lsp.features import value_pages
from ptx_lsp.features.pages import find_page
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.concepts import concept_of, concepts
from ptx_lsp.isa.vocabulary.entries import entries

SCHEME = "ptx-lsp"
INDEX = f"{SCHEME}:/index.md"
"""The address of the index page."""

_FOLDERS = ("isa", "codes", "words", "concepts")
_FENCE = re.compile(r"^```.*?^```[^\n]*\n?", re.DOTALL | re.MULTILINE)
_LINKABLE = re.compile(r"\[[^\]\n]*\]\([^)\n]*\)|`(?P<word>[^`\s]+)`|\b(?P<code>[EWHI]\d{3})\b")
_OPCODE = re.compile(r"[a-z]\w*(?:\.\w+|::\w+)*", re.ASCII).fullmatch


def page_at(address: str) -> str | None:
    """Return the page at an address, with links to other pages, or None.

    The page name is any topic of ``ptx-lsp explain``: ``ptx-lsp:/isa/add.s32.md`` is the page of ``add``, too.
    """
    parts = urlsplit(address)
    path = unquote(parts.path).strip("/").removesuffix(".md")
    if parts.scheme != SCHEME:
        return None
    if path == "index":
        return _index()
    folder, _, topic = path.partition("/")
    if folder == value_pages.FOLDER:
        return value_pages.page_of_path(topic)
    page = find_page(topic) if folder in _FOLDERS and topic else None
    return _linked(page, topic) if page is not None else None


def address_of(topic: str) -> str | None:
    """Return the address of the page of a code, an instruction, a word or a concept, or None."""
    number = topic.upper()
    if number in codes.NAMES:
        return _address("codes", number)
    if (name := _instruction(topic)) is not None:
        return _address("isa", name)
    if topic and next(entries(catalogue().vocabulary, topic), None) is not None:
        return _address("words", topic)
    concept = concept_of(topic)
    return _address("concepts", concept.name) if concept is not None else None


def _address(folder: str, topic: str) -> str:
    return f"{SCHEME}:/{folder}/{quote(topic, safe='.:')}.md"


def _instruction(topic: str) -> str | None:
    """Return the longest instruction name in the catalogue that is a prefix of the opcode."""
    if _OPCODE(topic) is None:
        return None
    first, *rest = topic.split(".")
    found = catalogue().instruction((first, *(f".{part}" for part in rest)))
    names = [name for name in found.names if f"{topic}.".startswith(f"{name}.")] if found is not None else []
    return max(names, key=len, default=None)


def _linked(page: str, topic: str) -> str:
    """Return a page with links at the names of other pages; examples are unchanged."""
    own = address_of(topic)

    def link(found: re.Match[str]) -> str:
        word = found["word"] or found["code"]
        address = address_of(word) if word else None
        return found[0] if address is None or address == own else f"[{found[0]}]({address})"

    pieces = []
    at = 0
    for fence in _FENCE.finditer(page):
        pieces += [_LINKABLE.sub(link, page[at : fence.start()]), fence[0]]
        at = fence.end()
    text = "".join([*pieces, _LINKABLE.sub(link, page[at:])])
    return f"{text.rstrip()}\n\n[All pages]({INDEX})\n"


def _index() -> str:
    """Return the index page: all concepts, all instructions by chapter, and all codes."""
    chapters: dict[str, list[str]] = {}
    for page in catalogue().instructions:
        name = page.names[0]
        chapter = page.path.split("/")[1]
        chapters.setdefault(chapter, []).append(f"- [`{', '.join(page.names)}`]({_address('isa', name)}): {page.title}")
    explained = [f"- [{one.title}]({_address('concepts', one.name)}): {one.summary}" for one in concepts()]
    parts = ["# PTX", "## concepts", "\n".join(explained)]
    for chapter, lines in chapters.items():
        parts += [f"## {chapter}", "\n".join(lines)]
    listed = [f"- [{number} {name}]({_address('codes', number)})" for number, name in codes.NAMES.items()]
    return "\n\n".join([*parts, "## Findings", "\n".join(listed)]) + "\n"
