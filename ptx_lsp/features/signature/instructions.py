"""Signatures of instructions: one per form, with the operands' names and types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement, complete_statement
from ptx_lsp.analysis.cursor.expected_operands import accepts_operands_before
from ptx_lsp.analysis.cursor.possible_forms import PossibleForm, possible_forms
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.features.signature.operand_words import operand_text, type_words
from ptx_lsp.features.signature.signature_info import WIDTH, Signature, SignatureLabel
from ptx_lsp.isa.match import match
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.page_words import PageWords
from ptx_lsp.process_cache import memoized

_MOST_SIGNATURES = 16
_UNKNOWN = ActualOperand("unknown")
_LONGEST_NEED = 60


def instruction_signatures(place: UnfinishedStatement) -> list[Signature]:
    """Return a signature for each form that the opcode matches or begins; those that fit the operands come first."""
    module = place.context.module
    forms = possible_forms(place.opcode, module.version, module.target)
    written = complete_statement(place)
    found: dict[str, tuple[tuple[bool, ...], Signature]] = {}
    for possible in forms:
        fitting, fits = _chosen(place, possible, written)
        signature = _signature(place, possible, fitting, fits=fits)
        rank = not signature.fits, signature.active is None, not _takes_word(place, fitting, written)
        known = found.get(signature.label)
        if known is None or rank < known[0]:
            found[signature.label] = rank, signature
    return [signature for _, signature in sorted(found.values(), key=lambda one: one[0])][:_MOST_SIGNATURES]


def _signature(place: UnfinishedStatement, possible: PossibleForm, fitting: Fitting, *, fits: bool) -> Signature:
    at = place.operand
    here = fitting.operands()
    operand = here[at] if at < len(here) else None
    active = next((number for number, one in enumerate(possible.operands) if one is operand), None)
    label, shown = _label(possible, active)
    return Signature(label.text, tuple(label.parameters), shown, _words(place, possible), fits and active is not None)


def _chosen(
    place: UnfinishedStatement, possible: PossibleForm, written: CompletedStatement | None
) -> tuple[Fitting, bool]:
    """Return the form with the optional operands that are present, and whether the operands fit it."""
    longer = [one for one in possible.fittings if len(one.operands()) > place.operand]
    for fitting in longer:
        if written is None or accepts_operands_before(fitting, written):
            return fitting, True
    return (longer or possible.fittings)[0], False


def _takes_word(place: UnfinishedStatement, fitting: Fitting, written: CompletedStatement | None) -> bool:
    """Whether the word at the cursor can be the operand, if it is declared."""
    at, here = place.operand, fitting.operands()
    symbol = place.context.visible(place.context.module.document.slice(place.typed)) if place.prefix else None
    if symbol is None or written is None or len(written.path) > 1 or at >= len(here):
        return True
    return fitting.accepts(here[at], OPERANDS[symbol.code])


@memoized(256)
def _pieces(possible: PossibleForm, opcode: str, *, typed: bool) -> tuple[tuple[str, str], ...]:
    """Return the label in pieces: each operand with the punctuation before it, and the punctuation after it."""
    found: list[tuple[str, str]] = [("", opcode)]
    is_first, needs_comma = True, False
    for option, group in groupby(possible.operands, lambda one: one.option if one.option in possible.optional else ""):
        before = " " * is_first + "{" * bool(option)
        for operand in group:
            fitting = next(one for one in possible.fittings if operand in one.operands())
            found.append((before + ", " * needs_comma, operand_text(possible, fitting, operand, typed=typed)))
            before, needs_comma = "", True
        if option:
            found.append((", }" if is_first else "}", ""))
            needs_comma = not is_first
        is_first = False
    return tuple(found)


def _label(possible: PossibleForm, active: int | None) -> tuple[SignatureLabel, int | None]:
    """Return the label shortened to the width, and the index of the active operand among those shown.

    A complete opcode is shortened first, then types are omitted, then operands far from the active one.
    """
    whole = possible.form.spell(_named(possible))
    name = possible.form.name_of(whole) or possible.form.form.mnemonic
    short = whole if whole == name else f"{name}…"
    ways = [(whole, True), (short, True), (whole, False), (short, False)]
    if possible.missing:
        ways[1:3] = reversed(ways[1:3])
    pieces: tuple[tuple[str, str], ...] = ()
    for opcode, typed in ways:
        pieces = _pieces(possible, opcode, typed=typed)
        if _width(pieces) <= WIDTH:
            return _joined(possible, pieces, 0, len(possible.operands)), active
    first, last = 0, len(possible.operands)
    while _width(_window(pieces, first, last)) > WIDTH and last - first > 1:
        if (active or 0) - first > last - 1 - (active or 0):
            first += 1
        else:
            last -= 1
    return _joined(possible, pieces, first, last), None if active is None else active - first


def _window(pieces: tuple[tuple[str, str], ...], first: int, last: int) -> list[tuple[str, str]]:
    """Keep the operands from ``first`` up to ``last``, with ellipses for the others."""
    found: list[tuple[str, str]] = []
    number = -1
    skipped = False
    for before, text in pieces:
        if text and not found:
            found.append((before, text))
            continue
        number += bool(text)
        if first <= max(number, 0) < last:
            found.append((" …" + before if skipped else before, text))
            skipped = False
        elif not skipped and number >= 0:
            skipped = True
            if number >= last:
                found.append((", …", ""))
    return found


def _width(pieces: Iterable[tuple[str, str]]) -> int:
    return sum(len(before) + len(text) for before, text in pieces)


def _joined(possible: PossibleForm, pieces: tuple[tuple[str, str], ...], first: int, last: int) -> SignatureLabel:
    label = SignatureLabel("")
    words = iter(_all_words(possible)[first:last])
    shown = pieces if last - first == len(possible.operands) else _window(pieces, first, last)
    for at, (before, text) in enumerate(shown):
        label.add(before)
        if at and text:
            label.add(text, next(words))
        else:
            label.add(text)
    return label


def _named(possible: PossibleForm) -> list[str | None]:
    """Return the word in each slot, and the slot's name where it is still open."""
    values = list(possible.values)
    for place in possible.missing:
        values[place] = possible.form.slots[place].name
    return values


