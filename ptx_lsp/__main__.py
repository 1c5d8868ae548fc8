"""Entry point of ``python -m ptx_lsp``, the command ``ptx-lsp``."""

from ptx_lsp.cli.entry import command

if __name__ == "__main__":
    command()
