"""The words of every instruction page: what of their form and of their limits a program can judge.

A page is hover, documentation and table in one. Its head answers what the instruction does, who executes it, when the
result is there and what goes wrong; a bullet tells of each part; all else stands below the rule.
"""

from __future__ import annotations

import re
import textwrap
from functools import cache
from itertools import groupby
from typing import NamedTuple

import pytest

from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.render import markdown
from ptx_lsp.grammar_files import page_paths, read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import PlaceKind, flatten, literals
from ptx_lsp.isa.model.language_level import ANYWHERE
from ptx_lsp.isa.model.page_condition import Spelling, read_condition
from ptx_lsp.isa.model.page_words import PageWords, read_words
from ptx_lsp.isa.pages.excerpts import about, first_sentence
from ptx_lsp.isa.pages.load import load_instruction
from ptx_lsp.isa.pages.spellings import spelling_of_values, spelling_of_words
from ptx_lsp.text import Span
from tests.isa.spellings import distinct_spellings

PAGES = page_paths()

instruction_of = cache(load_instruction)
"""The instruction of a page, which is read once for all tests."""

LONGEST_TITLE = 60
"""In characters, after the names: a title is one line of a list."""
LONGEST_PARAGRAPH = 45
"""In words: the lead, and each label."""
LONGEST_BULLET = 50
"""In words."""
LONGEST_FIRST_SENTENCE = 105
"""In characters: the line of a part in a hover, and in completion."""
LONGEST_HEAD = 12
"""In lines of 100 columns: lead and labels, which a hover shows before anything else may be shortened."""
LONGEST_ABOVE = 490
"""In words outside fences, above the rule."""
LONGEST_PAGE = 125
"""In lines outside fences."""
LONGEST_EXAMPLE = 12
"""In lines: the fence must not hide the page."""
LONGEST_LINE = 120

LABELS = ("Threads", "Completion", "Ordering", "Undefined", "Pitfall")

THREADS = re.compile(
    r"every lane named in .*, all with the same .*; (otherwise undefined|each waits for the others)\."
    r"|all 32 lanes of the warp, converged \(`\.aligned`\)(, .*)?; otherwise undefined\."
    r"|all four warps of the warpgroup, converged \(`\.aligned`\)(, .*)?; otherwise undefined\."
    r"|one thread starts it for .*; each further thread starts another one\."
    r"|each thread (for itself|independently), on .*\."
)
"""The sentences for who must execute an instruction; a reader recognises them from page to page."""

COMPLETION = re.compile(
    r"asynchronous( \([^)]* proxy\))?, tracked by .*\. Wait with .*; until then do not (read|write) .*\."
)
"""The sentence for when the result of an asynchronous instruction is there."""

BANNED = re.compile(
    r"\b(simply|just|easy|easily|note that|in order to|various|respectively|utili[sz]es?|powerful|efficient|efficiently"
    r"|performs?|allows?|is used to|are used to|should|introduced in)\b|!",
    re.IGNORECASE,
)
"""Words that promise, pad or leave open whether something is a duty."""

BRITISH = re.compile(
    r"\b(?:spelt|whilst|colour|behaviour|neighbour|centre|licence|grey|(?:initial|recogn|organ|serial|synchron)is)\w*",
    re.IGNORECASE,
)
"""As in ptxas's own messages, words are spelled the American way."""

_CODE = re.compile(r"`[^`]*`", re.DOTALL)
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@pytest.fixture(params=PAGES)
def text(request: pytest.FixtureRequest) -> str:
    """The text of a page."""
    return read_grammar(request.param)


@pytest.fixture
def words(text: str) -> PageWords:
    """The words of a page."""
    return read_words(text)


class SpelledPage(NamedTuple):
    """A page with the spellings that its conditions tell apart."""

    words: PageWords
    spellings: list[Spelling]


