"""Rename a symbol: edit all of its occurrences, and check that no other name changes its meaning."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind, at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.occurrences import Access, Occurrence, member, occurrences, placed
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.declarations import symbols_of
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind, split_number
from ptx_lsp.diagnostic import Edit
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.text import Span

_NAME = re.compile(r"[A-Za-z][\w$]*|[_$%][\w$]+", re.ASCII)


class RenameError(ValueError):
    """The rename is not possible; the message states the reason for the user."""


class Renamable(NamedTuple):
    """The symbol that a rename request at a position applies to."""

    span: Span
    """The name under the cursor."""
    word: str


def prepare(semantics: Semantics, offset: int) -> Renamable:
    """Return the renamable name at ``offset``.

    Raises:
        RenameError: there is no name, or the text does not declare it.

    """
    cursor, _ = _named(semantics, offset)
    return Renamable(cursor.span, cursor.word)


def _named(semantics: Semantics, offset: int) -> tuple[Cursor, Symbol]:
    cursor = at(semantics, offset)
    if cursor is None:
        raise RenameError("there is no name here")
    if cursor.what is CursorKind.SPECIAL:
        raise RenameError(f"'{cursor.word}' is a special register")
    if cursor.symbol is None:
        raise RenameError(
            f"'{cursor.word}' is not declared here" if cursor.what is CursorKind.NAME else "this is not a name"
        )
    return cursor, cursor.symbol


def rename(semantics: Semantics, offset: int, new: str) -> list[Edit]:
    """Return the edits that rename the symbol at ``offset`` to ``new``, in text order.

    At the declaration of ``%r<100>`` the prefix of the group is renamed; at ``%r7`` only that register, which gets a
    separate declaration. A parameter is also renamed in the other declarations of its function.

    Raises:
        RenameError: the new name is invalid, or some name would be bound to another symbol.

    """
    return run_to_completion(renaming(semantics, offset, new))


def renaming(semantics: Semantics, offset: int, new: str) -> Generator[None, None, list[Edit]]:
    """:func:`rename` in steps: a name can be used in each line of a file."""
    cursor, symbol = _named(semantics, offset)
    _refuse_what_is_no_name(new)
    if new == cursor.word:
        return []
    word = member(symbol, cursor.word)
    if symbol.count is not None and word is not None:
        return (yield from _one_of_group(semantics, symbol, word, new))
    edits = yield from _all_places(semantics, symbol, new)
    for twin in _same_parameters(semantics.module, symbol):
        edits += yield from _all_places(semantics, twin, new)
    return sorted(edits, key=lambda edit: edit.span)


def rename_global(semantics: Semantics, name: str, new: str) -> list[Edit]:
    """Return the edits that rename a module-scope function or variable, in text order.

    Raises:
        RenameError: see :func:`rename`.

    """
    symbol = semantics.module.globals.own(name)
    _refuse_what_is_no_name(new)
    return run_to_completion(_all_places(semantics, symbol, new)) if symbol is not None and new != name else []


def _refuse_what_is_no_name(new: str) -> None:
    if not _NAME.fullmatch(new) or new in catalogue().vocabulary.special_registers or new == "WARP_SZ":
        raise RenameError(f"'{new}' cannot be declared: it is not a valid name, or a word of the language")


def _all_places(semantics: Semantics, symbol: Symbol, new: str) -> Generator[None, None, list[Edit]]:
    found = yield from collected(occurrences(semantics, symbol))
    if symbol.count is not None:
        if new[-1].isdigit():
            raise RenameError(f"'{new}' ends in a digit: it would collide with the numbers of '{new}<{symbol.count}>'")
        length = len(symbol.name)
        new_names = {one: new + _word(one)[length:] for one in found}
    else:
        length = None
        new_names = dict.fromkeys(found, new)
    _refuse_collision(semantics.module, symbol, new, is_group=symbol.count is not None)
    yield from _refuse_capture(semantics, symbol, new_names)
    if symbol.count is not None:
        _refuse_hidden_members(semantics, symbol, new)
    places = placed(semantics.module, found)
    if length is None:
        return (yield from collected(Edit(span, new) for _, span in places))
    return (yield from collected(Edit(Span(span.start, span.start + length), new) for _, span in places))


def _same_parameters(module: Module, symbol: Symbol) -> Iterator[Symbol]:
    """Yield the corresponding parameter in the other declarations of the function."""
    place = symbol.place
    of = module.function_of(place.chunk)
    if of.symbol is None or place[:2] != of.symbol.place[:2] or symbol.kind is SymbolKind.FUNCTION:
        return
    number = [one.place.token for one in symbols_of(*place[:2])].index(place.token)
    for function in module.functions:
        head = function.symbol
        if function is of or head is None or head.name != of.symbol.name:
            continue
        others = symbols_of(*head.place[:2])
        twin = function.scope.own(symbol.name)
        if number < len(others) and twin is not None and twin.place == others[number].place:
            yield twin


def _word(one: Occurrence) -> str:
    start = one.chunk.starts()[one.statement] + one.start
    return one.chunk.text[start : start + one.length]


def _one_of_group(semantics: Semantics, group: Symbol, word: str, new: str) -> Generator[None, None, list[Edit]]:
    """Split one register off ``%r<100>``: rename its uses, and declare it after the group's declaration."""
    uses = (one for one in occurrences(semantics, group, word) if one.access is not Access.DECLARE)
    found = yield from collected(uses)
    module = semantics.module
    if _scope_of(module, group).own(new) is group:
        raise RenameError(f"'{new}' is already declared: it is another register of '{group.name}<{group.count}>'")
    _refuse_collision(module, group, new, is_group=False)
    yield from _refuse_capture(semantics, group, dict.fromkeys(found, new))
    chunk, index, _ = group.place
    end = module.positions.statement_start(chunk, index) + len(chunk.part(index))
    vector = f".v{group.vector} " if group.vector else ""
    start = module.positions.statement_start(chunk, index) + chunk.statement(index).lead
    line = _line_before(module, start)
    # On a line of its own if the other is; a block that is written on one line stays there.
    gap = " " if line.strip() else f"\n{line}"
    declaration = Edit(Span(end, end), f"{gap}.reg {vector}{group.type} {new};")
    edits = yield from collected(Edit(span, new) for _, span in placed(module, found))
    return sorted([declaration, *edits], key=lambda edit: edit.span)


