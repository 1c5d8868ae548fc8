"""Links to the manual's section of an instruction page."""

from __future__ import annotations

from ptx_lsp.features.hover.parts.hover_info import FurtherReading
from ptx_lsp.isa.model.page_words import PageWords

MANUAL = FurtherReading(
    "PTX ISA: Instruction Set", "https://docs.nvidia.com/cuda/parallel-thread-execution/#instruction-set"
)


def manual_link(words: PageWords) -> FurtherReading:
    """Return the link to the manual's section of a page."""
    manual = words.manual
    return MANUAL if manual is None else FurtherReading(f"PTX ISA: {manual.title.strip('`')}", manual.url)
