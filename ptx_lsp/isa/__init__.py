"""The instruction set: instructions, their forms and gates, targets, versions, and the words of the language.

Nothing here knows files being edited, editors or syntax trees. The facts stand in ``grammar/isa/**`` and
``grammar/vocabulary/``; the code only reads and asks them. Start with :func:`ptx_lsp.isa.catalogue.catalogue`
and :func:`ptx_lsp.isa.match.match`.
"""
