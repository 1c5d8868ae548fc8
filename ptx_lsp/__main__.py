"""``python -m ptx_lsp`` is ``ptx-lsp``."""

import sys

from ptx_lsp.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
