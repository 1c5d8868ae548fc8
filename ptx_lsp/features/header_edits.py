"""Edits of a module header: replace its ``.version`` or ``.target``."""

from __future__ import annotations

from difflib import get_close_matches

from ptx_lsp.analysis.module.header import HeaderLine, target_of, version_of, written_version
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.diagnostic import Edit
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.trivia import trivia_length
from ptx_lsp.text import Span


class HeaderError(Exception):
    """The module cannot be given this version or target; the message states the reason for the user."""


def set_target(module: Module, word: str) -> tuple[Edit, ...]:
    """Return the edits that set the target to ``word``, and raise ``.version`` if it is too old for this target.

    Raises:
        HeaderError: there is no such architecture.

    """
    target = target_of(word)
    known = catalogue().vocabulary.targets
    if target is None:
        raise HeaderError(f"unknown target '{word}'{_meant(word, list(known))}")
    needed = known[str(target)].version
    version = written_version(module.header.lines)
    line = _line(module, ".target")
    if _line(module, ".version") is None:
        first = f".version {max(needed, module.version)}\n"
        if line is None:
            return (_inserted(module, f"{first}.target {target}\n"),)
        edits = [_inserted(module, first)]
    else:
        too_old = version is None or version < needed
        edits = [*_replaced(module, _line(module, ".version"), str(needed))] if too_old else []
        if line is None:
            return (*edits, _after_version(module, f".target {target}"))
    return (*edits, *_replaced(module, line, str(target)))


def set_version(module: Module, word: str) -> tuple[Edit, ...]:
    """Return the edits that set the PTX version to ``word``.

    Raises:
        HeaderError: there is no such version, or it is older than the module's target.

    """
    version = version_of(word)
    vocabulary = catalogue().vocabulary
    if version is None:
        raise HeaderError(f"unknown PTX version '{word}'{_meant(word, list(map(str, vocabulary.versions)))}")
    line = _line(module, ".target")
    for target in filter(None, map(target_of, line.words if line is not None else ())):
        needed = vocabulary.targets[str(target)].version
        if version < needed:
            raise HeaderError(f"'{target}' requires PTX {needed} or newer: choose another target first")
    line = _line(module, ".version")
    if line is None:
        return (_inserted(module, f".version {version}\n"),)
    return _replaced(module, line, str(version))


def _line(module: Module, directive: str) -> HeaderLine | None:
    """Return the first header line of this directive that has a value."""
    return next((line for line in module.header.lines if line.directive == directive and line.tokens), None)


def _replaced(module: Module, line: HeaderLine | None, text: str) -> tuple[Edit, ...]:
    """Return the edit of a header line's value; in a ``.target`` list only the architecture is replaced."""
    if line is None:
        return ()
    at = next((at for at, word in enumerate(line.words) if _is_like(word, text)), 0)
    span = module.positions.span_of(line.place._replace(token=line.tokens[at]))
    return () if module.document.slice(span) == text else (Edit(span, text),)


def _is_like(word: str, text: str) -> bool:
    """Whether two words of a header line are of the same category."""
    return (target_of(word) is None) == (target_of(text) is None)


def _after_version(module: Module, text: str) -> Edit:
    """Return the edit that inserts a line after the ``.version`` line."""
    version = _line(module, ".version")
    assert version is not None
    end = module.positions.span_of(version.place._replace(token=version.tokens[-1])).end
    return Edit(Span(end, end), f"\n{text}")


def _inserted(module: Module, text: str) -> Edit:
    """Return the edit that inserts lines at the top of the file, after the leading comments."""
    chunks = module.document.chunks
    start = module.positions.statement_start(chunks[0], 0) + trivia_length(chunks[0].part(0)) if chunks else 0
    return Edit(Span(start, start), text)


def _meant(word: str, known: list[str]) -> str:
    found = get_close_matches(word, known, 1, 0.5)
    return f"; did you mean '{found[0]}'?" if found else ""
