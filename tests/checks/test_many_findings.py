"""Files with more findings than are shown: what cannot be shown any more is neither looked for nor made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from called import calls

from ptx_lsp.analysis.statements import required_parts
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.concerned import ConcernedChecks
from ptx_lsp.checks.engine.module_findings import ModuleFindings
from ptx_lsp.isa.match import accepts
from ptx_lsp.settings import Settings

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
SHOWN = 20
COUNTED = SHOWN + 200


def pieces(piece: Callable[[int], str], count: int) -> str:
    return HEADER + "".join(map(piece, range(count)))


def kernel(statement: Callable[[int], str], count: int) -> str:
    return pieces(lambda n: statement(n) if n else f".visible .entry k()\n{{\n{REGISTERS}", count) + "ret;\n}\n"


def unclosed(n: int) -> str:
    return f".entry open{n}()\n{{\nmov.b32 %r1, x{n};\n"


def differing(n: int) -> str:
    return f".extern .func same (.param .b{8 << n % 4} x);\n"


def headers(n: int) -> str:
    return f".version {n % 9}.{n % 7}\n.target sm_{n % 130}\n"


def targets(n: int) -> str:
    return f".target sm_{n}z;\n.target sm_{n}y\n"


PIECES = [unclosed, differing, headers, targets]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("limit", [1, SHOWN])
def test_what_is_shown_is_the_beginning_of_all(piece: Callable[[int], str], limit: int) -> None:
    text = pieces(piece, 400)
    everything = Checker(text).findings(None).shown
    found = Checker(text, Settings(max_diagnostics=limit)).findings(limit)
    most_severe = sorted(everything, key=lambda one: (one.severity, one.span.start, one.code))
    shown = sorted(most_severe[:limit], key=lambda one: (one.span.start, one.code))
    assert [one._replace(fixes=()) for one in found.shown] == [one._replace(fixes=()) for one in shown]
    assert found.omitted.total() == COUNTED - SHOWN


def test_functions_after_so_many_errors_outside_of_statements_are_not_examined() -> None:
    checker = Checker(pieces(unclosed, 2000), Settings(max_diagnostics=SHOWN))
    checker.findings(SHOWN)
    assert len(checker.module.functions) > 2000
    assert checker.statements.of_chunks.examined <= COUNTED + 2


@pytest.mark.parametrize(("errors", "is_needed"), [(10, True), (600, False)])
def test_the_flow_that_another_process_follows_is_awaited_if_it_may_be_shown(errors: int, is_needed: bool) -> None:
    text, settings = kernel(lambda n: f"add.s{n}1 %r1, %r2, %r3;\n", errors), Settings(max_diagnostics=SHOWN)
    checker = Checker(text, settings)
    asked = []
    found = checker.findings(SHOWN, flow=lambda: asked.append(1) or checker.flow_diagnostics())
    assert bool(asked) is is_needed
    assert found == Checker(text, settings).findings(SHOWN)


def test_more_findings_of_a_check_of_the_module_are_made_when_they_are_asked_for() -> None:
    text = pieces(unclosed, 600)
    checker = Checker(text)
    for limit in (10, 300, 10, None):
        fresh = Checker(text).findings(limit)
        assert checker.findings(limit).shown == fresh.shown


def test_a_name_is_looked_up_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()
    original = Scope.lookup

    def counting(scope: Scope, name: str):  # type: ignore[no-untyped-def]
        asked[name] += 1
        return original(scope, name)

    monkeypatch.setattr(Scope, "lookup", counting)
    Checker(kernel(lambda n: f"@%q{n} bra END;\n", 300)).findings(1000)
    assert max(asked[f"%q{n}"] for n in range(2, 300)) <= 4


def test_a_call_of_an_unknown_function_is_judged_once_whatever_its_constants_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = []
    original = ConcernedChecks.choose

    def choose(one, checks, context):  # type: ignore[no-untyped-def]
        found = original(one, checks, context)
        shown.append(len(found[0]))
        return found

    monkeypatch.setattr(ConcernedChecks, "choose", choose)
    Checker(kernel(lambda n: f"call (%r1), helper, (%r2, %rd1, {n});\n", 50)).findings(1000)
    assert len(shown) >= 49
    assert max(shown[1:]) < 10


def test_targets_are_sought_for_few_instructions_that_differ_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(required_parts, "accepts", lambda *given: asked.append(given) or accepts(*given))
    product = "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, {}, %p1;\n"
    found = Checker(kernel(product.format, 1500)).findings(20)
    assert any(one.fixes for one in found.shown)
    assert 0 < len(asked) < 2000, len(asked)


def test_checks_of_faulty_functions_make_few_pauses() -> None:
    module = Checker(pieces(unclosed, 50)).module
    found = list(ModuleFindings(module, Settings()).of_functions(module.functions))
    assert found.count(None) == 50


_UNUSED = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {{\n.reg .b32 %r<9>;\n{}ret;\n}}\n"


def test_a_comment_about_another_code_leaves_unused_results_uncounted_beyond_the_limit() -> None:
    text = _UNUSED.format("mov.b32 %r1, 5;\n" * 2_000)
    commented = text.replace("5;\n", "5; // ptx-lsp: ignore[E201]\n", 1)
    assert calls(lambda: Checker(commented).findings(10)) < 1.5 * calls(lambda: Checker(text).findings(10))


def test_findings_after_many_that_comments_silence_are_shown() -> None:
    silenced = "mov.b32 %r1, 5; // ptx-lsp: ignore[W622]\n" * 500
    found = Checker(_UNUSED.format(silenced + "mov.b32 %r1, 5;\n" * 500)).findings(10)
    assert [one.code for one in found.shown] == ["W622"] * 10
    assert found.shown[0].span.start > len(silenced)
    assert found.is_minimum
