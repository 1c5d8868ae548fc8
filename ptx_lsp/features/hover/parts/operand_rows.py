"""The rows of an instruction's operands: names on the page, operands as written, required types."""

from __future__ import annotations

import re

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.cursor.operand_values import OperandValues
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.parts.counts import counted
from ptx_lsp.features.hover.parts.fragment_text import element_place, fragment_in
from ptx_lsp.features.hover.parts.hover_info import HoverRow
from ptx_lsp.features.hover.parts.operand_effects import effect_of, table_in_words
from ptx_lsp.features.hover.parts.operand_types import CONSTANTS, is_unused, names_code, type_in_words
from ptx_lsp.features.hover.parts.predicate_text import condition_of, guard_in_words
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.pages.excerpts import as_written, first_sentence
from ptx_lsp.isa.pages.spellings import spelling_of_match
from ptx_lsp.isa.vocabulary.entries import component_words
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

_LONGEST_WRITTEN = 26
_SINK = "sink"
"""The role of an operand that must be ``_``."""
_TABLE = "immLut"
"""The name of ``lop3``'s operand for the look-up table."""


def written_form(match: Match) -> str:
    """Return the form with the written qualifiers and the operands by name: ``add.rn.f32  d, a, b;``."""
    opcode = spelling_of_match(match).opcode
    optional = {value for value in match.values if value and not value.startswith(".")}
    left_out = {name for name in match.form.slot_numbers if not name.startswith(".")} - optional
    selectors = {name: match.values[place] or "" for name, place in match.form.slot_numbers.items() if match.values}
    operands = _shown(match.form.operands, left_out, selectors)
    opcode = opcode or match.form.mnemonic
    return f"{opcode}  {operands};" if operands else f"{opcode};"


def operand_rows(cursor: Cursor, match: Match) -> list[HoverRow]:
    """Return a row for the guard and each operand: the operand as written, its type, and its description."""
    context, semantics = cursor.context, cursor.semantics
    tree = context.instruction
    assert tree is not None
    forms = {operand.name: operand for operand in match.form.operands}
    extent = {operand: sizes for operand, *sizes in extents(context)}
    rows: list[HoverRow] = []
    described: dict[str, tuple[int, str]] = {}
    statement = _DescribedStatement(context, match, spelling_of(context, match))
    values = OperandValues(semantics, context)
    descriptors = values.descriptors()
    if tree.guard is not None:
        name = context.word(tree.guard.name)
        sign = "!" if tree.guard.negated else ""
        when = guard_in_words(semantics, context, name, negated=tree.guard.negated)
        rows.append(HoverRow(f"@{sign}{name}", when))
    for at, operand in enumerate(tree.operands):
        role = match.roles[at] if at < len(match.roles) else ""
        if not role:
            continue
        form = forms.get(role)
        if role == _SINK:
            continue
        names = names_of_parts(form, match) if form is not None else []
        if len(names) > 1 and len(names) == len(operand.parts):
            rows += [
                _row(statement, name, "", context.text_of(part), part, value=values.part(part))
                for name, part in zip(names, operand.parts, strict=True)
            ]
            continue
        held = fragment_in(context, match, at)
        if held is not None and not held.unknown:
            text = f"{type_in_words(context, match, role, operand)} {element_place(held)}".lstrip()
            alike = next((at for at, row in enumerate(rows) if row.text == text), None)
            if alike is None:
                rows.append(HoverRow(role, text))
            else:
                rows[alike] = HoverRow(f"{rows[alike].name} {role}", text)
            continue
        if role in descriptors:
            rows.append(HoverRow(role, f"{context.text_of(operand)}, {descriptors[role]}"))
            continue
        access = "writes" if at < len(match.writes) and match.writes[at] else "reads"
        if operand.kind is OperandKind.ADDRESS or names_code(match, role) or is_unused(context, match, role):
            access = ""
        first, mark, second = context.text_of(operand).partition("|")
        more = "" if access else _place(semantics, context, operand)
        if operand in extent:
            more = _extent(*extent[operand])
        number = values.number(operand) if access == "reads" else None
        shown = f" = {_in_words(number)}" if number is not None else ""
        if access == "reads" and (
            meant := condition_of(semantics, context, operand) or effect_of(context, at, values.number)
        ):
            written = _cut(first) + shown
            if meant in described:  # the constants of one field say the same
                row, others = described[meant]
                described[meant] = row, f"{others} and {written}"
                rows[row] = HoverRow(f"{rows[row].name} {role}", f"reads {described[meant][1]}: {meant}")
                continue
            described[meant] = len(rows), written
            type_ = type_in_words(context, match, role, operand).removeprefix("constant").strip()
            rows.append(HoverRow(role, f"reads {', '.join(filter(None, (written, type_)))}: {meant}"))
            continue
        value = shown or (values.object(operand) if access == "reads" else values.address(operand))
        rows.append(_row(statement, role, access, first, operand, more, value))
        if mark and form is not None and form.pair and operand.pair is not None:
            rows.append(_row(statement, form.pair, access, second, operand.pair))
    return rows


def _in_words(number: int) -> str:
    """Return the number in a register: large ones, which are masks and constants of floats, in hexadecimal."""
    return str(number) if abs(number) < _LARGE else f"{number:#x}"


_LARGE = 1 << 24


def _extent(size: int, align: int) -> str:
    """Return the size and alignment of an access as text."""
    shown = counted(size, "byte") if size else ""
    if align > 1 and align != size:
        return f"{shown}, a multiple of {align}".lstrip(", ")
    return shown


