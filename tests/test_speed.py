"""Generous ratios in one run, so that a slow machine cannot fail them; ``benchmarks/run.py`` has the real figures."""

from __future__ import annotations

import statistics

import pytest

from benchmarks.speed import texts
from benchmarks.speed.processes import measured_inside

pytestmark = pytest.mark.speed


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file of 100,000 lines."""
    return str(texts.write("f100k.ptx", tmp_path_factory.mktemp("speed")))


@pytest.fixture(scope="module")
def check(file):
    """Seconds to check it with nothing remembered, the best of three; and again."""
    samples = [measured_inside("check", file) for _ in range(3)]
    return {name: min(sample[name] for sample in samples) for name in ("first", "again")}


def test_a_check_with_all_rules_is_much_faster_than_plain_parsing(file, check):
    assert measured_inside("lark", file) >= 2 * check["first"]


def test_a_keystroke_costs_a_fraction_of_a_check(file, check):
    assert statistics.median(measured_inside("keystrokes", file, "30")) <= check["again"] / 20


def test_the_worst_edit_costs_no_more_than_a_check(file, check):
    worst = measured_inside("worst", file)
    assert max(worst["comment"] + worst["registers"]) <= 2 * check["first"]
