"""``ptx-lsp check``: collects and checks files, writes the findings, determines the exit status."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module

from ptx_lsp import settings
from ptx_lsp.cli.checking import LARGE_FILE, Task, check_all
from ptx_lsp.cli.files import STANDARD_INPUT, InputFile, collect
from ptx_lsp.cli.host_sources import HostTargets, host_finder, unknown_language
from ptx_lsp.cli.report import FileReport, RunSummary
from ptx_lsp.diagnostic import describe_counts

_LONG_RUN = 4_000_000
"""Bytes of text from which on a run takes a second or more: it gets a progress bar and further processes."""


def check(options: argparse.Namespace) -> int:
    """Check ``options.paths`` and write the findings; 0, 1 (errors found) or 2 (a file could not be checked)."""
    plan = _Plan(options)
    if plan.usage_problems:
        for problem in plan.usage_problems:
            _print_problem(problem)
        return 2
    sources = list(collect(options.paths, host_finder(options.language)))
    tasks = [plan.task(source) for source in sources]
    if plan.has_several_targets and any(source.host is None for source in sources):
        _print_problem("--target: several targets are for sources with inline assembly; a .ptx file has one")
        return 2
    size = sum(source.size for source in sources)
    jobs = options.jobs or (_processors() if size >= (_LONG_RUN if len(tasks) > 1 else LARGE_FILE) else 1)

    gc.freeze()
    gc.set_threshold(1_000_000, 50, 100)  # many small long-lived objects, hardly any garbage
    gc.enable()
    summary = RunSummary()
    reports: Iterable[FileReport] = summary.counted(_printing_problems(check_all(tasks, jobs)))
    if size >= _LONG_RUN and sys.stderr.isatty():
        from ptx_lsp.cli.progress import with_progress_bar

        reports = with_progress_bar(reports, {source.path: source.size for source in sources})
    import_module(f"ptx_lsp.cli.formats.as_{options.format}").write(reports, summary, sys.stdout)
    if options.statistics:
        _print_statistics(tasks)
    if summary.problems or plan.configuration_problems:
        return 2
    return 1 if summary.errors else 0


class _Plan:
    """The settings of each file: those of the nearest configuration file, overridden by the command line."""

    def __init__(self, options: argparse.Namespace) -> None:
        named = _words([options.target]) if options.target is not None else []
        self.has_several_targets = len(named or ()) > 1
        self._targets = HostTargets(tuple(named or ()))
        target = options.target if not self.has_several_targets else None
        given = {"target": target, "ptx-version": options.ptx_version}
        given |= {"select": _words(options.select), "ignore": _words(options.ignore)}
        self._given = {key: value for key, value in given.items() if value is not None}
        self._settings: dict[str, settings.Settings] = {}
        self._paths: dict[str, str | None] = {}
        wanted, problems = self._override(settings.Settings())
        if self.has_several_targets:
            problems += self._targets.problems()
        self.usage_problems = [
            f"--{problem.replace(chr(39), '', 2)}"
            for problem in (*problems, *_unknown_machine(wanted), *unknown_language(options.language))
        ]
        self.configuration_problems: list[str] = []

    def task(self, source: InputFile) -> Task:
        """A file with its settings; reports problems of a configuration file when it is first used."""
        folder = os.getcwd() if source.path == STANDARD_INPUT else os.path.dirname(os.path.abspath(source.path))
        if folder not in self._settings:
            found = settings.find(folder)
            for problem in (*found.problems, *_unknown_machine(found.settings)):
                message = f"{found.path}: {problem}"
                if message not in self.configuration_problems:
                    self.configuration_problems.append(message)
                    _print_problem(message)
            self._settings[folder] = self._override(found.settings)[0]
            self._paths[folder] = found.path
        wanted = self._settings[folder]
        if source.host is None:
            return Task(source, wanted)
        return Task(source, wanted, self._targets.of(source.path, wanted, self._paths[folder]))

    def _override(self, base: settings.Settings) -> tuple[settings.Settings, list[str]]:
        return settings.from_mapping(self._given, base)


def _unknown_machine(wanted: settings.Settings) -> Iterator[str]:
    """The problems of a target or version that is well-formed but does not exist."""
    if wanted.target is None and wanted.ptx_version is None:
        return
    from ptx_lsp.isa.catalogue import catalogue

    vocabulary = catalogue().vocabulary
    newest = vocabulary.newest_version
    if wanted.target is not None and wanted.target not in vocabulary.targets:
        yield f"'target' is '{wanted.target}', which is unknown; known targets: {', '.join(vocabulary.targets)}"
    if wanted.ptx_version is not None and wanted.ptx_version not in map(str, vocabulary.versions):
        yield f"'ptx-version' is '{wanted.ptx_version}', which is unknown; the newest is {newest}"


def _words(options: list[str] | None) -> list[str] | None:
    """The words of comma-separated options: ``["E1,W6", "H9"]`` is three words."""
    if options is None:
        return None
    return [word.strip() for option in options for word in option.split(",") if word.strip()]


def _print_statistics(tasks: Iterable[Task]) -> None:
    """Analyse the functions of all files that can be read once more, and print which rules have analysed how many."""
    from ptx_lsp.checks.engine.checker import Checker
    from ptx_lsp.checks.engine.coverage import Coverage, coverage
    from ptx_lsp.source_file import UnreadableError, read_source

    found = Coverage()
    for task in tasks:
        if task.source.problem is not None or task.source.path == STANDARD_INPUT or task.source.host is not None:
            continue
        try:
            found = found.plus(coverage(Checker(read_source(task.source.path), task.settings).semantics))
        except UnreadableError:
            continue
    for line in found.lines():
        print(line, file=sys.stderr)


def _printing_problems(reports: Iterable[FileReport]) -> Iterator[FileReport]:
    for report in reports:
        if report.problem is not None:
            _print_problem(f"{report.path}: {report.problem}")
        if report.omitted:
            omitted = describe_counts(report.omitted, is_minimum=report.is_minimum)
            _print_problem(f"{report.path}: not shown: {omitted} (see max-diagnostics)")
        yield report


def _print_problem(message: str) -> None:
    from ptx_lsp.cli.terminal import printable

    print(f"ptx-lsp: {printable(message)}", file=sys.stderr)


def _processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
