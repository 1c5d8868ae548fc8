"""The verdict on a fragment for a set of targets, from the findings for each that nothing refutes."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ptx_lsp import codes
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.embedded.deciding import OF_BRACES, OF_NAMES, Judged, deciding, first_target
from ptx_lsp.checks.embedded.known_verdicts import IsSilenced, Question
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.holes import HoleText
from ptx_lsp.embedded.target_sets import TargetSet, target_set
from ptx_lsp.isa.model.target import Target
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise

_LARGE = 4000
"""Characters of a fragment that takes more than some milliseconds."""
_MORE = 4
"""If of so many findings too many are refuted, so many times more are made."""
_FINDINGS_IN_A_STEP = 512


def reaching_verdict(
    fragment: AsmFragment,
    targets: TargetSet,
    version: str | None,
    wanted: Wanted = ALL,
    silences: IsSilenced | None = None,
    *,
    is_certain: bool = True,
) -> Generator[None, None, tuple[Diagnostic, ...] | None]:
    """The findings in a fragment, with places in its text, for a set of targets and a version (None: the newest).

    Yields after some milliseconds of work. Of those that are not ``wanted`` some may be left out, and those with codes
    that a comment ``silences``. None for text that is not certain to be PTX, and does not read as such.
    """
    last = fragment.derived(_Last) if wanted == ALL and silences is None else None
    asked = (targets.name, version, is_certain)
    if last is not None and last.asked == asked:
        return last.found
    question = Question(fragment, targets, version, wanted, silences, is_certain=is_certain)
    found = question.known()
    if found is None and not question.is_like_other_text:
        found = tuple((yield from _reaching(fragment, targets, version, wanted)))
        question.keep(found)
    if found is not None and question.is_other_text(found):
        found = None
    if last is not None:
        last.asked, last.found = asked, found
    return found


class _Last:
    """The last verdict on a fragment: a file can have more statements than verdicts are known at a time."""

    __slots__ = ("asked", "found")

    def __init__(self, _: AsmFragment) -> None:
        self.asked: object = None
        self.found: tuple[Diagnostic, ...] | None = None


def _reaching(
    fragment: AsmFragment, targets: TargetSet, version: str | None, wanted: Wanted
) -> Generator[None, None, list[Diagnostic]]:
    if len(fragment.text) >= _LARGE:
        yield
    is_large = len(fragment.checked) >= _LARGE
    document = (yield from load_stepwise(fragment.checked)) if is_large else Document(fragment.checked)
    yield
    verdict = deciding(_shapes(document), targets, version, wanted, has_two_readings=fragment.has_two_readings)
    judged: Judged | None = None
    while True:
        try:
            asked = verdict.send(judged)
        except StopIteration as end:
            found: list[Diagnostic] = end.value
            return found
        judged = None
        if asked is None:
            yield
        else:
            settings = Settings(target=str(asked.target), ptx_version=version)
            given = fragment.given(older=asked.is_older)
            judged = yield from _checked(fragment, document, settings, given, wanted)


def likeliest_target(fragment: AsmFragment, wanted: TargetSet, version: str | None) -> Target:
    """The target of a set that has most instructions of a fragment, for what is shown about one target.

    Of all targets if the set is empty: nothing compiles the statement then, but it is shown.
    """
    wanted = wanted if wanted.targets else target_set((), None)
    return first_target(_shapes(Document(fragment.checked)), wanted._replace(is_named=False), version)


def _shapes(document: Document) -> set[int]:
    return {number for chunk in document.chunks for number in chunk.shapes}


def _checked(
    fragment: AsmFragment, document: Document, settings: Settings, given: Sequence[GivenName], wanted: Wanted
) -> Generator[None, None, Judged]:
    """The findings of the checks of PTX, without those that other statements or unknown text can refute."""
    if len(fragment.checked) >= _LARGE and wanted == ALL:
        checker = yield from Checker.taking(document, settings, given=given)
        yield from checker.follow()
        found = yield from checker.listing(None)
    else:
        checker = Checker(document, settings, given=given)
        found = checker.findings(wanted.most, least=wanted.least)
    yield
    left = yield from kept(found.shown, fragment)
    limit = wanted.most
    while limit is not None and found.omitted and len(left) < (wanted.most or 0):  # others take the place of some
        limit *= _MORE
        found = checker.findings(limit, least=wanted.least)
        yield
        left = yield from kept(found.shown, fragment)
    judged = Judged.of(checker.module.target, left)
    if judged.is_compared:
        judged = yield from judged.with_wrong(checker)
    return judged


def kept(found: list[Diagnostic], fragment: AsmFragment) -> Generator[None, None, list[Diagnostic]]:
    """The findings that nothing refutes, as the fragment is written; in steps of some hundred."""
    left: list[Diagnostic] = []
    for number, one in enumerate(found, 1):
        if not _is_refuted(one, fragment):
            left.append(_as_written(one, fragment))
        if not number % _FINDINGS_IN_A_STEP:
            yield
    return left


def _as_written(one: Diagnostic, fragment: AsmFragment) -> Diagnostic:
    """A finding whose message quotes the text of the fragment."""
    start, end = one.span
    checked, written = fragment.checked[start:end], fragment.text[start:end]
    if checked == written:
        return one
    return one._replace(message=one.message.replace(f"'{checked}'", f"'{written}'"), fixes=())


def _is_refuted(one: Diagnostic, fragment: AsmFragment) -> bool:
    if one.code in codes.OF_MODULES or fragment.unknown.is_opaque(one.span):
        return True
    if fragment.unknown.has_statements and (one.code in OF_NAMES | OF_BRACES or one.code.startswith("W62")):
        return True
    if one.code.startswith("W62") and HoleText.BEGIN in fragment.text[one.span.start : one.span.end]:
        return True  # other statements can use a name that the host computes
    return not one.code.startswith("E1") and fragment.has_unknown_value(one.span.start)
