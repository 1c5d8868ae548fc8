"""Actions for the module header: raise or lower ``.version`` and ``.target``, add ``.address_size``.

Source: PTX ISA, "PTX Module Directives".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.module.header import target_place, version_place
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.requirements import HeaderRequirements, least_requirements
from ptx_lsp.analysis.statements.requirements import sufficient_header as needs_raised
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import (
    LOWER_HEADER,
    QUICK_FIX,
    RAISE_HEADER,
    REWRITE,
    ActionRequest,
    CodeAction,
)
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

_LACKS = frozenset({"E501", "E502", "E506"})
_RAISE = "raise '.version' and '.target' to what the module needs"
_LOWER = "lower '.version' and '.target' to what the module needs"
_SIZES = Version(2, 3)
"""The first PTX version with ``.address_size``."""


def header(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer the actions for the header if the cursor is in it."""
    context = request.context
    if (
        context is None
        or context.statement.kind != Kind.HEADER
        or request.is_automatic
        or not _is_written(request.module)
    ):
        return
    if not any(one.code in _LACKS for one in request.diagnostics):
        yield from lowered(request, REWRITE)
    yield from _with_address_size(request)


def raised_here(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Offer to raise the header if a finding in the selection needs a newer version or target."""
    own = tuple(one for one in here if one.code in _LACKS)
    if own and sum(one.code in _LACKS for one in request.diagnostics) > 1:
        yield from raised(request, QUICK_FIX, own)


def raised(
    request: ActionRequest, kind: str = RAISE_HEADER, fixed: tuple[Diagnostic, ...] | None = None
) -> Iterator[CodeAction]:
    """Raise the header to the version and target that the module requires."""
    lacking = tuple(one for one in request.diagnostics if one.code in _LACKS)
    if lacking and _is_written(request.module):
        fixed = lacking if fixed is None else fixed
        yield CodeAction(
            _RAISE,
            diagnostics=fixed,
            kind=kind,
            compute_edits=lambda: _written(request.module, _enough(request.module, lacking)),
        )


def lowered(request: ActionRequest, kind: str = LOWER_HEADER) -> Iterator[CodeAction]:
    """Lower the header to the minimum version and target that the module requires."""
    if _is_written(request.module):
        yield CodeAction(
            _LOWER, kind=kind, compute_edits=lambda: _written(request.module, least_requirements(request.module))
        )


def _is_written(module: Module) -> bool:
    return version_place(module.header.lines) is not None and target_place(module.header.lines) is not None


def _written(module: Module, wanted: HeaderRequirements) -> Iterator[Edit]:
    """Yield the edits that write a header; a line that already has the value is not edited."""
    for place, value in (
        (version_place(module.header.lines), wanted.version),
        (target_place(module.header.lines), wanted.target),
    ):
        if place is not None:
            span = module.positions.span_of(place)
            if module.document.slice(span) != str(value):
                yield Edit(span, str(value))


def _enough(module: Module, lacking: Iterable[Diagnostic]) -> HeaderRequirements:
    """Return the requirements of the instructions and of the given findings together."""
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
    return HeaderRequirements(version, target)


def _with_address_size(request: ActionRequest) -> Iterator[CodeAction]:
    module = request.module
    if module.version < _SIZES or any(line.directive == ".address_size" for line in module.header.lines):
        return
    opening = [line for line in module.header.lines if line.directive == ".target" and line.is_opening]
    if opening and opening[-1].tokens:
        end = module.positions.span_of(opening[-1].place._replace(token=opening[-1].tokens[-1])).end
        yield CodeAction("insert '.address_size 64'", (Edit(Span(end, end), "\n.address_size 64"),), kind=REWRITE)
