"""``python -m ptx_lsp`` is ``ptx-lsp``."""

from ptx_lsp.cli.entry import command

if __name__ == "__main__":
    command()
