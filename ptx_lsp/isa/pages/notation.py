"""Reads the notation of the pages (``grammar/isa.lark``) into the records of :mod:`ptx_lsp.isa.pages.source`.

The only module of this layer that knows Lark; an installed server never imports it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import lark
from lark import Token, Tree

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.model.form import Clause, FormOperand, FormRule
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.pages.source import (
    Body,
    CellSource,
    Definition,
    FenceSource,
    FormSource,
    PageError,
    QualifierSource,
    RowSource,
    RuleSource,
    SlotSource,
    Word,
)

ParseNode = Tree[Token]

_QUALIFIER = re.compile(r"\.(?:\w|::)+")
_TARGET = re.compile(r"sm_\w+")


@cache
def _parser() -> lark.Lark:
    return lark.Lark(read_grammar("isa.lark"), parser="lalr", propagate_positions=True)


def read_fence(text: str, path: str, targets: frozenset[str]) -> FenceSource:
    """Read the notation in ``text``, which begins at line 1 of the file ``path``.

    Args:
        text: the fence's content, with empty lines in front for what precedes it in the file.
        path: named in errors.
        targets: the targets that a gate may name.

    Raises:
        PageError: where the text does not follow the grammar or names an unknown target.
    """
    try:
        tree = _parser().parse(text)
    except lark.UnexpectedInput as error:
        shown = error.get_context(text).splitlines()
        raise PageError(path, (error.line, error.column), f"does not follow the notation: {shown[0]}") from None
    return _Reader(text, path, targets).fence(tree)


class _Reader:
    """Turns Lark's tree of one fence into records."""

    def __init__(self, text: str, path: str, targets: frozenset[str]) -> None:
        self._text = text
        self._path = path
        self._targets = targets

    def fence(self, tree: ParseNode) -> FenceSource:
        common, groups = Body(), []
        for node in _nodes(tree):
            if node.data == "common":
                common = self._body(_nodes(node))
            else:
                parts = _nodes(node)
                forms = [self._form(part) for part in parts if part.data == "form"]
                groups.append((forms, self._body([part for part in parts if part.data != "form"])))
        return FenceSource(common, groups)

    # ---- lines below a form

    def _body(self, lines: list[ParseNode]) -> Body:
        body = Body()
        for line in lines:
            if line.data == "gate":
                body.gates.append(self._gate(line))
            elif line.data == "definition":
                body.definitions.append(self._definition(line))
            elif line.data == "advice":
                body.advice += self._advice(line)
            elif line.data == "kind":
                names, cell = _nodes(line)
                for name in _tokens(names):
                    if name in body.kinds:
                        raise PageError(self._path, _word(name), f"operand '{name}' has a kind already")
                    body.kinds[_word(name)] = self._cell(cell)
            else:
                body.rules.append(self._rule(line))
        return body

    def _advice(self, tree: ParseNode) -> list[Definition]:
        """A line for each operand: the operands share the last cell of a row."""
        columns = [_word(token) for token in _tokens(_nodes(tree)[0])]
        qualifiers = [word for word in columns if word.startswith(".")]
        operands = [word for word in columns if not word.startswith(".")]
        return [self._definition(tree, [*qualifiers, operand]) for operand in operands]

    def _definition(self, tree: ParseNode, columns: list[Word] | None = None) -> Definition:
        columns = columns or [_word(token) for token in _tokens(_nodes(tree)[0])]
        rows = []
        for node in _nodes(tree)[1:]:
            cells = [self._cell(cell) for cell in _nodes(node) if cell.data == "cell"]
            place = (node.meta.line, node.meta.column)
            if len(cells) != len(columns):
                raise PageError(self._path, place, f"{len(cells)} cells in a row of {len(columns)} columns")
            gate = next((self._gate(part) for part in _nodes(node) if part.data == "gate"), OPEN)
            rows.append(RowSource(cells, gate, place))
        message = next((str(token)[1:-1] for token in _tokens(tree) if token.type == "MESSAGE"), "")
        return Definition(columns, rows, message)

    def _cell(self, tree: ParseNode) -> CellSource:
        atoms: list[Word | tuple[CellSource, ...]] = []
        for atom in _nodes(tree):
            inner = _nodes(atom)
            if inner:
                atoms.append(tuple(map(self._cell, inner)))
            else:
                first, *rest = _tokens(atom)
                atoms.append(Word.at("".join([first, *rest]), _line(first), _column(first)))
        return tuple(atoms)

    def _rule(self, tree: ParseNode) -> RuleSource:
        parts = list(tree.children)
        words: list[Word] = []
        left = self._condition(cast(ParseNode, parts.pop(0)), words)
        right: tuple[Clause, ...] = ()
        verb, gate, message = "", OPEN, ""
        for part in parts:
            if isinstance(part, Token):
                verb, message = (str(part), message) if part.type == "VERB" else (verb, part[1:-1])
            elif part.data == "condition":
                right = self._condition(part, words)
            else:
                gate, verb = self._gate(part), verb or "since"
        return RuleSource(
            FormRule(left, verb or "always", right, gate, message), words, (tree.meta.line, tree.meta.column)
        )

    def _condition(self, tree: ParseNode, seen: list[Word]) -> tuple[Clause, ...]:
        clauses = []
        for node in _nodes(tree):
            words = [_word(token) for token in _tokens(node)]
            seen += words
            if node.data == "equality":
                clauses.append(Clause(tuple(map(str, words[1:])), str(words[0])))
            else:
                clauses.append(Clause(tuple(map(str, words))))
        return tuple(clauses)

    def _gate(self, tree: ParseNode) -> Gate:
        text = self._text[tree.meta.start_pos + 1 : tree.meta.end_pos]
        for match in _TARGET.finditer(text):
            if match[0] not in self._targets:
                place = (tree.meta.line, tree.meta.column + 1 + match.start())
                raise PageError(self._path, place, f"no target is called '{Target.parse(match[0])}'")
        return Gate.parse(" ".join(text.split()))

    # ---- form lines

    def _form(self, tree: ParseNode) -> FormSource:
        mnemonic = _word(_tokens(tree)[0])
        syntax = self._text[tree.meta.start_pos : tree.meta.end_pos]
        form = FormSource(mnemonic, " ".join(syntax.partition("@")[0].split()))
        for node in _nodes(tree):
            if node.data == "required":
                form.qualifiers.append(QualifierSource([_word(_tokens(node)[0])], optional=False))
            elif node.data == "optional":
                form.qualifiers.append(QualifierSource(_inside_braces(_tokens(node)[0]), optional=True))
            elif node.data == "operands":
                form.operands = self._operands(node, form.operand_slots)
            else:
                form.gate = self._gate(node)
        return form

    def _operands(self, tree: ParseNode, slots: list[SlotSource]) -> list[FormOperand]:
        operands: list[FormOperand] = []
        for node in _nodes(tree):
            if node.data == "operand":
                operands.append(self._operand(node, slots))
                continue
            group = [self._operand(part, slots) for part in _nodes(node)]
            name = group[0].name
            slots.append(SlotSource(Word.at(name, node.meta.line, node.meta.column), is_selector=False, optional=True))
            operands += [FormOperand(o.kind, o.name, o.parts, o.sign, o.selector, o.pair, option=name) for o in group]
        return operands

    def _operand(self, tree: ParseNode, slots: list[SlotSource]) -> FormOperand:
        sign = selector = pair = kind = name = ""
        parts: tuple[FormOperand, ...] = ()
        for part in tree.children:
            if isinstance(part, Token):
                if part.type == "SIGN":
                    sign = part[1]
                    continue
                word = _word(part) if part.type == "QUAL" else _inside_braces(part)[0]
                selector = str(word)
                slots.append(SlotSource(word, is_selector=True, optional=part.type != "QUAL"))
            elif part.data in ("pair", "maybe_pair"):
                word = _word(_tokens(part)[0])
                pair = str(word)
                if part.data == "maybe_pair":
                    slots.append(SlotSource(word, is_selector=False, optional=True))
            else:
                kind = str(part.data)
                if kind in ("address", "vector"):
                    parts = tuple(self._operands(_nodes(part)[0], slots))
                    name = parts[0].name
                elif kind != "sink":
                    name = str(part.children[0])
        return FormOperand(kind, name, parts, sign, selector, pair)


def _nodes(tree: ParseNode) -> list[ParseNode]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _tokens(tree: ParseNode) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]


def _line(token: Token) -> int:
    return token.line or 0


def _column(token: Token) -> int:
    return token.column or 0


def _word(token: Token) -> Word:
    return Word.at(str(token), _line(token), _column(token))


def _inside_braces(token: Token) -> list[Word]:
    """The qualifiers of ``{.a.b}``."""
    return [Word.at(match[0], _line(token), _column(token) + match.start()) for match in _QUALIFIER.finditer(token)]
