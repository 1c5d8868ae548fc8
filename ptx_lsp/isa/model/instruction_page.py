"""An instruction: what one page holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.form import InstructionForm
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.shared import Shared

if TYPE_CHECKING:
    from ptx_lsp.isa.model.page_words import PageWords


class InstructionPage:
    """The forms of a page, under the names of its heading."""

    def __init__(
        self,
        names: tuple[str, ...],
        title: str,
        path: str,
        forms: tuple[InstructionForm, ...],
        shared: Shared,
    ) -> None:
        self.names = names
        """The opcode names, as ptxas reads them: ``mul``, ``mul.lo``."""
        self.title = title
        self.path = path
        """The page in the grammar folder: ``isa/memory/ld.md``."""
        self.forms = forms
        self._shared = shared

    @once
    def words(self) -> PageWords:
        """The prose of the page; read from the page itself when first asked for."""
        from ptx_lsp.grammar_files import read_grammar
        from ptx_lsp.isa.model.page_words import read_words

        return read_words(read_grammar(self.path))

    @once
    def places(self) -> frozenset[str]:
        """The names of all places of the forms; a qualifier that cannot be another one is the name of its place."""
        return frozenset(slot.name for form in self.forms for slot in form.slots)

    def __repr__(self) -> str:
        return f"<Instruction {self.names[0]}>"

    def name_in(self, opcode: tuple[str, ...]) -> str:
        """The longest of the names that an opcode begins with: ``cp.async.bulk.tensor``."""
        text = "".join(opcode) + "."
        return max((name for name in self.names if text.startswith(name + ".")), key=len, default=opcode[0])

    @once
    def prepared(self) -> dict[str, tuple[PreparedForm, ...]]:
        """The forms ready for matching, by their mnemonic, in the page's order."""
        found: dict[str, list[PreparedForm]] = {}
        for form in self.forms:
            found.setdefault(form.mnemonic, []).append(PreparedForm(form, self._shared))
        return {mnemonic: tuple(forms) for mnemonic, forms in found.items()}
