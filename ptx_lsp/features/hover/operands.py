"""The operands of an instruction: their names on the page, what is written for them, the types they must have."""

from __future__ import annotations

from ptx_lsp.analysis.use import Use
from ptx_lsp.features.hover.gates import prepared_form
from ptx_lsp.features.hover.info import Row
from ptx_lsp.features.hover.words import first_sentence
from ptx_lsp.isa.context import context
from ptx_lsp.isa.form import Operand
from ptx_lsp.isa.kind import Alternative, Kind, read_kind, shape_of
from ptx_lsp.isa.match import Match
from ptx_lsp.isa.words import PageWords
from ptx_lsp.syntax.tree import OperandKind

_LONGEST_WRITTEN = 26
_MOST_RANGES = 4


def written_form(match: Match) -> str:
    """The form with the qualifiers that were written, and the operands by name: ``add.rn.f32  d, a, b;``."""
    opcode = "".join(value for value in match.values if value and (value.startswith(".") or value == match.values[0]))
    optional = {value for value in match.values if value and not value.startswith(".")}
    left_out = {name for name in match.form.index if not name.startswith(".")} - optional
    operands = _shown(match.form.operands, left_out)
    opcode = opcode or match.form.mnemonic
    return f"{opcode}  {operands};" if operands else f"{opcode};"


def operand_rows(use: Use, match: Match, words: PageWords) -> list[Row]:
    """A line for each written operand: what stands there, its type, and the page's words for it."""
    tree = use.instruction
    assert tree is not None
    forms = {operand.name: operand for operand in match.form.operands}
    rows: list[Row] = []
    for at, operand in enumerate(tree.operands):
        role = match.roles[at] if at < len(match.roles) else ""
        if not role:
            continue
        form = forms.get(role)
        names = _names_of_parts(form, match) if form is not None else []
        if len(names) > 1 and len(names) == len(operand.parts):
            rows += [
                _row(use, match, words, name, "", use.text_of(part))
                for name, part in zip(names, operand.parts, strict=True)
            ]
            continue
        access = "writes" if at < len(match.writes) and match.writes[at] else "reads"
        if operand.kind is OperandKind.ADDRESS or _names_code(match, role):
            access = ""
        first, mark, second = use.text_of(operand).partition("|")
        rows.append(_row(use, match, words, role, access, first))
        if mark and form is not None and form.pair:
            rows.append(_row(use, match, words, form.pair, access, second))
    return rows


def _names_of_parts(form: Operand, match: Match) -> list[str]:
    """The names of what stands between the brackets of an address or the braces of a vector."""
    if form.kind not in ("address", "vector"):
        return []
    index = match.form.index
    return [part.name for part in form.parts if not part.option or match.values[index[part.option]]]


def _row(use: Use, match: Match, words: PageWords, role: str, access: str, written: str) -> Row:
    written = " ".join(written.split())
    if len(written) > _LONGEST_WRITTEN:
        written = written[: _LONGEST_WRITTEN - 1] + "…"
    found = [f"{access} {written}".strip(), _type(use, match, role), first_sentence(words.bullets.get(role, ""))]
    return Row(role, ", ".join(part for part in found if part))


def _shown(operands: tuple[Operand, ...], left_out: set[str]) -> str:
    """Operands as the manual writes them, without the optional ones that are not there."""
    return ", ".join(_one(operand, left_out) for operand in operands if operand.option not in left_out)


def _one(operand: Operand, left_out: set[str]) -> str:
    parts = _shown(operand.parts, left_out)
    texts = {"address": f"[{parts}]", "vector": f"{{{parts}}}", "arguments": f"({parts or operand.name})", "sink": "_"}
    text = texts.get(operand.kind, operand.name)
    return text + (f"|{operand.pair}" if operand.pair and operand.pair not in left_out else "")


def _type(use: Use, match: Match, role: str) -> str:
    """What may stand for an operand, with the qualifiers that were written filled in."""
    kind = match.form.kinds.get(role)
    if kind is None and any(role in table.columns for table in match.form.tables):
        module = use.module
        rows = prepared_form(match).operand_rows(list(match.values), context(module.version, module.target))
        kind = next(iter(rows.get(role, [])), None)
    return _in_words(read_kind(kind), match) if kind is not None else ""


def _names_code(match: Match, role: str) -> bool:
    """Whether an operand is the name of a label or function: something to go to, not to read."""
    kind = match.form.kinds.get(role)
    return kind is not None and any(one.what in ("label", "function") for one in read_kind(kind).alternatives)


def _in_words(kind: Kind, match: Match) -> str:
    """A kind with the qualifiers that were written filled in; what may stand besides, and is rarely meant, left out."""
    found = dict.fromkeys(filter(None, (_alternative(one, match) for one in kind.alternatives)))
    return " or ".join(found) + (" or wider" if found and kind.wider else "")


def _alternative(one: Alternative, match: Match) -> str:
    if one.what == "imm":
        ranges = [f"{low}" if low == high else f"{low}..{high}" for low, high, _ in one.ranges]
        return " ".join(["constant", *(ranges if len(ranges) <= _MOST_RANGES else ())])
    if one.what == "vector":
        return "{" + ", ".join(_in_words(element, match) for element in one.elements) + "}"
    if one.what != "type":
        return ""
    type_ = _value(one.type, match)
    if one.length is None or not type_:
        return type_
    shape = shape_of(list(match.values)) if one.length.base in "mnk" else _value(one.length.base, match)
    count = one.length.of(shape)
    return type_ if count is None else f".v{count} {type_}"


def _value(word: str, match: Match) -> str:
    """What stands in the place called ``word``, or the word itself if no place is called so."""
    place = match.form.index.get(word)
    return word if place is None else match.values[place] or ""
