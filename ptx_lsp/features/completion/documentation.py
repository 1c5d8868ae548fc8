"""The documentation of one item, computed on demand: syntax, description and availability.

It is legible unrendered, because some clients show the Markdown source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.newer import newer_offers, opcode_names, opcode_of
from ptx_lsp.isa.model.form import InstructionForm
from ptx_lsp.isa.model.gate import OPEN, Gate, Need
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.pages.excerpts import about, first_sentence
from ptx_lsp.isa.pages.spellings import spelling_of_words
from ptx_lsp.isa.vocabulary.entries import WordEntry, entries, of_directive, of_language, of_pragma
from ptx_lsp.isa.vocabulary.snippets import snippets
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.load import layouts

WIDTH = 72
_FORMS = 3
_LINES = 10
"""The maximum number of syntax lines, and of forms."""
_NAMES = 6
"""The maximum number of instructions listed as new in a version or target."""
_MARKS = re.compile(r"`|\\*\\*")


@dataclass(frozen=True, slots=True)
class Documentation:
    """The documentation of an item. Prose contains code spans and no other markup."""

    code: tuple[str, ...] = ()
    """Lines of PTX."""
    words: tuple[str, ...] = ()
    """Paragraphs."""

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        fence = ("```ptx\n" + "\n".join(self.code) + "\n```",) if self.code else ()
        return "\n\n".join((*fence, *self.words))

    @property
    def plain(self) -> str:
        """Return it as plain text."""
        code = ("\n".join(self.code),) if self.code else ()
        return "\n\n".join((*code, *(_MARKS.sub("", text) for text in self.words)))


def documentation(key: tuple[str, ...], version: Version, target: Target) -> Documentation | None:
    """Return the documentation for an item's key in a module of this version and target, or None."""
    match key:
        case ("instruction", name):
            return _of_instruction(opcode_of(name), version, target)
        case ("qualifier", word, opcode):
            return _of_qualifier(word, opcode_of(opcode), version, target)
        case ("directive", word) if word in catalogue().vocabulary.directives:
            return _of_entry(of_directive(catalogue().vocabulary.directives[word]), word, version, target)
        case ("word", word):
            return _of_entry(next(entries(catalogue().vocabulary, word), None), word, version, target)
        case ("pragma", text):
            return _of_entry(of_pragma(catalogue().vocabulary, text), text, version, target)
        case ("language", text):
            return _of_entry(of_language(catalogue().vocabulary, text), text, version, target)
        case ("snippet", name) if name in snippets():
            snippet = snippets()[name]
            return Documentation(tuple(snippet.example.split("\n")), (snippet.words,))
        case ("value", text, means):
            return Documentation(words=(f"{text}: {means}",))
        case ("descriptor", name, template, digits, context) if name in layouts():
            layout = layouts()[name]
            reading = decode(layout, int(digits, 0), frozenset(context.split()))
            return Documentation(words=(f"{layout.title}: {template}", reading.summary))
    return None


def _of_instruction(opcode: tuple[str, ...], version: Version, target: Target) -> Documentation | None:
    pages = catalogue().candidates(opcode)
    name = "".join(opcode)
    if not pages:
        longer = [other for other in opcode_names(version, target) if other.startswith(f"{name}.")]
        if not longer:
            return None
        return Documentation(words=(f"beginning of {_listed(longer, 12)}",))
    page = pages[0]
    forms = [form for form in page.forms if form.mnemonic == opcode[0] and _spells(form, opcode)]
    need = opcode_names(version, target).get(name)
    here = [form for form in forms if all(gate.allows(version, target) for gate in form.gates)] or forms
    gates = () if need is not None else tuple(dict.fromkeys(gate for form in here[:1] for gate in form.gates))
    lead = page.words.lead_of(spelling_of_words(here[0], opcode) if here else Spelling(name))
    return Documentation(_syntax(here), (f"{first_sentence(lead[0])}.", *_gate_lines(gates, need, version, target)))


def _spells(form: InstructionForm, opcode: tuple[str, ...]) -> bool:
    """Whether a form has a slot for each part of a name."""
    return all(any(word in slot.choices for slot in form.slots) for word in opcode[1:])


