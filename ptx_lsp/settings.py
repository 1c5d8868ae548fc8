"""User settings from ``ptx-lsp.toml``, an editor or the command line, with identical keys everywhere.

Keys are accepted as ``ptx-version``, ``ptx_version`` or ``ptxVersion``.
Nothing here raises on bad input: invalid entries are described in a list of problems and skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any

from ptx_lsp import codes
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.preferences import CodeLenses, Completion, Format, InlayHints, Names, read_table
from ptx_lsp.value_text import describe_value, truncated

FILE_NAME = "ptx-lsp.toml"
BUILD_FILE_NAME = "compile_commands.json"
"""The file in which a build says how it compiles each source: its targets."""
_VERSION = re.compile(r"\d{1,3}\.\d{1,3}")
_TARGET = re.compile(r"sm_\d{2,3}[af]?")


class Settings(NamedTuple):
    """All settings: of checking, of the findings that are shown, and of the editor features."""

    target: str | None = None
    """Check as if ``.target`` specified this target, such as ``sm_90a``. Unset: the target of the module."""
    ptx_version: str | None = None
    """Check as if ``.version`` specified this version, such as ``8.5``. Unset: the version of the module."""
    select: tuple[str, ...] = ()
    """Show only findings with these codes: numbers, prefixes of numbers, names. Empty: all."""
    ignore: tuple[str, ...] = ()
    """Do not show findings with these codes. Takes precedence over ``select``."""
    severity: tuple[tuple[str, Severity], ...] = ()
    """Severities that replace the defaults, by code."""
    max_diagnostics: int = 1000
    """The maximum number of findings shown per file."""
    completion: Completion = Completion()
    """Settings of completion."""
    inlay_hints: InlayHints = InlayHints()
    """The kinds of inlay hints that are shown."""
    code_lenses: CodeLenses = CodeLenses()
    """The kinds of code lenses above functions and variables."""
    names: Names = Names()
    """The names of functions and variables."""
    format: Format = Format()
    """Settings of the formatter."""
    targets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The targets of sources with inline assembly, by patterns of paths; the last that fits counts."""

    @property
    def checking(self) -> tuple[object, ...]:
        """The settings that findings depend on: all except the tables of editor features."""
        return tuple(getattr(self, name) for name in self._fields if name not in _TABLES)

    def shows(self, code: str) -> bool:
        """Whether findings with this code are selected."""
        if code in codes.ON_DEMAND and not self._names(code):
            return False
        if any(code in codes.numbers(word) for word in self.ignore):
            return False
        return not self.select or any(code in codes.numbers(word) for word in self.select)

    def _names(self, code: str) -> bool:
        """Whether a code is selected by its full number or its name, not only by a prefix of its number."""
        words = (*self.select, *(word for word, _ in self.severity))
        return any(codes.numbers(word) == (code,) for word in words)

    def applied(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The selected findings with the configured severities. Idempotent."""
        if self.shows_all:
            return list(diagnostics)
        severities = {number: severity for word, severity in self.severity for number in codes.numbers(word)}
        return [
            diagnostic._replace(severity=severities.get(diagnostic.code, diagnostic.severity))
            for diagnostic in diagnostics
            if self.shows(diagnostic.code)
        ]

    def severity_of(self, code: str, default: Severity) -> Severity:
        """The severity that findings with a code have."""
        severities = [severity for word, severity in self.severity if code in codes.numbers(word)]
        return severities[-1] if severities else default

    @property
    def shows_all(self) -> bool:
        """Whether all findings are shown with their default severity."""
        return not (self.select or self.ignore or self.severity)


class Configuration(NamedTuple):
    """The settings that apply to a folder, the path of their file, and the problems in it."""

    settings: Settings
    path: str | None
    problems: tuple[str, ...]


_LARGEST = 1 << 18
"""Bytes of a file of settings; a larger one is none."""
_MOST = 1000
"""Codes, or entries of a table, in one setting."""


def find(folder: str) -> Configuration:
    """The settings of the nearest ``ptx-lsp.toml`` in ``folder`` or its parents; the defaults if there is none."""
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, FILE_NAME)
        if os.path.isfile(path):
            return read(path)
        above = os.path.dirname(folder)
        if above == folder:
            return Configuration(Settings(), None, ())
        folder = above


def read(path: str) -> Configuration:
    """The settings in the file ``path``."""
    import tomllib

    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            return Configuration(Settings(), path, (f"is larger than {_LARGEST} bytes",))
        mapping = tomllib.loads(content.decode())
    except OSError as error:
        return Configuration(Settings(), path, (f"cannot be read: {error.strerror or error}",))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Configuration(Settings(), path, (f"is not valid TOML: {error}",))
    except ValueError:  # Python reads no decimal number of more than 4300 digits
        return Configuration(Settings(), path, ("is not valid TOML: a number has too many digits",))
    except RecursionError:
        return Configuration(Settings(), path, ("is not valid TOML: nested too deeply",))
    settings, problems = from_mapping(mapping)
    return Configuration(settings, path, tuple(problems))


def from_mapping(mapping: object, base: Settings | None = None) -> tuple[Settings, list[str]]:
    """``base`` (or the defaults) updated by ``mapping``, and the problems of the mapping, one sentence each."""
    settings = base or Settings()
    if not isinstance(mapping, Mapping):
        return settings, [f"settings must be a table of keys and values, not {_describe(mapping)}"]
    problems: list[str] = []
    for key, value in mapping.items():
        name = _fold(str(key))
        if name in _TABLES_BY_KEY:
            name = _TABLES_BY_KEY[name]
            table, wrong = read_table(getattr(settings, name), value)
            settings = settings._replace(**{name: table})
            problems += [f"'{truncated(str(key))}' {one}" for one in wrong]
            continue
        reader = _READERS.get(name)
        if reader is None:
            problems.append(f"unknown key '{truncated(str(key))}'{_did_you_mean(str(key))}")
            continue
        name, convert = reader
        try:
            settings = settings._replace(**{name: convert(value)})
        except ValueError as error:
            problems.append(f"'{key}' {error}")
    return settings, problems


def _target(value: object) -> str | None:
    """A target by name; None for an empty string, which editors send for "not set"."""
    if value in ("", None):
        return None
    if not isinstance(value, str) or not _TARGET.fullmatch(value):
        raise ValueError(f"must be a target such as 'sm_90a', not {_describe(value)}")
    return value


def _targets(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Targets by patterns of paths."""
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a table such as {{'src/*.cu' = ['sm_90a']}}, not {_describe(value)}")
    _few(value)
    found = []
    for pattern, names in value.items():
        if not isinstance(names, list | tuple) or not names:
            raise ValueError(f"of '{truncated(str(pattern))}' must be a list of targets such as ['sm_90a', 'sm_100a']")
        found.append((str(pattern), tuple(filter(None, map(_target, names)))))
    return tuple(found)


def _version(value: object) -> str | None:
    """A PTX version; a TOML float is rejected, since 8.10 would be read as 8.1."""
    if value in ("", None):
        return None
    if not isinstance(value, str) or not _VERSION.fullmatch(value):
        raise ValueError(f"must be a PTX version in quotes, such as '8.5', not {_describe(value)}")
    return value


def _codes(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        raise ValueError(f"must be a list of codes such as ['E502', 'H9'], not {_describe(value)}")
    _few(value)
    for word in value:
        _known(word)
    return tuple(value)


def _severity(value: object) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a table such as {{E502 = 'warning'}}, not {_describe(value)}")
    _few(value)
    found = []
    for word, name in value.items():
        _known(str(word))
        if not isinstance(name, str) or name.upper() not in Severity.__members__:
            wanted = ", ".join(repr(severity.name.lower()) for severity in Severity)
            raise ValueError(f"of '{truncated(str(word))}' must be one of {wanted}, not {_describe(name)}")
        found.append((str(word), Severity[name.upper()]))
    return tuple(found)


_ALL = 1_000_000_000
"""Upper bound of the number of findings of a file; larger values are clamped to it."""


def _limit(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"must be at least 1, not {_describe(value)}")
    return min(value, _ALL)


def _few(value: Sized) -> None:
    if len(value) > _MOST:
        raise ValueError(f"must have at most {_MOST} entries, not {len(value)}")


def _known(word: str) -> None:
    if not codes.numbers(word):
        meant = codes.nearest(word)
        raise ValueError(f"names an unknown code '{truncated(word)}'" + (f"; did you mean '{meant}'?" if meant else ""))


def _describe(value: object) -> str:
    kinds = {str: "the text", bool: "the truth value", int: "the number", float: "the number"}
    for kind, words in kinds.items():
        if isinstance(value, kind):
            return f"{words} {describe_value(value)}"
    return describe_value(value)


def _fold(key: str) -> str:
    """The canonical spelling of ``ptx-version``, ``ptx_version`` and ``ptxVersion``."""
    return key.replace("-", "").replace("_", "").lower()


def _did_you_mean(key: str) -> str:
    from difflib import get_close_matches

    keys = [name.replace("_", "-") for name in Settings._fields]
    found = get_close_matches(key, keys, 1, 0.6)
    return f"; did you mean '{found[0]}'?" if found else f"; there are {', '.join(keys)}"


_TABLES = ("completion", "inlay_hints", "code_lenses", "names", "format")
_TABLES_BY_KEY = {_fold(name): name for name in _TABLES}
_READERS: dict[str, tuple[str, Callable[[object], Any]]] = {
    "target": ("target", _target),
    "targets": ("targets", _targets),
    "ptxversion": ("ptx_version", _version),
    "select": ("select", _codes),
    "ignore": ("ignore", _codes),
    "severity": ("severity", _severity),
    "maxdiagnostics": ("max_diagnostics", _limit),
}
