"""Exact values as text: ``param_0 + 16 * tid.x - 140``."""

from __future__ import annotations

import re
from collections.abc import Callable

from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.remainders import Remainder, without_remainders
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names.demangle import brief_name, name_within

_LONGEST = 120
_LONGEST_SHORTENED = 56
_DEEPEST = 6
_TOO_LONG = 2 * _LONGEST
"""The value has a text of more than ``_LONGEST`` characters if an atom in it has one of so many."""
COUNTERS = "ijklmn"
"""The names of the first iterations in a value."""
_LANE = 1 << 16
"""Addresses in Tensor Memory have the lane above this bit, and the column below."""
_PLACES = frozenset({AtomKind.SYMBOL})
_POINTERS = frozenset({AtomKind.PARAMETER, AtomKind.RESULT, AtomKind.MERGED})
_RANKS = {
    AtomKind.WINDOW: 0,
    AtomKind.SYMBOL: 1,
    AtomKind.PARAMETER: 2,
    AtomKind.SPECIAL: 4,
    AtomKind.ITERATION: 5,
}
"""Objects first, then numbers; all others are in between."""


class ValueText(NamedTuple):
    """A value as text, and the headers of the loops whose iterations it names."""

    text: str
    loops: tuple[int, ...]


class _TooLongError(Exception):
    """The text of an atom has more than ``_TOO_LONG`` characters."""


