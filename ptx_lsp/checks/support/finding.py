"""A finding, which a check yields: a diagnostic that can still move with its statement.

Checks speak of one statement in spans relative to its text. What depends on where
other things stand (the line of a declaration) is filled in when the findings of a
document are listed; edits of the module's header when somebody asks for fixes.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ptx_lsp import codes
from ptx_lsp.analysis.module.function import StructureFaultKind
from ptx_lsp.analysis.symbols.symbols import Place, Symbol
from ptx_lsp.checks.support.condition import StatementCondition
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Related, Severity, Tag
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module


class RemoteEdit(NamedTuple):
    """A remedy in another statement than the one that is marked: another text for the token at a place."""

    title: str
    place: Place
    text: str


class GroupKey(NamedTuple):
    """The key of findings of one rule in one function that are one mistake.

    The rule's ``merge_group(context, span, names)`` words the finding at the first place for all of them.
    """

    group: str
    """Equal for all of them, such as the prefix of undeclared registers."""
    name: str
    """The name that this one is about; empty if the findings are worded alike, so that there is no ``merge_group``."""


OF_COMPILERS = GroupKey("in generated code", "")
"""The group of findings about what a compiler writes many times over."""


class RelatedPlace(NamedTuple):
    """Another statement of the same function that explains a finding."""

    place: Place
    message: str


class Finding(NamedTuple):
    """A diagnostic relative to a statement, with what else it refers to."""

    diagnostic: Diagnostic
    declaration: Symbol | None = None
    version: Version | None = None
    target: Target | None = None
    remote_edit: RemoteEdit | None = None
    group_key: GroupKey | None = None
    related: tuple[RelatedPlace, ...] = ()
    continued: tuple[PlacedFinding, ...] = ()
    """Findings of the same fact in the chunks that follow: with them it is one finding, wherever chunks end."""

    def explained_by(self, declaration: Symbol | None) -> Finding:
        """The finding with a declaration: its line is added to the message, its place to the related places."""
        return self._replace(declaration=declaration)

    def needing(self, version: Version | None = None, target: Target | None = None) -> Finding:
        """The finding with the ``.version`` or ``.target`` that would correct it."""
        return self._replace(version=version, target=target)

    def fixed_elsewhere(self, edit: RemoteEdit | None) -> Finding:
        """The finding with an edit of another statement that would correct it."""
        return self._replace(remote_edit=edit)

    def in_group(self, key: GroupKey | None) -> Finding:
        """The finding as one of several in its function that are the same mistake and are reported once."""
        return Finding(*self[:5], key, *self[6:])  # a file can have very many, and _replace takes four times as long

    def related_to(self, *places: RelatedPlace) -> Finding:
        """The finding with related places. Without a declaration the line of the first is added to the message."""
        return self._replace(related=places)

    @property
    def refers_elsewhere(self) -> bool:
        """Whether it speaks of other statements, so that where it is said depends on their places too."""
        return bool(self.declaration or self.related or self.remote_edit or self.continued)

    def joined(self, module: Module, start: int) -> Diagnostic:
        """The diagnostic in document offsets with what continues it, for a statement that starts at ``start``."""
        diagnostic = self.diagnostic.shifted(start)
        if not self.continued:
            return diagnostic
        rest = [one.diagnostic(module) for one in self.continued if module.positions.holds(one.place)]
        return _joined([diagnostic, *rest])

    def placed(self, module: Module, start: int) -> Diagnostic:
        """The diagnostic in document offsets with all that it refers to, for a statement that starts at ``start``."""
        diagnostic = self.joined(module, start)
        # Of functions that were edited just now some places are gone, until they are looked at again.
        related = [one for one in self.related if module.positions.holds(one.place)]
        explanation: Place | None = None
        if self.declaration is not None:
            explanation = self.declaration.place if module.positions.holds(self.declaration.place) else None
        elif related and related[0] is self.related[0]:
            explanation = related[0].place
        places = [Related(module.positions.span_of(place), message) for place, message in related]
        if self.declaration is not None and explanation is not None:
            places.insert(
                0, Related(module.positions.span_of(explanation), f"'{self.declaration.name}' is declared here")
            )
        line = module.positions.line_at(places[0].span.start) if explanation is not None else 0
        message = _with_line(diagnostic.message, line)
        if places or message != diagnostic.message:
            places = [*diagnostic.related, *places]
            diagnostic = diagnostic._replace(message=message, related=tuple(places), named_line=line)
        wanted = ((".version", self.version), (".target", self.target))
        header = tuple((directive, str(value)) for directive, value in wanted if value is not None)
        if header:
            diagnostic = diagnostic._replace(header=header)
        if self.remote_edit is not None and module.positions.holds(self.remote_edit.place):
            title, place, text = self.remote_edit
            fix = Fix(title, (Edit(module.positions.span_of(place), text),))
            diagnostic = diagnostic._replace(fixes=(*diagnostic.fixes, fix))
        return diagnostic


def _joined(parts: list[Diagnostic]) -> Diagnostic:
    """One diagnostic from the first to the last of several with equal fixes, one after the other in the text."""
    first = parts[0]
    fixes = [
        Fix(same[0].title, tuple([edit for fix in same for edit in fix.edits]), same[0].is_sure)
        for same in zip(*[one.fixes for one in parts], strict=True)
    ]
    return first._replace(span=Span(first.span.start, parts[-1].span.end), fixes=tuple(fixes))


HERE = "\0"
"""Stands in a message where the line of the declaration or of the first related place belongs, if not at the end.

