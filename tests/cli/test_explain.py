"""``ptx-lsp explain``: pages of codes, instructions and words."""

from __future__ import annotations

import sys

import pytest

from ptx_lsp.cli.entry import main


@pytest.fixture
def explain(capsys):
    """What ``ptx-lsp explain`` answers: exit status, output, complaint."""

    def explain(topic):
        return (main(["explain", topic]), *capsys.readouterr())

    return explain


@pytest.mark.parametrize("topic", ["E502", "e502", "newer-target"])
def test_a_code_by_number_or_name(explain, topic):
    status, page, _ = explain(topic)
    assert status == 0
    assert page.startswith("# E502 newer-target\n")
    assert "```ptx" in page
    assert "ignore[E502]" in page


def test_a_former_name_of_a_code_has_the_page_of_the_present_one(explain):
    assert explain("uninitialised-register") == explain("uninitialized-register")
    assert explain("maybe-uninitialised")[1].startswith("# W621 maybe-uninitialized\n")


@pytest.mark.parametrize("topic", ["cp.async.bulk.tensor", "cp.async.bulk.tensor.2d"])
def test_an_instruction_by_name_or_as_it_is_written(explain, topic):
    assert explain(topic)[1].startswith("# cp.async.bulk.tensor: ")


def test_the_beginning_of_names(explain):
    assert explain("mad24")[1].startswith("# mad24.lo, mad24.hi: ")
    page = explain("wgmma")[1]
    assert page.startswith("# wgmma\n")
    assert "- `wgmma.fence`: " in page


@pytest.mark.parametrize("topic", ["%laneid", ".shared", ".bf16x2", ".maxnreg", "sm_90a"])
def test_a_word(explain, topic):
    assert explain(topic)[1].startswith(f"# {topic}\n\n")


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        (".maxntid", ".maxntid nx{, ny{, nz}}"),
        (".maxnctapersm", "PTX 1.3; up to PTX 2.0"),
        (".shared", "visible to the cluster"),
        (".f16x2", "in `.b32` registers"),
        (".m64n104k16", "M = 64, N = 104, K = 16"),
        ("%pm5", "PTX 3.0, sm_20 or newer"),
        ("8.6", "CUDA 12.7, requires driver r565"),
        ("sm_103", "family `sm_10x`"),
        ("texmode_independent", "PTX 1.5"),
        ("frequency", '.pragma "frequency n";'),
        ("WARP_SZ", "`.s64`, 32"),
        ("memory_layout", "of `.surfref`"),
        ("clamp_to_edge", "of `addr_mode`"),
        (".swizzle_mode", "3 of 128 bytes"),
        ("cuda c++", "number 5"),
    ],
)
def test_the_page_of_a_word(explain, topic, said):
    status, page, _ = explain(topic)
    assert status == 0
    assert page.startswith(f"# {topic}\n\n")
    assert said in page


@pytest.mark.parametrize(
    ("topic", "meant"),
    [
        ("newer-taget", "'newer-target'"),
        ("cp.async.bulk.tensr", "'cp.async.bulk.tensor'"),
        ("addd.s32", "'add'"),
    ],
)
def test_an_unknown_topic_is_reported_with_a_similar_one(explain, topic, meant):
    status, page, complaint = explain(topic)
    assert (status, page) == (2, "")
    assert complaint.startswith(f"ptx-lsp: no page for '{topic}'; did you mean ")
    assert meant in complaint


@pytest.mark.parametrize("topic", ["", ".", "..", "E", "zzzzzz", "\x1b[31m", "../../setup", "add/../sub"])
def test_nonsense_is_reported(explain, topic):
    status, page, complaint = explain(topic)
    assert (status, page) == (2, "")
    assert "\x1b" not in complaint


def test_on_a_terminal_the_page_is_drawn(explain, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    page = explain("E502")[1]
    assert "```" not in page
    assert "newer-target" in page


def test_examples_say_in_plain_words_what_they_are_for(explain):
    page = explain("W620")[1]
    assert "// PTX 7.0, sm_80\n" in page
    assert "//-" not in page


def test_carets_are_under_the_place_and_carry_the_message(explain):
    page = explain("E401")[1]
    assert "    add.s32 %r1, %r2;\n//  ^^^^^^^ error[E401]: 'add.s32' expects 3 operands, not 2: d, a, b\n" in page
    page = explain("E406")[1]
    assert "    @%r1 bra DONE;\n//   ^^^ error[E406]: '%r1' is .b32; a guard must be a .pred register\n" in page


def test_carets_that_fit_under_the_code_leave_it_where_it_is(explain):
    page = explain("E502")[1]
    assert "\nadd.f32x2 %rd1, %rd2, %rd3;\n// ^^^^^^ error[E502]: '.f32x2' requires sm_100 or newer; " in page
