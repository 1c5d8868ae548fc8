"""Instructions: the form that a statement fits, what it does, what each part means here, and where it exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ptx_lsp.analysis.cursor import Cursor
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.use import Use
from ptx_lsp.features.hover.gates import since
from ptx_lsp.features.hover.info import HoverInfo, Row
from ptx_lsp.features.hover.operands import operand_rows, written_form
from ptx_lsp.features.hover.reasons import advice, reasons
from ptx_lsp.features.hover.vocabulary import qualifier_meaning
from ptx_lsp.features.hover.words import MANUAL, clause_of, first_sentence, manual_link, own_bullet
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import Match, Mismatch, Problem
from ptx_lsp.isa.words import PageWords
from ptx_lsp.syntax.tree import Instruction

_MOST_OTHERS = 12
_GATED = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET, Problem.REMOVED})


def instruction(cursor: Cursor) -> HoverInfo:
    """The whole instruction, with the cursor on its name."""
    use = cursor.use
    match = use.match
    if match is None:
        return _without_match(cursor, _opcode(cursor).opcode)
    words = match.instruction.words
    lead = words.lead or (f"{match.instruction.title}",)
    return HoverInfo(
        use.opcode_span().shifted(cursor.span.start - use.span(cursor.token).start),
        code=(written_form(match),),
        lead=(*lead, *_labels(words, match)),
        rows=(*operand_rows(use, match, words), *_merged(_qualifier_rows(use, match, words))),
        notes=(*_mistakes(use, match), *_gate(use.module, match), *_advice(use, match)),
        link=manual_link(words),
    )


def qualifier(cursor: Cursor) -> HoverInfo:
    """One qualifier: what it means on this page, else everywhere; and where it exists."""
    use, word = cursor.use, cursor.word
    match, tree = use.match, _opcode(cursor)
    at = tree.opcode_tokens.index(cursor.token)
    mnemonic = tree.opcode[0]
    if match is None:
        meaning = qualifier_meaning(word)
        return HoverInfo(cursor.span, title=f"`{word}`", lead=(meaning,) if meaning else ())
    words = match.instruction.words
    slot = _slot(match, at)
    if _in_name(match, tree, at) and not own_bullet(words, word) and slot not in words.bullets:
        return instruction(cursor)
    own = use.span(cursor.token)
    notes = [f"✗ {reason.message}" for reason in reasons(use) if reason.span == own] if not match.fits else []
    mine = [mismatch for mismatch in match.mismatches if mismatch.qualifier == at]
    notes += [_need(use.module, one, match, use) for one in mine if one.problem in _GATED or not notes]
    notes += [f"! {reason.message}" for reason in advice(use) if reason.span == own]
    place = match.places[at] if at < len(match.places) else -1
    gate = match.form.slots[place].choices.get(word) if place >= 0 else None
    if not notes and gate is not None and gate.allows(use.module.version, use.module.target) and str(gate) != "1.0":
        notes.append(f"✓ {gate.describe()}")
    choices = match.form.slots[place].choices if place >= 0 else {}
    others = [choice for choice in choices if choice and choice != word]
    if others:
        shown = " ".join(f"`{one}`" for one in others[:_MOST_OTHERS]) + (" …" if len(others) > _MOST_OTHERS else "")
        notes.append(f"in this place also: {shown}")
    name = mnemonic if _in_name(match, tree, at) else _name(match, tree)
    title = f"`{word}` of `{name}`" + (f", {_name_of_place(slot)}" if slot not in ("", word) else "")
    lead = _meanings(words, word, slot, "".join(tree.opcode))
    return HoverInfo(cursor.span, title=title, lead=lead, notes=tuple(notes), link=manual_link(words))


def _without_match(cursor: Cursor, opcode: tuple[str, ...]) -> HoverInfo:
    """An instruction whose operands cannot be read, or that no page describes."""
    page = catalogue().instruction(opcode)
    if page is not None:
        words = page.words
        lead = words.lead or (page.title,)
        return HoverInfo(cursor.span, title=f"`{''.join(opcode)}`", lead=lead, link=manual_link(words))
    if catalogue().status(opcode) == "known":
        lead = (f"`{''.join(opcode)}`: a PTX instruction that is not checked yet",)
        return HoverInfo(cursor.span, lead=lead, link=MANUAL)
    return HoverInfo(cursor.span, lead=(f"`{''.join(opcode)}`: not an instruction of PTX",))


def _opcode(cursor: Cursor) -> Instruction:
    """The instruction around the cursor, also where its operands are flawed."""
    tree = cursor.use.statement.shape.tree
    assert isinstance(tree, Instruction)
    return tree


def _labels(words: PageWords, match: Match) -> list[str]:
    """The labelled paragraphs that concern this spelling; of one that fits not those that ptxas would refuse."""
    written = {value for value in match.values if value}
    return [
        f"**{label.name}:** {label.text}"
        for label in words.labels
        if (not label.parts or any(part in written or part in match.roles for part in label.parts))
        and not (match.fits and label.name == "Pitfall" and "ptxas: `" in label.text)
    ]


def _slot(match: Match, at: int) -> str:
    """The name of the place that the word ``at`` of the opcode fills; empty if none."""
    place = match.places[at] if at < len(match.places) else -1
    return match.form.slots[place].name if place >= 0 else ""


def _name(match: Match, tree: Instruction) -> str:
    """The longest of the page's names that the opcode begins with: ``cp.async.bulk.tensor``."""
    opcode, names = "".join(tree.opcode) + ".", match.instruction.names
    return max((name for name in names if opcode.startswith(name + ".")), key=len, default=names[0])