def _line_before(module: Module, offset: int) -> str:
    """Return the text before an offset on its line, as far as a line is usually indented."""
    text = module.document.slice(Span(max(offset - _MOST_INDENTATION, 0), offset))
    return text.replace("\r", "\n").rpartition("\n")[2]


_MOST_INDENTATION = 200


def _refuse_collision(module: Module, symbol: Symbol, new: str, *, is_group: bool) -> None:
    """Raise if the scope of ``symbol`` already declares the new name."""
    scope = _scope_of(module, symbol)
    earlier = scope.own(new)
    if is_group:
        members = (one for name, one in scope.names.items() if (split_number(name) or ("",))[0] == new)
        earlier = scope.groups.get(new) or next(members, None)
    if earlier is not None and earlier is not symbol:
        raise RenameError(f"'{earlier.name}' is already declared (line {module.positions.line_of(earlier.place)})")


_STEP = 256
"""So many names take less than a millisecond."""


def _refuse_capture(
    semantics: Semantics, symbol: Symbol, new_names: Mapping[Occurrence, str]
) -> Generator[None, None, None]:
    """Raise if a renamed occurrence would bind to another symbol, or another name to the renamed symbol."""
    module = semantics.module
    scope = _scope_of(module, symbol)
    hidden = set()
    seen = set()
    for number, (one, new) in enumerate(new_names.items()):
        if not number % _STEP:
            yield
        here = module.scope_of(one.chunk, one.statement)
        if (here, new) in seen:
            continue
        seen.add((here, new))
        for around in here.chain():
            if around is scope:
                break
            inner = around.own(new)
            if inner is not None:
                line = module.positions.line_of(inner.place)
                raise RenameError(f"'{new}' would mean another name in the block around line {line}")
        if scope.parent is not None and (outer := scope.parent.lookup(new)) is not None:
            hidden.add((outer, new))
    for outer, new in hidden:
        for context in occurrences(semantics, outer, new if outer.count is not None else None):
            yield
            if scope in module.scope_of(context.chunk, context.statement).chain():
                line = module.document.position(context.span(module).start)[0] + 1
                raise RenameError(f"'{new}' on line {line} refers to a declaration of an enclosing scope")


def _refuse_hidden_members(semantics: Semantics, group: Symbol, new: str) -> None:
    """Raise if a register of the group would shadow, under the new prefix, an outer name that is used."""
    module = semantics.module
    scope = _scope_of(module, group)
    for around in scope.parent.chain() if scope.parent is not None else ():
        members = (one for name, one in around.names.items() if (split_number(name) or ("",))[0] == new)
        for outer in (*members, *filter(None, [around.groups.get(new)])):
            for context in occurrences(semantics, outer):
                parts = split_number(_word(context))
                is_hidden = parts is not None and parts[0] == new and parts[1] < (group.count or 0)
                if is_hidden and scope in module.scope_of(context.chunk, context.statement).chain():
                    line = module.document.position(context.span(module).start)[0] + 1
                    raise RenameError(
                        f"'{_word(context)}' on line {line} refers to a declaration of an enclosing scope"
                    )


def _scope_of(module: Module, symbol: Symbol) -> Scope:
    """Return the scope that declares a symbol."""
    function = module.function_of(symbol.place.chunk)
    if symbol in function.globals:
        return module.globals
    for scope in module.scope_of(symbol.place.chunk, symbol.place.statement).chain():
        if symbol in (scope.names.get(symbol.name), scope.groups.get(symbol.name)):
            return scope
    return function.scope
