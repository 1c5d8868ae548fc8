"""The kinds of operands in words: a vector of N/2 `.f16x2` registers, a constant 0..31."""

from __future__ import annotations

from collections.abc import Container

from ptx_lsp.isa.model.form import Words
from ptx_lsp.isa.model.operand_pattern import Alternative, Count, OperandPattern, ranges_in_words, read_kind

_NAMES = {
    "label": "a label",
    "function": "the name of a function",
    "variable": "the name of a variable",
    "special": "a special register",
    "texture": "a texture, sampler or surface",
}


def kind_in_words(words: Words, *, is_address: bool = False, optional: Container[str] = ()) -> str:
    """Return the kind of an operand in words.

    Args:
        words: the kind in the notation's words.
        is_address: whether the operand is the base of an address.
        optional: the qualifiers that may be omitted; without its qualifier of length a vector is a single value.

    """
    pattern = read_kind(words)
    if is_address:
        return _address(pattern)
    found: dict[str, None] = {}
    for one in pattern.alternatives:
        if one.length is not None and one.length.base in optional:
            found[f"`{one.type}`" + (" or `_`" if one.sinks else "")] = None
        found[_alternative(one)] = None
    return " or ".join(found) + (" or wider registers" if pattern.wider else "")


def constants_in_words(ranges: tuple[tuple[int, int, int], ...]) -> str:
    """Return legal constants in the words of messages and hovers.

    >>> constants_in_words(((-1, 1, 2),)), constants_in_words(((32, 1024, 32),))
    ('-1 or 1', 'multiples of 32 up to 1024')
    """
    *others, last = ranges_in_words(ranges) or ("",)
    return " or ".join(filter(None, (", ".join(others), last)))


def _address(pattern: OperandPattern) -> str:
    spaces = [one.type for one in pattern.alternatives if one.what == "type"]
    if not spaces or "generic" in spaces:
        return "an address"
    if any(space.startswith((".texref", ".surfref", ".samplerref")) for space in spaces):
        return "a texture, sampler or surface, or a register with its handle"
    return "an address in " + " or ".join(f"`{space}`" for space in spaces)


def _alternative(one: Alternative) -> str:
    if one.what == "sink":
        return "`_`"
    if one.what == "imm":
        legal = constants_in_words(one.ranges)
        return f"a constant: {legal}" if legal else "a constant"
    if one.what == "vector":
        return "{" + ", ".join(_element(element) for element in one.elements) + "}"
    if one.what in _NAMES:
        return _NAMES[one.what] + (f" of `{one.type}`" if one.type else "")
    sink = "" if not one.sinks else " (elements may be `_`)" if one.length else " or `_`"
    if one.length is not None:
        return f"a vector of {_count(one.length)} `{one.type}`{sink}"
    register = "a register declared " if one.exact else "a register of " if one.register else ""
    return f"{register}`{one.type}`{sink}"


def _element(pattern: OperandPattern) -> str:
    return " or ".join(dict.fromkeys(map(_alternative, pattern.alternatives)))


def _count(count: Count) -> str:
    """Return a number of elements: ``4``, ``N/2`` with the N of the shape, or that of a qualifier."""
    number = count.of(count.base)
    if number is not None:
        return str(number)
    base = count.base.upper() if count.base in "mnk" else f"`{count.base}`"
    signs = {"*": " x ", "/": "/", "-": " - "}
    return base + "".join(f"{signs[sign]}{number}" for sign, number in count.factors)
