"""What ``./test --fast`` leaves out: files and folders that take long.

They start real editors or a server process for each test, ask ptxas a thousand times, make random edits, read whole
corpora, go through all words of all pages, take the steps of CONTRIBUTING.md, or compare times. A file that is named
runs all the same, and so does everything in ``./test``. ``./test PATH --durations=20`` shows what takes long.
"""

from __future__ import annotations

from pathlib import Path

_SLOW = """
    certification
    corpus
    editors
    layouts
    server

    checks/test_fixes.py
    checks/test_growth.py
    checks/test_incremental.py
    checks/test_ptxas_says.py
    cli/test_endings.py
    cli/test_whole.py
    features/formatting/test_properties.py
    features/test_after_edits.py
    features/test_code_lenses.py
    features/test_completion_agrees.py
    features/test_completion_anywhere.py
    features/test_completion_snippets.py
    features/test_completion_words.py
    features/test_hover_fragments.py
    features/test_hover_pages.py
    features/test_hover_selectors.py
    features/test_named_values.py
    features/test_operand_completion.py
    features/test_operands_of_files.py
    isa/test_newer.py
    isa/test_offers.py
    isa/test_own_words.py
    isa/test_pages.py
    isa/test_words.py
    syntax/test_document.py
    syntax/test_hostile.py
    syntax/test_shapes.py
    test_contributing.py
    test_speed.py
"""

SLOW = frozenset(Path(__file__).parent / name for name in _SLOW.split())
"""The paths of all of them."""