@memoized(256)
def _all_words(possible: PossibleForm) -> tuple[str, ...]:
    """Return the description of each operand."""
    return tuple(
        _operand_words(possible, next(one for one in possible.fittings if operand in one.operands()), operand)
        for operand in possible.operands
    )


def _operand_words(possible: PossibleForm, fitting: Fitting, operand: FormOperand) -> str:
    """Return the requirements of an operand and its description on the page."""
    bullets = _bullets(operand, possible.instruction.words, possible.spelling(fitting))
    return "\n\n".join(filter(None, (_must_be(possible, fitting, operand), *bullets)))


def _must_be(possible: PossibleForm, fitting: Fitting, operand: FormOperand) -> str:
    facts = []
    if operand.kind == "address":
        spaces = dict.fromkeys(fitting.value(one.type) or "generic" for one in fitting.spaces(operand))
        facts.append("address" + (f", {' or '.join(spaces)}" if any(spaces) else ""))
    elif operand.kind == "name":
        types = type_words(possible, fitting, operand.name)
        if types:
            is_code = types in ("label", "function")
            facts.append(types if is_code else f"{'writes' if fitting.is_written(operand) else 'reads'} {types}")
        if operand.pair and fitting.wants_pair(operand):
            facts.append(f"`{operand.pair}`: {type_words(possible, fitting, operand.pair)}")
        selectors = fitting.selectors(operand)
        if selectors:
            facts.append("may be followed by " + " ".join(f"`{one}`" for one in selectors))
    if operand.option in possible.optional:
        facts.append("optional")
    return "; ".join(facts)


def _bullets(operand: FormOperand, words: PageWords, spelling: Spelling) -> Iterator[str]:
    """Yield the page's descriptions of an operand and its parts."""
    names = [operand.name] if operand.kind == "name" else [part.name for part in operand.parts] or [operand.name]
    if operand.pair:
        names.append(operand.pair)
    for name in names:
        text = words.meaning(name, spelling)
        if text:
            yield text if len(names) == 1 else f"`{name}`: {text}"


def _words(place: UnfinishedStatement, possible: PossibleForm) -> str:
    title = possible.instruction.title
    if possible.is_available:
        return title
    module = place.context.module
    sample = match(place.opcode, (_UNKNOWN,) * len(possible.operands), module.version, module.target)
    need = next((one.need for one in sample.mismatches if one.need is not None), None) if sample is not None else None
    return f"{title}\n\nrequires {need.describe()[:_LONGEST_NEED]}" if need is not None else title
