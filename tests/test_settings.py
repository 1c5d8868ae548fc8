"""Settings: the same keys from a file, an editor and the command line; bad ones are reported, never raised."""

from __future__ import annotations

import pytest

from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.settings import Settings, find, from_mapping
from ptx_lsp.text import Span


def test_all_keys():
    settings, problems = from_mapping(
        {
            "target": "sm_90a",
            "ptx-version": "8.5",
            "select": ["E", "newer-target"],
            "ignore": ["H9"],
            "severity": {"E502": "warning"},
            "max-diagnostics": 50,
        }
    )
    assert problems == []
    assert settings == Settings("sm_90a", "8.5", ("E", "newer-target"), ("H9",), (("E502", Severity.WARNING),), 50)


def test_a_former_name_of_a_code_stays_valid():
    settings, problems = from_mapping(
        {"ignore": ["maybe-uninitialised"], "severity": {"uninitialised-register": "error"}}
    )
    assert problems == []
    assert not settings.shows("W621")
    assert settings.shows("W620")
    found = Diagnostic("W620", "uninitialized-register", Severity.WARNING, "", Span(0, 1))
    assert [one.severity for one in settings.applied([found])] == [Severity.ERROR]


@pytest.mark.parametrize("key", ["ptx-version", "ptx_version", "ptxVersion"])
def test_keys_are_spelt_as_is_usual_where_they_stand(key):
    assert from_mapping({key: "8.5"}) == (Settings(ptx_version="8.5"), [])


@pytest.mark.parametrize("empty", ["", None])
def test_what_an_editor_leaves_empty_is_not_set(empty):
    assert from_mapping({"target": empty, "ptxVersion": empty}) == (Settings(), [])


def test_one_mapping_changes_another():
    assert from_mapping({"target": "sm_80"}, Settings(ptx_version="8.5"))[0] == Settings("sm_80", "8.5")


@pytest.mark.parametrize(
    ("mapping", "problem"),
    [
        (["target"], "settings must be a table of keys and values, not a list"),
        ({"colour": True}, "unknown key 'colour'; there are target, ptx-version, select"),
        ({"tagret": "sm_80"}, "unknown key 'tagret'; did you mean 'target'?"),
        ({"target": 90}, "'target' must be a target such as 'sm_90a', not the number 90"),
        ({"target": "compute_90"}, "'target' must be a target such as 'sm_90a', not the text 'compute_90'"),
        ({"ptx-version": 8.1}, "'ptx-version' must be a PTX version in quotes, such as '8.5', not the number 8.1"),
        ({"select": "E5"}, "'select' must be a list of codes such as ['E502', 'H9'], not the text 'E5'"),
        ({"ignore": [5]}, "'ignore' must be a list of codes such as ['E502', 'H9'], not a list"),
        ({"ignore": ["E999"]}, "'ignore' names an unknown code 'E999'"),
        ({"severity": "error"}, "'severity' must be a table such as {E502 = 'warning'}, not the text 'error'"),
        (
            {"severity": {"E502": "fatal"}},
            "'severity' of 'E502' must be one of 'error', 'warning', 'information', 'hint'",
        ),
        ({"max-diagnostics": True}, "'max-diagnostics' must be at least 1, not the truth value True"),
    ],
)
def test_what_is_wrong_is_said_and_left_out(mapping, problem):
    settings, problems = from_mapping(mapping)
    assert settings == Settings()
    assert len(problems) == 1
    assert problems[0].startswith(problem)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (5, "'inlayHints' must be a table of keys and values, not 5"),
        ({"literals": "yes"}, "'inlayHints' 'literals' must be true or false, not 'yes'"),
        ({"literals": 1}, "'inlayHints' 'literals' must be true or false, not 1"),
        ({"registerTypes": True}, "'inlayHints' 'registerTypes' must be one of 'never', 'named', 'all', not True"),
        ({"registerTypes": ["all"]}, "'inlayHints' 'registerTypes' must be one of 'never', 'named', 'all', not a list"),
        ({"colour": 1}, "'inlayHints' has no key 'colour'; there are register-types, parameter-names"),
    ],
)
def test_what_is_wrong_in_a_table_is_said_and_left_out(table, problem):
    settings, problems = from_mapping({"inlayHints": table})
    assert settings == Settings()
    assert len(problems) == 1
    assert problems[0].startswith(problem)


LONG = "x" * 100_000


def deep() -> list[object]:
    found: list[object] = []
    for _ in range(10_000):
        found = [found]
    return found


STRANGE = {"huge": 10**5000, "negative": -(10**5000), "long": LONG, "deep": deep(), "infinite": float("inf")}
"""Python refuses to write the huge numbers in decimal, and the list that is nested too deep."""


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize(
    "key",
    [
        "target",
        "ptx-version",
        "select",
        "ignore",
        "severity",
        "format",
        "max-diagnostics",
        ("severity", "E502"),
        ("format", "indent"),
        ("format", "style"),
        ("format", "align"),
        ("inlay-hints", "masks"),
    ],
)
def test_no_value_is_too_strange_for_a_short_message(key, value):
    mapping = {key: value} if isinstance(key, str) else {key[0]: {key[1]: value}}
    settings, problems = from_mapping({**mapping, "ptxVersion" if key == "target" else "target": ""})
    if key == "max-diagnostics" and isinstance(value, int) and value > 0:
        assert (settings.max_diagnostics, problems) == (1_000_000_000, [])  # more than any file has
    else:
        assert settings == Settings()
        assert len(problems) == 1
        assert len(problems[0]) < 250


def test_no_key_is_too_long_for_a_short_message():
    _, problems = from_mapping({LONG: 1, "format": {LONG: 1}, "severity": {LONG: "hint"}, "select": [LONG]})
    assert [len(problem) < 400 for problem in problems] == [True] * 4


def test_null_in_a_table_is_not_set():
    base, _ = from_mapping({"inlay-hints": {"literals": False}})
    assert from_mapping({"inlayHints": {"literals": None, "masks": False}}, base)[1] == []
    assert from_mapping({"inlayHints": {"literals": None}}, base)[0] == base


def test_a_wrong_key_does_not_spoil_the_others():
    settings, problems = from_mapping({"target": 1, "ptxVersion": "8.5"})
    assert settings.ptx_version == "8.5"
    assert len(problems) == 1


def test_the_nearest_file_upwards_is_found(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "ptx-lsp.toml").write_text("target = 'sm_80'")
    assert find(str(deep)).settings.target == "sm_80"
    (tmp_path / "a" / "ptx-lsp.toml").write_text("target = 'sm_90'")
    assert find(str(deep)).settings.target == "sm_90"


@pytest.mark.parametrize(
    "content",
    [
        b"target = ",
        b"\xff\xfe",
        b"target = '''",
        pytest.param(b"a = " + b"[" * 50_000, id="deep"),
        pytest.param(b"max-diagnostics = " + b"9" * 5000, id="huge"),
    ],
)
def test_a_broken_file_is_told_with_the_usual_settings(tmp_path, content):
    (tmp_path / "ptx-lsp.toml").write_bytes(content)
    found = find(str(tmp_path))
    assert found.settings == Settings()
    assert found.problems[0].startswith("is not valid TOML: ")
