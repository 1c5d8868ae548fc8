"""Pages show forms as the manual writes syntax; nothing of the pages' own notation is left, and no fact is lost."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from ptx_lsp.features.pages import find_page
from ptx_lsp.features.pages.form_rules import needs
from ptx_lsp.features.pages.manual_syntax import manual_syntax
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind, expand
from ptx_lsp.isa.model.gate import OPEN

_NOTATION = re.compile(r"```isa|^\s*--\s|~|: imm\b|@ \d|\[\d+\.\.\d+:|@ sm_", re.MULTILINE)


@pytest.fixture(params=catalogue().instructions, ids=lambda page: page.names[0])
def page(request):
    return request.param


def check_syntax(name: str, expected: str) -> None:
    """Check that the syntax of an instruction begins with these lines."""
    shown = manual_syntax(catalogue().instruction(tuple(re.findall(r"^\w+|\.[\w:]+", name))))
    assert shown.startswith(dedent(expected).strip()), shown


def test_a_page_with_one_form():
    check_syntax(
        "setmaxnreg.inc",
        """
        ```ptx
        // PTX 8.0 on sm_90a; PTX 8.6 on sm_100a, sm_101a, sm_120a; PTX 8.8 on the sm_100f, sm_110f, sm_120f families
        setmaxnreg.action.sync.aligned.type  imm-reg-count;

        .action = { .inc, .dec };
        .type = { .u32,
                  .s32 };  // accepted by ptxas, not in the manual
        ```

        - `imm-reg-count`: a constant: multiples of 8 from 24 to 256.
        """,
    )


def test_forms_that_share_their_facts_stand_together_and_tables_show_what_goes_together():
    check_syntax(
        "wgmma.mma_async",
        """
        ```ptx
        // PTX 8.0, sm_90a only
        wgmma.mma_async.sync{.aligned}.shape.dtype.f16.f16
            d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;
        wgmma.mma_async.sync{.aligned}.shape.dtype.f16.f16
            d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;

        .shape = { .m64n8k16, .m64n16k16, …, .m64n256k16 };
        ```

        - `a`: a vector of 4 `.f16x2`.

        | `.dtype` | `d` |
        | --- | --- |
        | `.f16` | a vector of N/4 `.f16x2` |
        | `.f32` | a vector of N/2 `.f32` |
        """,
    )


def test_rules_are_sentences():
    page = find_page("add")
    assert "- `.sat` requires `.s32`, `.u32`, `.u16x2`, `.s16x2`, `.u8x4` or `.s8x4`." in page
    assert "- `.rm` or `.rp`: PTX 2.0, sm_20 or newer." in page
    assert "`cache-policy` and `.level::cache_hint`: both or neither." in find_page("ld")
    assert "`imm-scale-a`, `imm-scale-b`: a constant: -1 or 1." in find_page("wgmma.mma_async")


def test_what_no_manual_lists_is_apart():
    listed, _, others = manual_syntax(catalogue().instruction(("atom",))).partition("the manual does not list")
    unlisted = "atom{.sem}{.scope}{.space}.op.type  d, [a], b, c;  // accepted by ptxas, not in the manual"
    assert unlisted not in listed
    assert unlisted in others


def test_nothing_of_the_notation_is_left(page):
    assert _NOTATION.findall(manual_syntax(page)) == []


def test_no_gate_is_said_twice(page):
    for line in manual_syntax(page).splitlines():
        parts = line.partition("// ")[2].split("; ")
        assert len(set(parts)) == len(parts), line


def test_all_forms_words_and_gates_are_there(page):
    text = manual_syntax(page)
    flat = " ".join(text.split())
    for form in page.forms:
        assert " ".join(form.syntax.split()) in flat
        for gate in form.gates:
            assert gate == OPEN or all(part in flat for part in needs(gate).split("; "))
        for slot in form.slots:
            if slot.kind not in (PlaceKind.QUALIFIER, PlaceKind.SELECTOR):
                continue
            series = {
                one for group in slot.groups for word in group.words if len(expand(word)) > 4 for one in expand(word)
            }
            for word in filter(None, slot.choices):
                assert word in text or word in series, (word, form.syntax)