def _place(semantics: Semantics, context: StatementContext, operand: Operand) -> str:
    """Return the line of the label or function that an operand names."""
    symbol = context.symbols.get(operand.name)
    if symbol is None or symbol.kind not in (SymbolKind.LABEL, SymbolKind.FUNCTION):
        return ""
    line = context.module.positions.line_of(symbol.place)
    if semantics.effects.of(context.chunk, context.index).control is not Control.JUMP:
        return f"line {line}"
    here = context.module.positions.line_of(context.place)
    distance = counted(abs(line - here), "line")
    return f"line {line}: {distance} {'back, a loop' if line <= here else 'ahead'}"


def names_of_parts(form: FormOperand, match: Match) -> list[str]:
    """Return the names of the parts of an address or vector operand."""
    if form.kind not in ("address", "vector"):
        return []
    index = match.form.slot_numbers
    return [part.name for part in form.parts if not part.option or match.values[index[part.option]]]


GENERIC = "generic address"
"""Begins the page's words of an operand that is one, although the opcode has a state space."""


def words_of(context: StatementContext, match: Match, role: str) -> str:
    """Return the page's description of an operand, in a sentence; empty if it only lists notations."""
    return _of_meaning(first_sentence(match.instruction.words.meaning(role, spelling_of(context, match))))


class _DescribedStatement(NamedTuple):
    """An instruction with its form, and what is written of it."""

    context: StatementContext
    match: Match
    spelling: Spelling


def _row(
    statement: _DescribedStatement,
    role: str,
    access: str,
    written: str,
    operand: Operand,
    more: str = "",
    value: str = "",
) -> HoverRow:
    """Return the row of an operand: ``access``, as ``written``, its ``value``, its type, ``more``, the page's words."""
    context, match, spelling = statement
    owner = context.function.symbol
    own = f"{owner.name}_param_" if owner is not None else ""
    written = _cut(written.replace(own, "param_") if own else written) + value
    if operand.kind in CONSTANTS:
        number = evaluate(context.statement, operand)
        if isinstance(number, int) and number >= 0:
            written += f" = {number:#x}" if operand.kind is OperandKind.CONSTANT else ""
            table = table_in_words(context, number) if role == _TABLE else ""
            if table:
                return HoverRow(role, f"{access} {written}, which is {table}")
    if (
        operand.kind is OperandKind.NAME
        and operand.name >= 0
        and context.scope.lookup(context.word(operand.name)) is None
    ):
        vocabulary, name = catalogue().vocabulary, context.word(operand.name)
        if name in vocabulary.special_registers:
            component = context.word(operand.selector[0]) if operand.selector else ""
            more = component_words(vocabulary, name, component).partition(";")[0]
    type_ = type_in_words(context, match, role, operand)
    said = as_written(_of_meaning(first_sentence(match.instruction.words.meaning(role, spelling))), match)
    if said.startswith(GENERIC) and type_ in catalogue().vocabulary.spaces:
        type_ = ""  # it is that of the names that can stand there
    if type_ or more:
        said = _WITH_KIND.sub("", said)
    if type_.startswith("constant") and "constant" in said:
        type_ = ""
    if " wide" in said:
        type_ = type_.removesuffix(" or wider")
    if said == "the address":
        said = ""
    if " multiple " in said:
        more = more.partition("a multiple")[0].rstrip(", ")
    is_number = written == role and role.isdecimal()
    found = ["" if is_number else f"{access} {written}".strip(), type_, more, said]
    return HoverRow(role, ", ".join(part for part in found if part))


def _cut(written: str) -> str:
    """Return an operand on one line, truncated if it is long."""
    written = " ".join(written.split())
    if len(written) <= _LONGEST_WRITTEN:
        return written
    return written[: _LONGEST_WRITTEN - 1].rstrip(" ,") + "…" + ("}" if written.endswith("}") else "")


def _of_meaning(words: str) -> str:
    """Remove the possible notations of an operand from its description.

    >>> _of_meaning("the address: `[reg]`, `[var]`"), _of_meaning("registers, or constants where the type has them")
    ('the address', '')
    >>> _of_meaning("register or constant, at least as wide as the element")
    'at least as wide as the element'
    """
    words = words.partition(": `[")[0].partition(": [")[0]
    if not _OF_FORM.match(words):
        return words
    _, mark, rest = words.partition("at least ")
    return mark + rest


_OF_FORM = re.compile(r"registers?(?:,|$| or | at least| of any class)")
_WITH_KIND = re.compile(
    r"^[^:,;]*\b(?:registers?|predicate|integer|bits)\b[^:;]*: "
    r"|^name of a (?:label|function)\b[^:,;]*$"
)
"""Matches the kind of operand at the start of a description, which the type column already states."""


def _shown(operands: tuple[FormOperand, ...], left_out: set[str], selectors: dict[str, str]) -> str:
    """Return operands in the manual's notation with their selectors, without absent optional ones."""
    return ", ".join(_one(operand, left_out, selectors) for operand in operands if operand.option not in left_out)


def _one(operand: FormOperand, left_out: set[str], selectors: dict[str, str]) -> str:
    parts = _shown(operand.parts, left_out, selectors)
    texts = {"address": f"[{parts}]", "vector": f"{{{parts}}}", "arguments": f"({parts or operand.name})", "sink": "_"}
    text = texts.get(operand.kind, operand.name) + selectors.get(operand.selector, "")
    return text + (f"|{operand.pair}" if operand.pair and operand.pair not in left_out else "")