def _in_name(match: Match, tree: Instruction, at: int) -> bool:
    """Whether the word ``at`` of the opcode is a part of the instruction's name."""
    return at <= _name(match, tree).count(".")


def _meanings(words: PageWords, word: str, slot: str, opcode: str) -> tuple[str, ...]:
    """What is said of a qualifier: by its own bullet, else in general and of its place."""
    own = own_bullet(words, word, opcode)
    if own:
        return (own,)
    place, general = words.bullets.get(slot, ""), qualifier_meaning(word)
    said = bool(place) and (f"`{word}`" in place or word in catalogue().vocabulary.types)
    return tuple(filter(None, (place,) if said else (general, place)))


def _in_a_line(words: PageWords, word: str, slot: str, opcode: str) -> str:
    """The shortest of what is said of a qualifier; empty if there is nothing."""
    own, place = own_bullet(words, word, opcode), words.bullets.get(slot, "")
    if own and own.startswith(f"`{word}`, the default") and qualifier_meaning(word):
        return f"the default: {first_sentence(qualifier_meaning(word))}"
    if own:
        return clause_of(own, word) or first_sentence(own).removeprefix(f"`{word}`, ")
    general = "" if place and word in catalogue().vocabulary.types else qualifier_meaning(word)
    return clause_of(place, word) or first_sentence(general) or first_sentence(place)


def _name_of_place(slot: str) -> str:
    return slot.lstrip(".")


def _qualifier_rows(use: Use, match: Match, words: PageWords) -> list[Row]:
    """A line for each written qualifier that something can be said of; the title tells of the parts of the name."""
    tree = use.instruction
    assert tree is not None
    opcode, of_name = "".join(tree.opcode), _name(match, tree).split(".")
    rows: list[Row] = []
    for place, value in enumerate(match.values):
        if not place or not value or not value.startswith(".") or any(row.name == value for row in rows):
            continue
        slot = match.form.slots[place].name
        if value[1:] in of_name and not own_bullet(words, value) and slot not in words.bullets:
            continue
        meaning = _in_a_line(words, value, slot, opcode)
        if meaning:
            rows.append(Row(value, meaning))
    return rows


