"""Effects of the statements of one shape: registers read and written, and the next statement.

Source: the pages of the instruction set (which operands an instruction writes); PTX ISA,
"Control Flow Instructions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from enum import IntEnum
from operator import itemgetter

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.stepwise import mapped
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.syntax.trivia import COMMENT, LINE_COMMENT, mask_open_comments


class Control(IntEnum):
    """The way of control after a statement."""

    ON = 0
    """To the next one."""
    JUMP = 1
    """To a label."""
    TABLE = 2
    """To one of the labels of a ``.branchtargets`` list."""
    LEAVE = 3
    """Out of the function."""


class Effect(NamedTuple):
    """The effect of the statements of a shape. Numbers are positions among the statement's :func:`words`."""

    words: int
    """The number of words of each of them."""
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    updates: tuple[int, ...] = ()
    """Words that may be read as well as written: accumulators, a vector register of which a component is written
    (``%v.x``), everything in a broken statement."""
    guarded: bool = False
    """Whether a predicate decides if anything is done."""
    control: Control = Control.ON
    targets: tuple[int, ...] = ()
    """The words that name labels."""
    results_only: bool = False
    """Whether it does nothing but write registers."""

    @property
    def is_nothing(self) -> bool:
        """Whether no register and no control is touched."""
        return not (self.reads or self.writes or self.updates or self.control)


# One class at the beginning lets the engine skip to where words may begin; what comes before is looked at only there.
# A word does not begin within another one, a number or a qualifier; "%" begins one anywhere.
_WORDS = re.compile(r"[A-Za-z$_%](?<![\w$.:%][^%])[\w$]*+", re.ASCII)
_SKIPPED = compile_pattern(rf'"[^"\n]*+"?+|{COMMENT}', re.ASCII)
_WHOLE = itemgetter(0)
_LINE_COMMENTS = re.compile(LINE_COMMENT)
LEAVING = frozenset({"ret", "exit", "trap"})
"""The instructions that end a function."""
_JUMPING = {"bra": Control.JUMP, "brx": Control.TABLE}


def words(text: str) -> list[str]:
    """The words of a text without its comments and strings, as :attr:`Effect.words` counts them."""
    return _WORDS.findall(_code(text))


def finding_words(text: str) -> Generator[None, None, list[str]]:
    """:func:`words` of a long text, in steps."""
    code = _code(text)
    yield
    return (yield from mapped(_WHOLE, _WORDS.finditer(code)))


def _code(text: str) -> str:
    """A text without its comments and strings."""
    if '"' in text or "/*" in text:
        return _SKIPPED.sub(" ", mask_open_comments(text))
    return _LINE_COMMENTS.sub(" ", text) if "/" in text else text  # in a fifth of the time


def effect(statement: Statement, find_match: Callable[[], Match | None]) -> Effect:
    """The effect of the statements of the shape of ``statement``.

    Args:
        statement: any statement of the shape.
        find_match: finds the form that it fits; called only if the effect depends on it.

    """
    shape = statement.shape
    if shape.kind != Kind.INSTRUCTION or shape.errors:
        count = len(words(statement.text))
        doubtful = shape.errors and shape.meant in (Kind.INSTRUCTION, Kind.BAD)
        return Effect(count, updates=tuple(range(count)) if doubtful else ())
    tree = shape.tree
    assert isinstance(tree, Instruction)
    count, position = _positions(statement, shape)
    if len(position) < len(shape.names):
        return Effect(count, updates=tuple(range(count)))  # written so that the words cannot be separated
    control = _control(tree)
    if control in (Control.JUMP, Control.TABLE):
        guard = () if tree.guard is None else (position[tree.guard.name],)
        *indices, last = tree.operands or (None,)
        targets = tuple(position[token] for token in _names(last)) if last is not None else ()
        reads = guard + tuple(position[token] for operand in indices if operand for token in _names(operand))
        return Effect(count, reads, guarded=bool(guard), control=control, targets=targets)
    match = find_match()
    written, read = accesses(tree, match)
    if tree.guard is not None:
        read = [tree.guard.name, *read]
    updates: list[int] = []
    if match is None or not match.fits:
        updates, written = written, []
    elif tree.opcode[0] in _ACCUMULATING:
        updates = written
    else:
        updates = [operand.name for operand in tree.operands if operand.selector and operand.name in written]
    return Effect(
        count,
        tuple(position[token] for token in dict.fromkeys(read)),
        tuple(position[token] for token in dict.fromkeys(written)),
        tuple(position[token] for token in dict.fromkeys(updates)),
        tree.guard is not None,
        control,
        results_only=bool(written) and match is not None and _results_only(match, tree),
    )


_ACCUMULATING = frozenset({"wgmma"})
"""Instructions whose result is also an operand, which they read or not as a predicate says."""


def _results_only(match: Match, tree: Instruction) -> bool:
    """Whether an instruction that fits does nothing but write its results."""
    pages = catalogue().vocabulary.results_only
    path = match.instruction.path
    unless = pages.get(path, pages.get(path[: path.rindex("/") + 1]))
    return unless is not None and unless.isdisjoint(tree.opcode)


def _control(tree: Instruction) -> Control:
    if tree.opcode[0] in LEAVING:
        return Control.LEAVE
    return _JUMPING.get(tree.opcode[0], Control.ON)


def _positions(statement: Statement, shape: Shape) -> tuple[int, dict[int, int]]:
    """The number of words of a statement, and the word of each name token."""
    found = words(statement.text)
    names = [token for token, _ in shape.names]
    prefixes = [prefix for _, prefix in shape.names]
    # Mostly the words are the mnemonic, after the guard if there is one, and the names, which tell by their prefixes.
    mnemonic = 1 if shape.tree.guard is not None else 0  # type: ignore[union-attr]  # the tree of an instruction
    others = found[:mnemonic] + found[mnemonic + 1 :]
    if len(others) == len(names) and all(prefixes) and all(map(str.startswith, others, prefixes)):
        return len(found), {token: at + (at >= mnemonic) for at, token in enumerate(names)}
    text = _SKIPPED.sub(lambda skipped: " " * len(skipped[0]), mask_open_comments(statement.text))
    places = {match.start(): number for number, match in enumerate(_WORDS.finditer(text))}
    starts = {token: statement.tokens[token].start for token in names}
    return len(found), {token: places[start] for token, start in starts.items() if start in places}


def accesses(tree: Instruction, match: Match | None) -> tuple[list[int], list[int]]:
    """The name tokens that an instruction writes, and those that it reads; all as written if it fits no form."""
    written: list[int] = []
    read: list[int] = []
    if match is None or not match.fits:
        return [token for operand in tree.operands for token in _names(operand)], []
    for operand, writes in zip(tree.operands, (*match.writes, *[False] * len(tree.operands)), strict=False):
        if not writes or operand.kind is OperandKind.ADDRESS:
            read += _names(operand)
            continue
        if operand.offset is not None:
            read += _names(operand.offset)
        written += _names(operand._replace(offset=None))
    return written, read


def _names(operand: Operand) -> Iterator[int]:
    """The name tokens of an operand and of everything inside it."""
    if operand.name >= 0:
        yield operand.name
    for inner in (*operand.parts, operand.offset, operand.pair):
        if inner is not None:
            yield from _names(inner)
