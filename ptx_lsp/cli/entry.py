"""Where the command ``ptx-lsp`` begins and ends: server or commands, and what stops a run half-way.

Decides between server and commands before anything is imported.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

_SERVER_OPTIONS = {"--stdio", "--tcp"}
_FAILED = 2
_INTERRUPTED = 130
_BROKEN_PIPE = 141


def main(arguments: list[str] | None = None) -> int:
    """Run ``ptx-lsp`` with these arguments (those of the process by default); the process's exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    try:
        if _serves(arguments):
            from ptx_lsp.server.startup.boot import main as serve

            return serve(arguments)
        gc.disable()  # importing makes many objects and no garbage; a check turns it on again
        from ptx_lsp.cli.commands import run

        status = run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        from ptx_lsp.cli.interrupts import settle

        settle()
        return _INTERRUPTED
    except BrokenPipeError:  # whoever read the output has seen enough, as in `ptx-lsp check … | head`
        return _BROKEN_PIPE
    except OSError as error:
        return _failed(error)


def _serves(arguments: list[str]) -> bool:
    """Whether these arguments ask for the server."""
    return bool(arguments) and arguments[0].startswith("-") and not _SERVER_OPTIONS.isdisjoint(arguments)


def command() -> None:
    """The process ``ptx-lsp``: exits with the status of :func:`main`.

    A checked module is a million objects; to free them one by one would take a fifteenth of the run. Python's own
    flush at exit, which would fail again on a closed pipe, is skipped.
    """
    _open_closed_streams()
    try:
        if not _serves(sys.argv[1:]):
            from ptx_lsp.cli.interrupts import insist

            insist()
        status = main()
    except SystemExit as end:  # from argparse: wrong usage, or a help that was asked for
        status = end.code if isinstance(end.code, int) else _FAILED
        try:
            sys.stdout.flush()
        except OSError as error:
            status = _failed(error)
    with suppress(OSError, KeyboardInterrupt):
        sys.stdout.flush()
    with suppress(OSError, KeyboardInterrupt):
        sys.stderr.flush()
    os._exit(status)


def _failed(error: OSError) -> int:
    """Say in one line what the system refused; the exit status.

    Errors of files are reported where the files are read. What is left is the output, which may stand on a full disk,
    and the current folder, which may be gone.
    """
    where = error.filename
    if where is None:
        where = "the current folder" if isinstance(error, FileNotFoundError) else "standard output"
    with suppress(OSError):  # standard error may be on the same disk
        print(f"ptx-lsp: {where}: {error.strerror or error}", file=sys.stderr, flush=True)
    return _FAILED


def _open_closed_streams() -> None:
    """Put something in the place of standard streams that are closed, lest a file be opened under their numbers.

    What is put there refuses to be read or written, but for errors: these are dropped.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False, encoding="utf-8")  # noqa: SIM115 - it is open as long as the process
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False, encoding="utf-8")  # noqa: SIM115
