"""Matching: the form that a statement fits, or what keeps it from fitting one."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.foreign_words import with_stand_ins
from ptx_lsp.isa.long_opcodes import MOST_WORDS, of_whole, shortened
from ptx_lsp.isa.matching.assign import doubled, left, values_of
from ptx_lsp.isa.matching.attempt import answer, fill, spellings
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.matching.ignored_words import ignorable, ignored
from ptx_lsp.isa.matching.narrow_addresses import with_narrow_addresses
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import UNDOCUMENTED, AcceptancePolicy, Need, Releases
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import ANYWHERE, DOCUMENTED, LanguageLevel, language_level
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.name_order import name_order, put_back
from ptx_lsp.process_cache import memoized


@memoized(1024)
def match(
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    version: Version,
    target: Target,
    judge: Version | AcceptancePolicy = AcceptancePolicy.ANY,
) -> Match | None:
    """The form that an instruction fits in a module of this version and target, or the nearest with its mismatches.

    Args:
        opcode: the mnemonic and its qualifiers: ``("add", ".s32")``.
        operands: what is written after it.
        version: the module's PTX version.
        target: the module's architecture.
        judge: the release of ptxas whose verdict counts. By default what any release takes fits, with a note where
            others refuse it.

    Returns:
        None if no page knows the instruction; ask :meth:`Catalogue.status` why.
    """
    order = name_order(opcode)
    if order is not None:
        found = match(tuple(opcode[at] for at in order), operands, version, target, judge)
        return put_back(found, order) if found is not None else None
    candidates = catalogue().candidates(opcode)
    if not candidates:
        return None
    if len(opcode) > 1:
        stand_ins = with_stand_ins(opcode, candidates)
        if stand_ins != opcode:
            found = _corrected(opcode, operands) or match(stand_ins, operands, version, target, judge)
            if found is not None:
                return found
    found = _fitting(opcode, operands, version, target, judge) or _long(opcode, operands, version, target, judge)
    found = found or _corrected(opcode, operands)
    if found is not None:
        return found
    from ptx_lsp.isa.diagnosis.reasons import nearest  # imported late: right statements never pay for it

    # A suggestion should not only pass, but be right.
    strict = language_level(version, target, AcceptancePolicy.LATEST if judge is AcceptancePolicy.ANY else judge)
    return nearest(candidates, opcode, operands, strict)


def fitting(
    opcode: tuple[str, ...], operands: tuple[ActualOperand, ...], version: Version, target: Target
) -> Match | None:
    """The form that an instruction fits as :func:`match` finds it; None if it fits none, without a search for why."""
    order = name_order(opcode)
    if order is not None:
        found = fitting(tuple(opcode[at] for at in order), operands, version, target)
        return put_back(found, order) if found is not None else None
    candidates = catalogue().candidates(opcode)
    stand_ins = with_stand_ins(opcode, candidates) if len(opcode) > 1 and candidates else opcode
    if stand_ins != opcode:
        return None if _corrected(opcode, operands) else fitting(stand_ins, operands, version, target)
    return _fitting(opcode, operands, version, target, AcceptancePolicy.ANY) if candidates else None


@memoized(1024)
def _fitting(
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    version: Version,
    target: Target,
    judge: Version | AcceptancePolicy,
) -> Match | None:
    """The form of a page that an instruction fits, with a note where others than the judge refuse it."""
    candidates = catalogue().candidates(opcode)
    module = language_level(version, target, AcceptancePolicy.ALL if judge is AcceptancePolicy.ANY else judge)
    found = _fit(candidates, opcode, operands, module)
    if found is not None:
        return with_narrow_addresses(found, operands, module)
    if judge is not AcceptancePolicy.ANY:
        return None
    found = _fit(candidates, opcode, operands, language_level(version, target))
    if found is None:
        return None
    from ptx_lsp.isa.diagnosis.reasons import refusals  # imported late: right statements never pay for it

    refused = refusals(found, operands, module) or _against_manual(found, operands, module)
    return found._replace(notes=(*found.notes, *refused))


def _long(
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    version: Version,
    target: Target,
    judge: Version | AcceptancePolicy,
) -> Match | None:
    """The nearest form of an instruction with very many words, found of a part of them; None for other instructions."""
    if len(opcode) <= MOST_WORDS:
        return None
    kept = shortened(opcode)
    found = match(tuple([opcode[at] for at in kept]), operands, version, target, judge) if kept else None
    return None if found is None else of_whole(found, kept, opcode)


def _corrected(opcode: tuple[str, ...], operands: tuple[ActualOperand, ...]) -> Match | None:
    """The form that a statement fits once a misspelt part of the instruction's name is corrected."""
    from ptx_lsp.isa.misspelt import corrections  # imported late: right statements never pay for it

    for at, words in corrections(opcode):
        corrected = (*opcode[:at], words[0], *opcode[at + 1 :])
        found = _fit(catalogue().candidates(corrected), corrected, operands, DOCUMENTED)
        if found is not None:
            return found._replace(mismatches=(Mismatch(Problem.UNKNOWN_QUALIFIER, at, wanted=words),))
    return None


