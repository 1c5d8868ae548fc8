"""Entry point of ``ptx-lsp``: starts the server or a command, and handles interrupts, broken pipes and I/O errors.

The choice between server and commands comes before any other import.
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
        if arguments[:2] == ["beside", "--"] and len(arguments) > 2:
            from ptx_lsp.server.beside.proxy import run as run_beside

            return run_beside(arguments[2:])
        gc.disable()  # imports create many objects and no garbage; a check enables it again
        from ptx_lsp.cli.commands import run

        status = run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        from ptx_lsp.cli.interrupts import cancel_repeats

        cancel_repeats()
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of the output has exited, as in `ptx-lsp check … | head`
        return _BROKEN_PIPE
    except OSError as error:
        return _failed(error)


def _serves(arguments: list[str]) -> bool:
    """Whether these arguments start the server."""
    return bool(arguments) and arguments[0].startswith("-") and not _SERVER_OPTIONS.isdisjoint(arguments)


def command() -> None:
    """The process ``ptx-lsp``: exits with the status of :func:`main`.

    ``os._exit`` skips two steps: freeing the million objects of a checked module takes a fifteenth of the run, and
    Python's own flush at exit would fail again on a closed pipe.
    """
    _open_closed_streams()
    try:
        if _serves(sys.argv[1:]):
            from ptx_lsp.cli.interrupts import end_at_interrupt

            end_at_interrupt()
        else:
            from ptx_lsp.cli.interrupts import repeat_interrupts

            repeat_interrupts()
        status = main()
    except SystemExit as end:  # from argparse: wrong usage, or --help
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
    """Print an error of the operating system in one line; the exit status.

    Errors of input files are handled elsewhere. Others concern the output, for example on a full disk, and the
    current folder, which may have been deleted.
    """
    where = error.filename
    if where is None:
        where = "the current folder" if isinstance(error, FileNotFoundError) else "standard output"
    with suppress(OSError):  # standard error may be on the same disk
        print(f"ptx-lsp: {where}: {error.strerror or error}", file=sys.stderr, flush=True)
    return _FAILED


def _open_closed_streams() -> None:
    """Replace closed standard streams, so that no other file gets their descriptors.

    The replacements cannot be read or written, except that of standard error, which drops everything.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest free descriptor
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False, encoding="utf-8")  # noqa: SIM115 - stays open as long as the process
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False, encoding="utf-8")  # noqa: SIM115
