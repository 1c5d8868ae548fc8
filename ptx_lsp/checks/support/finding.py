"""What a check yields: a diagnostic that can still move with its statement.

Checks speak of one statement in spans relative to its text. What depends on where
other things stand (the line of a declaration) is filled in when the findings of a
document are listed; edits of the module's header when somebody asks for fixes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp import codes
from ptx_lsp.analysis.symbols.symbols import Place, Symbol
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Related, Severity, Tag
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module


class RemoteEdit(NamedTuple):
    """A remedy in another statement than the one that is marked: another text for the token at a place."""

    title: str
    place: Place
    text: str


class GroupKey(NamedTuple):
    """What makes findings of one rule in one function one mistake.

    The rule's ``merge_group(context, span, names)`` words the finding at the first place for all of them.
    """

    group: str
    """Equal for all of them, such as the prefix of undeclared registers."""
    name: str
    """What this one is about."""


class RelatedPlace(NamedTuple):
    """Another statement of the same function that explains a finding."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic relative to a statement, with what else it refers to."""

    diagnostic: Diagnostic
    declared: Symbol | None = None
    """A declaration that explains it: its line is added to the message, its place to the related places."""
    version: Version | None = None
    """The ``.version`` that would mend it."""
    target: Target | None = None
    """The ``.target`` that would mend it."""
    elsewhere: RemoteEdit | None = None
    """An edit of another statement that would mend it."""
    repeated: GroupKey | None = None
    """Set where other statements of the function can show the same mistake: it is told once."""
    beside: tuple[RelatedPlace, ...] = ()
    """Where else to look: related places. Without a declaration the line of the first is added to the message."""

    def placed(self, module: Module, start: int) -> Diagnostic:
        """The diagnostic in document offsets, for a statement that starts at ``start``."""
        diagnostic = self.diagnostic.shifted(start)
        # Of functions that were edited just now some places are gone, until they are looked at again.
        if self.declared is not None and not module.positions.holds(self.declared.place):
            diagnostic = replace(diagnostic, message=diagnostic.message.replace(HERE, ""))
        elif self.declared is not None:
            line = module.positions.line_of(self.declared.place)
            span = module.positions.span_of(self.declared.place)
            diagnostic = replace(
                diagnostic,
                message=_with_line(diagnostic.message, line),
                related=(*diagnostic.related, Related(span, f"'{self.declared.name}' is declared here")),
            )
        beside = [one for one in self.beside if module.positions.holds(one.place)]
        if self.beside and self.declared is None:
            is_known = beside and beside[0] is self.beside[0]
            message = diagnostic.message
            message = (
                _with_line(message, module.positions.line_of(beside[0].place))
                if is_known
                else message.replace(HERE, "")
            )
            diagnostic = replace(diagnostic, message=message)
        if beside:
            related = (Related(module.positions.span_of(place), message) for place, message in beside)
            diagnostic = replace(diagnostic, related=(*diagnostic.related, *related))
        wanted = ((".version", self.version), (".target", self.target))
        header = tuple((directive, str(value)) for directive, value in wanted if value is not None)
        if header:
            diagnostic = replace(diagnostic, header=header)
        if self.elsewhere is not None and module.positions.holds(self.elsewhere.place):
            title, place, text = self.elsewhere
            fix = Fix(title, (Edit(module.positions.span_of(place), text),))
            diagnostic = replace(diagnostic, fixes=(*diagnostic.fixes, fix))
        return diagnostic


HERE = "\0"
"""Stands in a message where the line of the declaration or first related place belongs, if that is not the end."""


def _with_line(message: str, line: int) -> str:
    return message.replace(HERE, f" (line {line})") if HERE in message else f"{message} (line {line})"


class PlacedFinding(NamedTuple):
    """A finding of a check that looks at more than one statement, with the statement that it is relative to."""

    place: Place
    finding: Finding


@dataclass(frozen=True, slots=True)
class Rule:
    """The identity of a check: number, name and how bad a finding is unless settings say otherwise."""

    code: str
    name: str
    severity: Severity

    def at(
        self,
        span: Span,
        message: str,
        *,
        fixes: tuple[Fix, ...] = (),
        declared: Symbol | None = None,
        version: Version | None = None,
        target: Target | None = None,
        elsewhere: RemoteEdit | None = None,
        repeated: GroupKey | None = None,
        tags: tuple[Tag, ...] = (),
        beside: tuple[RelatedPlace, ...] = (),
    ) -> Finding:
        """A finding of this rule."""
        if declared is None and not beside:
            message = message.replace(HERE, "")
        diagnostic = Diagnostic(self.code, self.name, self.severity, message, span, fixes=fixes, tags=tags)
        return Finding(diagnostic, declared, version, target, beside=beside, elsewhere=elsewhere, repeated=repeated)


def error(code: str) -> Rule:
    """A rule whose findings ptxas refuses too."""
    return Rule(code, codes.NAMES[code], Severity.ERROR)


def warning(code: str) -> Rule:
    """A rule about what ptxas accepts and the author hardly means."""
    return Rule(code, codes.NAMES[code], Severity.WARNING)


def information(code: str) -> Rule:
    """A rule about what is worth knowing and needs no change."""
    return Rule(code, codes.NAMES[code], Severity.INFORMATION)


def hint(code: str) -> Rule:
    """A rule about style."""
    return Rule(code, codes.NAMES[code], Severity.HINT)
