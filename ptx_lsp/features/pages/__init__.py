"""Markdown documentation pages of codes, instructions and single words."""

from __future__ import annotations

import re

from ptx_lsp import codes
from ptx_lsp.features.pages.caret_lines import with_carets
from ptx_lsp.features.pages.code_pages import code_pages
from ptx_lsp.features.pages.concept_pages import concept_page
from ptx_lsp.features.pages.instruction_pages import family_page, instruction_page
from ptx_lsp.features.pages.layout_pages import layout_page
from ptx_lsp.features.pages.word_pages import word_page
from ptx_lsp.isa.concepts import nearest_topics


def find_page(topic: str) -> str | None:
    """Return the page of a topic.

    A topic is a code, an instruction (``add.s32``), a word (``%laneid``), a layout (``idesc``) or a concept
    (``memory model``).
    """
    pages = (code_pages, instruction_page, family_page, word_page, layout_page, concept_page)
    page = next(filter(None, (one(topic) for one in pages)), None)
    return with_carets(_SNIPPET.sub(_machine, page)) if page is not None else None


_SNIPPET = re.compile(r"^//-(?P<words>.*)\n", re.MULTILINE)
"""The title line of an example in the test format."""


def _machine(line: re.Match[str]) -> str:
    """Return the version and target of an example in words."""
    words = line["words"].split()
    target = next((word for word in words if word.startswith("sm_")), "")
    version = words[words.index("ptx") + 1] if "ptx" in words else ""
    shown = ", ".join(part for part in (version and f"PTX {version}", target) if part)
    return f"// {shown}\n" if shown else ""


def nearest(topic: str) -> tuple[str, ...]:
    """Return the most similar topics, best first; empty if none is close."""
    from ptx_lsp.isa.catalogue import catalogue

    found = (codes.nearest(topic), *nearest_topics(topic, 1), *catalogue().nearest(topic, 2))
    return tuple(dict.fromkeys(filter(None, found)))
