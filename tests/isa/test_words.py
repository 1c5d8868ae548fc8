"""The words of every instruction page: what of their form and of their limits a program can judge.

A page is hover, documentation and table in one. Its head answers what the instruction does, who executes it, when the
result is there and what goes wrong; a bullet tells of each part; all else stands below the rule.
"""

from __future__ import annotations

import re
import textwrap

import pytest

from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.render import markdown
from ptx_lsp.grammar_files import page_paths, read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind, flatten, literals
from ptx_lsp.isa.model.page_words import PageWords, read_words
from ptx_lsp.isa.pages.excerpts import about, first_sentence
from ptx_lsp.isa.pages.load import load_page
from ptx_lsp.text import Span

PAGES = page_paths()

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
LONGEST_ABOVE = 450
"""In words outside fences, above the rule."""
LONGEST_PAGE = 120
"""In lines outside fences."""
LONGEST_EXAMPLE = 12
"""In lines: the fence must not hide the page."""
LONGEST_LINE = 120

LABELS = ("Threads", "Completion", "Ordering", "Undefined", "Pitfall")

THREADS = re.compile(
    r"every lane named in .*, all with the same .*; otherwise undefined\."
    r"|all 32 lanes of the warp, converged \(`\.aligned`\)(, .*)?; otherwise undefined\."
    r"|all four warps of the warpgroup, converged \(`\.aligned`\)(, .*)?; otherwise undefined\."
    r"|one thread starts it for .*; each further thread starts another one\."
    r"|each thread for itself, on .*\."
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


def test_the_lead_is_short(words):
    assert words.lead, "a page says first what the instruction does"
    assert _count(" ".join(words.lead)) <= LONGEST_PARAGRAPH


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


def test_the_head_fits_a_hover(words):
    paragraphs = [*words.lead, *(f"{label.name}: {label.text}" for label in words.labels)]
    assert sum(len(textwrap.wrap(paragraph, 100)) for paragraph in paragraphs) <= LONGEST_HEAD


def test_a_hover_has_room_for_when_the_result_is_there(words):
    """Lead, ``Threads`` and one ``Completion`` fit together; of several, a spelling shows its own."""
    before = [f"**{label.name}:** {label.text}" for label in words.labels if label.name == "Threads"]
    for label in words.labels:
        if label.name == "Completion":
            completion = f"**{label.name}:** {label.text}"
            shown = markdown(HoverInfo(Span(0, 0), lead=(*words.lead, *before, completion)))
            assert " ".join(shown.split()).endswith(completion), "a shorter lead"


def test_the_page_is_not_too_long(text):
    """Forms do not count: there are as many as the instruction has."""
    assert _count(_FENCE.sub("", _above(text))) <= LONGEST_ABOVE
    assert _FENCE.sub("", text).count("\n") <= LONGEST_PAGE


def test_a_pitfall_says_what_ptxas_does(words):
    for label in words.labels:
        if label.name == "Pitfall":
            assert re.search(r"ptxas( \S+)?:? (`.*`|accepts it|accepts both)[^`]*\.$", label.text), label.text


def test_a_bullet_begins_with_a_short_sentence(words):
    for name, bullet in words.bullets.items():
        assert _count(bullet) <= LONGEST_BULLET, name
        assert len(first_sentence(bullet)) <= LONGEST_FIRST_SENTENCE, name


@pytest.mark.parametrize("path", PAGES)
def test_each_part_has_a_bullet_and_each_bullet_a_part(path):
    """A bullet may be for a place, for each word that can stand there, or for places in a row: ``.sem.scope``.

    The parts of the name are told by the title, and a type that cannot be another one by the vocabulary.
    """
    instruction = load_page(path).instruction
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
    bullets = read_words(read_grammar(path)).bullets
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
    page = load_page(path).instruction
    vocabulary = catalogue().vocabulary
    operands = {name for form in page.forms for name in _operands(form)}
    for form in page.forms:
        here = {word for slot in form.slots for word in slot.choices}
        here |= _operands(form) | {name for name in page.names if name.partition(".")[0] == form.mnemonic}
        for slot in form.slots:
            for word in filter(None, slot.choices if slot.kind is PlaceKind.QUALIFIER else ()):
                is_of_place = slot.name in page.words.bullets and word in vocabulary.types
                general = "" if is_of_place else first_sentence(vocabulary.meaning(word))
                line = about(page, word, slot.name, f"{form.mnemonic}{word}", general)
                if line == general:
                    continue
                named = {part for code in re.findall(r"`([^`]+)`", line) for part in code.split()}
                others = {part for part in named if vocabulary.meaning(part)} | named & {*operands, *page.names}
                assert others <= here, f"{word} of {form.syntax}: {line}"


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
    """A hover shows the gate of the very spelling; prose above the rule would say it a second time."""
    prose = _FENCE.sub("", _above(text))
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
    assert words.manual is not None
    assert text.rstrip().rpartition("\n\n")[2].startswith("Manual: ")