def _against_manual(found: Match, operands: tuple[ActualOperand, ...], module: LanguageLevel) -> list[Mismatch]:
    """The operands that some releases take and no page lists; the whole statement if no single one is why."""
    form = next(one for one in found.instruction.prepared[found.form.mnemonic] if one.form is found.form)
    fitting = Fitting(form, list(found.values), module)
    wanted = fitting.operands()
    pairs = zip(wanted, operands, strict=True) if len(wanted) == len(operands) else ()
    refused = (at for at, (one, written) in enumerate(pairs) if not fitting.accepts(one, written))
    whole = Mismatch(Problem.SOME_RELEASES, need=Need(releases=_releases_of(form, found, operands, module)))
    return [whole._replace(operand=(at,)) for at in refused] or [whole]


def _releases_of(
    form: PreparedForm, found: Match, operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> Releases:
    """The releases whose leniency a statement needs: those of a row of the page, if later ones refuse it."""
    for row in (row for rows in form.deviations.values() for row in rows):
        later = row.gate.releases.until
        if later is not None:
            fitting = Fitting(form, list(found.values), language_level(module.version, module.target, later))
            wanted = fitting.operands()
            if len(wanted) == len(operands) and not fitting.fits(wanted, operands):
                return row.gate.releases
    return UNDOCUMENTED


def accepts(
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    version: Version,
    target: Target,
    judge: Version | AcceptancePolicy,
) -> bool:
    """Whether an instruction fits some form, without a word about what keeps it from fitting."""
    order = name_order(opcode)
    opcode = opcode if order is None else tuple(opcode[at] for at in order)
    candidates = catalogue().candidates(opcode)
    return bool(candidates) and _fit(candidates, opcode, operands, language_level(version, target, judge)) is not None


@memoized(1024)
def is_ever_spelled(opcode: tuple[str, ...]) -> bool:
    """Whether some form has all words of an opcode; if not, it exists with no operands."""
    order = name_order(opcode)
    return _has_form_with_words(opcode if order is None else tuple(opcode[at] for at in order))


def exists(opcode: tuple[str, ...], operands: tuple[ActualOperand, ...]) -> bool:
    """Whether an instruction fits some form in a module of some version and target; see :func:`accepts`."""
    order = name_order(opcode)
    opcode = opcode if order is None else tuple(opcode[at] for at in order)
    candidates = catalogue().candidates(opcode)
    return bool(candidates) and _fit(candidates, opcode, operands, ANYWHERE) is not None


def _fit(
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
) -> Match | None:
    """The first form that fits, if need be with a texture's address in other brackets."""
    if not _has_form_with_words(opcode):
        return None
    found = _fit_as_written(candidates, opcode, operands, module)
    # Right statements never pay for loading what the next two functions import.
    form = _texture_form(candidates, opcode[0]) if found is None else None
    if form is None:
        return found
    return _gathered(candidates, opcode, operands, module) or _divided(form, candidates, opcode, operands, module)


@memoized(1024)
def _has_form_with_words(opcode: tuple[str, ...]) -> bool:
    """Whether some form has or ignores each word of an opcode: without one, operands need not be looked at."""
    words = {*opcode[1:]} - catalogue().shared.meaningless
    return any(
        words <= form.homes.keys() or words <= form.homes.keys() | ignorable(form)
        for instruction in catalogue().candidates(opcode)
        for form in instruction.prepared.get(opcode[0], ())
    )


def _texture_form(candidates: tuple[InstructionPage, ...], mnemonic: str) -> PreparedForm | None:
    """A form that reads textures; None if the pages have none."""
    forms = (form for instruction in candidates for form in instruction.prepared.get(mnemonic, ())[:1])
    return next((form for form in forms if "texture" in form.deviations), None)


def _fit_as_written(
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
) -> Match | None:
    """The first form that fits, if need be after leaving out what ptxas ignores."""
    shared = catalogue().shared
    twice = doubled(opcode, shared.repeatable)
    found = _first(candidates, opcode, operands, module, twice)
    if found is None:
        foreign = {w for w in shared.meaningless.intersection(opcode) if not _belongs(w, candidates, opcode[0])}
        where = tuple(at for at, word in enumerate(opcode) if word in foreign)
        found = _first(candidates, opcode, operands, module, twice, lambda _: where) if where else None
    if found is None:
        found = _first(
            candidates, opcode, operands, module, twice, lambda form: ignored(form, opcode, operands, foreign, module)
        )
    if found is None or not twice:
        return found
    doubles = [Mismatch(Problem.DOUBLED, qualifier=at) for at in twice[:MOST_WORDS]]
    return found._replace(notes=(*doubles, *found.notes))


def _gathered(
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
) -> Match | None:
    """The form that fits once all of a texture's address is read as if it stood in the brackets."""
    from ptx_lsp.isa.matching import texture_brackets
    from ptx_lsp.isa.matching.texture_operands import displaced_fits

    inside, coordinates = texture_brackets.gathered(operands) or (None, None)
    if inside is None or coordinates is None:
        return None
    found = _fit_as_written(candidates, opcode, inside, module)
    if found is None:
        found = _fit_as_written(candidates, opcode, texture_brackets.opened(inside), module)
        if found is None:
            return None
        form = next(one for one in found.instruction.prepared[opcode[0]] if one.form is found.form)
        following = inside[2] if len(inside) > 2 else None
        if not displaced_fits(Fitting(form, list(found.values), module), coordinates, following):
            return None
    roles, writes = found.roles, found.writes
    base = found.form.operands[1].name
    return found._replace(roles=(roles[0], base, *roles[1:]), writes=(writes[0], False, *writes[1:]))


def _divided(
    form: PreparedForm,
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
) -> Match | None:
    """The form that fits once what follows a texture's address is read as if it stood after the brackets."""
    from ptx_lsp.isa.matching import texture_brackets

    outside = texture_brackets.divided(form, operands, module)
    found = _fit_as_written(candidates, opcode, outside, module) if outside is not None else None
    if found is None:
        return None
    return found._replace(roles=(*found.roles[:2], *found.roles[3:]), writes=(*found.writes[:2], *found.writes[3:]))


def _belongs(word: str, candidates: tuple[InstructionPage, ...], mnemonic: str) -> bool:
    """Whether some form has a place for a qualifier."""
    return any(word in form.homes for instruction in candidates for form in instruction.prepared.get(mnemonic, ()))


def _first(
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
    twice: tuple[int, ...],
    ignores: Callable[[PreparedForm], tuple[int, ...]] | None = None,
) -> Match | None:
    """The first form that fits without the words of the opcode that stand ``twice`` and those that it ignores."""
    count, known = len(operands), frozenset(twice)
    words = frozenset(opcode[1:])
    for instruction in candidates:
        for form in instruction.prepared.get(opcode[0], ()):
            if count in form.counts and module.allows_all(form.form.gates):
                without = () if ignores is None else tuple(at for at in ignores(form) if at not in known)
                if ignores is not None and not without:
                    continue
                skipped = twice + without
                if len(opcode) - len(skipped) > len(form.qualifiers) + 1:
                    continue
                written = set(left(opcode, skipped)[1:]) if without else words  # a word that stands twice stands once
                if not form.homes.keys() >= written:
                    continue  # as for most forms: it is no spelling of them
                for placed in spellings(form, opcode, module, skipped):
                    filled = fill(form, values_of(form, opcode, placed), operands, module)
                    if filled is not None:
                        found = answer(instruction, filled, opcode, operands, placed)
                        notes = tuple(Mismatch(Problem.MEANINGLESS, qualifier=at) for at in without)
                        return found._replace(notes=notes) if notes else found
    return None
