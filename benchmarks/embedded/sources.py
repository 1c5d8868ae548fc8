"""The errors in the inline assembly of real sources, each put to ptxas."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.certification.packing import accepted
from benchmarks.certification.plan import versions_of
from benchmarks.certification.releases import Release
from benchmarks.embedded.wrapped import VALUES, wrapped
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.holes import JoinedTemplate
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.host_tables import host_of
from ptx_lsp.settings import Settings

_OF_STATEMENT = "E9"
"""The beginning of codes that are about what nvcc does, before ptxas gets anything."""
_OF_PTX = ("E903", "E907")
"""Those of them that ptxas reports."""
_VARIABLES = "short h; int r; long long l; float f; double d; __int128 q;"


class Confirmed(NamedTuple):
    """An error, and what the judges say of its statement."""

    path: str
    line: int
    error: Diagnostic
    verdict: str
    """``refused``; ``taken by …``; ``not asked``: a part of the text is unknown."""


class Counts(NamedTuple):
    """What a folder holds."""

    files: int
    lines: int
    sites: int


def sources(folder: str) -> Iterator[tuple[str, str, str]]:
    """The files below a folder that may have inline assembly: path, text, language."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            host = host_of(name)
            path = os.path.join(place, name)
            if host is not None and os.path.isfile(path):
                with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                    yield path, file.read(), host


def confirmed(folder: str, releases: list[Release], nvcc: str | None) -> Iterator[Confirmed | Counts]:
    """All errors below a folder, each with the verdict of the releases, and at the end the counts."""
    files = lines = count = 0
    for path, text, host in sources(folder):
        files += 1
        lines += text.count("\n")
        sites = find_sites(text, host)
        count += len(sites)
        checker = HostChecker(HostText(text, host), sites, Settings(max_diagnostics=1 << 30))
        for site in sites:
            errors = [one for one in checker.of_site(site) if one.severity is Severity.ERROR]
            for error in errors:
                verdicts = [_verdict(error, one, checker, releases, nvcc) for one in checker.fragments(site)]
                verdict = next((one for one in verdicts if one != "refused"), "refused")
                yield Confirmed(path, text.count("\n", 0, error.span.start) + 1, error, verdict)
    yield Counts(files, lines, count)


def _verdict(
    error: Diagnostic, fragment: AsmFragment, checker: HostChecker, releases: list[Release], nvcc: str | None
) -> str:
    if error.code.startswith(_OF_STATEMENT) and error.code not in _OF_PTX:
        return _of_nvcc(fragment, nvcc)
    texts = {
        text
        for older in (True, False)
        for value in (None, *VALUES)
        if (text := wrapped(fragment, older=older, value=value)) is not None
    }
    if not texts:
        return "not asked"
    for target in checker.targets_of(fragment.site, fragment).targets:
        for release in releases:
            for version in versions_of(str(target), release.newest)[-1:]:
                if any(accepted(sorted(texts), str(version), str(target), release.path, 1)):
                    return f"taken by {release.name} for {target}"
    return "refused"


def _of_nvcc(fragment: AsmFragment, nvcc: str | None) -> str:
    """Whether nvcc refuses the statement, with variables of the right types for its operands."""
    if nvcc is None:
        return "not asked"
    template = JoinedTemplate(fragment.variant.pieces, fragment.site.text).text
    lists: list[list[str]] = [[], []]
    for operand in fragment.operands:
        letter = operand.constraint.letters if operand.constraint is not None else ""
        expression = letter if letter in ("h", "r", "l", "f", "d", "q") else "1"
        lists[not operand.written.is_output].append(f'"{operand.written.constraint}"({expression})')
    clobbers = ", ".join(f'"{one.text}"' for one in fragment.variant.clobbers)
    operands = f": {', '.join(lists[0])} : {', '.join(lists[1])} : {clobbers}"
    source = f'__global__ void k() {{ {_VARIABLES} asm volatile(R"ptx({template})ptx" {operands}); }}\n'
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
        file.write(source)
        file.flush()
        command = [nvcc, "-arch=sm_90a", "-cubin", "-o", os.devnull, file.name]
        done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    return "refused" if done.returncode else "taken by nvcc"
