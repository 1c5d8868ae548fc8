"""The prose of a page, cut into what a hover shows."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.parts.hover_info import FurtherReading
from ptx_lsp.features.hover.parts.manual_links import manual_link
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.page_words import LabelledParagraph, read_words
from ptx_lsp.isa.pages.excerpts import first_sentence, own_bullet

PAGE = """\
# foo, foo.bar: do a thing

`d = a`, and
more of it.

**Threads:** each for itself.

**Pitfall (`.x`, `.y` and `a`):** a mistake.

```isa
foo{.x}.type d, a
```

- `d`, `a`: two operands; they
  go on.
- `.x`: a qualifier. Second sentence.
- `.and.popc`: two in a row.

```ptx
- `.z`: not a bullet
```

---

- `.below`: the rule

Manual: Section: [foo](https://example.org/#foo), [bar](https://example.org/#bar).
"""


def test_a_page_is_cut_into_its_parts() -> None:
    words = read_words(PAGE)
    assert words.lead == ("`d = a`, and more of it.",)
    assert words.labels == (
        LabelledParagraph("Threads", "each for itself."),
        LabelledParagraph("Pitfall", "a mistake.", ((".x", ".y"), ("a",))),
    )
    assert words.bullets == {
        "d": "two operands; they go on.",
        "a": "two operands; they go on.",
        ".x": "a qualifier. Second sentence.",
        ".and.popc": "two in a row.",
    }
    assert manual_link(words) == FurtherReading("PTX ISA: foo", "https://example.org/#foo")


def test_a_bullet_is_for_the_place_of_its_name() -> None:
    page = catalogue().instruction(("ld",))
    assert page is not None
    assert own_bullet(page, ".sys", ".sys", "ld.mmio.relaxed.sys.u32") == page.words.bullets[".sys"]
    assert own_bullet(page, ".sys", ".scope", "ld.relaxed.sys.u32") == ""
    assert own_bullet(page, ".unknown", ".scope", "ld.unknown") == ""


def test_a_bullet_of_no_place_is_for_a_word_wherever_it_stands() -> None:
    page = catalogue().instruction(("tcgen05", ".st"))
    assert page is not None
    assert ".32x32b" not in page.places
    assert own_bullet(page, ".32x32b", ".shape", "tcgen05.st.sync.aligned.32x32b") == page.words.bullets[".32x32b"]


def test_a_bullet_of_several_in_a_row_is_for_an_opcode_that_holds_them_all() -> None:
    page = catalogue().instruction(("mad",))
    assert page is not None
    assert own_bullet(page, ".sat", ".sat", "mad.hi.sat.s32") == page.words.bullets[".hi.sat"]
    assert own_bullet(page, ".sat", ".sat", "mad.rn.sat.f32") == page.words.bullets[".sat"]


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
        link = manual_link(instruction.words)
        assert link.url.startswith("https://docs.nvidia.com/")
