"""The prose of a page, cut into what a hover shows."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.parts.hover_info import FurtherReading
from ptx_lsp.features.hover.parts.manual_links import manual_link
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.page_condition import Spelling, read_condition
from ptx_lsp.isa.model.page_words import (
    Bullet,
    LabelledParagraph,
    LeadParagraph,
    read_words,
    with_conditions_in_words,
)
from ptx_lsp.isa.pages.excerpts import first_sentence, own_bullet

PAGE = """\
# foo, foo.bar: do a thing

`d = a`, and
more of it.

**Threads:** each for itself.

(`.x` and not `a`) Another
thing.

**Pitfall (`.x`, `.y` and `a`):** a mistake.

```isa
foo{.x}.type d, a
```

- `d`, `a`: two operands; they
  go on.
- `.x` (not `.y`,
  `.z`): here something else.
- `.x`: a qualifier. Second sentence.
- `.and.popc`: two in a row.

```ptx
- `.z`: not a bullet
```

---

- `.below`: the rule

Manual: Section: [foo](https://example.org/#foo), (`.z`) [foo.z](https://example.org/#foo-z).
"""


def test_a_page_is_cut_into_its_parts() -> None:
    words = read_words(PAGE)
    assert words.lead == (
        LeadParagraph("`d = a`, and more of it."),
        LeadParagraph("Another thing.", read_condition("`.x` and not `a`")),
    )
    assert words.labels == (
        LabelledParagraph("Threads", "each for itself."),
        LabelledParagraph("Pitfall", "a mistake.", read_condition("`.x`, `.y` and `a`")),
    )
    assert words.bullets == (
        Bullet("d", "two operands; they go on."),
        Bullet("a", "two operands; they go on."),
        Bullet(".x", "here something else.", read_condition("not `.y`, `.z`")),
        Bullet(".x", "a qualifier. Second sentence."),
        Bullet(".and.popc", "two in a row."),
    )
    assert manual_link(words, Spelling("foo")) == FurtherReading("PTX ISA: foo", "https://example.org/#foo")


def test_a_spelling_can_have_a_section_of_its_own() -> None:
    words = read_words(PAGE)
    assert manual_link(words, Spelling("foo.x")).url == "https://example.org/#foo"
    assert manual_link(words, Spelling("foo.z")).url == "https://example.org/#foo-z"


def test_the_first_bullet_of_a_name_that_is_for_the_spelling() -> None:
    words = read_words(PAGE)
    assert words.meaning(".x", Spelling("foo.x")) == "here something else."
    assert words.meaning(".x", Spelling("foo.x.y")) == "a qualifier. Second sentence."
    assert words.meaning(".unknown", Spelling("foo.x")) == ""


def test_the_lead_and_the_labels_that_are_for_the_spelling() -> None:
    words = read_words(PAGE)
    assert words.lead_of(Spelling("foo.x")) == ("`d = a`, and more of it.", "Another thing.")
    assert words.lead_of(Spelling("foo.x", frozenset("a"))) == ("`d = a`, and more of it.",)
    assert [label.name for label in words.labels_of(Spelling("foo.x", frozenset("a")))] == ["Threads", "Pitfall"]
    assert [label.name for label in words.labels_of(Spelling("foo.x"))] == ["Threads"]


def test_a_reader_of_the_page_sees_conditions_in_words() -> None:
    shown = with_conditions_in_words(PAGE)
    assert "(with `.x` and without `a`) Another\nthing." in shown
    assert "**Pitfall (with `.x` or `.y` and with `a`):** a mistake." in shown
    assert "- `.x` (without `.y` or `.z`): here something else." in shown


@pytest.mark.parametrize("wrong", ["`.x` or `.y`", "with `.x`", "`.x` and", "not `.x` `.y`"])
def test_a_condition_has_one_notation(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a condition"):
        read_condition(wrong)


def test_a_bullet_is_for_the_place_of_its_name() -> None:
    page = catalogue().instruction(("ld",))
    assert page is not None
    mmio = Spelling("ld.mmio.relaxed.sys.u32", frozenset({".mmio", ".relaxed", ".sys", ".u32"}))
    relaxed = Spelling("ld.relaxed.sys.u32", frozenset({".sem", ".scope", ".relaxed", ".sys", ".u32"}))
    assert own_bullet(page, ".sys", ".sys", mmio) == page.words.meaning(".sys", mmio)
    assert own_bullet(page, ".sys", ".scope", relaxed) == ""
    assert own_bullet(page, ".unknown", ".scope", Spelling("ld.unknown")) == ""


def test_a_bullet_of_no_place_is_for_a_word_wherever_it_stands() -> None:
    page = catalogue().instruction(("tcgen05", ".st"))
    assert page is not None
    assert ".32x32b" not in page.places
    store = Spelling("tcgen05.st.sync.aligned.32x32b")
    assert own_bullet(page, ".32x32b", ".shape", store) == page.words.meaning(".32x32b", store) != ""


def test_a_bullet_of_several_in_a_row_is_for_an_opcode_that_holds_them_all() -> None:
    page = catalogue().instruction(("mad",))
    assert page is not None
    integer, float_ = Spelling("mad.hi.sat.s32"), Spelling("mad.rn.sat.f32")
    assert own_bullet(page, ".sat", ".sat", integer) == page.words.meaning(".hi.sat", integer)
    assert own_bullet(page, ".sat", ".sat", float_) == page.words.meaning(".sat", float_)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one. Two.", "one"),
        ("`a. b` stays. Two", "`a. b` stays"),
        ("1.5 is a number", "1.5 is a number"),
        ("one; two", "one"),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, first: str) -> None:
    assert first_sentence(text) == first


def test_every_page_can_be_cut() -> None:
    for instruction in catalogue().instructions:
        link = manual_link(instruction.words, Spelling(instruction.names[0]))
        assert link.url.startswith("https://docs.nvidia.com/")
