"""The page of a word of the language: a type, a state space, a directive, a target …"""

from __future__ import annotations

from ptx_lsp.features.pages.instruction_pages import opcode_parts
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import OPEN
from ptx_lsp.isa.vocabulary.entries import WordEntry, entries


def word_page(topic: str) -> str | None:
    """Return the vocabulary entry of a word: a type, space, directive, target, version, pragma …"""
    found = "\n".join(map(_entry, entries(catalogue().vocabulary, topic)))
    if found:
        return f"# {topic}\n\n{found}"
    if topic and catalogue().status(opcode_parts(topic)) == "known":
        return f"# {topic}\n\nAn instruction without a page: it is known, but not checked.\n"
    return None


def _entry(entry: WordEntry) -> str:
    """Return one vocabulary entry as Markdown."""
    grammar = f"```ptx\n{entry.grammar}\n```" if entry.grammar else ""
    facts = [*entry.facts, entry.gate.describe() if entry.gate != OPEN else ""]
    items = "\n".join(f"- {fact}" for fact in facts if fact)
    return "\n\n".join(filter(None, (f"{entry.kind}: {entry.words}", grammar, items))) + "\n"
