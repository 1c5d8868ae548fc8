"""Shapes: equivalence classes of statements that differ only in names and numbers.

A file of 88,000 statements has fewer than a thousand shapes. A shape is looked up in three steps, each only if the
previous one failed:

1. by its text;
2. by a *rough key*: regular expressions over many statements at once replace the numbers of registers, labels, names
   after ``[`` and ``, ``, and literals;
3. by its *exact key*, computed from its tokens: opcode, qualifiers, marks and register prefixes as written, everything
   else abstracted. Equal exact keys mean equal sequences of terminals, hence equal trees. Only a new one is parsed.

Step 2 is sound iff equal rough keys imply equal exact keys; verified by ``tests/syntax/test_shapes.py``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Generator, Sequence
from itertools import compress
from weakref import WeakValueDictionary

from ptx_lsp.patterns import compile_pattern
from ptx_lsp.process_cache import KEPT_BY_SHAPE
from ptx_lsp.stepwise import mapped, run_to_completion
from ptx_lsp.syntax.abridged import Abridged, abridged, abridging, may_leave_out
from ptx_lsp.syntax.exact_keys import REGISTER, abstracting, key_of
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.parse_statement import (
    intent_of_unparsable,
    is_unreadable,
    kind_of,
    known_tree,
    meant,
    parsing_statement,
)
from ptx_lsp.syntax.terminals import Terminals, terminals
from ptx_lsp.syntax.token_columns import without_places
from ptx_lsp.syntax.tokens import TokenKind, plain_words, readable
from ptx_lsp.syntax.tree import Instruction, Tree
from ptx_lsp.syntax.trivia import COMMENT


class Shape:
    """The common properties of all statements of one form.

    ``meant`` is ``kind``, or for BAD the probably intended kind. ``names`` are the uses of names outside the opcode
    (guard, operands, initializers, targets): token index and, if the key keeps it, the register prefix (``%rd`` of
    ``%rd12``); ``""`` stands for any name. ``constants`` are the tokens of an instruction's numbers, all abstracted.
    ``errors``: whether there are syntax errors, see :func:`ptx_lsp.syntax.errors.syntax_errors`.
    """

    __slots__ = ("constants", "errors", "id", "kind", "meant", "names", "opcode", "tree")

    id: int
    kind: Kind
    meant: Kind
    tree: Tree | None
    errors: bool

    def __init__(self, kind: Kind, meant: Kind, tree: Tree | None, errors: bool) -> None:
        self.id = SHAPES.add(self, kind, errors)
        """No two shapes ever have the same."""
        self.kind = kind
        self.meant = meant
        self.tree = tree
        self.errors = errors
        self.opcode: tuple[str, ...] = ()
        self.names: tuple[tuple[int, str], ...] = ()
        self.constants: tuple[int, ...] = ()


class ShapeTable(list[Shape]):
    """All shapes by id, and what finds the id of a statement.

    Those that no chunk has are forgotten when they become many: whoever types makes some with each keystroke. Their ids
    are not given to others, and a statement that needs such a shape again makes it anew.
    """

    def __init__(self) -> None:
        super().__init__()
        self.kinds = bytearray()
        """The kind of each shape, by id."""
        self.errors = bytearray()
        """Whether a shape has syntax errors, by id."""
        self.by_text: dict[str, int] = {}
        self.by_rough_key: dict[str, int] = {}
        self.by_exact_key: dict[str, int] = {}
        self.by_long_text: dict[str, int] = {}
        """Those of the last few long statements: what reads a long one asks for its shape several times."""
        self.bad: dict[Kind, int] = {}
        """The few of unparsable statements, by the kind that they were meant to be."""
        self._runs: WeakValueDictionary[int, array[int]] = WeakValueDictionary()
        """The shapes of chunks, and those of which chunks are being made."""
        self._held = 0
        """The number of shapes that are not forgotten."""
        self._used = 0
        """The number of those that some chunk had when others were forgotten."""

    def add(self, shape: Shape, kind: Kind, errors: bool) -> int:
        """Take up a new shape; its id."""
        self.append(shape)
        self.kinds.append(kind)
        self.errors.append(errors)
        self._held += 1
        return len(self) - 1

    def use(self, ids: array[int]) -> array[int]:
        """Keep the shapes with some ids for as long as the array with them exists; the array."""
        self._runs[id(ids)] = ids
        return ids

    def forget_unused(self, *, in_pause: bool = False) -> None:
        """Forget the shapes that no chunk has, if they have become many; in a pause if they are some, and all texts."""
        if in_pause:
            self.by_text.clear()
        if self._held <= self._used + max(_MOST_UNUSED, self._used) // (4 if in_pause else 1):
            return
        bad = set(self.bad.values())
        used = set[int]().union(*self._runs.values()) - bad
        for table in (self.by_text, self.by_rough_key, self.by_exact_key, self.by_long_text):
            left = {key: number for key, number in table.items() if number in used}
            table.clear()
            table.update(left)
        used |= bad
        self[:] = [shape if number in used else _FORGOTTEN for number, shape in enumerate(self)]
        KEPT_BY_SHAPE.forget(used)
        self._held = self._used = len(used)


_MOST_UNUSED = 2048

SHAPES = ShapeTable()
"""One table for all documents of the process: the same statements stand in many, and only a new shape is parsed."""

_FORGOTTEN = Shape.__new__(Shape)
"""Stands for all shapes that no chunk has any more."""
_FORGOTTEN.id, _FORGOTTEN.kind, _FORGOTTEN.meant, _FORGOTTEN.tree = -1, Kind.BAD, Kind.BAD, None
_FORGOTTEN.errors, _FORGOTTEN.opcode, _FORGOTTEN.names, _FORGOTTEN.constants = True, (), (), ()

_MAX_CACHED_LENGTH = 4096  # of longer statements only a few are cached by their text
_MAX_LONG, _MAX_LONG_LENGTH = 8, 1 << 20
"""The number of long statements that are kept, and of the characters of all but the last of them."""
_MEMO_LIMIT = 100_000

_AFTER_REGISTER = r"(?:(?<=%\d)|(?<=%[a-z]\d)|(?<=%[a-z]{2}\d)|(?<=%[a-z]{3}\d))"
_BEFORE_NUMBER = r"(?<=[ ,\[({<=|+*\-\t\n][1-9])(?<![eE][+\-].)"
# Each pattern starts with a literal or a small class, which the engine searches for quickly.
_PASSES = [
    (compile_pattern(pattern, re.ASCII), replacement)
    for pattern, replacement in [
        (COMMENT.replace("[^\\n]", "[^\\n\\x00]").replace("[^*]", "[^*\\x00]"), " "),
        (r"0f(?<![\w$%.]..)[0-9a-fA-F]{8}(?![\w$.])", "0f00000000"),
        (r"0d(?<![\w$%.]..)[0-9a-fA-F]{16}(?![\w$.])", "0d0000000000000000"),
        (r"\$(?<![\w$%].)[\w$]++", "$L"),
        (r"\[(?:[A-Za-z](?!ARP_SZ\b)|_(?=[\w$]))[\w$]*+", "[a"),
        (r", (?:[A-Za-z](?!ARP_SZ\b|unction_name\b|nlined_at\b)|_(?=[\w$]))[\w$]*+", ", a"),
        (rf"\d(?:{_AFTER_REGISTER}\d*+(?![\w$])|{_BEFORE_NUMBER}\d*+(?![\w$.]))", "0"),
    ]
]
_BLANKS = " \t\r\n\f"  # explicit: strip() alone would also remove characters that are errors
_GUARD = rf"@!?[\w$%]++[{_BLANKS}]++"
_BEGIN = compile_pattern(
    rf"\.[\w$.]*+|(?=[A-Za-z][\w$]*+:\Z)|(?:{_GUARD})?[A-Za-z](?:[\w.$]|::)*+(?![{_BLANKS}]*+:)", re.ASCII
).match
"""The guard and the opcode of an instruction, or the first word of a directive; nothing of a label."""
_RESERVED = r"(?!(?:WARP_SZ|function_name|inlined_at)(?![\w$]))"
_NAMES = compile_pattern(rf"(?<![\w$%.:@]){_RESERVED}[A-Za-z][\w$]*+", re.ASCII).sub
"""Names that are neither registers with a percent sign nor reserved words."""


def shape_ids(parts: Sequence[str]) -> array[int]:
    """The id of each statement's shape."""
    by_text = SHAPES.by_text
    try:
        return SHAPES.use(array("I", map(by_text.__getitem__, parts)))
    except KeyError:
        return run_to_completion(shaping(parts))


