"""PTX fragments: the text of an inline-assembly statement as PTX, its operands, and its places in the host.

This is between the lexers of the hosts, which know nothing of PTX, and the checks. A
:class:`~ptx_lsp.embedded.fragment.AsmFragment`
keeps the text of the template as it is written: ``%0`` and ``$0`` are names of PTX. They enter the analysis as a table
of given names (:mod:`ptx_lsp.analysis.symbols.given_names`), so that no text is added.
"""
