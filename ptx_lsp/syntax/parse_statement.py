"""Parsing of one statement: kind, tree, uses of names, and syntax problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache, TextCache
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.abridged import Abridged
from ptx_lsp.syntax.automaton.parser import MAX_REPAIRS, ParseProblem, parsing
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.declaration_builder import DeclarationBuilder
from ptx_lsp.syntax.directive_builder import DirectiveBuilder, FunctionBuilder
from ptx_lsp.syntax.instruction_builder import InstructionBuilder
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.terminals import Terminals, finding_terminals, opcode_index, terminals
from ptx_lsp.syntax.token_columns import TokenColumns
from ptx_lsp.syntax.tokens import TokenKind, readable
from ptx_lsp.syntax.tree import (
    Alias,
    Data,
    Declaration,
    Directive,
    File,
    FunctionHead,
    Header,
    Instruction,
    Label,
    Location,
    Pragma,
    Prototype,
    Section,
    Targets,
    Tree,
)


class TreeBuilder(InstructionBuilder, DeclarationBuilder, FunctionBuilder, DirectiveBuilder):
    """Builds the records of ``tree.py`` for one statement, bottom-up, as the parser reduces.

    One method per rule of the grammar, named after it, in a class per part of the language. ``uses`` collects the
    tokens of the names that the statement uses.
    """


_KINDS: dict[type, Kind] = {
    Instruction: Kind.INSTRUCTION,
    Label: Kind.LABEL,
    FunctionHead: Kind.FUNCTION,
    Prototype: Kind.PROTOTYPE,
    Targets: Kind.TARGETS,
    Header: Kind.HEADER,
    Location: Kind.LOCATION,
    File: Kind.FILE,
    Section: Kind.SECTION,
    Data: Kind.DATA,
    Pragma: Kind.PRAGMA,
    Alias: Kind.ALIAS,
    Directive: Kind.DIRECTIVE,
}
_MEANT = {
    "FUNCTION": Kind.FUNCTION,
    "SPACE": Kind.VARIABLE,
    "PROTOTYPE": Kind.PROTOTYPE,
    "TARGETS": Kind.TARGETS,
    "VERSION": Kind.HEADER,
    "TARGET": Kind.HEADER,
    "ADDRESS_SIZE": Kind.HEADER,
    "LOC": Kind.LOCATION,
    "LOC_INTERMEDIATE": Kind.LOCATION,
    "FILE": Kind.FILE,
    "SECTION": Kind.SECTION,
    "DATA": Kind.DATA,
    "PRAGMA": Kind.PRAGMA,
    "ALIAS": Kind.ALIAS,
}
_CLOSERS = frozenset({"SEMICOLON", "RPAR", "RSQB", "RBRACE", "MORETHAN"})
_BRACKETS = (("LPAR", "RPAR"), ("LSQB", "RSQB"), ("LBRACE", "RBRACE"))
_LISTS = (Kind.FUNCTION, Kind.PROTOTYPE, Kind.REGISTERS, Kind.VARIABLE, Kind.TARGETS)
_MAX_OMITTED_ITEMS = 4  # of a list, before the parse of a statement is abandoned
_MANY = 1 << 13
"""Of so many terminals each pass takes long enough for a pause."""
_LEXICAL = TokenKind.MALFORMED
"""The first of the kinds of lexical errors."""


class ParsedStatement(NamedTuple):
    """The result of a parse. ``problems`` refer to ``terminals``; ``lexical`` are the tokens with lexical errors."""

    kind: Kind
    meant: Kind
    tree: Tree | None
    terminals: Terminals
    uses: tuple[int, ...]
    problems: tuple[ParseProblem, ...]
    lexical: tuple[int, ...]
    too_long: bool = False


def is_unreadable(kinds: list[TokenKind]) -> bool:
    """Whether some token has a lexical error, so that the statement is not parsed."""
    return max(kinds, default=0) >= _LEXICAL


def meant(words: list[str], kinds: list[TokenKind]) -> Kind:
    """The intended kind of an unparsable statement, by its first significant word."""
    words, kinds = words[:8], kinds[:8]
    return _meant(terminals(words, kinds).names, words, kinds) if words else Kind.BAD


def parse_statement(text: str, read: Abridged) -> ParsedStatement:
    """Parse the statement ``text`` with its tokens. Never fails: an unparsable statement is ``Kind.BAD``."""
    return run_to_completion(parsing_statement(text, read))


def parsing_statement(
    text: str, read: Abridged, known: Terminals | None = None
) -> Generator[None, None, ParsedStatement]:
    """:func:`parse_statement` in steps of a millisecond or less.

    ``known`` are the terminals, if they were found already and no other statement has such a tree.
    """
    found = yield from _parsing(text, read, known)
    if found.problems:
        if len(found.terminals.names) > _MANY:
            yield
        key = _problem_key(found.terminals.names, read.tokens)
        _FAULTY[key] = found._replace(tree=None, terminals=_NOTHING, uses=())
    return found


def parsing_problems(text: str, read: Abridged) -> Generator[None, None, ParsedStatement]:
    """:func:`parsing_statement` for what is wrong with a statement: perhaps without tree and uses."""
    words, kinds = read.tokens.words, read.tokens.kinds
    if len(words) < 2 or is_unreadable(kinds) or not readable(text).whole:
        return (yield from parsing_statement(text, read))
    found = yield from finding_terminals(words, kinds)
    is_long = len(found.names) > _MANY
    if is_long:
        yield
    known = _FAULTY.get(_problem_key(found.names, read.tokens))
    if is_long:
        yield
    return (yield from parsing_statement(text, read)) if known is None else known._replace(terminals=found)


def intent_of_unparsable(read: Abridged, found: Terminals) -> Kind | None:
    """The intended kind of a statement like one that could not be parsed; None if it must be parsed to know."""
    words = read.tokens.words
    if len(words) < 2 or words[0] in _SPECIAL:
        return None
    known = _FAULTY.get(_problem_key(found.names, read.tokens))
    return known.meant if known is not None and known.kind is Kind.BAD else None


def _problem_key(names: list[str], tokens: TokenColumns) -> str:
    """The key of statements with equal problems: the parser sees no more of one, but for what it was meant to be."""
    return f"{_meant(names, tokens.words, tokens.kinds)} {' '.join(names)}"


_SPECIAL = ("@@", "#")
"""The beginnings of statements that are not parsed."""
_NOTHING = Terminals([], [0])
_FAULTY: TextCache[ParsedStatement] = TextCache(4096, 10_000)
"""The problems of statements: they are parsed for their shape first, and again for what is said of them."""


def _parsing(text: str, read: Abridged, found: Terminals | None) -> Generator[None, None, ParsedStatement]:
    whole = readable(text).whole
    words, kinds = read.tokens.words, read.tokens.kinds
    first = words[0] if words else ""
    if len(words) < 2 or first in _SPECIAL:
        special = _special(first, words[1] if len(words) > 1 else "")
        if special is not None:
            tree = Directive(1) if special is Kind.DIRECTIVE else None
            return ParsedStatement(special, special, tree, _NOTHING, (), (), ())
    is_wrong = is_unreadable(kinds)
    if is_wrong or not whole:
        lexical = tuple([index for index, kind in enumerate(kinds) if kind >= _LEXICAL]) if is_wrong else ()
        return ParsedStatement(Kind.BAD, meant(words, kinds), None, _NOTHING, (), (), lexical, too_long=not whole)
    if found is None:
        found = yield from finding_terminals(words, kinds)
        known = None if read.gaps else known_statement(words, kinds, found)
        if known is not None:
            return known
        if len(words) > _MANY:
            yield
    found = whole_terminals = found._replace(firsts=read.places(found.firsts))
    word_at, kind_at = (read.word, read.kind) if read.gaps else (words.__getitem__, kinds.__getitem__)
    intent = _meant(found.names, words, kinds)
    problems: list[ParseProblem] = []
    for attempt in range(_MAX_OMITTED_ITEMS + 1):
        builder = TreeBuilder(word_at, kind_at, found, whole_terminals)
        drop = intent not in (Kind.INSTRUCTION, Kind.LABEL, Kind.BAD)
        node, more = yield from parsing(found.names, builder, _CLOSERS, drop)
        problems = problems or more  # those of the first attempt are reported
        if node is not None:
            kind = kind_of(node)
            if not problems and not read.gaps:
                _remember(node, tuple(builder.uses), words, kinds, found)
            intent = Kind.FUNCTION if kind is Kind.FORWARD else kind
            return ParsedStatement(kind, intent, node, whole_terminals, tuple(builder.uses), tuple(problems), ())
        left = _without_item(found, more[-1].position) if intent in _LISTS and attempt < _MAX_OMITTED_ITEMS else None
        if len(found.names) > _MANY:
            yield
        if left is None or _missing_brackets(left.names) > MAX_REPAIRS:
            break
        found = left
    return ParsedStatement(Kind.BAD, intent, None, whole_terminals, (), tuple(problems), ())


_OF_TOKENS = (Instruction, Label, Targets, Location, File, Section, Data, Pragma, Alias, Directive)
"""The trees that hold no words, but for those of an opcode."""
_TREES: ProcessCache[tuple[str, ...], tuple[Tree, tuple[int, ...]]] = ProcessCache(1 << 11)
"""Cache of trees and uses of statements without errors, by their terminals and keywords."""
_MOST_WORDS = 4096
"""Longer statements are not kept: a key is as long as its statement."""


def known_statement(words: list[str], kinds: list[TokenKind], found: Terminals) -> ParsedStatement | None:
    """The result for a statement, if one was parsed that differs only in words of the opcode or the declared type."""
    known = known_tree(words, kinds, found.names)
    if known is None:
        return None
    tree, uses = known
    kind = kind_of(tree)
    return ParsedStatement(kind, kind, tree, found, uses, (), ())


def known_tree(words: list[str], kinds: list[TokenKind], names: list[str]) -> tuple[Tree, tuple[int, ...]] | None:
    """The tree and the uses of :func:`known_statement`, by the terminals."""
    is_whole = len(names) == len(words) <= _MOST_WORDS
    known = _TREES.get(_tree_key(words, kinds, names)) if is_whole else None
    if known is None:
        return None
    tree, uses = known
    if isinstance(tree, Instruction):
        opcode = tuple([words[at] for at in tree.opcode_tokens])
        return Instruction(tree.guard, opcode, tree.opcode_tokens, tree.operands), uses
    return tree._replace(type=words[tree.type_token]) if isinstance(tree, Declaration) else tree, uses


def _remember(tree: Tree, uses: tuple[int, ...], words: list[str], kinds: list[TokenKind], found: Terminals) -> None:
    if not len(found.names) == len(words) <= _MOST_WORDS:
        return  # others have more numbers in a run, or are few
    if isinstance(tree, _OF_TOKENS) or isinstance(tree, Declaration) and found.names.count("DOT") == 1:
        _TREES[_tree_key(words, kinds, found.names)] = tree, uses


def _tree_key(words: list[str], kinds: list[TokenKind], names: list[str]) -> tuple[str, ...]:
    """The terminals of a statement, but keywords for those that stand for several, such as state spaces."""
    if kinds[0] is not TokenKind.DOT:
        return tuple(names)
    spelled = zip(names, words, kinds, strict=True)
    return tuple([word if kind is TokenKind.DOT and name != "DOT" else name for name, word, kind in spelled])


def _without_item(found: Terminals, position: int) -> Terminals | None:
    """The statement without the list item at ``position``; None if that is not in a list.

    An incomplete parameter or declarator then does not invalidate its neighbours.
    """
    names, firsts = found
    before = min(position, len(names))
    part: list[str] = []
    while before and _OPENERS.isdisjoint(part):
        part = names[max(0, before - _MANY) : before]
        before -= len(part)
    opener = next((at for at in range(before + len(part) - 1, before - 1, -1) if names[at] in _OPENERS), -1)
    end = position
    while end < len(names) and _ENDS.isdisjoint(names[end : end + _MANY]):
        end += _MANY
    end = next((at for at in range(end, len(names)) if names[at] in _ENDS), max(position, len(names)))
    if opener < 0 or end - opener == 1 and names[opener] == "LPAR":
        return None
    start = opener
    if names[opener] == "LPAR":
        start += 1
        end += end < len(names) and names[end] == "COMMA"
    return Terminals(names[:start] + names[end:], firsts[:start] + firsts[end:])


_OPENERS = frozenset({"COMMA", "LPAR"})
_ENDS = frozenset({"COMMA", "RPAR", "SEMICOLON"})
"""The terminals before and after an item of a list."""


def _missing_brackets(names: list[str]) -> int:
    """The least number of brackets that must be inserted or deleted until all are closed."""
    count = Counter(names)
    return sum(abs(count[opener] - count[closer]) for opener, closer in _BRACKETS)


def _special(first: str, second: str) -> Kind | None:
    """The kind of a statement that needs no parser; None for all others."""
    match first:
        case "":
            return Kind.EMPTY
        case "{":
            return Kind.OPEN
        case "}":
            return Kind.CLOSE
        case "#":
            return Kind.LINE
        case "@@" if second == "DWARF":
            return Kind.DIRECTIVE
        case _:
            return None


def kind_of(tree: Tree) -> Kind:
    """The kind of a statement with a tree."""
    if isinstance(tree, Declaration):
        return Kind.REGISTERS if tree.space == ".reg" else Kind.VARIABLE
    if isinstance(tree, FunctionHead) and tree.has_semicolon and tree.kind == ".func":
        return Kind.FORWARD
    return _KINDS[type(tree)]


def _meant(names: list[str], words: list[str], kinds: list[TokenKind]) -> Kind:
    """The intended kind of a statement that may be unparsable, by its first significant word."""
    if names[0] not in load().states[load().start] and names[0] not in ("NAME", "CALL"):
        return Kind.BAD
    if kinds[0] is not TokenKind.DOT:
        if len(names) > 1 and names[1] == "COLON":
            return Kind.LABEL
        return Kind.INSTRUCTION if opcode_index(words, kinds) >= 0 else Kind.BAD
    for position, name in enumerate(names):
        kind = _MEANT.get(name)
        if kind is not None:
            return Kind.REGISTERS if words[position] == ".reg" else kind
    return Kind.DIRECTIVE