class ValueWriter:
    """Writes the values of one function.

    Args:
        atoms: the unknown things in them.
        name: the name of an atom that is a result or a meeting, by its number; empty if it has none.
        function: the name of the function: that of a parameter is shortened by it.
        allocated: the atoms that are addresses in Tensor Memory.

    """

    def __init__(
        self, atoms: Atoms, name: Callable[[int], str], function: str = "", allocated: frozenset[int] = frozenset()
    ) -> None:
        self._allocated = allocated
        self._atoms = atoms
        self._name = name
        self._function = function
        self._loops: list[int] = []
        self._is_named = True
        self._is_tensor = False
        self._is_shortened = False
        self._texts: dict[tuple[int, int], str] = {}
        """The texts of atoms by depth: a sum of sums can have millions of places for few of them."""

    def write(self, value: LinearValue, depth: int = _DEEPEST) -> ValueText | None:
        """A value as text; None if it is too long or too deep, or something in it has no name."""
        self._loops, self._is_named = [], True
        self._is_tensor = not self._allocated.isdisjoint(token for token, _ in value.terms)
        deepest: dict[int, int] = {}
        for token, _ in value.terms:
            self._collect(token, deepest)
        self._loops.sort()
        self._texts.clear()
        try:
            text = self._sum(value, depth)
        except _TooLongError:
            return None
        text = without_parentheses(text)
        return ValueText(text, tuple(self._loops)) if self._is_named and len(text) <= _LONGEST else None

    def shortened(self, value: LinearValue) -> ValueText | None:
        """A value that is too long as text, with ``…`` for operands of operations: ``tile + 8 * (… % 3)``."""
        self._is_shortened = True
        try:
            # Without an operation `…` stands for the whole: nothing is known then.
            texts = filter(None, (self.write(value, depth) for depth in range(_DEEPEST - 1, 1, -1)))
            return next((one for one in texts if len(one.text) <= _LONGEST_SHORTENED), None)
        finally:
            self._is_shortened = False

    def _collect(self, token: int, deepest: dict[int, int], depth: int = _DEEPEST) -> None:
        """Note the loops, so that their counters are numbered in the order of the headers.

        ``deepest`` has the atoms that were passed, each with the depth to which its operands were.
        """
        if deepest.get(token, -1) >= depth:
            return
        deepest[token] = depth
        atom = self._atoms.atom(token)
        if atom.kind is AtomKind.ITERATION and isinstance(atom.key, int) and atom.key not in self._loops:
            self._loops.append(atom.key)
        for operand in atom.operands if depth else ():
            for inner, _ in operand.terms:
                self._collect(inner, deepest, depth - 1)

    def _sum(self, value: LinearValue, depth: int) -> str:
        value, remainders = without_remainders(self._atoms, value)
        texts = {token: self._term(token, abs(factor), depth) for token, factor in value.terms}
        ordered = sorted(value.terms, key=lambda term: (self._rank(*term), -abs(term[1]), _by_text(texts[term[0]])))
        # Begin with a term that is added, so that the sum does not begin with a sign.
        first = next((at for at, (_, factor) in enumerate(ordered) if factor > 0), 0)
        ordered = [*ordered[first : first + 1], *ordered[:first], *ordered[first + 1 :]]
        ordered, place = self._of_window(ordered, depth)
        parts = [(factor < 0, texts[token]) for token, factor in ordered]
        parts += [(False, text) for text in sorted((self._remainder(one, depth) for one in remainders), key=_by_text)]
        if place:
            parts.insert(0, (False, place))
        number = value.number
        if number >= _LANE and not self._allocated.isdisjoint(token for token, _ in ordered):
            lanes, number = divmod(number, _LANE)
            parts.append((False, f"{lanes} lanes"))
        if number > 0 and parts and parts[0][0]:
            parts.insert(0, (False, str(number)))  # so that the sum does not begin with a sign
        elif number or not parts:
            parts.append((number < 0, str(abs(number))))
        text = ("-" if parts[0][0] else "") + parts[0][1]
        return text + "".join(f" {'-' if is_negative else '+'} {part}" for is_negative, part in parts[1:])

    def _rank(self, token: int, factor: int) -> int:
        """The place of a term among others; those of one rank stand by their factor, then by their text.

        The number of an atom depends on which values were asked for before.
        """
        if token in self._allocated:
            return 1
        kind = self._atoms.atom(token).kind
        return 2 if kind in _POINTERS and factor == 1 else _RANKS.get(kind, 3)

    def _remainder(self, one: Remainder, depth: int) -> str:
        text = f"({_in_parentheses(one.dividend, self._sum(one.dividend, depth - 1))} % {one.divisor})"
        return text if one.factor == 1 else f"{one.factor} * {text}"

    def _of_window(self, terms: list[tuple[int, int]], depth: int) -> tuple[list[tuple[int, int]], str]:
        """The other terms, and an address in a window with the window: ``generic(tile)``, ``cvta.to.shared(%rd4)``."""
        windows = [one for one in terms if self._atoms.atom(one[0]).kind is AtomKind.WINDOW]
        if len(windows) != 1 or abs(windows[0][1]) != 1:
            return terms, ""
        is_generic = windows[0][1] == 1
        for one in terms:
            atom = self._atoms.atom(one[0])
            if atom.kind in (AtomKind.UNSIGNED, AtomKind.SIGNED) and is_generic and not atom.operands[0].number:
                inner = [token for token, factor in atom.operands[0].terms if factor == 1]
                token = inner[0] if len(inner) == len(atom.operands[0].terms) == 1 else -1
            else:
                token = one[0]
            is_place = token >= 0 and self._atoms.atom(token).kind in (_PLACES if is_generic else _POINTERS)
            if one[1] == 1 and is_place:
                space = str(self._atoms.atom(windows[0][0]).key)
                name = self._atom(token, depth)
                shown = f"generic({name})" if is_generic else f"cvta.to{space}({name})"
                return [other for other in terms if other not in (one, windows[0])], shown
        return terms, ""

    def _term(self, token: int, factor: int, depth: int) -> str:
        if self._is_tensor and depth == _DEEPEST and (lanes := self._lanes(token, factor, depth)):
            return f"{lanes} lanes"
        text = self._atom(token, depth)
        if self._atoms.atom(token).kind is AtomKind.PRODUCT:
            text = text[1:-1]
        return text if factor == 1 else f"{factor} * {text}"

    def _lanes(self, token: int, factor: int, depth: int) -> str:
        """The lanes that a term adds to an address in Tensor Memory; empty if it adds columns too."""
        if not factor % _LANE:
            return self._term(token, factor // _LANE, depth - 1)
        atom = self._atoms.atom(token)
        if atom.kind is not AtomKind.AND or factor != 1:
            return ""
        numbers = [number for one in atom.operands for number in (one.number, *(factor for _, factor in one.terms))]
        if any(number % _LANE for number in numbers):
            return ""
        operands = tuple(
            LinearValue(one.number // _LANE, tuple((inner, factor // _LANE) for inner, factor in one.terms))
            for one in atom.operands
        )
        return self._operation(atom._replace(operands=operands), depth)

    def _atom(self, token: int, depth: int) -> str:
        text = self._texts.get((token, depth))
        if text is None:
            text = self._texts[token, depth] = self._written(token, depth)
            if len(text) > _TOO_LONG:
                raise _TooLongError
        return text

    def _written(self, token: int, depth: int) -> str:
        atom = self._atoms.atom(token)
        if not depth:
            self._is_named &= self._is_shortened
            return "…"
        kind = atom.kind
        if kind is AtomKind.SYMBOL and isinstance(atom.key, Symbol):
            name = atom.key.name
            own = name.removeprefix(f"{self._function}_")
            return own if self._function and own.startswith("param_") else name_within(name)
        if kind is AtomKind.WINDOW:
            return f"generic({atom.key})"
        if kind is AtomKind.PARAMETER:
            return self._parameter(atom)
        if kind is AtomKind.SPECIAL:
            return str(atom.key).removeprefix("%")
        if kind is AtomKind.ITERATION:
            number = self._loops.index(atom.key) if isinstance(atom.key, int) and atom.key in self._loops else 0
            return COUNTERS[number] if number < len(COUNTERS) else f"i{number}"
        if not atom.operands:
            text = self._name(token)
            self._is_named &= bool(text)
            return text
        return self._operation(atom, depth)

    def _operation(self, atom: Atom, depth: int) -> str:
        operands = atom.operands
        if atom.kind is AtomKind.AND:
            masks = [one.number for one in operands if not one.terms and one.number > 0]
            bits = max((one.bit_length() for one in masks), default=0)
            if bits:  # the bits above the mask say nothing
                operands = tuple(
                    one._replace(number=one.number % (1 << bits)) if one.terms else one for one in operands
                )
        texts = [self._sum(one, depth - 1) for one in operands]
        if atom.kind in (AtomKind.UNSIGNED, AtomKind.SIGNED):
            bits = (atom.most - atom.least + 1).bit_length() - 1
            return f"{atom.kind.value}{bits}({without_parentheses(texts[0])})"
        sign = ">>" if atom.kind is AtomKind.SIGNED_RIGHT else atom.kind.value
        shown = [_in_parentheses(one, text) for one, text in zip(operands, texts, strict=True)]
        if atom.kind is AtomKind.PRODUCT:  # a product of three is one product
            shown = [
                without_parentheses(text) if self._is_product(one) else text
                for one, text in zip(operands, shown, strict=True)
            ]
            shown.sort(key=lambda text: (text in COUNTERS, _by_text(text)))
        return "(" + f" {sign} ".join(shown) + ")"

    def _is_product(self, value: LinearValue) -> bool:
        is_atom = len(value.terms) == 1 and value.terms[0][1] == 1 and not value.number
        return is_atom and self._atoms.atom(value.terms[0][0]).kind is AtomKind.PRODUCT

    def _parameter(self, atom: Atom) -> str:
        assert isinstance(atom.key, tuple)
        symbol, offset, _ = atom.key
        name = brief_name(symbol.name.removeprefix(f"{self._function}_") or symbol.name)
        return f"{name}[{offset}]" if offset else name


def _in_parentheses(value: LinearValue, text: str) -> str:
    """An operand of an operation: in parentheses if it is a sum or a multiple."""
    is_one = len(value.terms) + bool(value.number) <= 1 and all(factor == 1 for _, factor in value.terms)
    is_closed = " " not in text or text.startswith("(") or _CONVERSION(text) is not None
    return text if is_one and is_closed else f"({text})"


def _by_text(text: str) -> tuple[str, str]:
    """The order of texts: those in parentheses stand by what is in these."""
    return text.lstrip("("), text


_CONVERSION = re.compile(r"[us]\d+\(.*\)").fullmatch
"""One integer read with another type."""


def without_parentheses(text: str) -> str:
    """An expression without the pair of parentheses around the whole of it.

    >>> without_parentheses("((a + 1) % 3)"), without_parentheses("(a + 1) % (b + 1)")
    ('(a + 1) % 3', '(a + 1) % (b + 1)')
    """
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            return text[1:-1] if at and at == len(text) - 1 and text.startswith("(") else text
    return text
