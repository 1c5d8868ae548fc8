"""The forms of an instruction as the manual writes syntax: lines, sets of qualifiers, operands, rules.

The pages of ``grammar/isa`` have a notation of their own (docs/pages.md), made for the checker. Readers get this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ptx_lsp.features.pages.form_rules import Sentence, members, needs, sentences, words_in_code
from ptx_lsp.features.pages.operand_kinds import kind_in_words
from ptx_lsp.isa.model.form import InstructionForm, PlaceKind, Slot, Table, Words, flatten
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.instruction_page import InstructionPage

_WIDTH = 80
"""Columns of a set, without its comment."""
_LONGEST = 110
"""Columns of a line."""


@dataclass(frozen=True)
class _Facts:
    """The facts about a form, or several, beside the syntax line."""

    sets: dict[str, str]
    """``.type = { .u16, .u32 };`` for each place with several words, by its name."""
    operands: dict[str, str]
    """The kind of each operand in words."""
    tables: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    parts: frozenset[str]
    """All qualifiers, places and operands of the form."""

    def joined(self, other: _Facts) -> _Facts | None:
        """Return the facts about two forms, or None if they differ."""
        if (self.sets, self.tables, self.sentences) != (other.sets, other.tables, other.sentences):
            return None
        if any(self.operands.get(name, kind) != kind for name, kind in other.operands.items()):
            return None
        return replace(self, operands={**self.operands, **other.operands}, parts=self.parts | other.parts)


_NOTHING = _Facts({}, {}, (), (), frozenset())


def manual_syntax(page: InstructionPage) -> str:
    """Return the forms as Markdown: a fence and a list for each group of forms, then what several groups share."""
    groups = _grouped([(form, _facts(form)) for form in page.forms])
    shared = _shared([facts for _, facts in groups])
    listed = [_rendered(forms, facts, shared) for forms, facts in groups if not _is_undocumented(forms)]
    others = [_rendered(forms, facts, shared) for forms, facts in groups if _is_undocumented(forms)]
    common = _rendered([], shared, _NOTHING)
    if common:
        listed += ["Common to these forms:", common]
    if others:
        listed += ["ptxas also accepts, and the manual does not list (warning `W604`):", *others]
    return "\n\n".join(listed)


def _grouped(forms: list[tuple[InstructionForm, _Facts]]) -> list[tuple[list[InstructionForm], _Facts]]:
    """Return forms in a row together if no fact about one is false of another."""
    groups: list[tuple[list[InstructionForm], _Facts]] = []
    for form, facts in forms:
        if groups and (together := groups[-1][1].joined(facts)) is not None:
            groups[-1] = ([*groups[-1][0], form], together)
        else:
            groups.append(([form], facts))
    return groups


def _facts(form: InstructionForm) -> _Facts:
    in_tables = {column for table in form.tables for column in table.columns}
    slots = [slot for slot in form.slots if slot.kind in (PlaceKind.QUALIFIER, PlaceKind.SELECTOR)]
    sets = {
        slot.name: _set(slot) for slot in slots if slot.name not in in_tables and set(slot.choices) - {None, slot.name}
    }
    words = {word for slot in form.slots for word in (slot.name, *slot.choices) if word}
    return _Facts(
        sets,
        _operands(form, in_tables),
        tuple(map(_table, form.tables)),
        tuple(sentences(form)),
        frozenset(words | {name for operand in flatten(form.operands) for name in (operand.name, operand.pair)}),
    )


def _is_undocumented(forms: list[InstructionForm]) -> bool:
    return all(any(not gate.releases.documented for gate in form.gates) for form in forms)


def _shared(groups: list[_Facts]) -> _Facts:
    """Return the facts that are equal in all groups with their subject, if there are several."""
    lists = {
        sentence: [one for one in groups if sentence in one.sentences]
        for facts in groups
        for sentence in facts.sentences
    }
    return _Facts(
        _equal([one.sets for one in groups]),
        _equal([one.operands for one in groups]),
        tuple(table for table in groups[0].tables if len(groups) > 1 and all(table in one.tables for one in groups)),
        tuple(
            sentence
            for sentence, having in lists.items()
            if len(having) > 1
            and not any(sentence.about <= one.parts for one in groups if sentence not in one.sentences)
        ),
        frozenset(),
    )


def _equal(groups: list[dict[str, str]]) -> dict[str, str]:
    """Return the entries that several groups have, and all of them equally."""
    found: dict[str, list[str]] = {}
    for group in groups:
        for name, text in group.items():
            found.setdefault(name, []).append(text)
    return {name: texts[0] for name, texts in found.items() if len(texts) > 1 and len(set(texts)) == 1}


def _rendered(forms: list[InstructionForm], facts: _Facts, shared: _Facts) -> str:
    """Return a fence with syntax lines and sets, then a list, then tables; without what is shared."""
    sets = [text for name, text in facts.sets.items() if name not in shared.sets]
    fence = "\n".join([*_syntax_lines(forms), *([""] if forms and sets else []), *sets])
    kinds: dict[str, list[str]] = {}
    for name, kind in facts.operands.items():
        if name not in shared.operands:
            kinds.setdefault(kind, []).append(name)
    items = [f"{words_in_code(names)}: {kind}." for kind, names in kinds.items()]
    items += [sentence.text for sentence in facts.sentences if sentence not in shared.sentences]
    bullets = "\n".join(f"- {item}" for item in dict.fromkeys(items))
    tables = [table for table in facts.tables if table not in shared.tables]
    return "\n\n".join(filter(None, (f"```ptx\n{fence}\n```" if fence else "", bullets, *tables)))


def _syntax_lines(forms: list[InstructionForm]) -> list[str]:
    """Return the lines of forms: short ones with their operands in one column, long ones below what they need."""
    split = [(form, *form.syntax.partition(" ")[::2]) for form in forms]
    width = max((len(opcode) for _, opcode, operands in split if operands), default=0)
    lines = [(f"{opcode:<{width}}  {operands}".rstrip() + ";", _needs(form.gates)) for form, opcode, operands in split]
    if max(len(text) + len(comment) for text, comment in lines or [("", "")]) <= _LONGEST:
        return _with_comments(lines)
    broken = any(len(opcode) + len(operands) > _LONGEST for _, opcode, operands in split)
    found: list[str] = []
    previous = ""
    for form, opcode, operands in split:
        comment = _needs(form.gates)
        if comment and comment != previous:
            found.append(f"// {comment}")
        previous = comment
        found += [opcode, f"    {operands};"] if broken and operands else [f"{opcode}  {operands}".rstrip() + ";"]
    return found


def _needs(gates: Iterable[Gate]) -> str:
    # Gates of several parts may share some of them.
    return "; ".join(dict.fromkeys(part for gate in gates if gate != OPEN for part in needs(gate).split("; ")))


def _with_comments(lines: list[tuple[str, str]]) -> list[str]:
    """Return lines with their comments in one column, if that is not too far right."""
    width = max((len(text) for text, comment in lines if comment and len(text) <= _WIDTH), default=0)
    return [f"{text:<{width}}  // {comment}" if comment else text for text, comment in lines]


def _set(slot: Slot) -> str:
    """Return ``.type = { .u16, .u32 };``, with a line for each group that needs a version or target of its own."""
    head = f"{slot.name} = {{ "
    groups = [(words, group.gate) for group in slot.groups if (words := members(group))]
    lines: list[tuple[str, str]] = []
    for words, gate in groups:
        wrapped = _wrapped(words, _WIDTH - len(head))
        lines += [(f"{text},", "") for text in wrapped[:-1]]
        lines.append((f"{wrapped[-1]},", _needs([gate])))
    last, comment = lines[-1]
    default = f"{slot.default} if omitted" if slot.default and slot.optional else ""
    lines[-1] = (f"{last[:-1]} }};", "; ".join(filter(None, (comment, default))))
    return "\n".join(
        _with_comments([((" " * len(head) if at else head) + text, note) for at, (text, note) in enumerate(lines)])
    )


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}, {word}" if lines[-1] else word
        if len(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _operands(form: InstructionForm, in_tables: set[str]) -> dict[str, str]:
    """Return the kind of each operand; without those that a table gives a kind."""
    operands = flatten(form.operands)
    bases = {operand.parts[0].name for operand in operands if operand.kind == "address"}
    optional = {slot.name for slot in form.slots if slot.optional}
    names = dict.fromkeys(name for operand in operands for name in (operand.name, operand.pair))
    return {
        name: kind_in_words(form.kinds[name], is_address=name in bases, optional=optional)
        for name in names
        if name in form.kinds and name not in in_tables
    }


def _table(table: Table) -> str:
    """Return a table of qualifiers and operands that go together."""
    has_needs = any(row.gate != OPEN for row in table.rows)
    lines = [[*(f"`{column}`" for column in table.columns), *["needs"] * has_needs]]
    lines.append(["---"] * len(lines[0]))
    for row in table.rows:
        cells = [
            _qualifiers(cell) if column.startswith(".") or cell == ("-",) else kind_in_words(cell)
            for column, cell in zip(table.columns, row.cells, strict=True)
        ]
        lines.append([*cells, *[_needs([row.gate])] * has_needs])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _qualifiers(cell: Words) -> str:
    words = [str(word) for word in cell]
    named = words_in_code(word for word in words if word != "-")
    return " or ".join(filter(None, (named, "none" * ("-" in words))))
