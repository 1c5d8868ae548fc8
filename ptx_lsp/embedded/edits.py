"""Edits of a fragment as edits of its host."""

from __future__ import annotations

import re

from ptx_lsp.diagnostic import Edit
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.notation import as_host_writes
from ptx_lsp.text import Span

_ESCAPED = re.compile(r"[\"'\\\t\r{}]")
"""Characters that are written otherwise in some literals."""
_UNESCAPED_PERCENT = re.compile(r"%(?!\d)")


def edit_to_host(edit: Edit, fragment: AsmFragment) -> Edit | None:
    """An edit of the fragment's text as one of the host's, relative to the start of the site.

    None if the place is not the same text in both, or if it is not certain how the host writes the new text.
    """
    run = fragment.map.verbatim_run(edit.span)
    if run is None:
        return None
    text = edit.text
    if _ESCAPED.search(text) or as_host_writes(text, fragment) != text:
        return None
    by = run.host - run.ptx
    if "\n" in text:
        if not fragment.site.text[: fragment.map.begins_literal(run)].endswith('"'):
            return None  # a raw literal, or one in other quotation marks
        if fragment.site.text[: fragment.map.begins_literal(run)].endswith('"""'):
            return None
        text = text.replace("\n", "\\n")
    return Edit(Span(edit.span.start + by, edit.span.end + by), with_escapes(text, fragment))


def with_escapes(text: str, fragment: AsmFragment) -> str:
    """A text of PTX as the template of a fragment has it: ``%tid`` as ``%%tid``, while ``%0`` is an operand."""
    if fragment.site.dialect == "gcc" and fragment.operands:
        return _UNESCAPED_PERCENT.sub("%%", text)
    if fragment.site.dialect in ("llvm", "nvvm"):
        return as_host_writes(re.sub(r"\$(?!\d|(?:rw?|w)\d)", "$$$$", text), fragment)
    if fragment.site.dialect == "rust" and fragment.variant.has_operand_lists:
        return as_host_writes(text.replace("{", "{{").replace("}", "}}"), fragment)
    return text
