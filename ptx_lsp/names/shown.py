"""The text of a part of a mangled name, complete and shortened, as it is built from smaller parts.

C++ types surround the name that they declare (``void (*name)(int)``), so that a text has a left and a right side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ptx_lsp.named_tuples import NamedTuple

MOST_TEXT = 8000
"""The maximum length of a text in characters; substitutions can double it with each letter of the name."""
MOST_SHORT = 60
"""The maximum length of a shortened text."""
CUT = "…"


class Shown(NamedTuple):
    """A type, name or expression."""

    left: str
    right: str = ""
    short: str = ""
    """The shortened text; empty: the complete one."""
    is_wrapped: bool = False
    """Whether it is a function or array type, which a pointer to it encloses in brackets."""
    pack: tuple[Shown, ...] | None = None
    """The elements, if it is a parameter pack."""
    base: str = ""
    """Of a name the last part without template arguments, by which constructors are named."""
    has_arguments: bool = False
    """Whether it is a name that ends with template arguments."""
    has_no_result: bool = False
    """Whether it names a constructor, destructor or conversion, whose encoding has no result type."""
    alone: str = ""
    """Of a qualified name the shortened text without its qualifiers; empty: that of :attr:`brief`."""

    @property
    def text(self) -> str:
        """The complete text."""
        if self.pack is not None:
            return ", ".join(filter(None, (one.text for one in self.pack)))[:MOST_TEXT]
        return self.left + self.right

    @property
    def brief(self) -> str:
        """The shortened text."""
        if self.pack is not None:
            return limited(", ".join(filter(None, (one.own for one in self.pack))))
        return self.short or limited(self.left + self.right)

    @property
    def own(self) -> str:
        """The shortened text without qualifiers."""
        return self.alone or self.brief


def limited(text: str, most: int = MOST_SHORT) -> str:
    """A text of at most ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + CUT


def word(text: str) -> Shown:
    """A text that stands as it is."""
    return Shown(text[:MOST_TEXT], base=text)


def each(make: Callable[[Shown], Shown], inner: Shown) -> Shown:
    """Apply a modifier to a type; to each element of a pack."""
    if inner.pack is None:
        return make(inner)
    return Shown("", pack=tuple(map(make, inner.pack)))


def suffixed(inner: Shown, suffix: str) -> Shown:
    """A type with a suffix of its left side: ``int const``."""

    def make(one: Shown) -> Shown:
        if one.is_wrapped:
            return one._replace(right=(one.right + suffix)[:MOST_TEXT])
        return Shown((one.left + suffix)[:MOST_TEXT], one.right, one.own + suffix)

    return each(make, inner)


def pointer(inner: Shown, mark: str) -> Shown:
    """A pointer or reference to a type; a reference to a reference is one."""

    def make(one: Shown) -> Shown:
        left = one.left
        if "&" in mark and not one.is_wrapped and left.endswith("&"):
            joined = left if mark == "&&" or not left.endswith("&&") else left[:-1]
            return Shown(joined, one.right, one.own)
        if one.is_wrapped:
            return Shown(f"{left.rstrip()} ({mark}"[:MOST_TEXT], (")" + one.right)[:MOST_TEXT])
        return Shown((left + mark)[:MOST_TEXT], one.right, one.own + mark if one.short or one.alone else "")

    return each(make, inner)


def member_pointer(owner: Shown, inner: Shown) -> Shown:
    """A pointer to a member of a class."""
    mark = f"{owner.text}::*"
    if inner.is_wrapped:
        return Shown(f"{inner.left.rstrip()} ({mark}"[:MOST_TEXT], (")" + inner.right)[:MOST_TEXT])
    return Shown(f"{inner.left} {mark}"[:MOST_TEXT], inner.right)


def function_type(result: Shown, parameters: Iterable[Shown], suffix: str = "") -> Shown:
    """The type of a function."""
    return Shown(
        f"{result.left} "[:MOST_TEXT], f"({listed(parameters)}){suffix}{result.right}"[:MOST_TEXT], is_wrapped=True
    )


def array_type(inner: Shown, size: str) -> Shown:
    """The type of an array."""
    further = inner.right.removeprefix(" ") if inner.right.startswith(" [") else inner.right
    return Shown(inner.left, f" [{size}]{further}"[:MOST_TEXT], is_wrapped=True)


def listed(parts: Iterable[Shown]) -> str:
    """Parameters of a function, or elements of a list."""
    texts = [one.text for one in parts]
    return "" if texts == ["void"] else ", ".join(filter(None, texts))[:MOST_TEXT]


_MOST_ARGUMENT = 24
"""The maximum length of a template argument in a shortened name."""
_MOST_ARGUMENTS = 44
"""The maximum length of all of them."""


def with_arguments(name: Shown, arguments: Iterable[Shown]) -> Shown:
    """A name with template arguments; in the shortened text long ones are elided."""
    flat = [inner for one in arguments for inner in (one.pack if one.pack is not None else (one,))]
    joined = ", ".join(filter(None, (one.text for one in flat)))[:MOST_TEXT]
    shown: list[str] = []
    length = 0
    for one in flat:
        brief = one.own
        if not brief:
            continue
        if len(brief) > _MOST_ARGUMENT:
            head = brief.partition("<")[0]
            brief = f"{head}<{CUT}>" if head != brief and len(head) < _MOST_ARGUMENT - 2 else CUT
        length += len(brief) + 2
        if length > _MOST_ARGUMENTS:
            if shown[-1:] != [CUT]:
                shown.append(CUT)
            break
        if brief != CUT or shown[-1:] != [CUT]:
            shown.append(brief)
    brief = f"<{', '.join(shown)}>"
    return Shown(
        f"{name.left}<{joined}>"[:MOST_TEXT],
        name.right,
        name.brief + brief,
        base=name.base,
        has_arguments=True,
        alone=name.own + brief,
        has_no_result=name.has_no_result,
    )


def qualified(outer: Shown | None, name: Shown) -> Shown:
    """A name in a namespace, class or function; in the shortened text without namespaces of the compiler."""
    if outer is None:
        return name
    is_hidden = outer.base.startswith(_INTERNAL) or outer.base == ANONYMOUS
    qualifier = outer.brief
    if is_hidden:
        qualifier = qualifier[: -len(outer.own)].removesuffix("::") if qualifier.endswith(outer.own) else ""
    return Shown(
        f"{outer.text}::{name.left}"[:MOST_TEXT],
        name.right,
        f"{qualifier}::{name.brief}" if qualifier else name.brief,
        base=name.base,
        has_arguments=name.has_arguments,
        has_no_result=name.has_no_result,
        alone=name.own,
    )


ANONYMOUS = "(anonymous namespace)"
_INTERNAL = "_INTERNAL_"
"""The namespace into which nvcc puts what is local to a file."""
