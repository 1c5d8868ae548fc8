"""The lines that open a module: ``.version`` and ``.target`` raised to what it needs or lowered, ``.address_size``.

Source: PTX ISA, "PTX Module Directives".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.module.header import target_place, version_place
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.requirements import Needs, needs
from ptx_lsp.analysis.statements.requirements import raised as needs_raised
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import LOWER_HEADER, QUICK_FIX, RAISE_HEADER, REWRITE, Asked, CodeAction
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

_LACKS = frozenset({"E501", "E502", "E506"})
_RAISE = "raise '.version' and '.target' to what the module needs"
_LOWER = "lower '.version' and '.target' to what the module needs"
_SIZES = Version(2, 3)
"""The first version with ``.address_size``."""


def header(asked: Asked) -> Iterator[CodeAction]:
    """What can be done with the header while the cursor stands in it."""
    context = asked.context
    if context is None or context.statement.kind != Kind.HEADER or asked.is_automatic or not _is_written(asked.module):
        return
    if not any(one.code in _LACKS for one in asked.diagnostics):
        yield from lowered(asked, REWRITE)
    yield from _with_address_size(asked)


def raised_here(asked: Asked, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """For something that is newer than the module: all of that at once."""
    own = tuple(one for one in here if one.code in _LACKS)
    if own and sum(one.code in _LACKS for one in asked.diagnostics) > 1:
        yield from raised(asked, QUICK_FIX, own)


def raised(
    asked: Asked, kind: str = RAISE_HEADER, mended: tuple[Diagnostic, ...] | None = None
) -> Iterator[CodeAction]:
    """Raise the header until the module has all that it uses."""
    lacking = tuple(one for one in asked.diagnostics if one.code in _LACKS)
    if lacking and _is_written(asked.module):
        mended = lacking if mended is None else mended
        yield CodeAction(
            _RAISE, diagnostics=mended, kind=kind, later=lambda: _written(asked.module, _enough(asked.module, lacking))
        )


def lowered(asked: Asked, kind: str = LOWER_HEADER) -> Iterator[CodeAction]:
    """Lower the header as far as what the module uses allows."""
    if _is_written(asked.module):
        yield CodeAction(_LOWER, kind=kind, later=lambda: _written(asked.module, needs(asked.module)))


def _is_written(module: Module) -> bool:
    return version_place(module.header.lines) is not None and target_place(module.header.lines) is not None


def _written(module: Module, wanted: Needs) -> Iterator[Edit]:
    """The edits that write a header; none of what stands there already."""
    for place, value in (
        (version_place(module.header.lines), wanted.version),
        (target_place(module.header.lines), wanted.target),
    ):
        if place is not None:
            span = module.positions.span_of(place)
            if module.document.slice(span) != str(value):
                yield Edit(span, str(value))


def _enough(module: Module, lacking: Iterable[Diagnostic]) -> Needs:
    """What the instructions need, and what the findings ask for besides."""
    version, target = needs_raised(module)
    words = catalogue().vocabulary.targets
    for directive, word in (wanted for one in lacking for wanted in one.header):
        if directive == ".version":
            version = max(version, Version.parse(word))
        elif word in words:
            other = Target.parse(word)
            if not target.implies(other) and other.implies(target):
                target = other
    if str(target) in words:
        version = max(version, words[str(target)].version)
    return Needs(version, target)


def _with_address_size(asked: Asked) -> Iterator[CodeAction]:
    module = asked.module
    if module.version < _SIZES or any(line.directive == ".address_size" for line in module.header.lines):
        return
    opening = [line for line in module.header.lines if line.directive == ".target" and line.is_opening]
    if opening and opening[-1].tokens:
        end = module.positions.span_of(opening[-1].place._replace(token=opening[-1].tokens[-1])).end
        yield CodeAction("insert '.address_size 64'", (Edit(Span(end, end), "\n.address_size 64"),), kind=REWRITE)
