"""Where the manual tells about what a page is about."""

from __future__ import annotations

from ptx_lsp.features.hover.parts.hover_info import FurtherReading
from ptx_lsp.isa.model.page_words import PageWords

MANUAL = FurtherReading(
    "PTX ISA: Instruction Set", "https://docs.nvidia.com/cuda/parallel-thread-execution/#instruction-set"
)


def manual_link(words: PageWords) -> FurtherReading:
    """The section of the manual that the page names."""
    manual = words.manual
    return MANUAL if manual is None else FurtherReading(f"PTX ISA: {manual.title.strip('`')}", manual.url)
