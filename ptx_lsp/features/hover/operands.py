"""The operands of an instruction: their names on the page, what is written for them, the types they must have."""

from __future__ import annotations

from ptx_lsp.analysis.use import Use
from ptx_lsp.features.hover.info import Row
from ptx_lsp.features.hover.words import PageWords, first_sentence
from ptx_lsp.isa.form import Operand, Words
from ptx_lsp.isa.match import Match

_LONGEST_WRITTEN = 26


def written_form(match: Match) -> str:
    """The form with the qualifiers that were written, and the operands by name: ``add.rn.f32  d, a, b;``."""
    opcode = "".join(value for value in match.values if value and (value.startswith(".") or value == match.values[0]))
    optional = {value for value in match.values if value and not value.startswith(".")}
    operands = [
        _shown(operand) for operand in match.form.operands if not operand.option or operand.option in optional
    ]
    opcode = opcode or match.form.mnemonic
    return f"{opcode}  {', '.join(operands)};" if operands else f"{opcode};"


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
        access = "writes" if at < len(match.writes) and match.writes[at] else "reads"
        found = [f"{access} {written}", _type(match, role), first_sentence(words.bullets.get(role, ""))]
        rows.append(Row(role, ", ".join(part for part in found if part)))
    return rows


def _shown(operand: Operand) -> str:
    """An operand as the manual writes it."""
    parts = ", ".join(_shown(part) for part in operand.parts)
    text = {"address": f"[{parts}]", "vector": f"{{{parts}}}", "arguments": f"({parts})", "sink": "_"}.get(
        operand.kind, operand.name
    )
    return f"{operand.sign}{text}" + (f"|{operand.pair}" if operand.pair else "")


def _type(match: Match, role: str) -> str:
    """What may stand for an operand, with the qualifiers that were written filled in."""
    kind = match.form.kinds.get(role)
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
        elif word not in ("in", "out", "only", "reg"):
            found.append({"imm": "constant"}.get(word, word))
    return " ".join(part for part in found if part)
