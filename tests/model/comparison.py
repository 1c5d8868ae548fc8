"""The comparison with a fresh server when all work is done, and the promises about edits."""

from __future__ import annotations

import json
import random
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from time import sleep
from typing import Any

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.syntax.split import split
from ptx_lsp.syntax.trivia import mask_open_comments, trivia_length

from .answers import changed_tokens, check_places, edits_by_document, text_edits, token_places, with_own_diagnostics
from .client import Client, FailureError, Message
from .forks import Plan
from .places import ENCODINGS, Edit, Text
from .requests import Ask
from .session import Session
from .state import SOURCES, uri_of

_SOON = 400
"""How often the state of a document is asked for, and a publish is awaited, before that counts as never."""
_QUICK = {"quiet": 0.0, "pause": 0.0, "longest pause": 0.0, "start delay": 0.0}
_QUICK |= {"background pause": 0.0, "warm up": 1e6}
_CHUNK_SIZES = 2, 5, 30, 256, 256
"""Of the fresh server: no answer depends on where chunks end, but what else a fix removes of a line may.

A statement does not know whether something follows in its line if its chunk ends after it. Chunks of the usual size end
where lines do, unless hundreds of statements share a line.
"""
_UNORDERED = {
    "workspace/symbol",
    "workspace/diagnostic",
    "textDocument/references",
    "callHierarchy/incomingCalls",
    "textDocument/rename",
}
"""Results of several files, whose order means nothing."""
_RANDOM_REQUESTS = 8
_ACTIONS = 3
_LENSES = 3
_OF_PLACE = ("E106", "E109")
"""A statement whose syntax is right stands in a wrong place, which is seen once the syntax is repaired."""
_BRACES = "'{'", "'}'"
_CLOSES_NOTHING = ("'}' without '{'",)
"""One without a partner is not reported while something may be hidden in what cannot be read."""
_FEW_ERRORS = 2
"""The most lines with syntax errors with which fixes are judged: in garbage nothing is certain."""


