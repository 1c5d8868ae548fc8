"""The condition that a predicate stands for, through the instructions that compute, combine and negate predicates.

Source: PTX ISA, "Comparison and Selection Instructions", "Logic and Shift Instructions".
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ptx_lsp.analysis.references.reaching_definitions import flow_for_once, keep_their_values, reaching
from ptx_lsp.analysis.references.tally import Tally
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.pages.excerpts import first_sentence
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_MOST_PARTS = 4
"""The maximum number of comparisons that are expanded; further predicates are named."""
_DEEPEST = 6
_JOINING = frozenset({"and", "or", "xor"})
_NO_ORDER = frozenset({"==", "!="})
_WITH_ZERO = {"<=": "==", ">": "!="}
"""Comparisons of an unsigned integer with 0, as what they test."""


@dataclass(frozen=True)
class Condition:
    """A condition and its negation as text."""

    text: str
    opposite: str
    joined_by: str = ""
    """The logical operation of a compound condition, such as ``and``; empty for a comparison."""
    made: StatementContext | None = None
    """The instruction that computes it; registers in the text have their values at that point."""
    reads: tuple[str, ...] = ()
    """The registers in the text."""

    def negated(self) -> Condition:
        """Return the negation."""
        joined = {"and": "or", "or": "and"}.get(self.joined_by, self.joined_by)
        return replace(self, text=self.opposite, opposite=self.text, joined_by=joined)


class _Search:
    """The module that is searched, and the remaining number of comparisons to expand."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.left = _MOST_PARTS


class _PredicateUse(NamedTuple):
    """A use of a predicate."""

    context: StatementContext
    name: str
    negated: bool


def condition_before(
    semantics: Semantics, context: StatementContext, name: str, *, negated: bool = False, found: Tally | None = None
) -> Condition | None:
    """Return the condition of a predicate that a statement reads; None if it is unknown.

    Args:
        semantics: the module.
        context: the statement.
        name: the predicate.
        negated: whether to return the negation.
        found: the occurrences of the predicate, if known; in long functions they are not searched for.

    """
    with flow_for_once(semantics, context.function):
        return _before(_PredicateUse(context, name, negated), _Search(semantics), _DEEPEST, found)


def condition_after(semantics: Semantics, context: StatementContext, token: int) -> Condition | None:
    """Return the condition of a predicate that the instruction writes; ``token`` is its name there."""
    with flow_for_once(semantics, context.function):
        return _written(context, context.word(token), _Search(semantics), _DEEPEST)


def _before(predicate: _PredicateUse, search: _Search, depth: int, places: Tally | None = None) -> Condition | None:
    """Return the condition that all reaching definitions share, or None."""
    found: list[Condition] = []
    for made in reaching(search.semantics, predicate.context, predicate.name, places):
        one = _written(made, predicate.name, search, depth)
        if one is None or (found and found[0].text != one.text):
            return None
        found.append(one)
    if not found:
        return None
    return found[0].negated() if predicate.negated else found[0]


def _named(predicate: _PredicateUse) -> Condition:
    tree = predicate.context.instruction
    is_replaced = (
        tree is not None and bool(tree.operands) and _is_second(predicate.context, tree, predicate.name) is not None
    )
    name = f"the former `{predicate.name}`" if is_replaced else f"`{predicate.name}`"
    plain = Condition(name, f"not {name}", reads=(predicate.name,))
    return plain.negated() if predicate.negated else plain


def _operand(context: StatementContext, operand: Operand, search: _Search, depth: int) -> Condition | None:
    """Return the condition of a predicate operand."""
    if operand.kind is OperandKind.INTEGER:
        text, other = ("false", "true") if context.text_of(operand).strip() == "0" else ("true", "false")
        return Condition(text, other)
    if operand.kind is not OperandKind.NAME or operand.selector or operand.offset is not None:
        return None
    symbol = context.scope.lookup(context.word(operand.name))
    if symbol is None or symbol.type != ".pred":
        return None
    predicate = _PredicateUse(context, context.word(operand.name), operand.sign == "!")
    left = search.left
    found = _before(predicate, search, depth - 1) if depth > 1 and left > 0 else None
    if found is not None and found.made is not None and _operands_unchanged(found, predicate, search.semantics):
        return found
    search.left = left
    return _named(predicate)


def _operands_unchanged(found: Condition, predicate: _PredicateUse, semantics: Semantics) -> bool:
    """Whether the registers in a condition still have, at the use, their values of its definition."""
    made, context = found.made, predicate.context
    if made is None or predicate.name in found.reads:  # combined with its previous value
        return False
    written = {predicate.context.word(token) for token in _results(context)}
    if not written.isdisjoint(found.reads):  # the text would refer to the new value
        return False
    return keep_their_values(semantics, made, context, predicate.name, found.reads)


