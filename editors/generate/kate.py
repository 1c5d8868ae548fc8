"""Syntax highlighting for Kate, KWrite and KDevelop. Kate ties language servers to it by its name, PTX.

Source: KDE, "Working with Syntax Highlighting".
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

from editors.generate import words
from editors.generate.patterns import END, MALFORMED, NAME, NUMBER_END, NUMBERS, PLAIN, REGISTER, START, WORD, one_of
from editors.generate.rules import NEXT, WORD_ENDS
from ptx_lsp.features.semantic_tokens.word_classes import ROLES

_STYLES = {
    "Normal Text": "dsNormal",
    "Instruction": "dsKeyword",
    "Type": "dsDataType",
    "State Space": "dsBuiltIn",
    "Qualifier": "dsAttribute",
    "Rounding Mode": "dsAttribute",
    "Memory Order": "dsAttribute",
    "Scope": "dsAttribute",
    "Cache Operator": "dsAttribute",
    "Shape": "dsAttribute",
    "Directive": "dsPreprocessor",
    "Register": "dsVariable",
    "Special Register": "dsConstant",
    "Constant": "dsConstant",
    "Function": "dsFunction",
    "Label": "dsOthers",
    "Symbol": "dsOperator",
    "Decimal": "dsDecVal",
    "Base-N": "dsBaseN",
    "Float": "dsFloat",
    "String": "dsString",
    "Comment": "dsComment",
    "Error": "dsError",
}
_ROLE_STYLES = {
    "rounding": "Rounding Mode",
    "order": "Memory Order",
    "scope": "Scope",
    "cache": "Cache Operator",
    "shape": "Shape",
    "": "Qualifier",
}
assert _ROLE_STYLES.keys() == ROLES.keys()

_NEXT = NEXT.removeprefix(r"^(?=\s*").removesuffix(")")
"""The beginning of a statement; that it stands first in its line Kate sees itself."""


def files() -> dict[Path, str]:
    """The syntax definition."""
    language = ET.Element(
        "language",
        name="PTX",
        section="Assembler",
        version="1",
        kateversion="5.0",
        extensions="*.ptx",
        casesensitive="1",
        license="Apache-2.0",
    )
    language.append(ET.Comment(" Made by python -m editors.generate out of grammar/. "))
    highlighting = ET.SubElement(language, "highlighting")
    contexts = ET.SubElement(highlighting, "contexts")
    for context in (
        _statement(),
        _qualifiers(),
        _operands(),
        _inside("Braces", "}"),
        _inside("Parens", ")"),
        _function(),
        _target(),
        _comments(),
        _line_comment(),
        _block_comment(),
        _raw(),
        _tokens(),
        _dotted(),
    ):
        contexts.append(context)
    datas = ET.SubElement(highlighting, "itemDatas")
    for name, style in _STYLES.items():
        ET.SubElement(datas, "itemData", name=name, defStyleNum=style)
    general = ET.SubElement(language, "general")
    comments = ET.SubElement(general, "comments")
    ET.SubElement(comments, "comment", name="singleLine", start="//")
    ET.SubElement(comments, "comment", name="multiLine", start="/*", end="*/")
    ET.SubElement(general, "keywords", casesensitive="1")
    ET.indent(language)
    text = ET.tostring(language, encoding="unicode")
    return {Path("kate/ptx.xml"): f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE language>\n{text}\n'}


def _context(name: str, *rules: ET.Element, style: str = "Normal Text", **more: str) -> ET.Element:
    made = ET.Element("context", {"name": name, "attribute": style, "lineEndContext": "#stay", **more})
    made.extend(rules)
    return made


def _regexp(pattern: str, style: str, to: str = "#stay", **more: str) -> ET.Element:
    return ET.Element("RegExpr", {"String": pattern, "attribute": style, "context": to, **more})


def _one_of(listed: Iterable[str], style: str, to: str = "#stay", ends: str = WORD_ENDS) -> ET.Element:
    return _regexp(f"(?:{one_of(listed)}){ends}", style, to)


def _char(letter: str, style: str, to: str = "#stay", **more: str) -> ET.Element:
    return ET.Element("DetectChar", {"char": letter, "attribute": style, "context": to, **more})


def _include(name: str) -> ET.Element:
    return ET.Element("IncludeRules", context=name)


def _spaces() -> ET.Element:
    return ET.Element("DetectSpaces", attribute="Normal Text", context="#stay")


def _statement() -> ET.Element:
    """Where a statement begins; directives other than declarations stay here."""
    return _context(
        "Statement",
        _spaces(),
        _include("Comments"),
        _regexp(r"\.source_begin\s*$", "Directive", "Raw"),
        _regexp(rf"{START}{NAME}\s*:(?!:)", "Label"),
        _regexp(rf"@\s*!?\s*{NAME}", "Register"),
        _regexp(r"\.(?:entry|func)" + WORD_ENDS, "Directive", "Function"),
        _regexp(r"\.target" + WORD_ENDS, "Directive", "Target"),
        _include("Dotted"),
        _regexp(f"{START}(?:{one_of(words.opcode_names())}){WORD_ENDS}", "Instruction", "Qualifiers"),
        _regexp(START + PLAIN, "Normal Text", "Qualifiers"),
        _char("{", "Symbol", beginRegion="block"),
        _char("}", "Symbol", endRegion="block"),
        _char("(", "Symbol", "Parens"),
        _include("Tokens"),
    )


def _qualifiers() -> ET.Element:
    """Right behind an opcode."""
    roles = [_one_of(words.qualifiers(role), style) for role, style in _ROLE_STYLES.items()]
    return _context(
        "Qualifiers",
        _one_of(words.types(), "Type"),
        _one_of(words.spaces(), "State Space"),
        *roles,
        _regexp(r"\.[\w:]+", "Normal Text"),
        lineEndContext="#pop!Operands",
        fallthroughContext="#pop!Operands",
        fallthrough="1",
    )


def _operands() -> ET.Element:
    """Up to the ``;``, or to where the next line begins a statement."""
    return _context(
        "Operands",
        _spaces(),
        _regexp(_NEXT, "Normal Text", "#pop", lookAhead="1", firstNonSpace="1"),
        _char(";", "Symbol", "#pop"),
        _char("}", "Normal Text", "#pop", lookAhead="1"),
        _include("Comments"),
        _char("{", "Symbol", "Braces"),
        _char("(", "Symbol", "Parens"),
        _include("Tokens"),
    )


def _inside(name: str, closing: str) -> ET.Element:
    return _context(
        name,
        _spaces(),
        _char(closing, "Symbol", "#pop"),
        _char(";", "Normal Text", "#pop", lookAhead="1"),
        _include("Comments"),
        _include("Dotted"),
        _char("{", "Symbol", "Braces"),
        _char("(", "Symbol", "Parens"),
        _include("Tokens"),
    )


def _function() -> ET.Element:
    """Behind ``.entry`` and ``.func``, up to the name."""
    return _context(
        "Function",
        _spaces(),
        _include("Comments"),
        _include("Dotted"),
        _char("(", "Symbol", "Parens"),
        _regexp(NAME, "Function", "#pop"),
        fallthroughContext="#pop",
        fallthrough="1",
    )


def _target() -> ET.Element:
    return _context(
        "Target",
        _spaces(),
        _one_of((*words.targets(), *words.target_options()), "Constant", ends=END),
        _char(",", "Symbol"),
        _regexp(NAME, "Normal Text"),
        lineEndContext="#pop",
        fallthroughContext="#pop",
        fallthrough="1",
    )


def _comments() -> ET.Element:
    return _context(
        "Comments",
        ET.Element("Detect2Chars", char="/", char1="/", attribute="Comment", context="Line Comment"),
        ET.Element(
            "Detect2Chars", char="/", char1="*", attribute="Comment", context="Block Comment", beginRegion="comment"
        ),
    )


def _line_comment() -> ET.Element:
    return _context("Line Comment", _include("##Comments"), style="Comment", lineEndContext="#pop")


def _block_comment() -> ET.Element:
    end = ET.Element("Detect2Chars", char="*", char1="/", attribute="Comment", context="#pop", endRegion="comment")
    return _context("Block Comment", end, _include("##Comments"), style="Comment")


def _raw() -> ET.Element:
    return _context("Raw", _regexp(r"\.source_end\s*$", "Directive", "#pop", firstNonSpace="1"), style="String")


def _tokens() -> ET.Element:
    """What may stand in any statement."""
    styles = {"decimal": "Decimal", "float": "Float", "float.hex": "Float"}
    numbers = [
        _regexp(f"{START}(?:{pattern}){NUMBER_END}", styles.get(name, "Base-N")) for name, pattern in NUMBERS.items()
    ]
    return _context(
        "Tokens",
        _one_of(words.special_registers(), "Special Register", ends=END),
        _regexp(REGISTER, "Register"),
        *numbers,
        _regexp(START + MALFORMED, "Error"),
        _one_of((*words.constants(), *words.directive_words()), "Constant", ends=END),
        _regexp(rf"\$L{WORD}*", "Label"),
        _regexp(START + PLAIN, "Normal Text"),
        _regexp('"[^"]*"', "String"),
        ET.Element("AnyChar", String=",;:[]()<>+-*/%=?~&^!|@", attribute="Symbol", context="#stay"),
    )


def _dotted() -> ET.Element:
    """Words with dots that are not behind an opcode."""
    return _context(
        "Dotted",
        _one_of(words.types(), "Type"),
        _one_of(words.spaces(), "State Space"),
        _one_of(words.qualifiers("shape"), "Shape"),
        _one_of(words.all_directives(), "Directive"),
    )
