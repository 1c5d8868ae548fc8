"""Construction of the records of ``tree.py``, bottom-up, as the parser reduces.

One method per rule of the grammar, named after it, in a class per part of the language.
"""

from __future__ import annotations

from ptx_lsp.syntax.declaration_builder import DeclarationBuilder
from ptx_lsp.syntax.directive_builder import DirectiveBuilder
from ptx_lsp.syntax.function_builder import FunctionBuilder
from ptx_lsp.syntax.instruction_builder import InstructionBuilder


class TreeBuilder(InstructionBuilder, DeclarationBuilder, FunctionBuilder, DirectiveBuilder):
    """Builds the tree of one statement and collects in ``uses`` the tokens of the names that it uses."""