class Comparison:
    """Compares a session's server with a fresh one.

    Args:
        session: the session; all its requests are answered when :meth:`run` ends.
        seed: selects the requests.

    """

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.model = session.model
        self.draw = random.Random(seed)
        self.chunk_size = self.draw.choice(_CHUNK_SIZES)
        self.answers: dict[str, Any] = {}
        """The results of the views of each document, by URI and method."""

    def run(self) -> None:
        """Compare everything.

        Raises:
            FailureError: something differs, or an edit breaks a promise.

        """
        old = self.session.client
        old.wait_for_all()
        self.session.take_answers()
        self._report_files()
        self._settle(old)
        self._check_published(old)
        fresh = self._fresh()
        try:
            self._settle(fresh)
            self._compare(old, fresh)
            for uri in self.model.documents:
                self._check_edits(uri, fresh)
        finally:
            fresh.leave(is_orderly=False)
        for document in self.model.documents.values():
            del document.history[:-1]

    def _report_files(self) -> None:
        """Report the changes on disk, as far as the client reports such changes."""
        model, client = self.model, self.session.client
        if self.session.watches and model.unreported:
            changes = [{"uri": uri, "type": kind} for uri, kind in model.unreported.items()]
            client.notify("workspace/didChangeWatchedFiles", changes=changes)
        elif any(uri.endswith(".toml") for uri in model.unreported):
            client.result("workspace/executeCommand", {"command": "ptx-lsp.reload", "arguments": []})
        model.unreported.clear()

    def _settle(self, client: Client) -> None:
        """Wait until a server has nothing left to do for PTX; it does not say so of sources with inline assembly."""
        client.result("workspace/symbol", {"query": "no such name"})
        for uri in [uri for uri, document in self.model.documents.items() if document.is_ptx]:
            for _ in range(_SOON):
                params = {"command": "ptx-lsp.status", "arguments": [uri]}
                found = client.result("workspace/executeCommand", params)["document"]
                if found is None:
                    raise FailureError("a document is not open", uri)
                if found["isReady"] and found["isComplete"]:
                    break
                sleep(0.01)
            else:
                raise FailureError("never complete", uri)

    def _check_published(self, client: Client) -> None:
        """The published diagnostics are those that are pulled, and those of closed documents are removed."""
        if not self.session.pushes:
            if client.published_count:
                raise FailureError("published although the client pulls", str(client.published))
            return
        for uri, document in self.model.documents.items():
            for _ in range(_SOON):
                pulled = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
                published = client.published.get(uri)
                if published and (published.get("version"), published["diagnostics"]) == (document.version, pulled):
                    break
                sleep(0.005)
                client.drain()
            else:
                raise FailureError("published differs from pulled", _differing(published, {"diagnostics": pulled}))
        for uri, published in client.published.items():
            if uri not in self.model.documents and published["diagnostics"]:
                raise FailureError("diagnostics of a closed document", uri)

    def _fresh(self) -> Client:
        """A new server with the same documents."""
        model, session = self.model, self.session
        plan = Plan((), _QUICK | {"statements of a chunk": self.chunk_size})
        fresh = session.connect(session.options._replace(plan=plan, is_forked=True, holds=False))
        folders = [{"uri": uri_of(name), "name": name} for name in model.folders]
        fresh.ask("initialize", {**session.options.params, "workspaceFolders": folders})
        own, model.own_settings = model.own_settings, model.sent_settings
        if model.is_initialized:
            fresh.notify("initialized")
        if model.sent_settings is not None:
            fresh.notify("workspace/didChangeConfiguration", settings={"ptx-lsp": model.sent_settings})
        for uri, document in model.documents.items():
            fresh.notify("textDocument/didOpen", textDocument=document.item(uri))
        fresh.result("workspace/symbol", {"query": "no such name"})
        model.own_settings = own
        return fresh

    # ------------------------------------------------------------------ views

    def _compare(self, old: Client, fresh: Client) -> None:
        for method, params in self._requests():
            for _ in range(1 if self._is_complete(params) else _SOON):
                found, expected = (normalized(method, client.ask(method, params)) for client in (old, fresh))
                if method == "textDocument/codeAction" and self.chunk_size < max(_CHUNK_SIZES):
                    found, expected = without_edits(found), without_edits(expected)
                if found == expected:
                    break
                sleep(0.01)
            if found != expected:
                about = json.dumps(params)[:300]
                raise FailureError(f"{method} differs", f"{about}\n{_differing(found, expected)}")
            if "result" in found:
                self._check_answer(method, params, found["result"])
        self._compare_tokens(old)
        for uri in self.model.documents:
            for lens in self._some(self.answers.get(f"{uri} textDocument/codeLens"), _LENSES):
                self._compare_one(old, fresh, "codeLens/resolve", lens)
            for hint in self._some(self.answers.get(f"{uri} textDocument/inlayHint"), _LENSES):
                self._compare_one(old, fresh, "inlayHint/resolve", hint)

    def _is_complete(self, params: Message) -> bool:
        """Whether the document of a request is known to be complete; the server does not say that of sources."""
        document = self.model.documents.get((params.get("textDocument") or {}).get("uri", ""))
        return document is None or document.is_ptx

    def _some(self, items: list[Any] | None, count: int) -> list[Any]:
        return self.draw.sample(items, min(count, len(items))) if items else []

    def _compare_one(self, old: Client, fresh: Client, method: str, params: Any) -> None:
        found, expected = (client.ask(method, params) for client in (old, fresh))
        if found.get("result") != expected.get("result") or ("error" in found) != ("error" in expected):
            raise FailureError(f"{method} differs", _differing(found, expected))

    def _requests(self) -> Iterator[tuple[str, Message]]:
        """All views of all documents, and random requests of any kind."""
        makers = self.session.makers
        for uri, document in self.model.documents.items():
            text = document.text
            whole = {"textDocument": {"uri": uri}, "range": text.range(0, len(text.text))}
            options = {"tabSize": 4, "insertSpaces": True}
            for name in ("documentSymbol", "foldingRange", "codeLens", "documentLink", "semanticTokens/full"):
                yield f"textDocument/{name}", {"textDocument": {"uri": uri}}
            for name in ("inlayHint", "semanticTokens/range"):
                yield f"textDocument/{name}", whole
            yield "textDocument/diagnostic", {"textDocument": {"uri": uri}}
            yield "textDocument/formatting", {"textDocument": {"uri": uri}, "options": options}
            yield "textDocument/codeAction", {**whole, "context": {"diagnostics": []}}
            ask = Ask(self.draw, uri, text, {}, [], "")
            methods = [method for method in makers if not method.endswith(("/delta", "executeCommand"))]
            for method in self.draw.choices(methods, k=_RANDOM_REQUESTS):
                for params in makers[method](ask):
                    yield method, params
        yield "workspace/symbol", {"query": ""}
        if self.draw.random() < 0.3:
            yield "workspace/diagnostic", {"previousResultIds": []}

    def _check_answer(self, method: str, params: Message, result: Any) -> None:
        uri = params.get("textDocument", {}).get("uri", "")
        self.answers.setdefault(f"{uri} {method}", result)  # views come before random requests
        check_places(with_own_diagnostics(result, params), uri, self._texts)
        if method.startswith("textDocument/semanticTokens/full") and result is not None:
            places = [{"range": place} for place in token_places(result["data"])]
            check_places(places, uri, self._texts)
        for one, edits in edits_by_document(result if isinstance(result, dict) else None).items():
            for text in self._texts(one):
                text_edits(edits, text)

    def _texts(self, uri: str) -> list[Text]:
        document = self.model.documents.get(uri)
        text = document.text if document is not None else self.model.read(uri)
        return [text] if text is not None else []

    def _compare_tokens(self, client: Client) -> None:
        """The deltas applied give all tokens."""
        for uri in self.model.documents:
            number, data = self.session.tokens.get(uri, ("", []))
            params = {"textDocument": {"uri": uri}, "previousResultId": number}
            found = client.result("textDocument/semanticTokens/full/delta", params)
            data = changed_tokens(data, found["edits"]) if "edits" in found else found["data"]
            self.session.tokens[uri] = found["resultId"], data
            expected = self.answers[f"{uri} textDocument/semanticTokens/full"]["data"]
            if data != expected:
                raise FailureError("tokens by deltas differ", _differing(data, expected))

    # ------------------------------------------------------------------ edits

    def _check_edits(self, uri: str, fresh: Client) -> None:
        text = self.model.documents[uri].text
        edits = text_edits(self.answers[f"{uri} textDocument/formatting"] or [], text)
        if edits:
            self._check_formatting(uri, text.edited(edits), fresh)
        preferred = [
            action
            for action in self.answers[f"{uri} textDocument/codeAction"] or ()
            if action.get("isPreferred") and "disabled" not in action
        ]
        for action in self._some(preferred, _ACTIONS):
            edit = action.get("edit") or fresh.result("codeAction/resolve", action).get("edit")
            for one, items in edits_by_document(edit).items():
                for before in self._texts(one):
                    changes = text_edits(items, before)
                    if one not in SOURCES and brings_syntax_error(before, changes):
                        evidence = f"{action['title']}\n{before.text!r}\n{before.edited(changes)!r}"
                        raise FailureError("a preferred fix brings a syntax error", evidence)

    def _check_formatting(self, uri: str, text: str, fresh: Client) -> None:
        """Formatted text is not changed by formatting."""
        document = self.model.documents[uri]
        change = {"text": text}
        version = {"uri": uri, "version": document.version + 1}
        fresh.notify("textDocument/didChange", textDocument=version, contentChanges=[change])
        params = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}
        again = fresh.result("textDocument/formatting", params)
        edits = text_edits(again, Text(text, self.model.encoding))
        change = {"text": document.text.text}
        version = {"uri": uri, "version": document.version}
        fresh.notify("textDocument/didChange", textDocument=version, contentChanges=[change])
        if Text(text, ENCODINGS[2]).edited(edits) != text:
            evidence = f"{document.text.text!r}\n{text!r}\n{json.dumps(again)[:800]}"
            raise FailureError("formatting again changes the text", evidence)