``f"'%r1'{HERE} is a predicate"`` becomes ``'%r1' (line 5) is a predicate``, or ``'%r1' is a predicate`` without a line.
"""


def _with_line(message: str, line: int) -> str:
    if not line:
        return message.replace(HERE, "")
    return message.replace(HERE, f" (line {line})") if HERE in message else f"{message} (line {line})"


class PlacedFinding(NamedTuple):
    """A finding of a check that looks at more than one statement, with the statement that it is relative to."""

    place: Place
    finding: Finding

    def diagnostic(self, module: Module) -> Diagnostic:
        """The diagnostic in document offsets."""
        return self.finding.placed(module, module.positions.statement_start(self.place.chunk, self.place.statement))


class Phase(Enum):
    """Statements that a check of single statements is asked about."""

    SYNTAX = "syntax"
    """All, also those with syntax errors: of these nothing else is reported."""
    NAMES = "names"
    """Those without syntax errors. Where only declarations are missing, no check of a later phase is asked."""
    MEANING = "meaning"
    """Those without syntax errors whose names are declared, or that have other faults as well."""


class Merge(Enum):
    """The way from the findings of ``check_module`` in the shards of a text to those in the text.

    All that stands outside of bodies is in every shard (:mod:`ptx_lsp.syntax.documents.shards`); a body is in one.
    """

    PLACE = "place"
    """A finding in a body is that of the shard with the body. Outside of bodies all shards have the same findings."""
    EVERY = "every"
    """As before, but outside of bodies a finding must be in every shard: something in a body can prevent it."""
    EARLIEST = "earliest"
    """There is one finding, at the first place of all shards."""
    WHOLE = "whole"
    """Something in the body of another shard can prevent a finding; if there is any, the text is checked whole."""


ANY_STATEMENT = StatementCondition()
_NOTHING_ELSE = Diagnostic("", "", Severity.ERROR, "", Span(0, 0))[5:]
"""The rest of a diagnostic without fixes and places."""


class Rule(NamedTuple):
    """The identity of a check, and when it is asked."""

    code: str
    name: str
    severity: Severity
    """Unless settings give it another one."""
    phase: Phase = Phase.MEANING
    merge: Merge = Merge.PLACE
    condition: StatementCondition = ANY_STATEMENT
    """Without it ``check`` finds nothing in a flagged statement, and is not asked."""
    faults: frozenset[StructureFaultKind] = frozenset()
    """Without one of these ``check_function`` finds nothing in a function, and is not asked."""

    def in_trees(self, *trees: type) -> Rule:
        """The rule for statements that have a tree of one of these classes."""
        return self._replace(condition=self.condition._replace(trees=trees))

    def for_problems(self, *problems: Problem) -> Rule:
        """The rule for instructions whose match has a mismatch or note of one of these kinds."""
        return self._replace(condition=self.condition._replace(problems=frozenset(problems)))

    def for_syntax_errors(self) -> Rule:
        """The rule for statements with a syntax error of its code."""
        return self._replace(condition=self.condition._replace(is_of_syntax=True))

    def for_unknown_names(self) -> Rule:
        """The rule for statements that use a name that means nothing where they stand."""
        return self._replace(condition=self.condition._replace(is_of_names=True))

    def for_faults(self, *faults: StructureFaultKind) -> Rule:
        """The rule whose ``check_function`` is about functions with a fault of one of these kinds."""
        return self._replace(faults=frozenset(faults))

    def merged(self, merge: Merge) -> Rule:
        """The rule with another way to merge the findings of shards."""
        return self._replace(merge=merge)

    def at_one_of(self, span: Span, message: str, key: GroupKey) -> Finding:
        """A finding of this rule that is one of several with the same mistake; a file can have very many of them."""
        new = tuple.__new__  # the constructors take twice as long
        diagnostic = new(Diagnostic, (self.code, self.name, self.severity, message, span, *_NOTHING_ELSE))
        return new(Finding, (diagnostic, None, None, None, None, key, (), ()))

    def at(self, span: Span, message: str, *, fixes: tuple[Fix, ...] = (), tags: tuple[Tag, ...] = ()) -> Finding:
        """A finding of this rule; methods of it add declarations, related places and what else it refers to."""
        return Finding(Diagnostic(self.code, self.name, self.severity, message, span, fixes=fixes, tags=tags))


def error(code: str, phase: Phase = Phase.MEANING) -> Rule:
    """A rule whose findings ptxas refuses too."""
    return Rule(code, codes.NAMES[code], Severity.ERROR, phase)


def warning(code: str) -> Rule:
    """A rule about what ptxas accepts and the author hardly means."""
    return Rule(code, codes.NAMES[code], Severity.WARNING)


def information(code: str) -> Rule:
    """A rule about what is worth knowing and needs no change."""
    return Rule(code, codes.NAMES[code], Severity.INFORMATION)


def hint(code: str) -> Rule:
    """A rule about style."""
    return Rule(code, codes.NAMES[code], Severity.HINT)