def _merged(rows: Iterable[Row]) -> Iterator[Row]:
    """Neighbors of which the same is said share a line."""
    for text, alike in groupby(rows, lambda row: row.text):
        yield Row(" ".join(row.name for row in alike), text)


_MOST_MISTAKES = 3


def _mistakes(use: Use, match: Match) -> list[str]:
    """Why the statement does not fit the form that is shown: what the checks say, and what the module lacks."""
    if match.fits:
        return []
    said = dict.fromkeys(f"✗ {reason.message}" for reason in reasons(use))
    gated = [one for one in match.mismatches if one.problem in _GATED or not said]
    return [*said, *(_need(use.module, mismatch, match, use) for mismatch in gated)][:_MOST_MISTAKES]


def _advice(use: Use, match: Match) -> list[str]:
    """What of a spelling that fits is deprecated or without effect."""
    if not match.fits or not (match.form.deprecated or match.notes):
        return []
    return [f"! {reason.message}" for reason in advice(use)]


def _need(module: Module, mismatch: Mismatch, match: Match, use: Use | None = None) -> str:
    """One mismatch in a line."""
    word = _word_of(mismatch, match, use)
    if mismatch.problem in _GATED and mismatch.need is not None:
        verb = "is gone: it needs" if mismatch.problem is Problem.REMOVED else "needs"
        return f"✗ {word} {verb} {mismatch.need.describe()}; this module: PTX {module.version}, {module.target}"
    if mismatch.message:
        return f"✗ {word}: {mismatch.message}"
    wanted = " ".join(mismatch.wanted[:8])
    what = _PROBLEMS.get(mismatch.problem, "does not fit")
    if mismatch.problem is Problem.CONFLICT and use is not None and mismatch.other >= 0:
        what = f"does not go with `{_opcode_word(use, mismatch.other)}`"
    return f"✗ {word} {what}" + (f"; wanted: `{wanted}`" if wanted else "")


_PROBLEMS = {
    Problem.UNKNOWN_QUALIFIER: "does not exist here",
    Problem.MISSING_QUALIFIER: "lacks a qualifier",
    Problem.DUPLICATE_QUALIFIER: "stands twice",
    Problem.CONFLICT: "does not go with the rest",
    Problem.ORDER: "stands in the wrong order",
    Problem.OPERAND_COUNT: "has the wrong number of operands",
    Problem.OPERAND_KIND: "is the wrong kind of operand",
    Problem.OPERAND_TYPE: "has the wrong type",
    Problem.OPERAND_VALUE: "is out of range",
    Problem.VECTOR_LENGTH: "has the wrong length",
    Problem.OPERAND_PART: "has no such part",
    Problem.OPERAND_SIGN: "cannot have a sign",
}


def _opcode_word(use: Use, index: int) -> str:
    tree = use.instruction
    return tree.opcode[index] if tree is not None and index < len(tree.opcode) else ""


def _word_of(mismatch: Mismatch, match: Match, use: Use | None) -> str:
    """The part that a mismatch speaks of, as it is written."""
    tree = use.instruction if use is not None else None
    if tree is not None and use is not None:
        if 0 <= mismatch.qualifier < len(tree.opcode):
            return f"`{tree.opcode[mismatch.qualifier]}`"
        operand = use.operand_at(mismatch.operand) if mismatch.operand else None
        if operand is not None:
            return f"`{use.text_of(operand)}`"
    return f"`{match.form.mnemonic}`" if use is not None else "it"


def _gate(module: Module, match: Match) -> list[str]:
    """Since when and where the spelling exists; nothing while something is wrong with it.

    Of what not all releases of ptxas take, or no manual lists, that is said instead.
    """
    for note in match.notes:
        if note.problem is Problem.SOME_RELEASES and note.need is not None:
            return [f"taken only by {note.need.describe()}"]
    gate = since(match, module) if match.fits else None
    return [f"✓ {gate.describe()}"] if gate is not None else []