def brings_syntax_error(before: Text, edits: list[Edit]) -> bool:
    """Whether more regions have syntax errors after the edits, and a statement has one that was right.

    The fix of a mistake can uncover the next one in its statement, on another line too, and the closing bracket in
    ``[a;b]`` what follows the ``;`` in its last line. Of several ``}`` that close nothing only the first is reported:
    without it, the next one is.
    """
    if any('"' in edit.new for edit in edits):
        return False  # the end of a string shows what it hid
    removed = "".join(before.text[edit.start : edit.end] for edit in edits)
    added = "".join(edit.new for edit in edits)
    has_braces = not {"{", "}"}.isdisjoint(removed + added)
    after = before.edited(edits)
    old = _syntax_errors(before.text, _BRACES if not has_braces else ())
    closes_less = removed.count("}") > added.count("}") and "{" not in removed
    new = _syntax_errors(after, _BRACES if not has_braces else _CLOSES_NOTHING if closes_less else ())
    broken = _broken_regions(before.text, old)
    if len(broken) > _FEW_ERRORS or len(_broken_regions(after, new)) <= len(broken):
        return False
    former = [_former(edits, place) for place in new]
    return not all(any(start <= place <= end for start, end in broken) for place in former)


def _syntax_errors(text: str, left_out: tuple[str, ...]) -> list[int]:
    """The offsets of the errors of the syntax, without those whose messages begin with one of some texts."""
    broken = (one for one in check_text(text) if "E101" <= one.code <= "E110" and one.code not in _OF_PLACE)
    broken = (one for one in broken if not one.message.startswith(left_out))
    return [one.span.start - (one.span.start == one.span.end) for one in broken]  # at its end


