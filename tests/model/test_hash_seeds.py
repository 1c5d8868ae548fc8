"""Answers do not depend on the order of sets, which Python draws anew for each process."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from .client import Client, Message
from .comparison import normalized
from .forks import Plan
from .places import Text
from .profiles import initialize_params
from .requests import Ask, requests_of
from .texts import example

_ROOT = Path(__file__).parent.parent.parent
_FILES = (
    "examples/mistakes.ptx",
    "examples/suspicious.ptx",
    "benchmarks/handwritten/hopper_pipeline.ptx",
    "benchmarks/handwritten/tensor_memory.ptx",
    "benchmarks/handwritten/calls_and_tables.ptx",
)
_EXAMPLES = 5
_REQUESTS = 6
"""Requests of each kind for each document."""


def _texts() -> dict[str, str]:
    draw = random.Random("hash seeds")
    texts = {path: (_ROOT / path).read_text("utf-8") for path in _FILES}
    return texts | {f"example{number}.ptx": example(draw) for number in range(_EXAMPLES)}


def _answers(seed: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """All answers of a server whose hash seed is ``seed``, each by its request."""
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    draw = random.Random("hash seeds")
    client = Client(None, Plan(), _configuration)
    params = initialize_params(random.Random(1), watches=True)
    capabilities = client.ask("initialize", params)["result"]["capabilities"]
    makers = requests_of(capabilities)
    client.notify("initialized")
    answers: dict[str, Any] = {}
    for name, content in _texts().items():
        uri = f"file:///nowhere/{name}"
        item = {"uri": uri, "languageId": "ptx", "version": 1, "text": content}
        client.notify("textDocument/didOpen", textDocument=item)
        found = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        ask = Ask(draw, uri, Text(content, capabilities["positionEncoding"]), {}, found["result"]["items"], "")
        for method in makers:
            if method.endswith(("/delta", "executeCommand", "workspace/diagnostic")):
                continue
            for _ in range(_REQUESTS):
                for request in makers[method](ask):
                    answer = client.ask(method, request)
                    ask.results.setdefault(method, []).append(answer.get("result"))
                    answers[f"{method} {json.dumps(request)}"] = normalized(method, answer)
    client.leave()
    return answers


def _configuration(method: str, params: Any) -> Message:
    return {"result": [None for _ in params["items"]] if method == "workspace/configuration" else None}


def test_answers_are_equal_for_all_hash_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _answers("1", monkeypatch)
    assert len(expected) > 1000
    for one, other in zip(_answers("2", monkeypatch).items(), expected.items(), strict=True):
        assert one == other
