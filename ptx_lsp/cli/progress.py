"""The progress bar of long runs."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.cli.report import FileReport


def with_progress_bar(reports: Iterable[FileReport], sizes: dict[str, int]) -> list[FileReport]:
    """All reports, collected while a progress bar is shown on standard error.

    They are collected so that the bar and standard output do not mix on a terminal that shows both.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("checking"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    collected = []
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=sum(sizes.values()))
        for report in reports:
            collected.append(report)
            progress.advance(bar, sizes.get(report.path, 0))
    return collected
