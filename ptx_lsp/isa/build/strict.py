"""Checks of pages for statements that the grammar allows and a page must not make; run by the compiler and by tests.

Each error names the line and column of the word that is wrong.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from functools import cache

from ptx_lsp.isa.build.samples import pairwise
from ptx_lsp.isa.matching.assign import values_of
from ptx_lsp.isa.matching.attempt import fill, spellings
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.deviation import LENIENT, STRICT, Deviation
from ptx_lsp.isa.model.form import FormOperand, Group, InstructionForm, PlaceKind, flatten, literals
from ptx_lsp.isa.model.form_conditions import RuleReader
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.language_level import ANYWHERE, LanguageLevel, language_level
from ptx_lsp.isa.model.ordering import ALL, OrderingFact
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.version import RELEASES
from ptx_lsp.isa.pages.load import LoadedPage, load_shared
from ptx_lsp.isa.pages.source import Body, PageError, RowSource, RuleSource, Word
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.isa.vocabulary.vocabulary import Vocabulary

_SAMPLES_FOR_OVERLAPS = 6
_COMBINATIONS = 200


def check_page(loaded: LoadedPage) -> Iterator[PageError]:
    """Everything that is wrong with a page beyond its grammar."""
    return _Checker(loaded).errors()


class _Checker:
    def __init__(self, loaded: LoadedPage) -> None:
        self._loaded = loaded
        self._path = loaded.instruction.path
        self._forms = loaded.instruction.forms
        self._prepared = [form for forms in loaded.instruction.prepared.values() for form in forms]

    def errors(self) -> Iterator[PageError]:
        yield from self._unused_definitions()
        for body, forms in self._scopes():
            yield from self._operand_lines(body, forms)
            yield from self._rules(body, forms)
            yield from self._unreachable_rows(body, forms)
        yield from self._names()
        for form in self._prepared:
            yield from self._operands_without_kind(form.form)
            yield from self._ambiguous_literals(form)
            yield from self._unknown_literals(form.form)
        yield from self._unused_alternatives()
        yield from self._overlaps()

    def _error(self, place: Word | tuple[int, int] | InstructionForm, message: str) -> PageError:
        return PageError(self._path, (place.line, 1) if isinstance(place, InstructionForm) else place, message)

    def _scopes(self) -> Iterator[tuple[Body, list[InstructionForm]]]:
        """Each body with the forms that it speaks about."""
        yield self._loaded.common, list(self._forms)
        yield from self._loaded.groups

    # ---- lines

    def _unused_definitions(self) -> Iterator[PageError]:
        for body, _ in self._scopes():
            for definition in body.definitions:
                if id(definition) not in self._loaded.used:
                    yield self._error(
                        definition.columns[0], f"'{definition.columns[0]}' is defined, but no form uses it"
                    )

    def _operand_lines(self, body: Body, forms: list[InstructionForm]) -> Iterator[PageError]:
        names = {name for form in forms for operand in flatten(form.operands) for name in (operand.name, operand.pair)}
        for name in body.kinds:
            if name not in names:
                yield self._error(name, f"no form has an operand '{name}'")
        for advice in body.advice:
            name, first = advice.columns[-1], str(advice.rows[0].cells[-1][0])
            if first[0] in "-0123456789" and not advice.message:
                yield self._error(name, f"nothing says why '{name}' should be so")
            if id(advice) not in self._loaded.used:
                yield self._error(name, f"no form has the operand '{name}' and these places")
        yield from self._deviations(body, forms)
        yield from self._ordering(body, forms)
        for definition in body.definitions:
            for column in definition.columns[1:] if len(definition.columns) > 1 else []:
                if not column.startswith(".") and column not in names:
                    yield self._error(column, f"no form has an operand '{column}'")
                if column in body.kinds:
                    yield self._error(column, f"operand '{column}' has a column here and a line of its own")

    def _deviations(self, body: Body, forms: list[InstructionForm]) -> Iterator[PageError]:
        """Lines about ptxas that name an unknown behaviour, or a part that no form has."""
        operands = {name for form in forms for one in flatten(form.operands) for name in (one.name, one.pair)}
        parts = operands.union(*(form.slot_numbers for form in forms))
        parts.update(word for form in forms for slot in form.slots for word in slot.choices if word)
        for definition in body.definitions:
            behaviours = {"lenient": LENIENT, "strict": STRICT}.get(str(definition.columns[0]))
            for row in definition.rows if behaviours is not None else ():
                behaviour, *words = map(str, row.cells[0])
                if behaviour not in (behaviours or ()):
                    yield self._error(row.place, f"'{behaviour}' is no behaviour of '{definition.columns[0]}'")
                deviation = Deviation.parse((behaviour, *words), row.gate)
                asked = [word for condition in deviation.conditions for word in condition.words]
                for word in (*(word for word in deviation.about if word not in BITS), *asked):
                    if word not in parts:
                        yield self._error(row.place, f"no form has the part '{word}' that '{behaviour}' is about")

    def _ordering(self, body: Body, forms: list[InstructionForm]) -> Iterator[PageError]:
        """Facts about order that name an operand that no form has."""
        operands = {ALL, *(operand.name for form in forms for operand in flatten(form.operands))}
        parts = {word for form in forms for slot in form.slots for word in slot.choices if word}
        for row in (row for one in body.definitions if one.columns == ["ordering"] for row in one.rows):
            fact = OrderingFact.parse(tuple(map(str, row.cells[0])))
            for word in set(fact.operands) - operands:
                yield self._error(row.place, f"no form has the operand '{word}' that '{fact.verb.value}' names")
            for word in {*fact.only, *fact.unless} - parts:
                yield self._error(row.place, f"no form has the part '{word}' that '{fact.verb.value}' is about")

    def _rules(self, body: Body, forms: list[InstructionForm]) -> Iterator[PageError]:
        readers = [RuleReader(form) for form in forms]
        for source in body.rules:
            clauses = (*source.rule.left, *source.rule.right)
            if not any(all(map(reader.knows, clauses)) for reader in readers):
                yield self._error(source.place, "no form has the parts that this rule is about")
                continue
            yield from self._unknown_parts(source, readers)

    def _unknown_parts(self, source: RuleSource, readers: list[RuleReader]) -> Iterator[PageError]:
        for word in source.words:
            if word != "-" and not any(reader.knows_word(word) for reader in readers):
                yield self._error(word, f"no form has the part '{word}' that this rule names")

    def _names(self) -> Iterator[PageError]:
        possible = {name for form in self._prepared for name in form.possible_names}
        for name in self._loaded.instruction.names:
            if name not in possible:
                yield self._error((1, 3), f"no form begins with the name '{name}'")

    # ---- forms

    def _operands_without_kind(self, form: InstructionForm) -> Iterator[PageError]:
        columns = {column for table in form.tables for column in table.columns}
        for operand in _values(form.operands):
            for name in (operand.name, operand.pair):
                if name and name not in form.kinds and name not in columns:
                    yield self._error(form, f"nothing says what the operand '{name}' can be")

    def _ambiguous_literals(self, form: PreparedForm) -> Iterator[PageError]:
        for word, places in form.homes.items():
            if len(places) > 1 and word not in form.order:
                names = " and ".join(f"'{form.slots[place].name}'" for place in places)
                yield self._error(form.form, f"'{word}' can stand in the places {names}, which have no order")

    def _unknown_literals(self, form: InstructionForm) -> Iterator[PageError]:
        known = _known_words()
        for slot in form.slots:
            if slot.kind is PlaceKind.QUALIFIER:
                for group in slot.groups:
                    for word in group.words:
                        plain = word.removesuffix("*")
                        if plain != "-" and "[" not in plain and plain not in known:
                            yield self._error(form, f"'{plain}' is neither defined nor in the vocabulary")

    def _unused_alternatives(self) -> Iterator[PageError]:
        """Alternatives that no form of the page can use; what only some forms exclude is a definition they share."""
        used: dict[tuple[str, str], bool] = {}
        opened: dict[tuple[str, Group], bool] = {}
        lines: dict[str, InstructionForm] = {}
        for form in self._prepared:
            for place in (*form.qualifiers, *form.selectors):
                slot = form.slots[place]
                lines.setdefault(slot.name, form.form)
                for group in slot.groups:
                    opened[slot.name, group] = opened.get((slot.name, group), False) or any(
                        self._can_open([*form.form.gates, group.gate])
                    )
                    for word in group.words:
                        if word != "-" and not used.get((slot.name, word)):
                            first = next(iter(literals((word,))))
                            used[slot.name, word] = next(solutions(form, ANYWHERE, {place: first}), None) is not None
        for (name, group), is_open in opened.items():
            if not is_open:
                yield self._error(
                    lines[name], f"no module passes the gates of '{group.words[0]}' in '{name}': {group.gate}"
                )
        for (name, word), is_used in used.items():
            if not is_used:
                yield self._error(lines[name], f"'{word}' can never stand for '{name}': rules and tables exclude it")

    # ---- tables

    def _unreachable_rows(self, body: Body, forms: list[InstructionForm]) -> Iterator[PageError]:
        """Rows that can be used by none of the forms they are meant for."""
        governed = {id(form) for form in forms}
        for definition in body.definitions:
            if len(definition.columns) < 2:
                continue
            users = [
                form
                for form in self._prepared
                if id(form.form) in governed
                for table in form.form.tables
                if table.columns == tuple(definition.columns)
            ]
            for row in definition.rows:
                if users and not any(self._row_is_reachable(form, row, definition.columns) for form in users):
                    yield self._error(row.place, "no spelling and no module reaches this row")

    def _row_is_reachable(self, form: PreparedForm, row: RowSource, columns: list[Word]) -> bool:
        if not any(self._can_open([*form.form.gates, row.gate])):
            return False
        places = [form.form.slot_numbers[name] for name in columns if name.startswith(".")]
        cells = [
            literals(tuple(map(str, cell)))
            for cell, name in zip(row.cells, columns, strict=True)
            if name.startswith(".")
        ]
        combinations = itertools.islice(itertools.product(*cells), _COMBINATIONS)
        return any(
            next(solutions(form, ANYWHERE, dict(zip(places, words, strict=True))), None) is not None
            for words in combinations
        )

    @staticmethod
    def _can_open(gates: list[Gate]) -> Iterator[bool]:
        return (module.allows_all(gates) for module in _modules())

    # ---- pairs of forms

    def _overlaps(self) -> Iterator[PageError]:
        """Forms that accept a sample of another form too."""
        chance = random.Random(1)
        for form in self._prepared:
            rivals = [
                other
                for other in self._prepared
                if other is not form and other.form.mnemonic == form.form.mnemonic and other.counts & form.counts
            ]
            if not rivals:
                continue
            for sample in itertools.islice(pairwise(form, _sampled_modules(), chance), _SAMPLES_FOR_OVERLAPS):
                for rival in rivals:
                    if _accepts(rival, sample.opcode, sample.operands, sample.module):
                        yield self._error(
                            form.form,
                            f"'{''.join(sample.opcode)}' is a spelling of this form and of the "
                            f"one in line {rival.form.line}",
                        )
                        rivals = [other for other in rivals if other is not rival]


def _accepts(
    form: PreparedForm, opcode: tuple[str, ...], operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> bool:
    return module.allows_all(form.form.gates) and any(
        fill(form, values_of(form, opcode, placed), operands, module) is not None
        for placed in spellings(form, opcode, module, ())
    )


def _values(operands: Iterable[FormOperand]) -> Iterator[FormOperand]:
    """The operands that need a kind: all but addresses themselves, constants and sinks."""
    for operand in operands:
        if operand.kind == "name":
            yield operand
        elif operand.kind == "address":
            yield from _values(operand.parts[1:])
        elif operand.kind == "vector":
            yield from _values(operand.parts)


@cache
def _modules() -> tuple[LanguageLevel, ...]:
    """Every module there can be, the newest first: most gates are open there."""
    targets = Vocabulary().targets.values()
    return tuple(
        language_level(version, word.target)
        for version in reversed(RELEASES)
        for word in targets
        if word.version <= version
    )


@cache
def _sampled_modules() -> tuple[LanguageLevel, ...]:
    names = ("sm_100a", "sm_120a", "sm_90a", "sm_103a", "sm_110a", "sm_107a", "sm_60")
    targets = Vocabulary().targets
    return tuple(language_level(RELEASES[-1], targets[name].target) for name in names)


@cache
def _known_words() -> frozenset[str]:
    vocabulary = Vocabulary()
    return frozenset({*vocabulary.qualifiers, *vocabulary.types, *vocabulary.spaces, *load_shared().order})