def _broken_regions(text: str, places: list[int]) -> list[tuple[int, int]]:
    """The start and end of the statements with errors, each with all that begin in its last line.

    Only the first error of a line is reported.
    """
    pieces = split(text)
    starts = list(accumulate(map(len, pieces), initial=0))
    broken = {min(bisect_right(starts, place), len(pieces)) - 1 for place in places}
    regions: list[tuple[int, int]] = []
    last_line = -1
    for number, (piece, start, end) in enumerate(zip(pieces, starts, starts[1:], strict=False)):
        first_line = text.count("\n", 0, start + trivia_length(mask_open_comments(piece)))
        if regions and first_line == last_line:
            regions[-1] = regions[-1][0], end
        elif number in broken:
            regions.append((start, end))
        else:
            continue
        last_line = text.count("\n", 0, end)
    return regions


def _former(edits: list[Edit], place: int) -> int:
    """The offset before the edits of what is at an offset after them; of new text where it was put."""
    for edit in edits:
        if place < edit.start:
            break
        if place < edit.start + len(edit.new):
            return edit.start
        place += edit.end - edit.start - len(edit.new)
    return place


def normalized(method: str, answer: Message) -> Message:
    """An answer without its id, in an order of its own."""
    if "error" in answer:
        return {"error": answer["error"]["code"]}
    result = answer["result"]
    if method.startswith("textDocument/semanticTokens"):
        result = {"data": result["data"]} if result else result
    if method in _UNORDERED:
        result = _sorted(result)
    return {"result": result}


def without_edits(answer: Message) -> Message:
    """Code actions as they are offered, without what they do."""
    actions = answer.get("result")
    return {"result": [{**one, "edit": None} for one in actions]} if actions else answer


def _sorted(value: Any) -> Any:
    """The value with its lists in the order of their text."""
    if isinstance(value, dict):
        return {name: _sorted(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def _differing(found: Any, expected: Any) -> str:
    """The place where two values differ, from a little before it."""
    texts = [json.dumps(one, sort_keys=True, ensure_ascii=False) for one in (found, expected)]
    pairs = zip(*texts, strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), min(map(len, texts)))
    begin = max(0, at - 300)
    return "\n".join(f"{name}: …{text[begin : at + 500]}" for name, text in zip(("found", "fresh"), texts, strict=True))
