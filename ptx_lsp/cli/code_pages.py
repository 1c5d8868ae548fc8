"""The pages of codes, for ``ptx-lsp explain``: the docstring of the check that gives the code."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from ptx_lsp import checks, codes, suppressions


def code_page(number: str) -> str:
    """The page of a code, as Markdown with a heading."""
    check = _checks().get(number)
    words = inspect.getdoc(check) if check else None
    silence = f"Silence one line with `// ptx-lsp: ignore[{number}]` at its end, a file with `ignore-file[{number}]`."
    return f"# {number} {codes.NAMES[number]}\n\n{words or 'This code has no page yet.'}\n\n{silence}\n"


def _checks() -> dict[str, Callable[..., object]]:
    """Each number with the function whose docstring is its page."""
    found: dict[str, Callable[..., object]] = {"H902": suppressions.unknown_codes}
    for info in pkgutil.iter_modules(checks.__path__):
        module = import_module(f"{checks.__name__}.{info.name}")
        for number in _numbers(module):
            found[number] = module.check
    return found


def _numbers(module: ModuleType) -> list[str]:
    """The numbers of the rules that a check's module holds; none for other modules."""
    if not hasattr(module, "check"):
        return []
    return [rule.code for rule in vars(module).values() if getattr(rule, "code", None) in codes.NAMES]
