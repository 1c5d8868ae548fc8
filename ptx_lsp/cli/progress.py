"""A progress bar on the terminal for long runs."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.cli.report import FileReport


def watched(reports: Iterable[FileReport], sizes: dict[str, int]) -> list[FileReport]:
    """All the reports, once they are there; until then a bar on standard error shows how far the run is.

    Collecting them keeps the bar and what is written to standard output apart on a terminal that shows both.
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
