"""The list of findings is made in short steps, of one state of the text, and of no more findings than are shown."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from called import calls

from ptx_lsp.checks import always_asked
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.support.finding import PlacedFinding
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents import publisher
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.publisher import Publisher
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import Stepwise, run_to_completion, without_pauses
from tests.annotated import read, snippets
from tests.load.texts import GENERATORS

GOLDEN = Path(__file__).parent.parent / "diagnostics"
HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
SHOWN = 40


def repeated_headers(count: int) -> str:
    return HEADER + "".join(f".version 8.0\n.target sm_{one % 7}x\n" for one in range(count))


def repeated_functions(count: int) -> str:
    return HEADER + ".func f() { ret; }\n" * count


def declarations_of_one_function(count: int) -> str:
    return HEADER + "".join(f".func f(.param .b{8 << one % 3} x);\n" for one in range(count))


def repeated_variables(count: int) -> str:
    return HEADER + ".global .u32 x;\n" * count


def repeated_registers(count: int) -> str:
    return HEADER + ".entry k() {\n" + ".reg .b32 a;\n" * count + "ret;\n}\n"


def repeated_files(count: int) -> str:
    return HEADER + '.file 1 "a.cu"\n' * count


def open_kernels(count: int) -> str:
    return HEADER + "".join(f".entry k{one}() {{\n" for one in range(count))


def comments(count: int) -> str:
    lines = "".join(f"add.u32 %r{one}x, 1, 1; // ptx-lsp: ignore[E{one % 5}]\n" for one in range(count))
    return f"{HEADER}.entry k() {{\n{lines}ret;\n}}\n"


def blocks(count: int) -> str:
    return HEADER + ".entry k() {\n" + "".join(f"{{ .reg .b32 a{one}; }}\n" for one in range(count)) + "ret;\n}\n"


def small_functions(count: int) -> str:
    return HEADER + ".visible .entry k() { ret; }\n" + "".join(f".func f{one}() {{ ret; }}\n" for one in range(count))


TEXTS = [
    repeated_headers,
    repeated_functions,
    declarations_of_one_function,
    repeated_variables,
    repeated_registers,
    repeated_files,
    open_kernels,
    comments,
    blocks,
    small_functions,
]


def opened(text: str, limit: int = SHOWN) -> OpenDocument:
    document = OpenDocument("file:///a.ptx", 1, text, Settings(max_diagnostics=limit), Encoding.UTF_16)
    while not document.work(1):
        pass
    return document


def longest_step(text: str) -> int:
    """The calls of the longest step in which findings are listed, at first and after an edit in the middle."""
    document = opened(text)
    longest = 0
    for _ in range(2):
        while not document.list_findings(0):
            longest = max(longest, calls(lambda: document.list_findings(0)))
        place = Position(text.count("\n", 0, len(text) // 2), 0)
        document.change(TextChange("x", place, place))
    return longest


@pytest.mark.parametrize("text", TEXTS, ids=lambda one: one.__name__)
def test_a_step_does_not_grow_with_the_text(text: Callable[[int], str]) -> None:
    longest_step(text(20))
    small, large = (longest_step(text(count)) for count in (1600, 6400))
    assert large <= 1.5 * small + 500


@pytest.mark.parametrize(
    "text", [repeated_headers, repeated_functions, repeated_registers, repeated_files, open_kernels]
)
def test_no_more_findings_are_made_than_are_shown(text: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    document = opened(text(2000))
    made = []
    place = PlacedFinding.diagnostic
    monkeypatch.setattr(PlacedFinding, "diagnostic", lambda *of: made.append(of) or place(*of))
    assert len(run_to_completion(document.listing())) == SHOWN + 1
    assert len(made) < 1500


def test_a_second_list_of_the_same_text_asks_no_check_of_the_module_again() -> None:
    document = opened(repeated_variables(600), 1000)
    first = calls(lambda: document.findings)
    document._forget_findings()
    assert calls(lambda: document.findings) < first / 1.5


class Loop:
    """The callbacks of an event loop."""

    def __init__(self) -> None:
        self.waiting: deque[Callable[[], None]] = deque()

    def run_once(self) -> None:
        self.waiting.popleft()()


def test_a_change_between_two_slices_begins_the_list_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "SLICE", 0)
    loop, sent = Loop(), []
    publishing = Publisher(sent.append, loop.waiting.append)
    document = opened(repeated_functions(30))
    publishing.changed(document)
    for _ in range(20):
        loop.run_once()
    assert loop.waiting, "it takes more slices"
    document.change(TextChange("\n", Position(3, 0), Position(3, 0)))
    document.version = 2
    publishing.changed(document)
    while loop.waiting:
        loop.run_once()
    (message,) = sent
    assert b'"version":2' in message
    assert opened(document.text).findings.encode() in message


def test_another_document_is_published_while_a_long_list_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "SLICE", 0)
    loop, sent = Loop(), []
    publishing = Publisher(sent.append, loop.waiting.append)
    documents = [opened(repeated_functions(30)), opened(HEADER)]
    documents[1].uri = "file:///b.ptx"
    for document in documents:
        publishing.changed(document)
    while loop.waiting:
        loop.run_once()
    assert [b"b.ptx" in message for message in sent] == [True, False]


def test_a_short_list_is_published_with_the_first_callback() -> None:
    loop, sent = Loop(), []
    publishing = Publisher(sent.append, loop.waiting.append)
    publishing.changed(opened(HEADER + ".entry k() { ret; }\n"))
    loop.run_once()
    assert len(sent) == 1
    assert not loop.waiting


def test_a_publication_is_dropped_with_its_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "SLICE", 0)
    loop, sent = Loop(), []
    publishing = Publisher(sent.append, loop.waiting.append)
    document = opened(repeated_functions(30))
    publishing.changed(document)
    loop.run_once()
    publishing.closed(document.uri)
    while loop.waiting:
        loop.run_once()
    assert len(sent) == 1


PIECES = [
    "x",
    "\n",
    "}\n",
    "{",
    ".reg .b32 a;\n",
    ".func f();\n",
    "add.u32 b, 1;\n",
    "// ptx-lsp: ignore\n",
    "/*",
    "*/",
]


@pytest.mark.parametrize("seed", range(6))
def test_lists_that_are_given_up_leave_nothing_behind(seed: int) -> None:
    choose = random.Random(seed)
    text = "".join(make(12)[len(HEADER) :] for make in choose.sample(TEXTS, 3))
    document = opened(HEADER + text, choose.choice([5, 1000]))
    for _ in range(30):
        for _ in range(choose.randrange(40)):
            action = choose.choice([document.list_findings, document.follow])
            action(0)
        if choose.random() < 0.3:
            steps = document.listing()
            for _ in range(choose.randrange(30)):
                if next(steps, steps) is steps:
                    break
        place = document.lines.position(choose.randrange(document.lines.length + 1))
        document.change(TextChange(choose.choice(PIECES), place, place))
    for one in (document, fresh := opened(document.text, document.settings.max_diagnostics)):
        while not one.is_complete and not one.follow(1):
            pass
    assert document.findings == fresh.findings
    assert run_to_completion(document.listing()) == run_to_completion(fresh.listing())


def test_a_result_that_fails_does_so_each_time() -> None:
    def steps():
        yield
        raise ValueError("no result")

    failing = Stepwise(steps())
    assert failing.work(1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no result"):
            _ = failing.result


def in_order(checker: Checker) -> bool:
    """Whether each check of the module gives its findings in the order of their places."""
    rank = checker.module.positions.rank
    for check in always_asked():
        if check.check_module is not None:
            found = without_pauses(check.check_module(checker.module))
            places = [(rank(one.place.chunk), one.place.statement) for one in found]
            if places != sorted(places):
                return False
    return True


@pytest.mark.parametrize("name", GENERATORS)
def test_checks_of_the_module_find_in_the_order_of_the_text(name: str) -> None:
    assert in_order(Checker(GENERATORS[name](3000)))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.ptx")), ids=lambda path: path.stem)
def test_checks_of_the_module_find_in_the_order_of_golden_files(path: Path) -> None:
    for snippet in snippets(path.read_text("utf-8")):
        assert in_order(Checker(read(snippet).text))
