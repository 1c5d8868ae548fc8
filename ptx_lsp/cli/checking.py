"""Checking of the files of a run, in one or several processes; reports keep the order of the files."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from ptx_lsp.cli.background_process import BackgroundProcess
from ptx_lsp.cli.files import STANDARD_INPUT, InputFile, UnreadableError, read_source
from ptx_lsp.cli.report import FileReport, locate
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ptx_lsp.checks.engine.checker import Checker
    from ptx_lsp.checks.engine.finding_limit import Selection


class Task(NamedTuple):
    """A file with its settings."""

    source: InputFile
    settings: Settings
    targets: tuple[str, ...] = ()
    """The targets for which a source with inline assembly is compiled; empty if nothing names them."""


_SHARD = 50_000
"""Characters of a file that are worth a process of their own: it imports what its shard needs, and judges shapes that
other shards have too."""
LARGE_FILE = 2 * _SHARD
"""Characters of a single file from which on several processes share the work on it: some 5,000 lines."""


def check_all(tasks: list[Task], jobs: int) -> Iterator[FileReport]:
    """A report for each task; ``jobs`` is the number of processes, with 1 for this process alone."""
    if jobs <= 1 or len(tasks) == 1:
        yield from (check_one(task, jobs) for task in tasks)
        return
    from concurrent.futures.process import BrokenProcessPool

    from ptx_lsp.cli.worker_processes import interrupts_deferred, workers

    with workers(min(jobs, len(tasks))) as executor:
        with interrupts_deferred():
            # Only this process can read standard input. Large files begin first, so that none is left over at the end.
            futures: list[Future[FileReport] | None] = [None] * len(tasks)
            for number in sorted(range(len(tasks)), key=lambda number: -_size(tasks[number].source.path)):
                if tasks[number].source.path != STANDARD_INPUT:
                    futures[number] = executor.submit(check_one, tasks[number])
        for task, future in zip(tasks, futures, strict=True):
            try:
                yield future.result() if future else check_one(task)
            except BrokenProcessPool:
                yield FileReport(task.source.path, problem="the process that checked it was killed (out of memory?)")


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def check_one(task: Task, jobs: int = 1) -> FileReport:
    """Read and check one file. Never raises: an error becomes the report's ``problem``, and the run continues."""
    shown = "<stdin>" if task.source.path == STANDARD_INPUT else task.source.path
    if task.source.problem is not None:
        return FileReport(shown, problem=task.source.problem)
    try:
        text = read_source(task.source.path)
        if task.source.host is not None:
            return _check_host(shown, text, task.source.host, task)
        found = _findings(text, task.settings, jobs if len(text) >= LARGE_FILE else 1)
        return FileReport(shown, locate(text, found.shown), omitted=found.omitted, is_minimum=found.is_minimum)
    except UnreadableError as error:
        return FileReport(shown, problem=str(error))
    except MemoryError:
        return FileReport(shown, problem="too big for this machine's memory")
    except Exception as error:  # noqa: BLE001 - a bug in ptx-lsp must not hide the findings of other files
        return FileReport(shown, problem=_describe(error))


def _check_host(shown: str, text: str, host: str, task: Task) -> FileReport:
    """Check the inline assembly of a source of another language."""
    from ptx_lsp.hosts.find import find_sites

    sites = find_sites(text, host)
    if not sites:
        return FileReport(shown, has_ptx=False)
    from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText

    found = HostChecker(HostText(text, host, task.targets), sites, task.settings).selected()
    return FileReport(shown, locate(text, found.shown), omitted=found.omitted, is_minimum=found.is_minimum)


def _findings(text: str, settings: Settings, jobs: int) -> Selection:
    """The findings in a text, made by up to ``jobs`` processes."""
    from ptx_lsp.checks.engine.checker import Checker

    if jobs > 1:
        found = _check_in_shards(text, settings, min(jobs, len(text) // _SHARD))
        if found is not None:
            return found
    checker = Checker(text, settings)
    return _check_in_two(checker, settings.max_diagnostics) if jobs > 1 else checker.findings(settings.max_diagnostics)


def _check_in_shards(text: str, settings: Settings, count: int) -> Selection | None:
    """The findings in a text that is divided between ``count`` processes; None if that is not possible."""
    from ptx_lsp.checks.engine.shard_findings import merged, prepare, shard_findings
    from ptx_lsp.syntax.documents.shards import divide

    division = divide(text, count) if hasattr(os, "fork") else None
    if division is None:
        return None
    prepare()
    gc.freeze()  # so that the other processes can share the memory
    with ExitStack() as stack:
        works = [partial(shard_findings, division, number, settings) for number in range(1, len(division.runs))]
        others = [stack.enter_context(BackgroundProcess(work)) for work in works]
        shards = [shard_findings(division, 0, settings)]
        while shards[-1] is not None and others:
            shards.append(others.pop(0).result())
    return merged(division, shards, settings)


_SHARE = 0.85
"""Fraction of the functions whose data flow the child process analyses; the parent does all other work."""


def _check_in_two(checker: Checker, limit: int) -> Selection:
    """The findings of a large file that cannot be divided, with part of the work done in another process."""
    gc.freeze()  # so that the other process can share the memory
    functions = checker.module.functions
    border = round(len(functions) * _SHARE) if len(functions) > 1 else 1
    with BackgroundProcess(lambda: checker.flow_diagnostics(functions[:border])) as other:
        return checker.findings(limit, flow=lambda: [*checker.flow_diagnostics(functions[border:]), *other.result()])


def _describe(error: Exception) -> str:
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{frame.filename.rpartition('ptx_lsp')[2].lstrip('/')}:{frame.lineno}"
    return f"internal error in ptx-lsp, please report it: {type(error).__name__} at {place}: {error}"
