"""Markdown documentation pages of codes, instructions and single words."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from ptx_lsp import codes

if TYPE_CHECKING:
    from ptx_lsp.isa.vocabulary.entries import WordEntry


def find_page(topic: str) -> str | None:
    """Return the page of a code (number or name), an instruction (``add.s32``) or a word (``%laneid``, ``.sat``)."""
    page = _code_pages(topic) or _instruction_page(topic) or _family_page(topic) or _word_page(topic)
    return _SNIPPET.sub(_machine, page) if page is not None else None


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

    return tuple(word for word in (codes.nearest(topic), *catalogue().nearest(topic, 2)) if word)


def _code_pages(topic: str) -> str | None:
    """Return the pages of all codes with this number or name; two numbers can share a name."""
    topic = codes.ALIASES.get(topic, topic)
    numbers = [number for number, name in codes.NAMES.items() if topic.upper() == number or topic == name]
    return "\n".join(map(code_page, numbers)) or None


def code_page(number: str) -> str:
    """Return the page of a code."""
    silence = f"Silence one line with `// ptx-lsp: ignore[{number}]` at its end, a file with `ignore-file[{number}]`."
    return f"# {number} {codes.NAMES[number]}\n\n{_words_of_check(number)}\n\n{silence}\n"


def _words_of_check(number: str) -> str:
    """Return the first docstring among the check functions of a rule's module."""
    from ptx_lsp import suppressions
    from ptx_lsp.checks import CHECKS
    from ptx_lsp.checks.engine import truncation_notice as more_findings

    no_checks = {"H902": suppressions.unknown_codes, "I701": more_findings.with_note}
    if number in no_checks:
        return inspect.getdoc(no_checks[number]) or ""
    for check in CHECKS:
        if check.rule.code == number:
            return check.page
    return "No check gives this code yet."


def _instruction_page(topic: str) -> str | None:
    """Return the page of an opcode if all words after the instruction's name are known on the page or in PTX."""
    from ptx_lsp.grammar_files import read_grammar
    from ptx_lsp.isa.catalogue import catalogue

    opcode = _opcode(topic)
    instruction = catalogue().instruction(opcode)
    if instruction is None:
        return None
    page = read_grammar(instruction.path)
    name = max((name for name in instruction.names if f"{topic}.".startswith(f"{name}.")), key=len, default="")
    vocabulary = catalogue().vocabulary
    rest = opcode[len(_opcode(name)) :]
    return page if all(vocabulary.meaning(word) or word in page for word in rest) else None


def _family_page(topic: str) -> str | None:
    """Return the only page with a name that begins with the topic, or a list of such pages: ``mad24``, ``mbarrier``."""
    from ptx_lsp.grammar_files import read_grammar
    from ptx_lsp.isa.catalogue import catalogue

    family = [page for page in catalogue().instructions if any(name.startswith(f"{topic}.") for name in page.names)]
    if len(family) == 1:
        return read_grammar(family[0].path)
    lines = [f"- `{', '.join(page.names)}`: {page.words.title}" for page in family]
    return f"# {topic}\n\nThe beginning of these:\n\n" + "\n".join(lines) + "\n" if lines else None


def _opcode(topic: str) -> tuple[str, ...]:
    """Split an opcode into its parts: ``("cp", ".async", ".bulk")``."""
    first, *rest = topic.split(".")
    return (first, *(f".{part}" for part in rest))


def _word_page(topic: str) -> str | None:
    """Return the vocabulary entry of a word: a type, space, directive, target, version, pragma …"""
    from ptx_lsp.isa.catalogue import catalogue
    from ptx_lsp.isa.vocabulary.entries import entries

    found = "\n".join(map(_entry, entries(catalogue().vocabulary, topic)))
    if found:
        return f"# {topic}\n\n{found}"
    if topic and catalogue().status(_opcode(topic)) == "known":
        return f"# {topic}\n\nAn instruction that has no page yet: it is known, and not checked.\n"
    return None


def _entry(entry: WordEntry) -> str:
    """Return one vocabulary entry as Markdown."""
    from ptx_lsp.isa.model.gate import OPEN

    grammar = f"```ptx\n{entry.grammar}\n```" if entry.grammar else ""
    facts = [*entry.facts, entry.gate.describe() if entry.gate != OPEN else ""]
    items = "\n".join(f"- {fact}" for fact in facts if fact)
    return "\n\n".join(filter(None, (f"{entry.kind}: {entry.words}", grammar, items))) + "\n"
