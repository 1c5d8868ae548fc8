"""The page of an instruction, with its forms as the manual writes syntax; and lists of pages of one family."""

from __future__ import annotations

import re

from ptx_lsp.features.pages.concept_pages import see_also
from ptx_lsp.features.pages.manual_syntax import manual_syntax
from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.concepts import concept_of, concepts_on
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.page_words import with_conditions_in_words

_FORMS = re.compile(r"^```isa[ \t]*\n.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)


def as_readers_see_it(page: str, instruction: InstructionPage) -> str:
    """Return a page with the notation of its forms and conditions replaced by text that needs no explanation."""
    shown = manual_syntax(instruction)
    text = _FORMS.sub(lambda _: shown, with_conditions_in_words(page), count=1)
    related = see_also(concepts_on(instruction))
    return f"{text.rstrip()}\n\n{related}\n" if related else text


def instruction_page(topic: str) -> str | None:
    """Return the page of an opcode if all words after the instruction's name are known on the page or in PTX."""
    opcode = opcode_parts(topic)
    instruction = catalogue().instruction(opcode)
    if instruction is None:
        return None
    page = read_grammar(instruction.path)
    name = max((name for name in instruction.names if f"{topic}.".startswith(f"{name}.")), key=len, default="")
    vocabulary = catalogue().vocabulary
    rest = opcode[len(opcode_parts(name)) :]
    shown = as_readers_see_it(page, instruction)
    return shown if all(vocabulary.meaning(word) or word in page for word in rest) else None


def family_page(topic: str) -> str | None:
    """Return the only page with a name that begins with the topic, or a list of such pages: ``mad24``, ``mbarrier``."""
    family = [page for page in catalogue().instructions if any(name.startswith(f"{topic}.") for name in page.names)]
    if len(family) == 1:
        return as_readers_see_it(read_grammar(family[0].path), family[0])
    lines = [f"- `{', '.join(page.names)}`: {page.words.title}" for page in family]
    parts = [f"# {topic}", "The common beginning of:", "\n".join(lines), see_also(filter(None, [concept_of(topic)]))]
    return "\n\n".join(filter(None, parts)) + "\n" if lines else None


def opcode_parts(topic: str) -> tuple[str, ...]:
    """Split an opcode into its parts: ``("cp", ".async", ".bulk")``."""
    first, *rest = topic.split(".")
    return (first, *(f".{part}" for part in rest))
