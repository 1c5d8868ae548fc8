"""Syntax highlighting for Vim and Neovim, for before the server is up or without it.

Each statement begins with an item that has no width, and each item says what can follow: so a register called ``min``
is no opcode, and ``.weak`` a memory order behind an opcode only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from editors.generate import words
from editors.generate.patterns import NUMBERS, one_of

_WORD = "[A-Za-z0-9_$]"
_NAME = rf"%([A-Za-z]{_WORD}*|[_%$]{_WORD}+)"
_ENDS = rf"%({_WORD}|::)@!"

_GROUPS = {
    "Opcode": "Statement",
    "Unknown": "",
    "Qualifier": "Special",
    "Rounding": "ptxQualifier",
    "Order": "ptxQualifier",
    "Scope": "ptxQualifier",
    "Cache": "ptxQualifier",
    "Shape": "ptxQualifier",
    "Space": "StorageClass",
    "Type": "Type",
    "Directive": "PreProc",
    "Register": "Identifier",
    "SpecialRegister": "Constant",
    "Constant": "Constant",
    "Function": "Function",
    "Label": "Label",
    "Guard": "Operator",
    "Number": "Number",
    "Float": "Float",
    "String": "String",
    "Comment": "Comment",
    "Todo": "Todo",
}
"""The highlight groups, and the usual one that each looks like."""


def files() -> dict[Path, str]:
    """The syntax file; Vim takes the same one as Neovim."""
    text = "\n".join(_lines()) + "\n"
    return {Path(folder) / "syntax" / "ptx.vim": text for folder in ("neovim", "vim")}


def _lines() -> Iterator[str]:
    yield '" Syntax of NVIDIA PTX. Made by python -m editors.generate out of grammar/.'
    yield "if exists('b:current_syntax')"
    yield "  finish"
    yield "endif"
    yield "let s:cpo = &cpo"
    yield "set cpo&vim"
    yield ""
    yield "syn case match"
    yield "syn sync ccomment ptxComment minlines=20"
    yield ""
    yield '" where a statement begins'
    yield "syn cluster ptxStatement contains=ptxBlock,ptxLabel,ptxGuard,ptxOpcode,ptxUnknown"
    follows = "nextgroup=@ptxStatement skipwhite"
    yield f"syn match ptxBegin /^/ {follows}"
    yield f"syn match ptxEnd /;/ {follows}"
    yield f"syn match ptxBlock /[{{}}]/ contained {follows}"
    yield _match("Guard", rf"\@\s*!?\s*{_NAME}", f"contained contains=ptxRegister {follows}")
    yield ""
    yield '" instructions'
    yield "syn cluster ptxQualifiers contains=" + ",".join(f"ptx{name}" for name in _behind_opcodes())
    behind = "contained nextgroup=@ptxQualifiers"
    yield _match("Unknown", rf"[A-Za-z]{_WORD}*", behind)
    yield _match("Opcode", _one_of(words.opcode_names()) + _ENDS, behind)
    for name, listed in _behind_opcodes().items():
        yield _match(name, _one_of(listed) + _ENDS, behind)
    yield _match("Label", rf"{_NAME}\s*:%(:)@!", f"contained {follows}")
    yield ""
    yield '" registers, names and numbers'
    yield _match("Register", rf"\%{_WORD}+")
    yield _match("SpecialRegister", rf"{_one_of(words.special_registers())}{_WORD}@!")
    yield _match("Label", rf"\$L{_WORD}*")
    yield _match("Label", rf"%(<bra%(\.uni)?\s+)@40<=[A-Za-z_$]{_WORD}*")
    yield _match("Function", rf"%(<call%(\.uni)?\s+%(\([^()]*\)\s*,\s*)?)@80<=[A-Za-z_$]{_WORD}*")
    yield _match("Constant", rf"<{_one_of((*words.constants(), *words.targets()))}{_WORD}@!")
    for name, pattern in NUMBERS.items():
        group = "Float" if name.startswith("float") else "Number"
        yield _match(group, rf"%([A-Za-z0-9_$.%])@1<!%({_very_magic(pattern)})%([A-Za-z0-9_$.])@!")
    yield ""
    yield '" directives'
    yield _match("Directive", _one_of(words.all_directives()) + _ENDS)
    yield _match("Directive", rf"<{_one_of(words.directive_words())}>")
    yield _match("Space", _one_of(words.spaces()) + _ENDS)
    yield _match("Type", _one_of(words.types()) + _ENDS)
    yield _match("Shape", _one_of(words.qualifiers("shape")) + _ENDS)
    yield _match("Directive", r"\.%(entry|func)>", "nextgroup=ptxFunction skipwhite")
    yield _match("Function", _NAME, "contained")
    yield _match("Function", rf"%(\.func\s*\([^()]*\)\s*)@200<={_NAME}")
    yield _match("Constant", rf"<{_one_of(words.target_options())}>", "contained")
    yield r"syn region ptxTarget matchgroup=ptxDirective start=/\.target\>/ end=/$/ contains=ptxConstant,ptxComment"
    yield ""
    yield '" strings and comments'
    yield 'syn match ptxString /"[^"]*"/'
    yield "syn keyword ptxTodo contained TODO FIXME XXX NOTE"
    yield r"syn region ptxComment start=/\/\// end=/$/ contains=ptxTodo,@Spell"
    yield r"syn region ptxComment start=/\/\*/ end=/\*\// contains=ptxTodo,@Spell"
    yield r"syn region ptxString start=/\.source_begin\s*$/ end=/^\s*\.source_end\s*$/ contains=ptxDirective"
    yield ""
    for name, usual in _GROUPS.items():
        if usual:
            yield f"hi def link ptx{name} {usual}"
    yield ""
    yield "let b:current_syntax = 'ptx'"
    yield "let &cpo = s:cpo"
    yield "unlet s:cpo"


def _behind_opcodes() -> dict[str, tuple[str, ...]]:
    """The words behind an opcode by their groups."""
    roles = {role.capitalize() or "Qualifier": words.qualifiers(role) for role in reversed(words.ROLES)}
    return {**roles, "Type": words.types(), "Space": words.spaces()}


def _match(group: str, pattern: str, more: str = "") -> str:
    return f"syn match ptx{group} /\\v{pattern}/ {more}".rstrip()


def _one_of(listed: Iterable[str]) -> str:
    return f"%({_very_magic(one_of(listed))})"


def _very_magic(pattern: str) -> str:
    """An expression of ours in Vim's notation."""
    return pattern.replace("%", r"\%").replace("(?:", "%(")
