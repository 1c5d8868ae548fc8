"""Statements that declare much at once, or again and again, and lists of thousands of names."""

from __future__ import annotations

from collections.abc import Callable

from .hostile import HEADER, repeated


def listed(size: int, name: Callable[[int], str]) -> str:
    """Names with commas between them, of about so many characters."""
    return repeated(size, lambda n: (", " if n else "") + name(n))


def alone(text: str) -> str:
    """A module of one piece."""
    return f"{HEADER}{text}\n"


GENERATORS: dict[str, Callable[[int], str]] = {
    "one declaration of many arrays": lambda size: alone(f".shared .b8 {listed(size, lambda n: f'a{n}[4]')};"),
    "one declaration of one name again and again": lambda size: alone(f".global .b32 {listed(size, lambda n: 'a')};"),
    "one declaration of many names, twice": lambda size: alone(
        f".global .b32 {listed(size // 2, lambda n: f'n{n}')};\n" * 2
    ),
    "a long table, declared again and again": lambda size: (
        alone(f".global .b32 a[] = {{ {listed(size // 2, lambda n: '1')} }};")
        + repeated(size // 2, lambda n: ".extern .global .b32 a[];\n")
    ),
    "one kernel of many performance directives": lambda size: alone(
        f".entry k() {repeated(size, lambda n: '.maxnreg 32 ')} {{ ret; }}"
    ),
    "one function of many performance directives": lambda size: alone(
        f".func f() {repeated(size, lambda n: '.abi_preserve 3 ')} {{ ret; }}"
    ),
}
"""All of them, by what is hostile in their texts."""
