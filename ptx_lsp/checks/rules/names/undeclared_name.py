"""E201 undeclared-name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.undeclared import TAKES_LABELS, has_half_declared, is_half_declared
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Symbol, split_number
from ptx_lsp.checks.support.finding import Finding, GroupKey, Phase, RemoteEdit, error
from ptx_lsp.checks.support.mismatches import makes_no_mistake
from ptx_lsp.checks.support.wording import counted, did_you_mean, nearest_of
from ptx_lsp.diagnostic import Edit
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.similar_words import Spellings
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Targets
from ptx_lsp.text import Span

RULE = error("E201", phase=Phase.NAMES).for_unknown_names()
_NAMES_ANYTHING = frozenset({Kind.LOCATION, Kind.DATA})
"""Lines whose names ptxas does not look up."""
_MOST_NAMES = 256
"""So many names of one statement are reported."""


def check(context: StatementContext) -> Iterator[Finding]:
    """A register, variable or function that is not declared, or not visible here.

    A name is visible in the block that declares it and in the blocks inside. `.reg .b32 %r<8>;` declares `%r0` to
    `%r7`.

    ```ptx
    //- sm_80 ptx 7.0
    mov.u32 %r1, %tidx;
    //           ^^^^^ error[E201]: '%tidx' is not declared; did you mean '%tid.x'?
    // ptxas: Unknown symbol '%tidx'
    ```

    **Right:** `mov.u32 %r1, %tid.x;`

    **Fixes offered:** the visible name with the most similar spelling; for `%r8` a larger count in `%r<8>`.

    ---

    ptxas often reports `Arguments mismatch` as well; here one such name is reported once, and nothing else is reported
    for the operand. Names whose declaration is broken are not reported.

    Further uses of the name in the function, and of names that differ only in the number at their end, are listed with
    the first: one declaration is missing. A comment that silences a line silences the uses in it; the first of the
    others is then reported.
    """
    undeclared = context.names.undeclared
    if not undeclared:
        return
    statement = context.statement
    if statement.kind is Kind.INSTRUCTION:
        instruction = context.instruction
        if instruction is not None and instruction.opcode[0] in TAKES_LABELS:
            guard = instruction.guard
            undeclared = () if guard is None else tuple([token for token in undeclared if token == guard.name])
    elif statement.kind in _NAMES_ANYTHING or _lists_labels(context):
        return
    may_be_half = has_half_declared(context)
    reported: set[str] = set()
    for token in undeclared:
        name = statement.word(token)
        if name in reported or may_be_half and is_half_declared(context, name):
            continue
        if len(reported) == _MOST_NAMES:
            return
        reported.add(name)
        parts = split_number(name)
        key = GroupKey(f"{parts[0]}<>" if parts is not None else name, name)
        yield RULE.at_one_of(statement.span(token), f"'{name}' is not declared", key)


def _lists_labels(context: StatementContext) -> bool:
    tree = context.statement.shape.tree
    return isinstance(tree, Targets) and context.word(tree.word) == ".branchtargets"


def merge_group(context: StatementContext, span: Span, names: Sequence[str]) -> Finding:
    """The finding for all undeclared names with one prefix, at the first of them."""
    first = names[0]
    others = f" and {counted(len(names) - 1, 'other name')} '{_prefix(first)}…' are" if len(names) > 1 else " is"
    group = _group_of(context, first)
    if group is not None:
        declared = f"'{group.name}<{group.count}>'"
        end = f"not declared; {declared} ends at '{group.name}{(group.count or 1) - 1}'"
        message = f"'{first}'{others} {end if len(names) == 1 else f'beyond {declared}'}"
        return RULE.at(span, message).explained_by(group).fixed_elsewhere(_larger_count(group, 1 + _highest(names)))
    is_sought = len(names) <= _FEW and not _is_far(context, span)
    ending, fixes = did_you_mean(span, _likely(context, first, span) if is_sought else None)
    return RULE.at(span, f"'{first}'{others} not declared{ending}", fixes=fixes)


def _is_far(context: StatementContext, span: Span) -> bool:
    """Whether a name stands after so many others of a long statement that it costs too much to try a better one.

    To try one the whole statement is read.
    """
    text = context.statement.text
    return len(text) * text.count(",", 0, span.start) > _MOST_READ


_MOST_READ = 1 << 14
"""Characters that are read to try better names for those of one statement."""


def _likely(context: StatementContext, name: str, span: Span) -> str | None:
    """The visible name that is spelled most like an undeclared one, of those that can stand in its place."""

    def fits(other: str) -> bool:
        return makes_no_mistake(context, Edit(span, other))

    names = [*(scope.spellings() for scope in context.scope.chain()), _special_spellings()]
    likely = _with_digits(context, name) or _with_other_prefix(context, name, fits) or nearest_of(name, names, fits)
    parts, wanted = split_number(likely or ""), split_number(name)
    if parts is not None and wanted is not None and likely not in special_names():
        same_number = f"{parts[0]}{wanted[1]}"
        return same_number if context.scope.lookup(same_number) is not None else likely
    return likely


def _with_other_prefix(context: StatementContext, name: str, fits: Callable[[str], bool]) -> str | None:
    """The register with the same number of the only fitting group that differs in one letter: ``%r91`` for ``%q91``."""
    parts = split_number(name)
    if parts is None:
        return None
    prefixes = [one for scope in context.scope.chain() for one in scope.groups if len(one) == len(parts[0])]
    near = [one for one in prefixes if sum(a != b for a, b in zip(one, parts[0], strict=True)) == 1]
    found = [other for one in near[:_MOST_GROUPS] if context.scope.lookup(other := f"{one}{parts[1]}") is not None]
    able = [other for other in dict.fromkeys(found) if fits(other)]
    return able[0] if len(able) == 1 else None


_MOST_GROUPS = 8


@cache
def _components() -> tuple[str, ...]:
    """The components of special registers that are vectors: ``%tid.x``."""
    words = catalogue().vocabulary.special_registers.values()
    return tuple(f"{word.name}.{component}" for word in words for component in "xyzw"[: min(word.vector, _USED)])


@cache
def _special_spellings() -> Spellings:
    return Spellings([*special_names(), *_components()])


_USED = 3
"""Components of special registers that are worth naming; ``.w`` is 0."""
_FEW = 2
"""Of more names than this the declaration is missing; of fewer the spelling may be wrong."""


def _larger_count(group: Symbol, count: int) -> RemoteEdit | None:
    """The edit that lets a parameterised declaration declare ``count`` names."""
    statement = group.place.chunk.statement(group.place.statement)
    for declaration in declarations_in(statement.shape.tree):
        for declarator in declaration.declarators:
            if declarator.name == group.place.token and declarator.count >= 0:
                place = group.place._replace(token=declarator.count)
                return RemoteEdit(f"write '{group.name}<{count}>'", place, str(count))
    return None


def _prefix(name: str) -> str:
    return name.rstrip("0123456789")


def _highest(names: Sequence[str]) -> int:
    """The highest number at the end of names with one prefix that :func:`split_number` splits."""
    length = len(_prefix(names[0]))
    return max([int(name[length:]) for name in names])


_LOOK_ALIKE = str.maketrans("lIoO", "1100")


def _with_digits(context: StatementContext, name: str) -> str | None:
    """The visible name with digits for the letters that look like them: ``%r1`` for ``%rl``."""
    better = name[:1] + name[1:].translate(_LOOK_ALIKE)
    return better if better != name and context.scope.lookup(better) is not None else None


def _group_of(context: StatementContext, name: str) -> Symbol | None:
    """The parameterised declaration that would declare ``name`` if it went further."""
    parts = split_number(name)
    if parts is None:
        return None
    for scope in context.scope.chain():
        if parts[0] in scope.groups:
            return scope.groups[parts[0]]
    return None
