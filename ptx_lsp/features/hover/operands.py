"""The operands of an instruction: their names on the page, what is written for them, the types they must have."""

from __future__ import annotations

from ptx_lsp.analysis.use import Use
from ptx_lsp.features.hover.gates import prepared_form
from ptx_lsp.features.hover.info import Row
from ptx_lsp.features.hover.words import PageWords, first_sentence
from ptx_lsp.isa.context import context
from ptx_lsp.isa.form import Operand, Words
from ptx_lsp.isa.match import Match
from ptx_lsp.syntax.tree import OperandKind

_LONGEST_WRITTEN = 26


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
    rows = []
    for at, operand in enumerate(tree.operands):
        role = match.roles[at] if at < len(match.roles) else ""
        if not role:
            continue
        written = " ".join(use.text_of(operand).split())
        if len(written) > _LONGEST_WRITTEN:
            written = written[: _LONGEST_WRITTEN - 1] + "…"
        access = "writes " if at < len(match.writes) and match.writes[at] else "reads "
        if operand.kind is OperandKind.ADDRESS:
            access = ""
        found = [access + written, _type(use, match, role), first_sentence(words.bullets.get(role, ""))]
        rows.append(Row(role, ", ".join(part for part in found if part)))
    return rows


def _shown(operands: tuple[Operand, ...], left_out: set[str]) -> str:
    """Operands as the manual writes them, without the optional ones that are not there."""
    return ", ".join(_one(operand, left_out) for operand in operands if operand.option not in left_out)


def _one(operand: Operand, left_out: set[str]) -> str:
    parts = _shown(operand.parts, left_out)
    text = {"address": f"[{parts}]", "vector": f"{{{parts}}}", "arguments": f"({parts})", "sink": "_"}.get(
        operand.kind, operand.name
    )
    return f"{operand.sign}{text}" + (f"|{operand.pair}" if operand.pair and operand.pair not in left_out else "")


def _type(use: Use, match: Match, role: str) -> str:
    """What may stand for an operand, with the qualifiers that were written filled in."""
    kind = match.form.kinds.get(role)
    if kind is None and any(role in table.columns for table in match.form.tables):
        module = use.module
        rows = prepared_form(match).operand_rows(list(match.values), context(module.version, module.target))
        kind = next(iter(rows.get(role, [])), None)
    return _filled(kind, match) if kind is not None else ""


def _filled(kind: Words, match: Match) -> str:
    index = match.form.index
    found = []
    for word in kind:
        if isinstance(word, tuple):
            elements = [_filled(part if isinstance(part, tuple) else (part,), match) for part in word]
            found.append("{" + ", ".join(elements) + "}")
        elif word in index and index[word] < len(match.values):
            found.append(match.values[index[word]] or "")
        elif word not in ("in", "out", "only", "reg", "_"):
            found.append({"imm": "constant"}.get(word, word))
    return " ".join(part for part in found if part)
