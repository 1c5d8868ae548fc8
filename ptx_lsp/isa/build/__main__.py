"""``python -m ptx_lsp.isa.build`` compiles all pages into ``grammar/compiled/isa.json``."""

import sys

from ptx_lsp.isa.build.compiled import main

if __name__ == "__main__":
    sys.exit(main())
