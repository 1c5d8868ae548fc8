"""The verdict on a fragment for a set of targets.

A finding is an error only if no target of the set takes the fragment, and no reading of its operands: compilers since
CUDA 13 declare the register of a ``float`` as ``.b32``, older ones as ``.f32``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence

from ptx_lsp import codes
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.embedded.known_verdicts import Question
from ptx_lsp.checks.embedded.shared_errors import WrongInstructions
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.holes import HoleText
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.target_support import has_form_for, supporting_targets
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.text import Span

OF_NAMES = frozenset({"E201", "E202", "E203", "E204", "E206"})
"""Codes about declarations, which can be in other statements."""
OF_BRACES = frozenset({"E104"})
"""Codes about braces, which other statements can open or close."""
_OF_TARGETS = frozenset({"E501", "E502", "E503"})
_SAME_FOR_ALL = frozenset({*(number for number in codes.NAMES if number.startswith("E1")), *OF_NAMES, "E301"})
"""Codes of errors that are errors for all targets."""

_LARGE = 4000
"""Characters of a fragment that takes more than some milliseconds."""
_MORE = 4
"""If of so many findings too many are refuted, so many times more are made."""
_OPCODES_IN_A_STEP = 64
_FINDINGS_IN_A_STEP = 512


def reaching_verdict(
    fragment: AsmFragment, targets: TargetSet, version: str | None, wanted: Wanted = ALL
) -> Generator[None, None, tuple[Diagnostic, ...]]:
    """The findings in a fragment, with places in its text, for a set of targets and a version (None: the newest).

    Yields after some milliseconds of work. Of those that are not ``wanted`` some may be left out.
    """
    question = Question(fragment, targets, version, wanted)
    found = question.known()
    if found is None:
        found = tuple((yield from _reaching(fragment, targets, version, wanted)))
        question.keep(found)
    return found


class Judged(NamedTuple):
    """The findings for one target."""

    target: Target
    found: list[Diagnostic]
    wrong: tuple[WrongInstructions, ...] = ()
    """For each reading of the operands the instructions with all its errors; empty if there are others, or none."""

    def comparing(self, targets: Iterable[Target]) -> Generator[None, None, list[Target]]:
        """Those of other targets that have as many errors at least, by the instructions alone."""
        found: list[Target] = []
        for target in targets if self.wrong else ():
            for one in self.wrong:
                if not (yield from one.comparing(target)):
                    break
            else:
                found.append(target)
        return found

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors."""
        return [one for one in self.found if one.severity is Severity.ERROR]

    @property
    def order(self) -> tuple[int, int]:
        """The fewer errors, and the fewer of them about the target, the better they tell what is wrong."""
        return len(self.errors), sum(one.code in _OF_TARGETS for one in self.errors)


def _reaching(
    fragment: AsmFragment, targets: TargetSet, version: str | None, wanted: Wanted
) -> Generator[None, None, list[Diagnostic]]:
    if len(fragment.text) >= _LARGE:
        yield
    is_large = len(fragment.checked) >= _LARGE
    document = (yield from load_stepwise(fragment.checked)) if is_large else Document(fragment.checked)
    yield
    shapes = _shapes(document)
    waiting = list(targets.targets)
    likeliest = None if targets.is_named else _with_all(shapes, targets.targets, version)
    if not targets.is_named and likeliest is None:
        waiting = yield from _likeliest_first(shapes, targets.targets, version)
    is_one_enough = wanted.least < Severity.INFORMATION
    judged: list[Judged] = []
    alike: list[Target] = []  # have the errors of one that was judged: asked about them only if another has none
    while waiting:
        target = likeliest or waiting.pop(0)
        settings = Settings(target=str(target), ptx_version=version)
        one = yield from _for_target(fragment, document, settings, wanted)
        judged.append(one)
        if not targets.is_named:
            if not one.errors or any(error.code in _SAME_FOR_ALL for error in one.errors):
                break
            if likeliest is not None:
                _, *waiting = yield from _likeliest_first(shapes, targets.targets, version)
                likeliest = None
            as_good = yield from one.comparing(waiting)
            waiting = [other for other in waiting if other not in as_good]
            waiting.sort(key=lambda other: not _is_asked_for(other, one.errors))
        elif any(error.code in _SAME_FOR_ALL for error in one.errors) or is_one_enough and not one.errors:
            break
        elif all(other.errors for other in judged):
            alike += yield from one.comparing(waiting)
            waiting = [other for other in waiting if other not in alike]
        else:
            waiting, alike = sorted([*waiting, *alike], key=targets.targets.index), []
    if targets.is_named:
        judged.sort(key=lambda one: targets.targets.index(one.target))
    fine = [one for one in judged if not one.errors]
    if not fine:
        return _worded(min(judged, key=lambda one: one.order), targets)
    return [*fine[0].found, *(refusing_targets(judged) if targets.is_named else ())]


def first_target(shapes: Iterable[int], targets: TargetSet, version: str | None) -> Target:
    """The target of a set for which a fragment is judged first."""
    if targets.is_named:
        return targets.targets[0]
    found = _with_all(shapes, targets.targets, version)
    return run_to_completion(_likeliest_first(shapes, targets.targets, version))[0] if found is None else found


def verdict_of_one(judged: Judged, targets: TargetSet) -> list[Diagnostic] | None:
    """The verdict by the first target alone, for which there are errors; None if others count too."""
    return _worded(judged, targets) if any(one.code in _SAME_FOR_ALL for one in judged.errors) else None


def likeliest_target(fragment: AsmFragment, wanted: TargetSet, version: str | None) -> Target:
    """The target of a set that has most instructions of a fragment, for what is shown about one target."""
    return first_target(_shapes(Document(fragment.checked)), wanted._replace(is_named=False), version)


