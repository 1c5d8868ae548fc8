"""Several modules that may be linked to one program: which names of theirs mean the same thing.

A name with a linkage directive is one thing in all files that are linked; without one each file has its own. The
set of linked files is not known. So two files that both define a ``.visible`` name are taken for parts of different
programs, unless some file leaves open where the name is defined.

Source: PTX ISA, "Linking Directives".
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Generic, NamedTuple

from ptx_lsp.analysis.module.interface import ExportedSymbol, Interface, PlaceT
from ptx_lsp.stepwise import run_to_completion

_OPEN = frozenset({".extern", ".weak", ".common"})
"""Of these one file may have a declaration and another the definition that holds."""
_STEP = 1000
"""Number of entries that are taken over before the next pause."""


class Declared(NamedTuple, Generic[PlaceT]):
    """A declaration and the file that it stands in."""

    file: str
    entry: ExportedSymbol[PlaceT]


class Program(Generic[PlaceT]):
    """The interfaces of files, by whatever names the files have."""

    def __init__(self) -> None:
        self.files: dict[str, Interface[PlaceT]] = {}
        self._sharing: dict[str, dict[str, None]] = {}
        """The files that declare a name with linkage."""

    def put(self, file: str, interface: Interface[PlaceT]) -> None:
        """Take over what a file has now."""
        run_to_completion(self.replacing(file, interface))

    def replacing(self, file: str, interface: Interface[PlaceT]) -> Generator[None, None, None]:
        """Take over what a file has now, in steps; ends early if the file gets another interface meanwhile."""
        self.drop(file)
        self.files[file] = interface
        for number, entry in enumerate(interface.entries, 1):
            if entry.linkage:
                self._sharing.setdefault(entry.name, {})[file] = None
            if number % _STEP == 0:
                yield
                if self.files.get(file) is not interface:
                    return

    def drop(self, file: str) -> None:
        """Forget a file."""
        before = self.files.pop(file, None)
        for entry in before.entries if before is not None else ():
            files = self._sharing.get(entry.name)
            if files is not None:
                files.pop(file, None)
                if not files:
                    del self._sharing[entry.name]

    def declarations(self, name: str, files: Iterable[str] | None = None) -> Iterator[Declared[PlaceT]]:
        """The declarations with linkage of a name, in all files or some."""
        for file in list(self._sharing.get(name, ())) if files is None else files:
            interface = self.files.get(file)
            for entry in interface.entries if interface is not None else ():
                if entry.name == name and entry.linkage:
                    yield Declared(file, entry)

    def linked(self, file: str, name: str) -> list[str]:
        """The files in which ``name`` is the same thing as in ``file``, which comes first."""
        sharing = self._sharing.get(name, {})
        if file not in sharing:
            return [file]
        others = sorted(other for other in sharing if other != file)
        found = list(self.declarations(name, [file, *others]))
        is_open = any(one.entry.linkage in _OPEN and not one.entry.is_bound_at_launch for one in found)
        return [file, *others] if is_open else [file]

    def definitions(self, file: str, name: str) -> list[Declared[PlaceT]]:
        """The definitions in other files of ``name`` as ``file`` means it; ``.weak`` ones only if there is no other."""
        others = self.linked(file, name)[1:]
        found = [one for one in self.declarations(name, others) if one.entry.is_definition]
        strong = [one for one in found if one.entry.linkage not in _OPEN]
        return strong or found

    def is_defined(self, file: str, name: str) -> bool:
        """Whether ``name``, as ``file`` means it, is more than ``.extern`` in one of the files, or need not be."""
        return any(
            one.entry.linkage != ".extern" or one.entry.is_bound_at_launch
            for one in self.declarations(name, self.linked(file, name))
        )

    def collision(self, files: Iterable[str], new: str) -> Declared[PlaceT] | None:
        """A declaration that a name of ``files`` would be one with if it were called ``new``."""
        ours = frozenset(files)
        for one in self.declarations(new):
            if one.file not in ours and (len(ours) > 1 or one.entry.linkage in _OPEN):
                return one
        return None