def shaping(parts: Sequence[str]) -> Generator[None, None, array[int]]:
    """:func:`shape_ids` in steps of a millisecond or less for each long statement, and one for all others."""
    by_text = SHAPES.by_text
    long: dict[str, int] = {}
    held = SHAPES.use(array("I"))  # others may forget shapes between two steps
    for part in compress(parts, map(_MAX_CACHED_LENGTH.__lt__, map(len, parts))):
        if part not in long:
            long[part] = yield from _shaping_long(part)
            held.append(long[part])
    distinct = set(parts)
    if len(parts) > _MAX_CACHED_LENGTH:
        yield
    SHAPES.forget_unused()
    if len(by_text) > _MEMO_LIMIT:
        by_text.clear()
        SHAPES.by_rough_key.clear()
    _add_shapes(distinct.difference(by_text, long))
    by_text.update(long)
    ids = SHAPES.use(array("I", map(by_text.__getitem__, parts)))
    for part in long:
        del by_text[part]
    return ids


def shape_of(text: str) -> Shape:
    """The shape of one statement."""
    return SHAPES[shape_ids([text])[0]]


def _add_shapes(parts: set[str]) -> None:
    """Determine the shapes of new statements and cache them by text."""
    # Quotes and NUL break the passes over joined text; line markers and open comments are trivia. All are rare.
    unusual = _having(('"', "#", "/*"), parts)
    plain = list(parts.difference(unusual)) if unusual else list(parts)
    joined = "\0".join(plain)
    for pattern, replacement in _PASSES:
        joined = pattern.sub(replacement, joined)
    by_text, by_rough_key = SHAPES.by_text, SHAPES.by_rough_key
    keys = [rough.strip(_BLANKS) for rough in joined.split("\0")] if plain else []
    for key, part in dict(zip(keys, plain, strict=True)).items():
        if key not in by_rough_key:
            by_rough_key[key] = _of_rough_key(key, part)
    by_text.update(zip(plain, map(by_rough_key.__getitem__, keys), strict=True))
    by_text.update(zip(unusual, map(_exact, unusual), strict=True))


