"""Puts forms together from the lines of a page: form, then page, then shared words, the nearest one counts."""

from __future__ import annotations

from ptx_lsp.isa.model.deviation import WRITTEN_BY_COMPILERS, Deviation
from ptx_lsp.isa.model.form import (
    Advice,
    Clause,
    Deprecated,
    FormRule,
    Group,
    InstructionForm,
    PlaceKind,
    Slot,
    Table,
    TableRow,
    Words,
    flatten,
    literals,
)
from ptx_lsp.isa.model.gate import EVERY_RELEASE, UNDOCUMENTED, Gate
from ptx_lsp.isa.model.ordering import ALL, Ordering, OrderingFact
from ptx_lsp.isa.pages.source import (
    Body,
    CellSource,
    Definition,
    FenceSource,
    FormSource,
    PageError,
    QualifierSource,
    Word,
)


class Assembler:
    """Builds the forms of one page and remembers which of its lines were used."""

    def __init__(self, path: str, names: tuple[str, ...], fence: FenceSource, shared: Body) -> None:
        self._path = path
        self._names = names
        self._fence = fence
        self._shared = shared
        self.used: set[int] = set()
        """Identities of the definitions that some form uses."""

    def groups(self) -> list[tuple[Body, list[InstructionForm]]]:
        """The forms of the page, in order, one for each mnemonic of a line; with the lines below them.

        Raises:
            PageError: where a form names something undefined.
        """
        return [
            (body, [form for head in heads for form in self._form(head, [body, self._fence.common, self._shared])])
            for heads, body in self._fence.groups
        ]

    def _form(self, source: FormSource, bodies: list[Body]) -> list[InstructionForm]:
        """The forms of one line; ``bodies`` from the nearest to the farthest."""
        own = bodies[:2]
        slots = [slot for qualifier in source.qualifiers for slot in self._qualifiers(qualifier, bodies)]
        for extra in source.operand_slots:
            if extra.is_selector:
                slots.append(self._slot(extra.name, PlaceKind.SELECTOR, extra.optional, bodies))
            else:
                slots.append(Slot(str(extra.name), PlaceKind.OPTION, (Group(("-", str(extra.name))),)))
        kinds: dict[str, Words] = {}
        for body in reversed(bodies):
            kinds.update({str(name): plain(cell) for name, cell in body.kinds.items()})
        near, far = (self._tables(body, slots) for body in own)
        tables = [table for table in far if table.columns not in {one.columns for one in near}] + near
        rules = [rule.rule for body in reversed(own) for rule in body.rules]
        for qualifier in source.qualifiers:
            first, *others = qualifier.words
            rules += [FormRule((Clause((str(first),)),), "iff", (Clause((str(word),)),)) for word in others]
        gates = [source.gate, *(gate for body in own for gate in body.gates)]
        mnemonics = self._mnemonics(source.mnemonic, bodies)
        lists = {name: self._groups(name, own) for name in ("meaningless", "trailing")}
        nearest = next((body for body in own if self._groups("ignores", [body])), None)
        for name, gate in self._groups("ignores", [nearest]) if nearest else (Group(("plain",)),):
            shared = self._groups(name[0], [self._shared])
            lists["meaningless"] += tuple(Group(words, gate) for words, _ in shared)
        return [
            InstructionForm(
                syntax=mnemonic + source.syntax[len(source.mnemonic) :],
                line=source.mnemonic.line,
                slots=(Slot(mnemonic, PlaceKind.NAME, (Group((mnemonic,)),)), *slots),
                operands=tuple(source.operands),
                kinds=kinds,
                tables=tuple(tables),
                rules=tuple(rules),
                gates=tuple(gate for gate in gates if str(gate) != "1.0"),
                names=self._names,
                **lists,
                advice=self._advice(source, bodies, slots),
                loose=self._loose(own, {slot.name for slot in slots}),
                deviations=self._deviations(own),
                ordering=self._ordering(own, {operand.name for operand in flatten(tuple(source.operands))}),
                deprecated=self._deprecated(own, {mnemonic, *(word for slot in slots for word in slot.choices)}),
            )
            for mnemonic in mnemonics
        ]

    def _groups(self, name: str, bodies: list[Body]) -> tuple[Group, ...]:
        """The words of a plain list, those of the form and those of the page."""
        found = [one for body in bodies for one in body.definitions if one.columns == [name]]
        self.used |= set(map(id, found))
        return tuple(Group(tuple(map(str, row.cells[0])), row.gate) for one in found for row in one.rows)

    def _advice(self, source: FormSource, bodies: list[Body], slots: list[Slot]) -> tuple[Advice, ...]:
        """The advice of the bodies about the form's operands; the nearest body that speaks of one counts."""
        places = {slot.name for slot in slots}
        operands = {operand.name for operand in flatten(tuple(source.operands))}
        found: list[Advice] = []
        for body in bodies:
            known = {one.operand for one in found}
            for line in body.advice:
                *qualifiers, operand = map(str, line.columns)
                if operand in operands - known and places.issuperset(qualifiers):
                    self.used.add(id(line))
                    rows = tuple(TableRow(tuple(map(plain, row.cells)), row.gate) for row in line.rows)
                    found.append(Advice(Table((*qualifiers, operand), rows), line.message))
        return tuple(found)

    def _loose(self, bodies: list[Body], places: set[str]) -> tuple[str, ...]:
        """The places of the form in a list of those whose order is free."""
        found = [word for group in self._groups("loose", bodies) for word in group.words if word in places]
        return tuple(dict.fromkeys(found))

    def _deviations(self, bodies: list[Body]) -> tuple[Deviation, ...]:
        """Deviations of ptxas from the manual about the form's operands."""
        lenient = (
            Deviation.parse(words, _against_manual(words[0], gate)) for words, gate in self._groups("lenient", bodies)
        )
        strict = (Deviation.parse(words, gate) for words, gate in self._groups("strict", bodies))
        return (*lenient, *strict)

    def _ordering(self, bodies: list[Body], operands: set[str]) -> Ordering:
        """The facts about order that name no operand or one of the form's."""
        for one in (one for body in bodies for one in body.definitions if one.columns == ["ordering"]):
            for row in one.rows:
                try:
                    OrderingFact.parse(tuple(map(str, row.cells[0])))
                except ValueError as error:
                    raise PageError(self._path, row.place, str(error)) from None
        facts = [OrderingFact.parse(group.words) for group in self._groups("ordering", bodies)]
        own = {*operands, ALL}
        concerned = [one for one in facts if one.concerns(own)]
        return tuple(one._replace(operands=tuple(name for name in one.operands if name in own)) for one in concerned)

    def _deprecated(self, bodies: list[Body], words: set[str | None]) -> tuple[Deprecated, ...]:
        """The deprecated words of the form's own."""
        found = []
        for line in (one for body in bodies for one in body.definitions if one.columns == ["deprecated"]):
            for row in line.rows:
                for word in map(str, row.cells[0]):
                    if word in words:
                        self.used.add(id(line))
                        found.append(Deprecated(word, row.gate, line.message))
        return tuple(found)

    def _mnemonics(self, word: Word, bodies: list[Body]) -> list[str]:
        definition = self._definition(word, bodies)
        if definition is None:
            return [str(word)]
        self.used.add(id(definition))
        return [str(cell) for row in definition.rows for cell in row.cells[0]]

    def _qualifiers(self, source: QualifierSource, bodies: list[Body]) -> list[Slot]:
        return [self._slot(word, PlaceKind.QUALIFIER, source.optional, bodies) for word in source.words]

    def _slot(self, name: Word, kind: PlaceKind, optional: bool, bodies: list[Body]) -> Slot:
        groups = [Group(("-",))] if optional else []
        definition = self._definition(name, bodies)
        table = self._table_with(name, bodies)
        if definition is not None:
            self.used.add(id(definition))
            groups += [Group(tuple(map(str, row.cells[0])), row.gate) for row in definition.rows]
        elif table is not None:
            column = table.columns.index(name)
            words = [str(word) for row in table.rows for word in row.cells[column] if isinstance(word, str)]
            groups.append(Group(tuple(dict.fromkeys(words))))
        else:
            groups.append(Group((str(name),)))
        slot = Slot(str(name), kind, tuple(groups))
        if definition is None and table is None and len(literals(groups[-1].words)) > 1:
            raise PageError(self._path, name, f"'{name}' is a series without a definition")
        return slot

    @staticmethod
    def _definition(name: Word, bodies: list[Body]) -> Definition | None:
        return next(
            (definition for body in bodies for definition in body.definitions if definition.columns == [name]), None
        )

    @staticmethod
    def _table_with(name: Word, bodies: list[Body]) -> Definition | None:
        return next(
            (
                definition
                for body in bodies[:2]
                for definition in body.definitions
                if len(definition.columns) > 1 and name in definition.columns
            ),
            None,
        )

    def _tables(self, body: Body, slots: list[Slot]) -> list[Table]:
        """The tables of a body that speak about this form: all their qualifiers are places of it."""
        places = {slot.name for slot in slots}
        tables = []
        for definition in body.definitions:
            columns = definition.columns
            if len(columns) > 1 and all(name in places for name in columns if name.startswith(".")):
                self.used.add(id(definition))
                rows = tuple(TableRow(tuple(map(plain, row.cells)), row.gate) for row in definition.rows)
                tables.append(Table(tuple(map(str, columns)), rows))
        return tables


def plain(cell: CellSource) -> Words:
    """A cell without the places of its words."""
    return tuple(str(atom) if isinstance(atom, str) else tuple(map(plain, atom)) for atom in cell)


def _against_manual(behaviour: str, gate: Gate) -> Gate:
    """The gate of something that ptxas takes against the manual, also where the line names no release."""
    if behaviour in WRITTEN_BY_COMPILERS or gate.releases != EVERY_RELEASE:
        return gate
    return gate._replace(releases=UNDOCUMENTED)
