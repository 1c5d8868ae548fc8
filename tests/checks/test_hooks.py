"""A rule file holds ``RULE`` and known hooks and no other public name; a slip in one of their names is an error."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from ptx_lsp.checks import ALWAYS, EMBEDDED, FLAGGED, LISTS, OPERANDS, RULES, all_checks, rules
from ptx_lsp.checks.support.check import HOOKS, Check, HookError
from ptx_lsp.checks.support.finding import warning

RULE = 'RULE = warning("W601")\n'


def rule_file(text: str) -> ModuleType:
    """A module of this text."""
    module = ModuleType("ptx_lsp.checks.rules.made_up")
    vars(module)["warning"] = warning
    exec(text, vars(module))
    return module


def check_refused(text: str, words: str) -> None:
    with pytest.raises(HookError, match=words):
        Check.of(rule_file(text))


def test_a_check_has_the_hooks_of_its_file():
    check = Check.of(rule_file(f"{RULE}def check(context):\n    'A page.'\ndef accepts_shape(shape): ...\n"))
    assert isinstance(check.check, FunctionType)
    assert isinstance(check.accepts_shape, FunctionType)
    assert check.prefilter_statement is None
    assert check.rule.name == "meaningless-qualifier"
    assert check.page == "A page."


def test_a_misspelt_hook_is_refused():
    check_refused(
        f"{RULE}def check(context): ...\ndef accepts_shape(shape): ...\ndef prefiltr_statement(text, datum): ...\n",
        "prefiltr_statement is no hook: these are check, check_function",
    )


def test_names_that_are_private_or_imported_are_no_hooks():
    Check.of(rule_file(f"{RULE}from fnmatch import fnmatch\ndef check(context): ...\ndef _helper(): ...\n"))


def test_a_file_without_a_rule_is_refused():
    check_refused("def check(context): ...\n", "no RULE")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RULE, "has none of check, check_function"),
        (f"{RULE}def check_module(module): ...\ndef accepts_shape(shape): ...\n", "has accepts_shape and no check"),
        (f"{RULE}def check(context): ...\ndef prefilter_chunk(text): ...\n", "prefilter_chunk and no accepts_shape"),
        (
            f"{RULE}def check_module(module): ...\ndef merge_group(context, span, names): ...\n",
            "merge_group and no che",
        ),
    ],
)
def test_a_hook_without_the_one_that_it_serves_is_refused(text: str, words: str):
    check_refused(text, words)


_OF_FLAGGED = {"check", "check_function", "merge_group"}


@pytest.mark.parametrize(("check", "when"), list(zip(all_checks(), RULES.values(), strict=True)), ids=list(RULES))
def test_the_list_says_when_a_rule_is_asked(check: Check, when: object):
    hooks = {hook for hook in HOOKS if getattr(check, hook) is not None}
    if when is FLAGGED:
        assert hooks <= _OF_FLAGGED
    elif when is OPERANDS:
        assert "check_flow" in hooks
    elif when is ALWAYS:
        assert not hooks <= _OF_FLAGGED
    elif when in (EMBEDDED, LISTS):
        assert hooks == {"check_fragment"}
    else:
        assert hooks == {"check_flow"}


def test_every_rule_file_is_in_the_list():
    files = Path(rules.__file__).parent.glob("*/*.py")
    assert {f"{file.parent.name}.{file.stem}" for file in files if file.stem != "__init__"} == RULES.keys()