def _of_rough_key(key: str, part: str) -> int:
    """The id of the shape of a statement with a new rough key: that of another with names in the same places, if any.

    Labels, targets of branches and declared names differ from each other in most statements with one.
    """
    begin = _BEGIN(key)
    if begin is None or begin.end() + 1 >= len(key):
        return _exact(part)
    renamed = key[: begin.end()] + _NAMES("a", key[begin.end() :])
    number = SHAPES.by_rough_key.get(renamed)
    if number is None:
        number = SHAPES.by_rough_key[renamed] = _exact(part)
    return number


def _having(marks: Sequence[str], parts: set[str]) -> list[str]:
    """The parts that contain a NUL or one of some marks, searched in the joined text."""
    joined = "\0".join(parts)
    if joined.count("\0") >= len(parts):
        return [part for part in parts if "\0" in part or any(mark in part for mark in marks)]
    found = []
    for mark in marks:
        at = joined.find(mark)
        while at >= 0:
            end = joined.find("\0", at)
            end = len(joined) if end < 0 else end
            found.append(joined[joined.rfind("\0", 0, at) + 1 : end])
            at = joined.find(mark, end)
    return found


def _exact(text: str) -> int:
    """The id of the shape by the exact key; the statement is parsed if the key is new."""
    plain = plain_words(text) if len(text) <= _MAX_CACHED_LENGTH else None
    if plain is None:
        return run_to_completion(_shaping(text))
    words, kinds = plain
    if is_unreadable(kinds):
        return _bad(meant(words, kinds))
    key = key_of(words, kinds)
    number = SHAPES.by_exact_key.get(key)
    if number is None:
        number = SHAPES.by_exact_key[key] = _of_ordinary(text, words, kinds)
    return number