def _results(context: StatementContext) -> list[int]:
    """Return the name tokens of an instruction's first operand, the destination."""
    tree = context.instruction
    if tree is None or not tree.operands:
        return []
    result = tree.operands[0]
    names = [part.name for part in (result, *result.parts, result.pair) if part is not None]
    return [token for token in names if token >= 0]


def _written(context: StatementContext, name: str, search: _Search, depth: int) -> Condition | None:
    """Return the condition that an instruction writes to a predicate."""
    tree = context.instruction
    if tree is None or tree.guard is not None or not tree.operands:
        return None
    if not search.semantics.effects.of(context.chunk, context.index).writes:  # it matches no form
        return None
    is_second = _is_second(context, tree, name)
    if is_second is None:
        return None
    mnemonic = tree.opcode[0]
    found: Condition | None
    if mnemonic == "setp":
        found = _setp(context, tree, search, depth, is_second=is_second)
    elif ".pred" in tree.opcode and mnemonic in ("mov", "not", *_JOINING):
        parts = [_operand(context, one, search, depth) for one in tree.operands[1:]]
        first = parts[0]
        if first is None or None in parts:
            return None
        if mnemonic in _JOINING:
            second = parts[1]
            found = _joined(first, mnemonic, second) if second is not None else None
        else:
            found = first.negated() if mnemonic == "not" else first
    else:
        found = _from_page(context, tree, is_second=is_second)
        search.left -= 1
    return replace(found, made=context) if found is not None else None


def _is_second(context: StatementContext, tree: Instruction, name: str) -> bool | None:
    """Whether a name is the second destination of a pair ``p|q``; None if it is not a distinct destination."""
    result = tree.operands[0]
    pair = result.pair
    first = result.name >= 0 and context.word(result.name) == name
    second = pair is not None and pair.name >= 0 and context.word(pair.name) == name
    return None if first == second or result.kind is OperandKind.VECTOR else second


def _joined(first: Condition, operation: str, second: Condition) -> Condition:
    opposite = {"and": "or", "or": "and", "xor": "xor"}[operation]
    for fixed, variable in ((first, second), (second, first)):
        if fixed.text in _CONSTANT and operation != "xor":
            return fixed if (fixed.text == "false") == (operation == "and") else variable
    reads = tuple(dict.fromkeys((*first.reads, *second.reads)))
    text = f"{_part(first, operation)} {operation} {_part(second, operation)}"
    if operation == "xor":  # negate one side
        return Condition(text, f"{_part(first.negated(), 'xor')} xor {_part(second, 'xor')}", "xor", reads=reads)
    other = f"{_part(first.negated(), opposite)} {opposite} {_part(second.negated(), opposite)}"
    return Condition(text, other, operation, reads=reads)


def _part(one: Condition, operation: str) -> str:
    """Return a part of a compound condition, in parentheses if its operation differs."""
    return f"({one.text})" if one.joined_by and one.joined_by != operation else one.text


def _setp(
    context: StatementContext, tree: Instruction, search: _Search, depth: int, *, is_second: bool
) -> Condition | None:
    sources = tree.operands[1:]
    if len(sources) < 2:
        return None
    compared = _decided(context, tree, search, is_second=is_second) or _compared(context, tree, is_second=is_second)
    search.left -= 1
    if compared is None:
        return None
    operation = next((word[1:] for word in tree.opcode if word[1:] in _JOINING), "")
    if not operation or len(sources) < 3:
        return compared
    more = _operand(context, sources[2], search, depth)
    return None if more is None else _joined(compared, operation, more)


_CONSTANT = {"true": "false", "false": "true"}
"""The conditions that do not depend on anything, and their negations."""


def _decided(context: StatementContext, tree: Instruction, search: _Search, *, is_second: bool) -> Condition | None:
    """Return whether a comparison of two numbers is true; None if one of them is not known."""
    comparisons, types = catalogue().vocabulary.comparisons, catalogue().vocabulary.types
    name = next((word for word in tree.opcode[1:] if word in comparisons), "")
    type_ = next((word for word in tree.opcode[1:] if word in types), "")
    compare = _COMPARE.get(comparisons[name].sign) if name else None
    if compare is None or not _INTEGER.fullmatch(type_):
        return None
    bits = int(type_[2:])
    numbers = []
    for operand in tree.operands[1:3]:
        number = _number(context, operand, search)
        if number is None:
            return None
        number %= 1 << bits
        is_signed = type_[1] == "s" and name not in _UNSIGNED
        numbers.append(number - (1 << bits) if is_signed and number >> (bits - 1) else number)
    text = "true" if compare(*numbers) != is_second else "false"
    return Condition(text, _CONSTANT[text])