@pytest.fixture(scope="module")
def spelled_pages() -> dict[str, SpelledPage]:
    """Every page with its spellings."""
    found = {}
    for path in PAGES:
        words = read_words(read_grammar(path))
        found[path] = SpelledPage(words, distinct_spellings(instruction_of(path), words))
    return found


@pytest.fixture(params=PAGES)
def spelled(request: pytest.FixtureRequest, spelled_pages: dict[str, SpelledPage]) -> SpelledPage:
    """A page with its spellings."""
    return spelled_pages[request.param]


def _above(text: str) -> str:
    """What stands above the rule."""
    return text.partition("\n---\n")[0]


def _count(prose: str) -> int:
    """Words as a reader counts them: what stands between blanks and holds a letter or a digit."""
    return sum(any(character.isalnum() for character in word) for word in prose.split())


def test_the_title_is_one_short_line(words):
    assert words.title
    assert len(words.title) <= LONGEST_TITLE
    assert not words.title.endswith(".")


def test_each_spelling_has_a_short_lead(spelled):
    """A page says first what the instruction does, for each of its spellings."""
    words, spellings = spelled
    for spelling in spellings:
        shown = [one.text for one in words.lead if one.condition.holds(spelling)]
        assert shown, spelling.opcode
        assert _count(" ".join(shown)) <= LONGEST_PARAGRAPH, spelling.opcode


def test_each_condition_is_fulfilled_by_a_spelling_of_the_page(spelled):
    """But for a pitfall that ends in a message of ptxas: no legal spelling has that."""
    words, spellings = spelled
    for one in (*words.lead, *words.labels, *words.bullets):
        if "ptxas: `" not in one.text:
            assert any(map(one.condition.holds, spellings)), f"({one.condition}) {one.text}"


def test_each_bullet_is_shown_for_a_spelling_of_the_page(spelled):
    """Of the bullets of one name the first that fits is shown: the one without a condition is the last."""
    words, spellings = spelled
    for name, alike in groupby(sorted(words.bullets, key=lambda one: one.name), lambda one: one.name):
        assert all(one.condition.sides for one in list(alike)[:-1]), name
    shown = {bullet for spelling in spellings for bullet in words.bullets_of(spelling).values()}
    assert shown == set(words.bullets)


def test_a_condition_is_written_as_it_is_read(text):
    """What is written in round brackets before a colon or at the beginning of a paragraph is a condition."""
    prose = _FENCE.sub("", _above(text))
    written = re.findall(r"^(?:\*\*\w+|- `[^`]+`(?:, `[^`]+`)*) \(([^)]*)\):", prose, re.MULTILINE)
    written += re.findall(r"\n\n\(([^)]*`[^)]*)\)", prose)
    for condition in written:
        assert str(read_condition(condition)) == " ".join(condition.split())


def test_labels_are_known_and_short(words):
    for label in words.labels:
        assert label.name in LABELS
        assert _count(label.text) <= LONGEST_PARAGRAPH, label
    order = [LABELS.index(label.name) for label in words.labels]
    assert order == sorted(order)


def test_threads_are_told_in_the_same_sentences(words):
    for label in words.labels:
        if label.name == "Threads":
            assert THREADS.fullmatch(label.text)


def test_completion_is_told_in_one_sentence(words):
    for label in words.labels:
        if label.name == "Completion":
            assert COMPLETION.fullmatch(label.text)


def test_the_head_fits_a_hover(spelled):
    words, spellings = spelled
    heads = {(words.lead_of(spelling), words.labels_of(spelling)): spelling.opcode for spelling in spellings}
    for (lead, labels), opcode in heads.items():
        paragraphs = [*lead, *(f"{label.name}: {label.text}" for label in labels)]
        assert sum(len(textwrap.wrap(paragraph, 100)) for paragraph in paragraphs) <= LONGEST_HEAD, opcode


