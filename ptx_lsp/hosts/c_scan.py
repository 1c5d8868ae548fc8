"""The lexer of CUDA C++: finds ``asm`` statements with the conditions and functions that enclose them."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial
from typing import Any

from ptx_lsp.hosts.alike import alike_of
from ptx_lsp.hosts.blocks import Block, FoundSite, MacroTable, Stops
from ptx_lsp.hosts.c_brackets import MOST_AROUND, Bracket, code_context, is_boundary
from ptx_lsp.hosts.c_conditions import MOST_GUARDS, OpenCondition, call_guards, has_conditions, string_value
from ptx_lsp.hosts.c_statement import HEAD, LANGUAGE, statement_reader
from ptx_lsp.hosts.c_tokens import BLOCK_COMMENT, CHARACTER, LINE_COMMENT, LITERAL, finding_parenthesis, raw_literal
from ptx_lsp.hosts.c_variants import branch_meaning
from ptx_lsp.hosts.site import Certainty, Site, TargetGuard
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

_DEEPEST = 96
"""Brackets and conditions nested deeper are counted but not looked at."""
_DIRECTIVE = r"\n[ \t]*#[ \t]*(?P<word>\w*)(?P<rest>[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+)"
_BASE = rf"{LINE_COMMENT}|{BLOCK_COMMENT}|{LITERAL}|{CHARACTER}|{_DIRECTIVE}|\{{|\}}"
_TOKEN = re.compile(_BASE)
_FIRST_DIRECTIVE = re.compile(_DIRECTIVE.removeprefix(r"\n"))
_SKIPPED = re.compile(rf"{BLOCK_COMMENT}|{LINE_COMMENT}|{_DIRECTIVE}")
_CALL_TOKEN = re.compile(
    rf"{_BASE}|(?P<call>NV_(?:IF_TARGET|IF_ELSE_TARGET|DISPATCH_TARGET))\b\s*\("
    r"(?P<first>[^(),;{}]*+(?:\([^(),;{}]*+\)[^(),;{}]*+)*+)"
    r"|if(?<!\wif)\s*(?:constexpr\s*)?\((?P<condition>[^(){};]*+(?:\([^(){};]*+\)[^(){};]*+)*+)\)\s*\{|\(|\)|,"
)
"""Also the macros and statements with conditions on the target; used in files that contain one."""
_ARGUMENT = re.compile(r"\s*([^(),;{}]*+(?:\([^(),;{}]*+\)[^(),;{}]*+)*+)(?=,)")
_MACRO = re.compile(r"[ \t]*(\w+)(?P<parameters>\()?(?P<body>[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+)")
_COMMENT = re.compile(BLOCK_COMMENT)
_COMMENT_START = re.compile(r"//|/\*")
_DIGITS = frozenset("0123456789abcdefABCDEF")
_ELSE = re.compile(r"\s*else\s*\{")


class CppState(NamedTuple):
    """The state of the lexer between two blocks of lines, without places."""

    brackets: tuple[tuple[Any, ...], ...]
    """The facts about all brackets that are open here or at an open ``#if``."""
    open: tuple[int, ...]
    """The numbers of those that are open here."""
    conditions: tuple[tuple[Any, ...], ...]
    excess: int
    """The number of brackets that are nested too deeply."""
    excess_conditions: int


class CppLexer:
    """Lexes one text; ``macros`` is the table that its sites refer to, which the caller fills; ``mode`` if known."""

    def __init__(self, text: str, macros: MacroTable, mode: str | None = None) -> None:
        self.text = text
        self.read = statement_reader(macros)
        self.alike_of = partial(alike_of, LANGUAGE, macros)
        self.mode = mode if mode is not None else "conditions" if has_conditions(text) else ""
        self.token = _CALL_TOKEN if self.mode else _TOKEN

    def beginning(self) -> CppState:
        """The state at the start of a text."""
        return CppState((), (), (), 0, 0)

    def block(self, start: int, state: CppState, stops: Stops) -> Generator[None, None, Block]:
        """The block of lines that begins at ``start``, to where ``stops`` ends it or the end of the text."""
        return _Scan(self, start, state).running(stops)


