"""Where the command ``ptx-lsp`` begins: decides between server and commands before anything is imported."""

from __future__ import annotations

import gc
import os
import sys

_SERVER_OPTIONS = {"--stdio", "--tcp"}


def main(arguments: list[str] | None = None) -> int:
    """Run ``ptx-lsp`` with these arguments (those of the process by default); the process's exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("-") and not _SERVER_OPTIONS.isdisjoint(arguments):
        from ptx_lsp.server.boot import main as serve

        return serve(arguments)
    gc.disable()  # importing makes many objects and no garbage; a check turns it on again
    from ptx_lsp.cli.commands import run

    return run(arguments)


def command() -> None:
    """The process ``ptx-lsp``: exits with the status of :func:`main`.

    A checked module is a million objects; to free them one by one would take a fifteenth of the run.
    """
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(status)  # nobody reads any more; Python knows how to end then
    os._exit(status)
