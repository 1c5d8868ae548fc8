"""What people read: place, message, source line with carets, remedies."""

from __future__ import annotations

import pytest

ESCAPE = "\x1b"


def check_text(run, write, source, expected):
    """Check ``source`` as ``a.ptx``; all that is printed, less the margin of ``expected``."""
    from textwrap import dedent

    write("a.ptx", source)
    assert run("check", "a.ptx").out == dedent(expected).lstrip("\n")


def test_an_error_shows_its_line_with_carets_where_else_to_look_and_how_to_fix_it(run, write):
    check_text(
        run,
        write,
        "ret;\n    wrong.s32 %r1;\n",
        """
        a.ptx:2:5: error[E301]: there is no instruction 'wrong' [unknown-instruction]
            2 |     wrong.s32 %r1;
              |     ^^^^^ help: write 'right'
              = line 1: the file begins here

        1 error in 1 file
        """,
    )


def test_a_clean_file_says_so(run, write):
    check_text(run, write, "ret;", "nothing wrong in 1 file\n")


def test_a_warning_is_no_error(run, write):
    check_text(
        run,
        write,
        "odd",
        """
        a.ptx:1:1: warning[W601]: 'odd' means nothing [meaningless-qualifier]
            1 | odd
              | ^^^

        1 warning in 1 file
        """,
    )


def test_tabs_are_drawn_as_blanks_and_carets_follow(run, write):
    check_text(
        run,
        write,
        "\todd\t;",
        """
        a.ptx:1:2: warning[W601]: 'odd' means nothing [meaningless-qualifier]
            1 |     odd ;
              |     ^^^

        1 warning in 1 file
        """,
    )


def test_wide_characters_take_two_columns(run, write):
    check_text(
        run,
        write,
        "/* 漢字 */ odd",
        """
        a.ptx:1:10: warning[W601]: 'odd' means nothing [meaningless-qualifier]
            1 | /* 漢字 */ odd
              |            ^^^

        1 warning in 1 file
        """,
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts(run, write, end):
    write("a.ptx", f"ret;{end}{end}  odd;{end}ret;")
    assert run("check", "a.ptx").out.startswith(
        "a.ptx:3:3: warning[W601]: 'odd' means nothing [meaningless-qualifier]\n    3 |   odd;\n"
    )


def test_what_a_terminal_would_obey_is_drawn_instead(run, write):
    write("a.ptx", b"\x1b[31m\xff\x07 odd")
    shown = run("check", "a.ptx").out
    assert "    1 | ␛[31m\N{REPLACEMENT CHARACTER}␇ odd\n      |         ^^^\n" in shown


def test_of_a_very_long_line_the_part_around_the_place_is_shown(run, write):
    write("a.ptx", "x " * 100_000 + "odd" + " y" * 100_000)
    line = run("check", "--jobs", "1", "a.ptx").out.splitlines()[1]
    assert line.startswith("    1 | …")
    assert line.endswith("…")
    assert "odd" in line
    assert len(line) < 140


def test_colour_only_where_it_is_wanted(run, write, monkeypatch):
    write("a.ptx", "wrong")
    assert ESCAPE not in run("check", "a.ptx").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert f"{ESCAPE}[1;31merror[E301]{ESCAPE}[0m" in run("check", "a.ptx").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE not in run("check", "a.ptx").out
