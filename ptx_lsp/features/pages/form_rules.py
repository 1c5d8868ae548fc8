"""The rules of a form in words: which qualifiers need or exclude each other, what ptxas ignores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ptx_lsp.features.pages.operand_kinds import constants_in_words
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import Advice, Clause, FormRule, Group, InstructionForm, TableRow, Words, expand
from ptx_lsp.isa.model.gate import EVERY_RELEASE, OPEN, Gate
from ptx_lsp.isa.model.operand_pattern import read_range
from ptx_lsp.named_tuples import NamedTuple


class Sentence(NamedTuple):
    """A sentence about a form."""

    text: str
    about: frozenset[str]
    """Qualifiers and operands; a form that lacks one of them is not concerned."""


def sentences(form: InstructionForm) -> Iterator[Sentence]:
    """Yield what the syntax line and the sets of a form leave open."""
    for slot in form.slots:
        for group in slot.groups:
            if group.words == ("-",) and group.gate != OPEN:
                yield Sentence(f"`{slot.name}` may be omitted: {needs(group.gate)}.", frozenset({slot.name}))
    for rule in form.rules:
        yield Sentence(
            _rule(rule), frozenset(word for clause in rule.left for word in (clause.subject or clause.words))
        )
    for advice in form.advice:
        if text := _advice(advice):
            yield Sentence(text, frozenset({advice.operand}))
    for word, gate, instead in form.deprecated:
        since = "" if gate == OPEN else f" since PTX {gate.since[0].version}"
        yield Sentence(
            f"`{word}` is deprecated{since}" + (f"; write `{instead}`." if instead else "."), frozenset({word})
        )
    for groups, where in ((form.meaningless, ""), (form.trailing, " at the end of the opcode")):
        words = [word for group in groups for word in group.words if where or not _is_type(word)]
        if words:
            ignored = words_in_code(words)
            yield Sentence(f"ptxas accepts and ignores{where} {ignored} (warning `W601`).", frozenset())


def _is_type(word: str) -> bool:
    """Whether a word is a type. Those that ptxas ignores are the same on most pages, and no one writes them."""
    return word in catalogue().vocabulary.types or catalogue().shared.order.get(word) == "type"


def needs(gate: Gate) -> str:
    """Return the versions, targets and releases of ptxas for which a part exists."""
    if gate.releases.documented:
        language = gate._replace(releases=EVERY_RELEASE)
        return gate.releases.describe() if language == OPEN != gate else gate.describe()
    language = gate._replace(releases=EVERY_RELEASE)
    known = "accepted by ptxas, not in the manual"
    return known if language == OPEN else f"{language.describe()}; {known}"


def words_in_code(words: Iterable[str], last: str = ", ") -> str:
    """Return words as code, of a long series the first and last members; ``last`` joins the last two."""
    shown = ["…" if word == "…" else f"`{word}`" for one in words for word in shortened(one)]
    return joined(shown, last)


def joined(parts: Sequence[str], last: str) -> str:
    """Return a list in words.

    >>> joined(["a", "b", "c"], " or ")
    'a, b or c'
    """
    return last.join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def shortened(word: str) -> tuple[str, ...]:
    """Return the members of a series, of more than four the first two and the last.

    >>> shortened(".m64n[8..256:8]k16")
    ('.m64n8k16', '.m64n16k16', '…', '.m64n256k16')
    """
    members = expand(word.removesuffix("*"))
    return members if len(members) <= 4 else (*members[:2], "…", members[-1])


def members(group: Group) -> tuple[str, ...]:
    """Return the words of a group of alternatives, without the marks of a default and of omission."""
    return tuple(member for word in group.words if word != "-" for member in shortened(word))


def _rule(rule: FormRule) -> str:
    left, right = _condition(rule.left), _condition(rule.right)
    if rule.verb == "since":
        return f"{left}: {needs(rule.gate)}."
    late = f" ({needs(rule.gate)})" if rule.gate != OPEN else ""
    if rule.verb == "always":
        return f"{left}{late}."
    if rule.verb == "excludes":
        return f"{left} cannot be combined with {right}{late}."
    if rule.verb == "iff":
        return f"{left} and {right}: both or neither{late}."
    return f"{left} requires {right}{late}."


def _condition(clauses: tuple[Clause, ...]) -> str:
    return " with ".join(map(_clause, clauses))


def _clause(clause: Clause) -> str:
    words = [word for word in clause.words if word != "-"]
    if not clause.subject:
        return words_in_code(words, " or ")
    if not words:
        return f"no `{clause.subject}`"
    alternatives = [words_in_code([word]) for word in words] + ["omitted"] * ("-" in clause.words)
    return f"`{clause.subject}` = {joined(alternatives, ' or ')}"


def _advice(advice: Advice) -> str:
    """Return the values that are meant for an operand; nothing where they follow from the access."""
    meant = dict.fromkeys(filter(None, map(_meant, advice.table.rows)))
    if not meant:
        return ""
    reason = f" ({advice.message})" if advice.message else ""
    return f"`{advice.operand}`: {'; '.join(meant)}{reason}."


def _meant(row: TableRow) -> str:
    *cells, last = row.cells
    words = [str(word) for word in last]
    if words[0] == "access":
        return ""
    if words[0] == "align":
        meant = f"aligned to {words[1]} bytes" if words[1].isdigit() else f"aligned to `{words[1]}`"
    else:
        meant = constants_in_words(tuple(map(read_range, words)))
    when = " and ".join(map(_cell, cells))
    return f"{meant} with {when}" if when else meant


def _cell(cell: Words) -> str:
    return words_in_code((str(word) for word in cell if word != "-"), " or ") or "none"
