"""The page of a code: what the rule finds, with examples."""

from __future__ import annotations

import inspect

from ptx_lsp import codes


def code_pages(topic: str) -> str | None:
    """Return the pages of all codes with this number or name; two numbers can share a name."""
    topic = codes.ALIASES.get(topic, topic)
    numbers = [number for number, name in codes.NAMES.items() if topic.upper() == number or topic == name]
    return "\n".join(map(code_page, numbers)) or None


def code_page(number: str) -> str:
    """Return the page of a code."""
    silence = f"Silence one line with `// ptx-lsp: ignore[{number}]` at its end, a file with `ignore-file[{number}]`."
    return f"# {number} {codes.NAMES[number]}\n\n{_words_of_check(number)}\n\n{silence}\n"


def _words_of_check(number: str) -> str:
    """Return the first docstring among the check functions of a rule's module."""
    from ptx_lsp import suppressions
    from ptx_lsp.checks import all_checks
    from ptx_lsp.checks.embedded import deciding
    from ptx_lsp.checks.engine import truncation_notice as more_findings

    no_checks = {
        "H902": suppressions.unknown_codes,
        "I701": more_findings.with_note,
        "I901": deciding.refusing_targets,
        "W904": deciding.older_compiler,
    }
    if number in no_checks:
        return inspect.getdoc(no_checks[number]) or ""
    for check in all_checks():
        if check.rule.code == number:
            return check.page
    return "No check reports this code."
