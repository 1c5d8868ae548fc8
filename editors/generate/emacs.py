"""``emacs/ptx-words.el``: the lists of words that ``ptx-mode`` colours and offers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

from editors.generate import words

_WIDTH = 100

_HEAD = """\
;;; ptx-words.el --- The words of PTX  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Made by "python -m editors.generate" of the grammar of ptx-lsp; do not edit.
;; A `#' in a word stands for any number.

;;; Code:
"""

_FOOT = """
(provide 'ptx-words)
;;; ptx-words.el ends here
"""


def files() -> dict[Path, str]:
    """The file with the words."""
    qualifiers = {word for role in words.ROLES for word in words.qualifiers(role)}
    plain = {
        *words.targets(),
        *words.target_options(),
        *words.constants(),
        *words.directive_words(),
        *words.opaque_fields(),
        *words.opaque_values(),
    }
    lists = [
        _list("opcodes", "The names of all instructions with all their parts.", words.opcode_names()),
        _list("name-parts", "The further words of these names.", words.name_parts()),
        _list("qualifiers", "What follows an opcode and is neither a type nor a state space.", sorted(qualifiers)),
        _list("types", "The types.", words.types()),
        _list("spaces", "The state spaces.", words.spaces()),
        _list("directives", "The directives.", words.all_directives()),
        _list("special-registers", "The special registers without their components.", words.special_registers()),
        _list("components", "The parts of a vector register.", words.COMPONENTS),
        _list("plain", "Words without a dot: targets, options, fields of textures.", sorted(plain)),
    ]
    return {Path("emacs/ptx-words.el"): "\n".join([_HEAD, *lists]) + _FOOT}


def _list(name: str, said: str, members: Iterable[str]) -> str:
    """A constant that holds a list of texts."""
    quoted = " ".join(f'"{word}"' for word in members)
    filled = fill(quoted, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    return f'(defconst ptx-words-{name}\n  \'({filled.lstrip()})\n  "{said}")\n'
