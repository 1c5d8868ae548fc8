"""The loop of the server is free again after a bounded number of steps, however long a function or list is."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator

import pytest
from called import calls

from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.text import Span

from .__main__ import elsewhere, generated
from .slices import all_slices
from .texts import GENERATORS

SIZE = 60_000
MOST = 80_000
"""Functions that may be called at once: some 20 ms."""
FOLLOWED = (
    "wide matrix instructions",
    "registers read and never written",
    "misspelt parts of names",
    "guards of undeclared predicates",
    "numbers out of range",
    "newer instructions",
    "copies in groups",
    "wait loops",
    "mbarriers at many addresses",
    "tensor copies",
    "calls with parameter blocks",
    "jumps to registers",
    "pragmas",
    "bulk copies to one barrier",
    "undeclared operands of addresses",
    "jumps into the middle of loops",
    "addresses that move in loops",
    "local arrays and their addresses",
    "labels declared twice",
    "arrivals and waits of many phases",
    "cluster barriers without order",
    "copies that nothing awaits",
    "matrix work without a fence",
    "products in tensor memory",
    "predicates made from predicates",
    "rings of stages with phases",
    "tensor memory copied, shifted and committed",
    "members beyond their group",
    "kernels that are not closed",
    "one function defined again and again",
    "groups whose members coincide",
    "hover over a table of many labels",
)
"""Texts whose flow was once followed in long steps."""
FOLLOWED_LONGER = (
    "nests of twenty loops of three rounds each",
    "mbarriers initialized by one thread, each used by all",
    "bulk stores, and waits for their groups",
    "wide accumulators, read before the wait",
    "labels in a row, then branches to them",
    "a call sequence of a compiler, again and again",
    "mbarriers of this CTA, stages of others, relaxed arrivals",
    "pending counts of states that branches copy",
    "copies of many sources, stores elsewhere",
    "tensor maps made in shared memory, stores, copies",
)
"""Those in which only longer ones show it."""
READ = (
    "variables in every space",
    "tables of functions",
    "one call of many arguments",
    "one long statement",
    "kernels with large parameters",
    "headers",
    "modules in one file",
    "comments of ASCII, then others",
    "one declaration of many broken names",
    "signs in an initializer",
    "choices in an initializer",
    "hover over one of many parameters",
    "a long table, declared again and again",
    "one declaration of one name again and again",
)
LONG = (
    "one function of many parameters",
    "one long statement",
    "one list of many targets",
    "one declaration of many names, then uses of others",
    "one call of many arguments",
)
"""Texts of one long statement."""
TYPED = (
    "quotation marks",
    "variables in every space",
    "variables with initial values",
    "variables that name others",
    "tables of functions",
    "one deep nest",
    "vectors of vectors",
    "hidden names",
    "tables of jumps",
    "variables declared again",
    "headers",
    "modules in one file",
    "initial values, nested braces",
)
"""Texts in which a keystroke once looked at each declaration, brace or header line at once."""


def most_steps(run: Iterator[None] | Generator[None, None, object]) -> int:
    """The number of functions that are called in the longest of the steps of a generator."""
    most = 0
    is_done = False

    def once() -> None:
        nonlocal is_done
        is_done = next(run, run) is run

    while not is_done:
        most = max(most, calls(once))
    return most


def read(text: str) -> Checker:
    return Checker(text, Settings())


@pytest.mark.parametrize("name", FOLLOWED)
def test_the_flow_through_a_long_function_is_followed_in_short_steps(name: str):
    assert most_steps(read(GENERATORS[name](SIZE)).follow()) < MOST


@pytest.mark.parametrize("name", FOLLOWED_LONGER)
def test_the_flow_through_a_longer_function_is_followed_in_short_steps(name: str):
    assert most_steps(read(GENERATORS[name](2 * SIZE)).follow()) < MOST


@pytest.mark.parametrize("name", READ)
def test_a_long_text_is_read_in_short_steps(name: str):
    text = GENERATORS[name](SIZE)

    def reading() -> Iterator[None]:
        yield from Checker.reading(text, Settings(), 1000)

    run_to_completion(Checker.reading(GENERATORS[name](SIZE // 100), Settings(), 1000))  # imports count once
    assert most_steps(reading()) < MOST


def test_pauses_are_made_between_the_findings_of_a_long_statement():
    text = GENERATORS["one head of many directives"](SIZE)
    steps = sum(1 for _ in Checker.reading(text, Settings(), 1000))
    assert steps > len(read(text).findings(None).shown) > 1000


@pytest.mark.parametrize("name", TYPED)
def test_a_keystroke_does_not_look_at_all_declarations(name: str):
    text = GENERATORS[name](SIZE)
    checker = read(text)
    at = text.rfind("\n", 0, len(text) // 2) + 1
    assert most_steps(checker.editing(Span(at, at), "x")) < MOST


@pytest.mark.parametrize("name", LONG)
def test_a_long_statement_is_shaped_in_short_steps(name: str):
    assert most_steps(load_stepwise(GENERATORS[name](2 * SIZE))) < MOST


def test_the_accesses_of_new_shapes_are_found_in_steps():
    def longest_step(size: int) -> int:
        module = read(GENERATORS["atomics"](size)).module
        flow = Semantics(module).flow(next(one for one in module.functions if one.has_body))
        for _ in flow.preparing():
            pass
        return most_steps(flow.derived(ThreadFacts).preparing())

    longest_step(1000)  # imports count once
    assert longest_step(3 * SIZE) < MOST // 8


def test_functions_without_declarations_do_not_look_at_those_of_the_module():
    name = "functions that call each other"
    small, large = (read(GENERATORS[name](size)) for size in (10_000, 40_000))
    assert calls(lambda: list(large.follow())) < 6 * calls(lambda: list(small.follow()))


def test_the_effects_of_new_opcodes_are_read_in_steps():
    checker = read(GENERATORS["conversions with words that do not go together"](20_000))
    function = next(one for one in checker.module.functions if one.has_body)
    chunk = max(function.chunks, key=len)
    steps = sum(1 for _ in Semantics(checker.module).effects.preparing(chunk))
    assert steps > len(set(chunk.shapes)) // 16


def test_a_keystroke_does_not_read_all_file_lines():
    text = GENERATORS["files"](100_000)
    checker = read(text)
    checker.findings(10)
    at = text.rfind("\n", 0, len(text) // 2) + 1
    # The first edit may also forget what earlier tests have left.
    counted = [calls(lambda: checker.edit(Span(at, at), "x")) for _ in range(2)]
    assert min(counted) < 25 * text.count("\n")


def most_young_objects(name: str) -> int:
    """The most objects that a collection of young ones has to look at while a generated text is read and edited."""
    most = 0

    def count(phase: str, info: dict[str, int]) -> None:
        nonlocal most
        generation = info["generation"]
        if phase == "start" and generation < 2:
            most = max(most, sum(len(gc.get_objects(one)) for one in range(generation + 1)))

    gc.freeze()  # what earlier tests left does not count
    gc.callbacks.append(count)
    all_slices(generated(name, 1_000_000))
    return most


def test_collections_have_few_objects_where_new_findings_replace_old():
    assert 5_000 < int(elsewhere(lambda: str(most_young_objects("groups whose members coincide")))) < 80_000