def _with_all(shapes: Iterable[int], targets: tuple[Target, ...], version: str | None) -> Target | None:
    """The first target that has all instructions: the first one of :func:`_likeliest_first`, if there is any."""
    language, opcodes = _asked_of(shapes, version)
    return next((target for target in targets if all(has_form_for(one, language, target) for one in opcodes)), None)


def _shapes(document: Document) -> set[int]:
    return {number for chunk in document.chunks for number in chunk.shapes}


def _asked_of(shapes: Iterable[int], version: str | None) -> tuple[Version, list[tuple[str, ...]]]:
    language = Version.parse(version) if version is not None else catalogue().vocabulary.newest_version
    return language, [SHAPES[number].opcode for number in set(shapes) if SHAPES[number].opcode]


def _likeliest_first(
    shapes: Iterable[int], targets: tuple[Target, ...], version: str | None
) -> Generator[None, None, list[Target]]:
    """The targets, first those that have all instructions: what is wrong with the others need not be found out."""
    language, opcodes = _asked_of(shapes, version)
    counts: Counter[Target] = Counter()
    for number, opcode in enumerate(opcodes, 1):
        counts.update(supporting_targets(opcode, language, targets))
        if not number % _OPCODES_IN_A_STEP:
            yield
    return sorted(targets, key=lambda target: -counts[target])


def _is_asked_for(target: Target, errors: Iterable[Diagnostic]) -> bool:
    """Whether some error says that the statement needs this target."""
    return any(word == str(target) for error in errors for directive, word in error.header if directive == ".target")


_OF_MODULE = "; this module "


def _worded(judged: Judged, wanted: TargetSet) -> list[Diagnostic]:
    """The findings, in words about a set of targets rather than the header of a module."""
    names = ", ".join(map(str, wanted.targets[:4])) + (", …" if len(wanted.targets) > 4 else "")
    end = f"; this is compiled for {names}" if wanted.is_named else ""
    return [
        one._replace(message=one.message.partition(_OF_MODULE)[0] + end, header=())
        if _OF_MODULE in one.message
        else one._replace(header=())
        if one.header
        else one
        for one in judged.found
    ]


def refusing_targets(judged: Iterable[Judged]) -> list[Diagnostic]:
    """An instruction that some of the targets do not have for which the source is compiled, while others do.

    ```cuda
    // ptx-lsp: target sm_80, sm_90a
    asm volatile("wgmma.fence.sync.aligned;");
    //            ^^^^^^^^^^^^^^^^^^^^^^^^ information[I901]
    ```

    Targets are those of a comment `// ptx-lsp: target …`, of the table `[targets]` in `ptx-lsp.toml`, of `--target` or
    of `compile_commands.json`, without those that a condition around the statement excludes.

    **Right:** `#if` or `if constexpr` around the statement, with a condition on the target.
    """
    refused: dict[tuple[Span, str], list[Target]] = {}
    spans: dict[tuple[Span, str], Span] = {}
    for one in judged:
        for error in one.errors:
            reason = error.message.partition(_OF_MODULE)[0]
            refused.setdefault((error.span, reason), []).append(one.target)
            spans[error.span, reason] = error.span
    found = []
    for key, targets in refused.items():
        message = f"not for {', '.join(map(str, targets))}, for which this is compiled too: {key[1]}"
        found.append(Diagnostic("I901", codes.NAMES["I901"], Severity.INFORMATION, message, spans[key]))
    return found


def _for_target(
    fragment: AsmFragment, document: Document, settings: Settings, wanted: Wanted
) -> Generator[None, None, Judged]:
    """The findings for one target, with the reading of the operands that accepts more."""
    older = yield from _checked(fragment, document, settings, fragment.given(older=True), wanted)
    if not older.errors or not fragment.has_two_readings:
        return older
    newer = yield from _checked(fragment, document, settings, fragment.given(), wanted)
    if newer.errors:
        return newer._replace(wrong=(*older.wrong, *newer.wrong) if older.wrong and newer.wrong else ())
    return newer._replace(found=[*newer.found, older_compiler(older.errors[0])])


def older_compiler(error: Diagnostic) -> Diagnostic:
    """A statement that fails for targets before sm_100, where nvcc declares its operands with other types.

    For `"f"` and `"d"` nvcc 13 declares registers of `.b32` and `.b64` from sm_100 on, which any instruction of that
    size accepts, and `.f32` and `.f64` before; older compilers declare the latter for all targets.

    ```cuda
    asm("add.s32 %0, %1, %1;" : "=f"(d) : "f"(a));
    //           ^^ warning[W904]
    ```

    **Right:** `asm("add.s32 %0, %1, %1;" : "=r"(d) : "r"(a));`
    """
    message = f"nvcc before sm_100, and older compilers, declare these operands with other types: {error.message}"
    return Diagnostic("W904", codes.NAMES["W904"], Severity.WARNING, message, error.span)


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
    judged = Judged(checker.module.target, left)
    if judged.errors and not any(one.code in _OF_TARGETS for one in judged.errors):
        wrong = yield from WrongInstructions.reading(checker, judged.errors)
        judged = judged._replace(wrong=(wrong,) if wrong.have_all else ())
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
    if one.code in codes.OF_MODULES or fragment.is_opaque(one.span):
        return True
    if fragment.unknown.has_statements and (one.code in OF_NAMES | OF_BRACES or one.code.startswith("W62")):
        return True
    if one.code.startswith("W62") and HoleText.BEGIN in fragment.text[one.span.start : one.span.end]:
        return True  # other statements can use a name that the host computes
    return not one.code.startswith("E1") and fragment.has_unknown_value(one.span.start)