def _syntax(forms: list[InstructionForm]) -> tuple[str, ...]:
    """Return the syntax of the first forms, limited to :data:`_LINES` lines."""
    lines: list[str] = []
    count = 0
    for form in forms[:_FORMS]:
        more = _broken(" ".join(form.syntax.split()))
        if lines and len(lines) + len(more) >= _LINES:
            break
        lines += more[:_LINES]
        count += 1
    return (*lines, f"// and {len(forms) - count} more") if len(forms) > count else tuple(lines)


def _broken(line: str) -> list[str]:
    """Wrap a line of PTX to :data:`WIDTH` columns, before operands or qualifiers."""
    found = []
    indent = ""
    while len(line) > WIDTH:
        at = max(line.rfind(" ", len(indent) + 1, WIDTH), line.rfind("{.", len(indent) + 1, WIDTH))
        if at <= len(indent):
            at = line.rfind(".", len(indent) + 1, WIDTH)
        if at <= len(indent):
            at = WIDTH
        found.append(line[:at].rstrip())
        indent = "    "
        line = indent + line[at:].lstrip()
    return [*found, line]


def _of_qualifier(word: str, opcode: tuple[str, ...], version: Version, target: Target) -> Documentation | None:
    longer = (*opcode, word)
    vocabulary = catalogue().vocabulary
    pages = catalogue().beginning_with(longer) or catalogue().beginning_with(opcode)
    page = next((page for page in pages if _form_with(page, opcode, word)), None)
    if page is None:
        return None
    form = _form_with(page, opcode, word)
    assert form is not None
    name = "".join(longer)
    if any(one == name or one.startswith(f"{name}.") for one in page.names):
        return _of_instruction(longer, version, target)
    slot = next(slot for slot in form.slots if word in slot.choices)
    said = about(page, word, slot.name, spelling_of_words(form, longer), vocabulary.meaning(word))
    need = newer_offers(opcode, version, target).get(word)
    gate = slot.choices[word]
    title = f"`{word}`" + (f", {slot.name.lstrip('.')}" if slot.name != word else "") + f" of `{page.names[0]}`"
    others = [one for one in slot.choices if one and one != word]
    shown = f"alternatives: {_listed(others, 8)}" if others and slot.name != word else ""
    return Documentation(
        (), tuple(filter(None, (title, said and f"{said}.", *_gate_lines((gate,), need, version, target), shown)))
    )


def _form_with(page: InstructionPage, opcode: tuple[str, ...], word: str) -> InstructionForm | None:
    """Return the first form that has a slot for every word."""
    wanted = (*opcode[1:], word)
    forms = page.prepared.get(opcode[0], ())
    return next((form.form for form in forms if all(one in form.homes for one in wanted)), None)


def _of_entry(entry: WordEntry | None, word: str, version: Version, target: Target) -> Documentation | None:
    if entry is None:
        return None
    gate = () if entry.gate == OPEN else (entry.gate,)
    facts = tuple(fact for fact in entry.facts if fact)
    gates = _gate_lines(gate, None, version, target)
    words = tuple(filter(None, (entry.words[:1].upper() + entry.words[1:], *facts, *gates, _brings(word))))
    return Documentation(tuple(_broken(entry.grammar)) if entry.grammar else (), words)


def _gate_lines(gates: tuple[Gate, ...], need: Need | None, version: Version, target: Target) -> list[str]:
    """Return the availability, one line per gate, each with a mark for whether this module satisfies it."""
    module = f"this module: PTX {version}, {target}"
    if need is not None:
        return [f"✗ requires {need.describe()}; {module}"]
    return [
        f"✓ {gate.describe()}" if gate.allows(version, target) else f"✗ {gate.describe()}; {module}"
        for gate in gates
        if gate != OPEN
    ]


def _brings(word: str) -> str:
    """Return the instructions introduced with a target or version; empty for other words."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.targets:
        mine = vocabulary.targets[word].target
        earlier = [one.target for one in vocabulary.targets.values() if mine.implies(one.target) and one.target != mine]
        if not earlier:
            return ""
        newest = vocabulary.newest_version
        before = {name for one in earlier[-2:] for name, need in opcode_names(newest, one).items() if need is None}
        now = opcode_names(newest, mine)
    else:
        version = next((one for one in vocabulary.versions if str(one) == word), None)
        if version is None:
            return ""
        best = vocabulary.newest_target
        before = {name for name, need in opcode_names(version.previous, best).items() if need is None}
        now = opcode_names(version, best)
    new = [name for name, need in now.items() if need is None and name not in before]
    return f"Introduces {_listed(new, _NAMES)}." if new else ""


def _listed(names: list[str], most: int) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
