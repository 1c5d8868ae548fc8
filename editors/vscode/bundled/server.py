"""Starts the server that came with the extension: the libraries beside this file, and nothing else."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).with_name("libs")))

from ptx_lsp.cli.entry import command

if __name__ == "__main__":
    command()
