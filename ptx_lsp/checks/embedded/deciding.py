"""The way to a verdict for a set of targets: which of them are asked, and what their answers say together.

A finding is an error only if no target of the set takes the fragment, and no reading of its operands: compilers since
CUDA 13 declare the register of a ``float`` as ``.b32``, older ones as ``.f32``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable

from ptx_lsp import codes
from ptx_lsp.checks.embedded.shared_errors import WrongInstructions
from ptx_lsp.checks.embedded.wanted import Wanted
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.target_support import has_form_for, supporting_targets
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.text import Span

OF_NAMES = frozenset({"E201", "E202", "E203", "E204", "E206"})
"""Codes about declarations, which can be in other statements."""
OF_BRACES = frozenset({"E104"})
"""Codes about braces, which other statements can open or close."""
_OF_TARGETS = frozenset({"E501", "E502", "E503"})
_SAME_FOR_ALL = frozenset({*(number for number in codes.NAMES if number.startswith("E1")), *OF_NAMES, "E301"})
"""Codes of errors that are errors for all targets."""
_COMPARED_WITH_NONE = _OF_TARGETS | _SAME_FOR_ALL

_OPCODES_IN_A_STEP = 64


class Judged(NamedTuple):
    """The findings for one target."""

    target: Target
    found: list[Diagnostic]
    errors: list[Diagnostic]
    """The errors among them."""
    wrong: tuple[WrongInstructions, ...] = ()
    """For each reading of the operands the instructions with all its errors; empty if there are others, or none."""

    @classmethod
    def of(cls, target: Target, found: list[Diagnostic]) -> Judged:
        """The findings for a target."""
        return cls(target, found, [one for one in found if one.severity is Severity.ERROR])

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
    def is_compared(self) -> bool:
        """Whether the instructions with its errors tell what other targets say."""
        return bool(self.errors) and not any(one.code in _COMPARED_WITH_NONE for one in self.errors)

    def with_wrong(self, checker: Checker, chunk: Chunk | None = None, start: int = 0) -> Generator[None, None, Judged]:
        """With the instructions that have its errors; the fragment is a chunk of what was checked, or all of it."""
        wrong = yield from WrongInstructions.reading(checker, self.errors, chunk, start)
        return self._replace(wrong=(wrong,) if wrong.have_all else ())

    @property
    def order(self) -> tuple[int, int]:
        """The fewer errors, and the fewer of them about the target, the better they tell what is wrong."""
        return len(self.errors), sum(one.code in _OF_TARGETS for one in self.errors)


class Asked(NamedTuple):
    """The findings that a verdict depends on next: those for a target, with one reading of the operands."""

    target: Target
    is_older: bool
    """Whether nvcc declares the operands as before sm_100."""


Deciding = Generator[Asked | None, Judged | None, list[Diagnostic]]
"""The way to a verdict: whoever runs it sends what it asks for. None is a pause."""


def deciding(
    shapes: Iterable[int], targets: TargetSet, version: str | None, wanted: Wanted, *, has_two_readings: bool
) -> Deciding:
    """Reach the verdict on a fragment with statements of these shapes."""
    waiting = list(targets.targets)
    likeliest = None if targets.is_named else _with_all(shapes, targets.targets, version)
    if not targets.is_named and likeliest is None:
        waiting = yield from _likeliest_first(shapes, targets.targets, version)
    is_one_enough = wanted.least < Severity.INFORMATION
    judged: list[Judged] = []
    alike: list[Target] = []  # have the errors of one that was judged: asked about them only if another has none
    while waiting:
        target = likeliest or waiting.pop(0)
        one = yield from _for_target(target, has_two_readings=has_two_readings)
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


def _with_all(shapes: Iterable[int], targets: tuple[Target, ...], version: str | None) -> Target | None:
    """The first target that has all instructions: the first one of :func:`_likeliest_first`, if there is any."""
    language, opcodes = _asked_of(shapes, version)
    return next((target for target in targets if all(has_form_for(one, language, target) for one in opcodes)), None)


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
        counts.update(supporting_targets(opcode, language, targets) or ())
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


def _for_target(target: Target, *, has_two_readings: bool) -> Generator[Asked | None, Judged | None, Judged]:
    """The findings for one target, with the reading of the operands that accepts more."""
    older = yield Asked(target, is_older=True)
    assert older is not None
    if not has_two_readings or not older.errors:
        return older
    newer = yield Asked(target, is_older=False)
    assert newer is not None
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
