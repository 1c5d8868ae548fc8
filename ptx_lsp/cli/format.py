"""``ptx-lsp format``: formats files in place, or lists those that would change."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ptx_lsp import settings
from ptx_lsp.cli.files import STANDARD_INPUT, InputFile, UnreadableError, collect, read_source
from ptx_lsp.cli.terminal import paint, printable, wants_colour
from ptx_lsp.cli.writing import replace_text
from ptx_lsp.source_file import error_text

if TYPE_CHECKING:
    from ptx_lsp.preferences import Format


def format_files(options: argparse.Namespace) -> int:
    """Format ``options.paths``; 0, 1 (with ``--check``: a file would change) or 2 (a file could not be formatted)."""
    run = _Run(options)
    for source in collect(options.paths):
        run.format(source)
    run.summarise()
    if run.problems:
        return 2
    return 1 if options.check and run.changed else 0


class _Run:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._writes = not (options.check or options.diff)
        self._tables: dict[str, Format] = {}
        self.changed = self.unchanged = self.problems = 0

    def format(self, source: InputFile) -> None:
        """Read, format and write one file; errors are printed, and the run continues."""
        try:
            if source.problem is not None:
                raise UnreadableError(source.problem)
            table = self._table(source.path)
            before = read_source(source.path)
        except UnreadableError as error:
            self._print_problem(f"{_shown(source.path)}: {error}")
            return
        after = _formatted(before, table)
        if self._write(source.path, before, after):
            self.changed += before != after
            self.unchanged += before == after

    def _write(self, path: str, before: str, after: str) -> bool:
        """Write or print the result; False if that fails."""
        if path == STANDARD_INPUT and self._writes:
            sys.stdout.flush()
            sys.stdout.buffer.write(after.encode("utf-8", "surrogateescape"))
        elif before == after:
            pass
        elif self._options.diff:
            _write_diff(_shown(path), before, after)
        elif self._options.check:
            print(f"would reformat {printable(_shown(path))}")
        else:
            try:
                replace_text(path, before, after)
            except OSError as error:
                self._print_problem(f"{path}: {error_text(error)}")
                return False
        return True

    def summarise(self) -> None:
        """Print the counts of files to standard error."""
        verb = "reformatted" if self._writes else "would be reformatted"
        parts = [f"{_files(self.changed)} {verb}"] if self.changed else []
        if self.unchanged:
            parts.append(f"{_files(self.unchanged)} {'left unchanged' if self._writes else 'already formatted'}")
        if parts and self._options.paths != [STANDARD_INPUT]:
            print(", ".join(parts), file=sys.stderr)

    def _table(self, path: str) -> Format:
        """The table ``[format]`` for a file, overridden by the command line."""
        folder = os.getcwd() if path == STANDARD_INPUT else os.path.dirname(os.path.abspath(path))
        if folder not in self._tables:
            found = settings.find(folder)
            for problem in found.problems:
                self._print_problem(f"{found.path}: {problem}")
            table = found.settings.format
            if self._options.style is not None:
                table = table._replace(style=self._options.style)
            self._tables[folder] = table
        return self._tables[folder]

    def _print_problem(self, message: str) -> None:
        self.problems += 1
        print(f"ptx-lsp: {printable(message)}", file=sys.stderr)


def _formatted(text: str, table: Format) -> str:
    from ptx_lsp.features.formatting import Options, formatted

    return formatted(text, Options.of(table))


def _write_diff(path: str, before: str, after: str) -> None:
    """A unified diff, coloured on a terminal."""
    from difflib import unified_diff

    colour = wants_colour(sys.stdout)
    styles = {"+": "32", "-": "31", "@": "36"}
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in unified_diff(old, new, path, path):
        bare = line.rstrip("\r\n")
        shown = printable(bare)
        style = styles.get(bare[:1])
        print(paint(shown, style) if colour and style else shown)
        if not line.endswith(("\n", "\r")):
            print("\\ No newline at end of file")


def _shown(path: str) -> str:
    return "<stdin>" if path == STANDARD_INPUT else path


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
