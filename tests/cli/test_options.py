"""The command line: options, settings files, wrong usage."""

from __future__ import annotations

import json

import pytest

from ptx_lsp import __version__


def test_target_and_version_override_what_files_say(run, write):
    write("a.ptx", "wrong")
    shown = run("check", "--target", "sm_90a", "--ptx-version", "8.6", "a.ptx").out
    assert "there is no instruction 'wrong' on sm_90a in PTX 8.6" in shown


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("", ["E301", "W601"]),
        ("--select E", ["E301"]),
        ("--select W601", ["W601"]),
        ("--select unknown-instruction,W6", ["E301", "W601"]),
        ("--ignore E301", ["W601"]),
        ("--ignore E3 --ignore meaningless-qualifier", []),
        ("--select E3 --ignore E301", []),
    ],
)
def test_select_and_ignore_by_number_beginning_or_name(run, write, options, shown):
    write("a.ptx", "wrong odd")
    lines = run("check", "--format=github", *options.split(), "a.ptx").out.splitlines()
    assert [line.split("title=")[1].split(" ")[0] for line in lines] == shown


@pytest.mark.parametrize("name", ["uninitialized-register", "uninitialised-register"])
def test_a_former_name_of_a_code_stays_valid(run, write, name):
    write("a.ptx", "wrong")
    ran = run("check", "--select", name, "a.ptx")
    assert (ran.status, ran.err) == (0, "")


def test_an_ignored_error_is_no_error(run, write):
    write("a.ptx", "wrong")
    assert run("check", "--ignore", "E3", "a.ptx").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("check", "the following arguments are required: PATH"),
        ("check --format=xml a.ptx", "argument --format: invalid choice: 'xml'"),
        pytest.param(
            f"check --jobs={'9' * 5000} a.ptx",
            f"argument --jobs: must be a number from 1 to 256, not '{'9' * 60}…'",
            id="huge",
        ),
        ("check --jobs=0 a.ptx", "argument --jobs: must be a number from 1 to 256, not '0'"),
        ("check --target=90 a.ptx", "--target must be a target such as 'sm_90a', not the text '90'"),
        (
            "check --language=foo a.ptx",
            "--language is 'foo', which is unknown; known languages: c, cpp, cuda, cuda-cpp, ",
        ),
        ("check --target=sm_91 a.ptx", "--target is 'sm_91', which is unknown; known targets: sm_10, sm_11,"),
        ("check --ptx-version=99.9 a.ptx", "--ptx-version is '99.9', which is unknown; the newest is 9."),
        ("check --ptx-version=8 a.ptx", "--ptx-version must be a PTX version"),
        ("check --select=E9x a.ptx", "--select names an unknown code 'E9x'"),
        (
            "check --ignore=newer-taget a.ptx",
            "--ignore names an unknown code 'newer-taget'; did you mean 'newer-target'?",
        ),
        ("chekc a.ptx", "invalid choice: 'chekc'"),
        ("a.ptx", "'a.ptx' is not a command; did you mean 'ptx-lsp check a.ptx'?"),
        ("--host=127.0.0.1", "--host and --port require --tcp"),
    ],
)
def test_wrong_usage_is_told_in_one_line(run, write, arguments, message):
    write("a.ptx", "")
    result = run(*arguments.split())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("ptx-lsp: ")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_no_arguments_show_what_there_is(run):
    result = run()
    assert result.status == 2
    assert "check" in result.err
    assert "explain" in result.err


def test_version(run):
    assert run("--version").out == f"ptx-lsp {__version__}\n"


def test_help(run):
    assert "--ptx-version" in run("check", "--help").out


def test_the_nearest_settings_file_holds_for_each_file(run, write):
    write("ptx-lsp.toml", 'target = "sm_80"')
    write("new/ptx-lsp.toml", 'target = "sm_120a"')
    write("a.ptx", "wrong")
    write("new/deep/b.ptx", "wrong")
    shown = run("check", "--format=github", ".").out.splitlines()
    assert "on sm_80" in shown[0]
    assert "on sm_120a" in shown[1]


def test_the_command_line_wins_over_the_settings_file(run, write):
    write("ptx-lsp.toml", 'target = "sm_80"')
    write("a.ptx", "wrong")
    assert "on sm_90" in run("check", "--target=sm_90", "a.ptx").out


def test_severity_can_be_changed(run, write):
    write("ptx-lsp.toml", "[severity]\nunknown-instruction = 'warning'\nW601 = 'error'")
    write("a.ptx", "wrong")
    write("b.ptx", "odd")
    assert run("check", "a.ptx").status == 0
    assert run("check", "b.ptx").status == 1


def test_a_wrong_settings_file_is_told_once_and_the_files_are_checked(run, write):
    write("ptx-lsp.toml", 'tagret = "sm_80"')
    write("a.ptx", "wrong")
    write("b.ptx", "wrong")
    result = run("check", ".")
    assert result.status == 2
    assert result.err.count("unknown key 'tagret'; did you mean 'target'?") == 1
    assert "2 errors in 2 files" in result.out


def test_a_number_of_too_many_digits_is_told_and_the_files_are_checked(run, write):
    write("ptx-lsp.toml", f"max-diagnostics = {'9' * 5000}")
    write("a.ptx", "wrong")
    result = run("check", ".")
    assert result.status == 2
    assert "ptx-lsp.toml: is not valid TOML: a number has too many digits\n" in result.err
    assert "1 error in 1 file" in result.out


def test_more_findings_than_wanted_are_cut_and_counted(run, write):
    write("ptx-lsp.toml", "max-diagnostics = 3")
    write("a.ptx", "odd " * 3)
    write("b.ptx", "odd " * 4)
    result = run("check", ".")
    assert (result.status, result.err) == (0, "ptx-lsp: b.ptx: not shown: 1 warning (see max-diagnostics)\n")
    assert "7 warnings in 2 files" in result.out
    assert result.out.count("warning[") == 6


def test_errors_are_shown_before_what_is_less_severe(run, write):
    write("ptx-lsp.toml", "max-diagnostics = 3")
    write("a.ptx", "odd " * 9 + "wrong")
    result = run("check", "a.ptx")
    assert result.status == 1
    assert "1 error, 9 warnings in 1 file" in result.out
    assert (result.out.count("error["), result.out.count("warning[")) == (1, 2)
    assert result.err == "ptx-lsp: a.ptx: not shown: 7 warnings (see max-diagnostics)\n"


def test_json_counts_what_is_not_shown(run, write):
    write("ptx-lsp.toml", "max-diagnostics = 3")
    write("a.ptx", "odd " * 9 + "wrong")
    found = json.loads(run("check", "--format", "json", "a.ptx").out)
    assert found["files"][0]["omitted"] == {"warning": 7}
    assert found["summary"] == {"files": 1, "errors": 1, "warnings": 9}
