"""The pages of codes, for ``ptx-lsp explain``: the docstring of the check that gives the code."""

from __future__ import annotations

import inspect

from ptx_lsp import codes, suppressions
from ptx_lsp.checks import CHECKS


def code_page(number: str) -> str:
    """The page of a code, as Markdown with a heading."""
    silence = f"Silence one line with `// ptx-lsp: ignore[{number}]` at its end, a file with `ignore-file[{number}]`."
    return f"# {number} {codes.NAMES[number]}\n\n{_words(number)}\n\n{silence}\n"


def _words(number: str) -> str:
    """The docstring of the first function of the check's module that has one."""
    if number == "H902":
        return inspect.getdoc(suppressions.unknown_codes) or ""
    for check in CHECKS:
        if check.RULE.code == number:
            functions = (getattr(check, name, None) for name in ("check", "check_function", "check_module"))
            return next((words for function in functions if function and (words := inspect.getdoc(function))), "")
    return "No check gives this code yet."
