"""Generated statements of inline assembly: samples of all pages, with many constraints, literals and escapes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.certification.gates import samples_of
from benchmarks.certification.packing import accepted
from benchmarks.certification.releases import Release
from benchmarks.certification.writing import Writer, module_names
from benchmarks.embedded.drafts import LANGUAGES, draft
from benchmarks.embedded.wrapped import wrapped
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Severity
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.settings import Settings

_OF_KERNELS = re.compile(r'\b(?:L0|lc|pm)\b|"')
"""Names that the other questions to ptxas declare."""
_RELEASE_DEPENDENT = "W604"


class Statement(NamedTuple):
    """A generated statement."""

    page: str
    host: str
    """The language."""
    source: str
    has_constants: bool


class Difference(NamedTuple):
    """A statement about which ptxas says otherwise."""

    statement: Statement
    target: str
    is_taken: bool
    """Whether ptxas takes it."""
    said: str
    """Our first error."""


class Result(NamedTuple):
    """The comparison with one release."""

    asked: int
    taken: int
    differences: list[Difference]


def statements(release: Release, host: str, per_form: int, seed: int) -> Iterator[Statement]:
    """Statements of a language, made of samples of all pages."""
    chance = random.Random(seed)
    known = catalogue()
    language = LANGUAGES[host]
    for page in known.instructions:
        for sample in samples_of(page, release, chance, per_form):
            text = Writer().statement(sample.opcode, sample.operands)
            if not module_names(text) and _OF_KERNELS.search(text) is None:
                one = draft(text, language.kinds, chance, has_constants=language.has_constants)
                yield Statement(page.names[0], host, language.write(one, chance), one.has_constants)


def compare(some: list[Statement], target: str, release: Release, jobs: int) -> Result:
    """Compare our verdicts on statements for one target with those of a release."""
    settings = Settings(ptx_version=str(release.newest), ignore=("E9",))
    ours: list[str] = []
    texts: list[list[str]] = []
    for one in some:
        sites = find_sites(one.source, one.host)
        checker = HostChecker(HostText(one.source, one.host, (target,)), sites, settings)
        found = checker.findings()
        if any(finding.code == _RELEASE_DEPENDENT for finding in found):
            ours.append("")
            texts.append([])
            continue
        errors = [finding for finding in found if finding.severity is Severity.ERROR]
        ours.append(f"{errors[0].code}: {errors[0].message}" if errors else "")
        (fragment,) = checker.fragments(sites[0])
        readings = [wrapped(fragment, older=True), wrapped(fragment, older=False)]
        texts.append(list(dict.fromkeys(text for text in readings if text is not None)))
    flat = [text for readings in texts for text in readings]
    answers = iter(accepted(flat, str(release.newest), target, release.path, jobs))
    differences = []
    count = taken = 0
    for one, error, readings in zip(some, ours, texts, strict=True):
        said = [next(answers) for _ in readings]
        if not said:
            continue
        is_taken = any(said)
        count += 1
        taken += is_taken
        if is_taken == (not error) or one.has_constants and not is_taken:
            continue  # another value of the constant may be right
        alone = any(accepted([text], str(release.newest), target, release.path, 1)[0] for text in readings)
        if alone != (not error):
            differences.append(Difference(one, target, alone, error))
    return Result(count, taken, differences)