def test_a_hover_shows_the_whole_lead(spelled):
    """Hazards are never cut; the lead is what remains of it in :data:`LEAD_LINES` lines."""
    words, spellings = spelled
    for lead, opcode in {" ".join(words.lead_of(spelling)): spelling.opcode for spelling in spellings}.items():
        shown = markdown(HoverInfo(Span(0, 0), lead=(lead,)))
        assert " ".join(shown.split()) == lead, opcode


def test_the_page_is_not_too_long(text):
    """Forms do not count: there are as many as the instruction has."""
    assert _count(_FENCE.sub("", _above(text))) <= LONGEST_ABOVE
    assert _FENCE.sub("", text).count("\n") <= LONGEST_PAGE


def test_a_pitfall_says_what_ptxas_does(words):
    for label in words.labels:
        if label.name == "Pitfall":
            assert re.search(r"ptxas( \S+)?:? (`.*`|accepts it|accepts both)[^`]*\.$", label.text), label.text


def test_a_bullet_begins_with_a_short_sentence(words):
    for name, bullet, _ in words.bullets:
        assert _count(bullet) <= LONGEST_BULLET, name
        assert len(first_sentence(bullet)) <= LONGEST_FIRST_SENTENCE, name


@pytest.mark.parametrize("path", PAGES)
def test_each_part_has_a_bullet_and_each_bullet_a_part(path):
    """A bullet may be for a place, for each word that can stand there, or for places in a row: ``.sem.scope``.

    The parts of the name are told by the title, and a type that cannot be another one by the vocabulary.
    """
    instruction = instruction_of(path)
    of_name = {"." + part for name in instruction.names for part in name.split(".")}
    operands: set[str] = set()
    qualifiers: dict[str, set[str]] = {}
    for form in instruction.forms:
        for operand in flatten(form.operands):
            operands |= {operand.name, operand.pair} - {"", "_"}
        for slot in form.slots:
            if slot.kind in (PlaceKind.QUALIFIER, PlaceKind.SELECTOR):
                words = {word for group in slot.groups for word in literals(group.words) if word is not None}
                qualifiers.setdefault(slot.name, set()).update(words)
    bullets = [bullet.name for bullet in read_words(read_grammar(path)).bullets]
    told = {*bullets, *(part for bullet in bullets for part in _parts(bullet))}
    fixed_types = {name for name in qualifiers if name in catalogue().vocabulary.types}
    silent = {name for name, words in qualifiers.items() if name not in told and not (words and words <= told)}
    silent = (silent | operands - told) - of_name - fixed_types
    known = operands | {*qualifiers, *(word for words in qualifiers.values() for word in words)}
    idle = {bullet for bullet in bullets if bullet not in known and not set(_parts(bullet)) <= known}
    assert (silent, idle) == (set(), set())


@pytest.mark.parametrize("path", PAGES)
def test_what_is_said_of_a_qualifier_is_about_the_form_that_it_stands_in(path):
    """The line about a qualifier names no other qualifier, operand or name of the page that the form lacks."""
    page = instruction_of(path)
    vocabulary = catalogue().vocabulary
    operands = {name for form in page.forms for name in _operands(form)}
    for form in page.forms:
        here = {word for slot in form.slots for word in slot.choices}
        here |= _operands(form) | {name for name in page.names if name.partition(".")[0] == form.mnemonic}
        for slot in form.slots:
            for word in filter(None, slot.choices if slot.kind is PlaceKind.QUALIFIER else ()):
                spelling = spelling_of_words(form, (form.mnemonic, word))
                is_of_place = page.words.meaning(slot.name, spelling) and word in vocabulary.types
                general = "" if is_of_place else first_sentence(vocabulary.meaning(word))
                line = about(page, word, slot.name, spelling, general)
                if line == general:
                    continue
                named = {part for code in re.findall(r"`([^`]+)`", line) for part in code.split()}
                others = {part for part in named if vocabulary.meaning(part)} | named & {*operands, *page.names}
                assert others <= here, f"{word} of {form.syntax}: {line}"


