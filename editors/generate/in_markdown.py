"""The TextMate grammar that colours fences of Markdown with the language ``ptx``."""

from __future__ import annotations

from typing import Any


def in_markdown() -> dict[str, Any]:
    """The grammar, to be injected into that of Markdown. Source: CommonMark, "Fenced code blocks"."""
    lines = {
        "begin": r"(^|\G)(\s*)(.*)",
        "while": r"(^|\G)(?!\s*([`~]{3,})\s*$)",
        "contentName": "meta.embedded.block.ptx",
        "patterns": [{"include": "source.ptx"}],
    }
    return {
        "information_for_contributors": ["Made by python -m editors.generate."],
        "scopeName": "markdown.ptx.codeblock",
        "injectionSelector": "L:text.html.markdown",
        "patterns": [
            {
                "name": "markup.fenced_code.block.markdown",
                "begin": r"(^|\G)(\s*)(`{3,}|~{3,})\s*(?i:(ptx)((\s+|:|,|\{|\?)[^`]*)?$)",
                "beginCaptures": {
                    "3": {"name": "punctuation.definition.markdown"},
                    "4": {"name": "fenced_code.block.language"},
                    "5": {"name": "fenced_code.block.language.attributes"},
                },
                "end": r"(^|\G)(\2|\s{0,3})(\3)\s*$",
                "endCaptures": {"3": {"name": "punctuation.definition.markdown"}},
                "patterns": [lines],
            }
        ],
    }
