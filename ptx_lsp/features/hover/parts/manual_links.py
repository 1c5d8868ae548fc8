"""Links to the manual's section of an instruction page, and to the pages of concepts."""

from __future__ import annotations

from ptx_lsp.features.hover.parts.hover_info import FurtherReading
from ptx_lsp.isa.concepts import concepts_about
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.page_words import PageWords

MANUAL = FurtherReading(
    "PTX ISA: Instruction Set", "https://docs.nvidia.com/cuda/parallel-thread-execution/#instruction-set"
)


def manual_link(words: PageWords, spelling: Spelling) -> FurtherReading:
    """Return the link to the manual's section about a spelling of an instruction."""
    section = words.manual_of(spelling)
    return MANUAL if section is None else FurtherReading(f"PTX ISA: {section.title.strip('`')}", section.url)


_MOST_PAGES = 2
"""More links distract from the hover."""


def concept_pages(opcode: tuple[str, ...]) -> tuple[FurtherReading, ...]:
    """Return links to the pages of the most specific concepts of an opcode."""
    found = concepts_about(opcode)[:_MOST_PAGES]
    return tuple(FurtherReading(one.short_title, one.address) for one in found)
