"""Mangled names as they stand in the source, complete and shortened.

>>> demangled("_Z12softmax_rowsIfLi4EEvPKT_PS0_i").brief
'softmax_rows<float, 4>'
>>> demangled("_Z12softmax_rowsIfLi4EEvPKT_PS0_i").text
'void softmax_rows<float, 4>(float const*, float*, int)'
>>> demangled("kernel") is None
True
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names import itanium, rust
from ptx_lsp.names.reader import NotMangledError
from ptx_lsp.names.shown import CUT, MOST_SHORT, Shown, limited
from ptx_lsp.process_cache import memoized

MOST_CHARACTERS = 16_384
"""Longer names are not demangled."""
_SUFFIX = re.compile(r"(?:_param_\d+|[.$][\w$.]*|_)?", re.ASCII)
"""The text that may follow a mangled name: nvcc names parameters after the function."""
_MANGLED = re.compile(r"(?<![\w$%])_[ZR][\w$]++", re.ASCII)
_PARAMETER = re.compile(r"_(param_\d+)$", re.ASCII)


class Demangled(NamedTuple):
    """A demangled name."""

    text: str
    """As it is declared: with the types of the parameters, and the result type if it is known."""
    name: str
    """Without parameters and result type."""
    brief: str
    """The shortened name: long template arguments are elided, namespaces that the compiler adds are omitted."""
    base: str
    """The last part of the name without template arguments."""


def demangled(name: str) -> Demangled | None:
    """Demangle the name of a function or variable; None if it is not mangled."""
    if not name.startswith(("_Z", "_R")) or len(name) > MOST_CHARACTERS:
        return None
    return _demangled(name)


def brief_name(name: str) -> str:
    """The shortened name of a function or variable; the name itself if it is not mangled."""
    found = demangled(name)
    return found.brief if found is not None else name


def name_within(name: str) -> str:
    """The shortened name as it is used in the function in question: of a variable of a function without that function.

    >>> name_within("_ZZ4copyIfEvPKT_E6tile_a"), name_within("_ZN4flat5tableE"), name_within("smem")
    ('tile_a', 'flat::table', 'smem')
    """
    found = demangled(name)
    if found is None:
        return name
    return found.base if name.startswith("_ZZ") else found.brief


def names_within(text: str) -> str:
    """A text with the names in it as :func:`name_within` has them.

    >>> names_within("[_ZZ4copyIfEvPKT_E6tile_a+8]")
    '[tile_a+8]'
    """
    return _MANGLED.sub(lambda match: name_within(match[0]), text) if "_Z" in text or "_R" in text else text


@memoized(16_384)
def _demangled(name: str) -> Demangled | None:
    try:
        return _rust(name) if name.startswith("_R") else _cpp(name)
    except (NotMangledError, RecursionError):
        return None


def _rust(name: str) -> Demangled | None:
    found, rest = rust.read(name)
    if not _SUFFIX.fullmatch(rest):
        return None
    return Demangled(found.text, found.text, found.brief, _last(found.text))


def _cpp(name: str) -> Demangled | None:
    found, rest = itanium.read(name)
    if not _SUFFIX.fullmatch(rest):
        return None
    old = rust.legacy(found.name.text.split("::")) if name.endswith("E") and found.parameters is None else None
    if old is not None:
        return Demangled(old.text, old.text, old.brief, _last(old.text))
    suffix = _PARAMETER.match(rest)
    if suffix is not None:
        return Demangled(f"{suffix[1]} of {found.text}", suffix[1], suffix[1], suffix[1])
    ending = f" ({rest})" if rest.startswith(".") else ""
    return Demangled(found.text + ending, found.name.text, _fitting(found.name), found.name.base or found.name.own)


def _last(path: str) -> str:
    """The last part of a path of Rust."""
    return re.split(r"::(?![^<]*>)", path)[-1]


def _fitting(name: Shown) -> str:
    """The shortened name; if it is long, without the qualifiers in its middle."""
    brief = name.brief
    if len(brief) <= MOST_SHORT or "::" not in brief.partition("<")[0]:
        return brief
    outermost = brief.partition("::")[0]
    return f"{outermost}::{CUT}::{name.own}" if len(outermost) < _MOST_OUTERMOST else f"{CUT}::{name.own}"


_MOST_OUTERMOST = 16


def parameter_name(name: str) -> str:
    """The name of a parameter without that of its function, which nvcc puts before it; empty if it is another name.

    >>> parameter_name("_Z12softmax_rowsIfLi4EEvPKT_PS0_i_param_0")
    'param_0'
    """
    found = _PARAMETER.search(name) if name.startswith(("_Z", "_R")) else None
    return found[1] if found is not None else ""


def brief_names(names: Collection[str]) -> Mapping[str, str]:
    """The shortened names of several functions and variables, such that different ones remain different.

    Names that are not mangled are not in the answer. Where template arguments that are elided make the difference, the
    part that differs is added; where the types of the parameters do, these.
    """
    known = {name: found for name in dict.fromkeys(names) if (found := demangled(name)) is not None}
    groups: dict[str, list[str]] = {}
    for name, found in known.items():
        groups.setdefault(found.brief, []).append(name)
    shown: dict[str, str] = {}
    for brief, alike in groups.items():
        if len(alike) == 1:
            shown[alike[0]] = brief
        else:
            shown.update(_distinguished(brief, {name: known[name] for name in alike}))
    return shown


def _distinguished(brief: str, alike: Mapping[str, Demangled]) -> Mapping[str, str]:
    """Shortened names of functions whose shortened names are equal."""
    texts = {name: found.name for name, found in alike.items()}
    if len(set(texts.values())) < len(texts):
        texts = {name: found.text for name, found in alike.items()}
    words = {name: _WORD.findall(text) for name, text in texts.items()}
    first = min(words.values(), key=len)
    start = next((at for at in range(len(first)) if len({tuple(one[at : at + 1]) for one in words.values()}) > 1), None)
    if start is None:
        start = len(first)
    end = 0
    while end < len(first) - start and len({one[-1 - end] for one in words.values()}) == 1:
        end += 1
    found: dict[str, str] = {}
    taken: dict[str, int] = {}
    for name, parts in words.items():
        before = _label(parts, start)
        differing = limited("".join(parts[before : len(parts) - end]).strip(" ,"), _MOST_DIFFERENCE)
        text = f"{brief} [{differing}]" if differing else brief
        taken[text] = taken.get(text, 0) + 1
        found[name] = text if taken[text] == 1 else f"{text} #{taken[text]}"
    return found


_WORD = re.compile(r"[\w$]+|::|.", re.ASCII | re.DOTALL)
_MOST_DIFFERENCE = 40


def _label(words: list[str], start: int) -> int:
    """The place at which the template of the differing arguments begins, if it is near: ``Shape<128``, not ``128``."""
    at = start
    while at > 0 and start - at < _NEAR and (words[at - 1] in " ,<" or words[at - 1].isdigit()):
        at -= 1
        if words[at] == "<":
            return max(at - 1, 0)
    return start


_NEAR = 8
"""Words between the name of a template and an argument of it."""