def _number(context: StatementContext, operand: Operand, search: _Search) -> int | None:
    """Return the number that an operand is: a constant, or a register that holds one; None if it is not known."""
    number = evaluate(context.statement, operand)
    if isinstance(number, int):
        return number
    if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.selector or operand.sign:
        return None
    found = set()
    for made in reaching(search.semantics, context, context.word(operand.name)):
        tree = made.instruction
        if tree is None or tree.opcode[0] != "mov" or len(tree.operands) != 2:
            return None
        found.add(evaluate(made.statement, tree.operands[1]))
    value = found.pop() if len(found) == 1 else None
    return value if isinstance(value, int) else None


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_INTEGER = re.compile(r"\.[bsu](?:16|32|64)")
_UNSIGNED = frozenset({".lo", ".ls", ".hi", ".hs"})


_CLASSES = {"s": "signed", "u": "unsigned"}


def _compared(context: StatementContext, tree: Instruction, *, is_second: bool) -> Condition | None:
    """Return the comparison: for packed types that of the predicate's half, else ``q`` is the negation."""
    comparisons = catalogue().vocabulary.comparisons
    name = next((word for word in tree.opcode[1:] if word in comparisons), "")
    type_ = next((word for word in tree.opcode[1:] if word in catalogue().vocabulary.types), "")
    if not name or not type_:
        return None
    one, two = (" ".join(context.text_of(operand).split()) for operand in tree.operands[1:3])
    kind = catalogue().vocabulary.types[type_].kind
    is_float = "float" in kind
    class_ = "unsigned" if name in _UNSIGNED else _CLASSES.get(type_[1], "")
    reads = tuple(context.word(operand.name) for operand in tree.operands[1:3] if operand.name >= 0)
    text = _comparison_text(name, one, two, class_, is_float=is_float)
    opposite = _comparison_text(comparisons[name].opposite, one, two, class_, is_float=is_float)
    if type_.endswith("x2"):
        half = "high" if is_second else "low"
        return Condition(f"{text} in the {half} halves", f"{opposite} in the {half} halves", reads=reads)
    found = Condition(text, opposite, reads=reads)
    return found.negated() if is_second else found


def _comparison_text(name: str, one: str, two: str, class_: str, *, is_float: bool) -> str:
    """Return a comparison as text, with the result for NaN where it differs from C."""
    _, sign, with_nan, _ = catalogue().vocabulary.comparisons[name]
    if not sign:
        return f"{'a' if with_nan else 'no'} NaN among `{one}`, `{two}`"
    if class_ == "unsigned" and two == "0":
        sign = _WITH_ZERO.get(sign, sign)
    text = f"`{one} {sign} {two}`"
    if is_float:
        if sign == "!=" and not with_nan:
            return f"{text} (and neither is NaN)"
        return f"{text} (or unordered)" if with_nan else text
    return f"{text} ({class_})" if class_ and sign not in _NO_ORDER else text


_ANSWER = re.compile(r"(?:predicate(?:: |, | that | )?|`_`|the answer|or `_`)*")
"""Matches the phrases of a page that apply to any predicate."""


def _from_page(context: StatementContext, tree: Instruction, *, is_second: bool) -> Condition | None:
    """Return the condition of another instruction: its opcode and operands, and the page's description if specific."""
    match = context.match
    role = match.roles[0] if match is not None and match.roles else ""
    if match is None or not role:
        return None
    form = next((one for one in match.form.operands if one.name == role), None)
    if is_second and form is not None and form.pair:
        role = form.pair
    sources = ", ".join(f"`{' '.join(context.text_of(operand).split())}`" for operand in tree.operands[1:])
    said = match.instruction.words.meaning(role, spelling_of(context, match))
    words = _ANSWER.sub("", first_sentence(said), count=1)
    text = f"`{''.join(tree.opcode)}` of {sources}" if sources else f"`{''.join(tree.opcode)}`"
    results = _results(context)
    reads = tuple(context.word(token) for token, _ in context.statement.shape.names if token not in results)
    is_statement = words.startswith("whether ")
    shown = f"{words.removeprefix('whether ')} ({text})" if is_statement else f"{text}: {words}" if words else text
    return Condition(shown, f"not {text}", reads=reads)
