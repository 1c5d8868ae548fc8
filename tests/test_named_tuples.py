"""``NamedTuple`` behaves as that of ``typing``."""

from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from ptx_lsp.named_tuples import NamedTuple


class Ours(NamedTuple):
    """A point."""

    across: int
    down: int = 0

    def sum(self) -> int:
        """Across and down."""
        return self.across + self.down


class Theirs(typing.NamedTuple):
    """A point."""

    across: int
    down: int = 0

    def sum(self) -> int:
        """Across and down."""
        return self.across + self.down


def check_equal(use: typing.Callable[[Any], object]) -> None:
    """Fail unless both classes answer alike, apart from their own names."""
    answers = []
    for one in (Ours, Theirs):
        try:
            answer = repr(use(one))
        except (TypeError, ValueError, AttributeError) as error:
            answer = f"{type(error).__name__}: {error}"
        answers.append(answer.replace(one.__name__, "Point"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "use",
    [
        lambda point: point(1),
        lambda point: point(1, down=2),
        lambda point: point(down=2),
        lambda point: point(1, 2, 3),
        lambda point: point(1, left=2),
        lambda point: point(1, 2).sum(),
        lambda point: point(1)._replace(down=5),
        lambda point: point(1)._replace(left=5),
        lambda point: point._make([1, 2]),
        lambda point: point._make([1]),
        lambda point: point(1)._asdict(),
        lambda point: (point._fields, point._field_defaults, point.__match_args__, point.__doc__),
        lambda point: (hash(point(1, 2)) == hash((1, 2)), point(1, 2) == (1, 2)),
        lambda point: pickle.loads(pickle.dumps(point(1, 2))),
        lambda point: setattr(point(1), "across", 2),
        lambda point: setattr(point(1), "left", 2),
        lambda point: _matched(point(1, 2)),
    ],
)
def test_it_behaves_as_that_of_typing(use):
    check_equal(use)


def _matched(point: Any) -> int:
    match point:
        case Ours(_, down) | Theirs(_, down):
            return down
    return -1