@pytest.mark.parametrize("path", PAGES)
def test_what_is_said_of_an_operand_and_of_the_whole_is_about_the_form(path):
    """The line about an operand, and the lead, name no operand, qualifier or name of the page that the form lacks."""
    page = instruction_of(path)
    types = catalogue().vocabulary.types
    operands = {name for form in page.forms for name in _operands(form)}
    qualifiers = {word for form in page.forms for slot in form.slots for word in slot.choices if word}
    foreign = {*operands, *(word for word in qualifiers if word not in types), *page.names}
    for form, values in _filled(page):
        spelling = spelling_of_values(form, values)
        here = {word for slot in form.slots for word in slot.choices} | _operands(form) | {form.mnemonic}
        here |= {name for name in page.names if name.partition(".")[0] == form.mnemonic}
        bullets = page.words.bullets_of(spelling)
        lines = [first_sentence(bullets[name].text) for name in _operands(form) if name in bullets]
        for line in (*page.words.lead_of(spelling), *lines):
            named = set(re.findall(r"`([^`]+)`", line))
            assert named & foreign <= here, f"{form.syntax}: {line}"


def _filled(page):
    """Each form with its places filled, as few as possible and as many as possible."""
    for forms in page.prepared.values():
        for form in forms:
            options = {place: form.slots[place].name for place in form.options}
            for goal in ({}, dict.fromkeys(options), options):
                values = next(solutions(form, ANYWHERE, goal), None)
                if values is not None:
                    yield form.form, values


def test_other_meanings_of_a_word_do_not_come_first():
    """A hover shows the first meaning where the page says nothing; what names an instruction holds for that alone."""
    names = {name for page in catalogue().instructions for name in page.names}
    for word, row in catalogue().vocabulary.qualifiers.items():
        named = set(re.findall(r"`([^`]+)`", first_sentence(row.words)))
        assert not named & names - {"createpolicy"}, word


def _operands(form):
    """The names of the operands of a form."""
    return {name for operand in flatten(form.operands) for name in (operand.name, operand.pair)} - {"", "_"}


def _parts(bullet: str) -> list[str]:
    """The places in a row that one bullet is for."""
    return re.findall(r"\.[^.]+", bullet) if bullet.startswith(".") else [bullet]


def test_no_empty_words_above_the_rule(text):
    prose = _CODE.sub("", _FENCE.sub("", _above(text)))
    assert [found[0] for found in BANNED.finditer(prose)] == []


def test_gates_stand_in_the_forms_alone(text):
    """A hover shows the gate of the very spelling; prose above the rule would say it a second time.

    What older targets do with it is no gate.
    """
    prose = _FENCE.sub("", _above(text)).replace("`.target sm_6x` and older", "").replace("on `sm_75`, a lane", "")
    assert re.findall(r"PTX \d+\.\d+|`sm_\w+`|\bsm_\d\w+", prose) == []


def test_spelling_is_american(text):
    assert BRITISH.findall(text) == []


def test_what_is_right_comes_first(text):
    fences = [body for kind, body in _FENCE.findall(text) if kind == "ptx"]
    assert "error[" not in fences[0]


def test_lines_are_short(text):
    """Prose alone: forms, tables and addresses are as long as they are."""
    lines = _FENCE.sub("", text).split("\n")
    assert [line for line in lines if len(line) > LONGEST_LINE and line[:1] != "|" and "https://" not in line] == []


def test_examples_are_short_and_name_their_module(text):
    fences = [body for kind, body in _FENCE.findall(text) if kind == "ptx"]
    assert fences
    for fence in fences:
        assert fence.startswith("//- "), fence
        assert fence.count("\n") - 1 <= LONGEST_EXAMPLE, fence


def test_the_link_stands_last(text, words):
    assert words.manual
    assert not words.manual[0].condition.sides
    assert all(section.condition.sides for section in words.manual[1:])
    assert text.rstrip().rpartition("\n\n")[2].startswith("Manual: ")
