"""E201 undeclared-name."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.special import special_names
from ptx_lsp.analysis.symbols import Symbol, split_number
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.wording import did_you_mean, nearest
from ptx_lsp.syntax.kind import Kind

RULE = error("E201")
_TAKES_LABELS = frozenset({"bra", "brx"})
_NAMES_ANYTHING = frozenset({Kind.LOCATION, Kind.DATA})
"""Lines whose names ptxas does not look up."""


def check(use: Use) -> Iterator[Finding]:
    """A register, variable or function that is declared nowhere in sight.

    A name holds in the braces that declare it and in those inside. `.reg .b32 %r<8>;` declares `%r0` to `%r7`.

    ```ptx
    //- sm_80 ptx 7.0
    mov.u32 %r1, %tidx;
    //           ^^^^^ error[E201]
    // ptxas: Unknown symbol '%tidx'
    ```

    **Right:** `mov.u32 %r1, %tid.x;`

    **Fixes offered:** the visible name that is spelled most like it.

    ---

    ptxas often says `Arguments mismatch` as well; here one such name gives one finding, and nothing else is said of
    the operand. Nothing is said of names whose declaration itself is broken.
    """
    if use.instruction is not None and use.instruction.opcode[0] in _TAKES_LABELS:
        return
    if use.statement.kind in _NAMES_ANYTHING:
        return
    said = set()
    for (token, _), code in zip(use.statement.shape.names, use.codes, strict=True):
        name = use.word(token)
        if code or name in said or use.scope.lookup(name) is not None or use.is_half_declared(name):
            continue
        if name in special_names():
            continue  # it exists, but not for this version or target
        said.add(name)
        span = use.span(token)
        group = _group_of(use, name)
        if group is not None:
            yield RULE.at(span, f"'{name}' is not declared; '{group.name}<{group.count}>' ends at"
                                f" '{group.name}{(group.count or 1) - 1}'", declared=group)
            continue
        likely = _with_digits(use, name) or nearest(name, [*use.scope.all_names(), *special_names()])
        ending, fixes = did_you_mean(span, likely)
        yield RULE.at(span, f"'{name}' is not declared{ending}", fixes=fixes)


_LOOK_ALIKE = str.maketrans("lIoO", "1100")


def _with_digits(use: Use, name: str) -> str | None:
    """The visible name with digits for the letters that look like them: ``%r1`` for ``%rl``."""
    better = name[:1] + name[1:].translate(_LOOK_ALIKE)
    return better if better != name and use.scope.lookup(better) is not None else None


def _group_of(use: Use, name: str) -> Symbol | None:
    """The parameterised declaration that would declare ``name`` if it went further."""
    parts = split_number(name)
    if parts is None:
        return None
    for scope in use.scope.chain():
        if parts[0] in scope.groups:
            return scope.groups[parts[0]]
    return None
