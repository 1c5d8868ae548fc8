"""The prose of a page, cut into what a hover shows."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.info import Link
from ptx_lsp.features.hover.words import manual_link
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.excerpts import first_sentence, own_bullet
from ptx_lsp.isa.words import Label, read_words

PAGE = """\
# foo, foo.bar: do a thing

`d = a`, and
more of it.

**Threads:** each for itself.

**Pitfall (`.x`, `.y`):** a mistake.

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
    assert words.labels == (Label("Threads", "each for itself."), Label("Pitfall", "a mistake.", (".x", ".y")))
    assert words.bullets == {
        "d": "two operands; they go on.",
        "a": "two operands; they go on.",
        ".x": "a qualifier. Second sentence.",
        ".and.popc": "two in a row.",
    }
    assert manual_link(words) == Link("PTX ISA: foo", "https://example.org/#foo")


def test_a_qualifier_has_its_own_bullet_or_one_with_its_neighbors() -> None:
    words = read_words(PAGE)
    assert own_bullet(words, ".x") == "a qualifier. Second sentence."
    assert own_bullet(words, ".popc", "foo.and.popc.b32") == "two in a row."
    assert own_bullet(words, ".popc", "foo.popc.and.b32") == own_bullet(words, ".unknown") == ""


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