class _Scan:
    """One pass over a block of lines."""

    def __init__(self, lexer: CppLexer, start: int, state: CppState) -> None:
        self._text, self._token = lexer.text, lexer.token
        self._read, self._alike_of = lexer.read, lexer.alike_of
        self._start = self._floor = start
        table = [Bracket.restored(number, facts) for number, facts in enumerate(state.brackets)]
        self._open = [table[number] for number in state.open]
        self._conditions = [
            OpenCondition._make((*one[:-1], tuple(table[number] for number in one[-1]))) for one in state.conditions
        ]
        self._excess, self._excess_conditions = state.excess, state.excess_conditions
        self._version = 0  # counts the changes of what the open brackets say
        self._sites: list[FoundSite] = []
        self._macros: list[tuple[str, str | None]] = []
        self._asm = self._next_asm(start)
        self._asked: tuple[CppState, tuple[int, ...]] | None = None  # at the end of the current line

    def running(self, stops: Stops) -> Generator[None, None, Block]:
        text = self._text
        at = max(self._start - 1, 0)
        if self._start == 0 and (first := _FIRST_DIRECTIVE.match(text)) is not None:
            at = self._directive(first)
        tokens = self._token.finditer(text, at)
        found = next(tokens, None)
        wanted = stops.wanted
        while True:
            begin = found.start() if found is not None else len(text)
            if begin >= wanted:
                line = text.find("\n", max(at, wanted - 1), begin + 1) + 1
                if line and is_boundary(text, line) and stops.reached(line, self._state):
                    return self._finished(line)
                self._asked = None
                wanted = stops.wanted
                yield
            if self._asm < begin:
                at = yield from self._site(self._asm, len(text), at)
            elif found is None:
                return self._finished(len(text))
            else:
                at = self._take(found, text[begin])
                if at == found.end():
                    found = next(tokens, None)
                    continue
            if at > begin:
                tokens = self._token.finditer(text, at)
                found = next(tokens, None)

    def _take(self, found: re.Match[str], sign: str) -> int:
        """Handles a token; the offset at which the next one is looked for."""
        begin, end = found.span()
        if sign == "/":
            pass
        elif sign == "{":
            self._push(Bracket("{", begin - self._start))
        elif sign == "}":
            return self._close_brace(begin)
        elif sign == "\n":
            return self._directive(found)
        elif sign == '"':
            if begin and self._text[begin - 1] == "R" and (raw := raw_literal(self._text, begin - 1, len(self._text))):
                return raw[2]
        elif sign == "'":
            # 1'000: the mark separates digits.
            if begin and self._text[begin - 1] in _DIGITS:
                return begin + 1
        elif sign == "N":
            self._call(found)
        elif sign == "i":
            self._branch(found)
        elif sign == "(":
            self._push(Bracket("(", begin - self._start))
        elif sign == ")":
            self._pop("(")
        elif self._open and not self._excess and self._open[-1].negated is not None and self._open[-1].sign == "(":
            self._next_argument(self._open[-1], end)
        if self._asm < end:
            self._asm = self._next_asm(end)
        return end

    # ------------------------------------------------------------ statements

    def _next_asm(self, at: int) -> int:
        """The next word ``asm``, with its underscores."""
        text = self._text
        while (found := text.find("asm", at)) >= 0:
            at = found + 3
            begin = found - 2 if text.startswith("__", found - 2) and found >= 2 else found
            if (begin == 0 or not (text[begin - 1].isalnum() or text[begin - 1] == "_")) and not text[
                at : at + 1
            ].isalnum():
                return begin
        return len(text)

    def _site(self, start: int, limit: int, at: int, name: tuple[str, int] | None = None) -> Generator[None, None, int]:
        """Reads a statement at the word ``asm``, perhaps in a macro at a place; the offset after it."""
        if start < at:
            self._asm = self._next_asm(at)
            return at
        head = HEAD.match(self._text, start, limit)
        end = start + 3 if head is None else (yield from finding_parenthesis(self._text, head.end(), limit)).end
        if head is not None:
            place = (LANGUAGE, "gcc", start, self._text[start:end])
            site = Site(self._read, place, Certainty.UNKNOWN, (), self._alike_of)
            site.macro = name[0] if name is not None else None
            self._sites.append(FoundSite(start - self._start, self._context(site) if name is None else name[1], site))
        self._asm = self._next_asm(end)
        return end

    def _context(self, site: Site) -> int:
        """Fills in what encloses a site; the place of its function."""
        around = code_context(self._open, self._version, self._text, self._start)
        guards, certainty = around.guards, around.certainty
        is_device = False
        if self._conditions:
            found: list[TargetGuard] = []
            for condition_ in self._conditions:
                found += condition_.guards
                is_device = is_device or condition_.is_device
            guards = (*found, *guards)[-MOST_AROUND:]
        if guards or is_device:
            if is_device or any(one.targets for one in guards):
                certainty = Certainty.DEVICE
            if any(one.targets is not None and not one.targets for one in guards):
                certainty = Certainty.HOST
        site.set_context(guards, certainty)
        return around.block

    # ------------------------------------------------------------ brackets

    def _push(self, bracket: Bracket) -> None:
        bracket.floor = self._floor
        if bracket.sign == "{":
            self._floor = self._start + bracket.code + 1
        if len(self._open) >= _DEEPEST:
            self._excess += 1
        else:
            self._open.append(bracket)

    def _pop(self, sign: str) -> Bracket | None:
        """Closes the innermost bracket of a kind; a brace also closes the parentheses within it."""
        if self._excess:
            self._excess -= 1
            return None
        while self._open and self._open[-1].sign != sign:
            if sign == "(":
                return None
            self._open.pop()
        return self._open.pop() if self._open else None

    def _close_brace(self, begin: int) -> int:
        self._floor = begin + 1
        closed = self._pop("{")
        if closed is not None and closed.negated and (other := _ELSE.match(self._text, begin + 1)) is not None:
            self._push(Bracket("{", other.end() - 1 - self._start, closed.negated))
            return other.end()
        return begin + 1

    def _call(self, found: re.Match[str]) -> None:
        """The first argument of ``NV_IF_TARGET``."""
        bracket = Bracket("(", found.start("first") - 1 - self._start)
        bracket.negated = ()
        bracket.condition = found["first"]
        self._push(bracket)

    def _next_argument(self, bracket: Bracket, at: int) -> None:
        """A comma between arguments of ``NV_IF_TARGET``."""
        assert bracket.negated is not None
        self._version += 1
        if bracket.condition is not None:
            holds, fails = call_guards(bracket.condition)
            bracket.guards = (*bracket.negated, *holds)
            bracket.negated = (*bracket.negated, *fails)[:MOST_GUARDS]
            bracket.condition = None
            return
        argument = _ARGUMENT.match(self._text, at)
        bracket.condition = argument[1] if argument is not None else None
        bracket.guards = bracket.negated

    def _branch(self, found: re.Match[str]) -> None:
        """``if constexpr (condition) {``."""
        meaning = branch_meaning("if", found["condition"])
        bracket = Bracket("{", found.end() - 1 - self._start)
        bracket.guards = tuple(one._replace(kind="if constexpr") for one in meaning.guards)
        bracket.negated = tuple(one._replace(kind="if constexpr") for one in meaning.negated) or None
        self._push(bracket)

    # ------------------------------------------------------------ directives

    def _directive(self, found: re.Match[str]) -> int:
        """Handles a directive; the offset after it, and after what it excludes."""
        word = found["word"]
        end = self._directive_end(found)
        if word in ("if", "ifdef", "ifndef"):
            if len(self._conditions) >= _DEEPEST or self._excess_conditions:
                self._excess_conditions += 1
                return end
            meaning = branch_meaning(word, found["rest"])
            self._conditions.append(OpenCondition.opened(meaning, self._open))
            return self._skip(end) if meaning.value is False else end
        if word == "endif":
            if self._excess_conditions:
                self._excess_conditions -= 1
            elif self._conditions:
                self._conditions.pop()
        elif word in ("else", "elif", "elifdef", "elifndef") and self._conditions and not self._excess_conditions:
            return self._other_branch(word, found["rest"], end)
        elif word == "define":
            return self._define(found)
        return end

    def _other_branch(self, word: str, rest: str, end: int) -> int:
        branch, is_dead = self._conditions.pop().other_branch(word, rest)
        self._conditions.append(branch)
        self._open = list(branch.brackets)
        return self._skip(end) if is_dead else end

    def _directive_end(self, found: re.Match[str]) -> int:
        """The end of a directive, or of a comment that begins in it."""
        at, end = found.span("rest")
        while (comment := _COMMENT_START.search(self._text, at, end)) is not None:
            if comment[0] == "//":
                break
            whole = _COMMENT.match(self._text, comment.start())
            at = whole.end() if whole is not None else end
            if at >= end:
                return at
        return end

    def _skip(self, at: int) -> int:
        """The start of the directive that ends a branch that is never compiled."""
        depth = 0
        for found in _SKIPPED.finditer(self._text, at):
            word = found["word"]
            if word in ("if", "ifdef", "ifndef"):
                depth += 1
            elif word == "endif" and depth:
                depth -= 1
            elif word in ("endif", "else", "elif", "elifdef", "elifndef") and not depth:
                return found.start()
        return len(self._text)

    def _define(self, found: re.Match[str]) -> int:
        end = found.end()
        macro = _MACRO.match(self._text, found.start("rest"), end)
        if macro is None:
            return end
        if not macro["parameters"]:
            self._macros.append((macro[1], string_value(macro["body"])))
        at = macro.start("body")
        while self._asm < end:
            at = run_to_completion(self._site(self._asm, end, at, (macro[1], found.start("word") - self._start)))
        return end

    # ------------------------------------------------------------ blocks of lines

    def _finished(self, end: int) -> Block:
        return Block(end - self._start, self._sites, self._macros, *(self._asked or self._state_and_places()))

    def _state(self) -> CppState:
        self._asked = self._state_and_places()
        return self._asked[0]

    def _state_and_places(self) -> tuple[CppState, tuple[int, ...]]:
        table = {id(one): one for group in (self._open, *(one.brackets for one in self._conditions)) for one in group}
        numbers = {key: number for number, key in enumerate(table)}
        for bracket in table.values():
            bracket.classify(self._text, self._start)
        state = CppState(
            tuple(bracket.facts() for bracket in table.values()),
            tuple(numbers[id(one)] for one in self._open),
            tuple((*one[:-1], tuple(numbers[id(bracket)] for bracket in one.brackets)) for one in self._conditions),
            self._excess,
            self._excess_conditions,
        )
        return state, tuple(bracket.code for bracket in table.values())