def _of_ordinary(text: str, words: list[str], kinds: list[TokenKind]) -> int:
    """The id of a new shape of an ordinary statement, which is parsed unless its tree or its mistakes are known."""
    found = terminals(words, kinds)
    known = known_tree(words, kinds, found.names)
    if known is not None:
        tree, uses = known
        kind = kind_of(tree)
        names = [(token, _prefix(words[token])) for token in sorted(set(uses))]
        return _added(Shape(kind, kind, tree, errors=False), names, kinds)
    if may_leave_out(text):
        return run_to_completion(_making(abridged(text)))
    read = Abridged(text, without_places(words, kinds), ())
    intent = intent_of_unparsable(read, found)
    return run_to_completion(_making(read, found)) if intent is None else _bad(intent)


def _shaping_long(text: str) -> Generator[None, None, int]:
    """:func:`_exact` in steps, for a long text that is kept with the id."""
    number = SHAPES.by_long_text.get(text)
    if number is None:
        number = yield from _shaping(text)
        if len(SHAPES.by_long_text) >= _MAX_LONG or sum(map(len, SHAPES.by_long_text)) > _MAX_LONG_LENGTH:
            SHAPES.by_long_text.clear()
        SHAPES.by_long_text[text] = number
    return number


def _shaping(text: str) -> Generator[None, None, int]:
    """:func:`_exact` in steps, for a statement that is not ordinary: long, or with comments or raw text."""
    text, whole = readable(text)
    read = yield from abridging(text)
    words, kinds = read.tokens.words, read.tokens.kinds
    if not whole or is_unreadable(kinds):
        return _bad(meant(words, kinds))
    key = yield from abstracting(words, kinds, read.gaps)
    number = SHAPES.by_exact_key.get(key)
    if number is None:
        number = SHAPES.by_exact_key[key] = yield from _making(read)
    return number


def _making(read: Abridged, known: Terminals | None = None) -> Generator[None, None, int]:
    """The id of the shape of a statement that must be parsed, in steps."""
    found = yield from parsing_statement(read.text, read, known)
    if found.kind is Kind.BAD:
        return _bad(found.meant)
    if len(found.uses) > _MAX_CACHED_LENGTH:
        yield
    uses = sorted(set(found.uses))
    words = read.words() if read.gaps else None
    word = read.tokens.words.__getitem__ if words is None else lambda place: words.get(place, "")
    names = yield from mapped(lambda token: (token, _prefix(word(token))), uses)
    errors = bool(found.problems) or found.kind is Kind.LINE
    return _added(Shape(found.kind, found.meant, found.tree, errors), names, read.tokens.kinds)


def _added(shape: Shape, names: list[tuple[int, str]], kinds: list[TokenKind]) -> int:
    """The id of a new shape, whose names and numbers are taken from one of its statements."""
    shape.names = tuple(names)
    if isinstance(shape.tree, Instruction):
        shape.opcode = shape.tree.opcode
        shape.constants = tuple([at for at, kind in enumerate(kinds) if kind in _OF_NUMBERS])
    return shape.id


_OF_NUMBERS = (TokenKind.INTEGER, TokenKind.FLOAT)


def _bad(intent: Kind) -> int:
    """The shape of unparsable statements. Without a tree to share, one per intended kind suffices and bounds memory."""
    if intent not in SHAPES.bad:
        SHAPES.bad[intent] = Shape(Kind.BAD, intent, None, True).id
    return SHAPES.bad[intent]


def _prefix(word: str) -> str:
    register = REGISTER(word)
    return register[1] if register else ""
