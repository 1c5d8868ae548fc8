"""What is known of shapes is forgotten with them: whoever keeps answers about shapes says here how to forget."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

ParametersT = ParamSpec("ParametersT")
AnswerT = TypeVar("AnswerT")

_KEPT = 1 << 12
_FORGETTING: list[Callable[[AbstractSet[int]], object]] = []


def when_forgotten(forget: Callable[[AbstractSet[int]], object]) -> None:
    """Call a function whenever shapes have been forgotten, with the ids of those that are left."""
    _FORGETTING.append(forget)


def forget_answers(left: AbstractSet[int]) -> None:
    """Forget what is known of other shapes than those that are left."""
    for forget in _FORGETTING:
        forget(left)


def kept_by_shape(function: Callable[ParametersT, AnswerT]) -> Callable[ParametersT, AnswerT]:
    """Keep the answers of a function of a shape until shapes are forgotten, which these answers would else hold."""
    kept = lru_cache(maxsize=_KEPT)(function)
    when_forgotten(lambda _: kept.cache_clear())
    return cast("Callable[ParametersT, AnswerT]", kept)
