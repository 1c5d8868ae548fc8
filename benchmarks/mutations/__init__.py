"""Breaking valid PTX in one place at a time, the way a person would.

``scan`` reads a module just well enough to find places; the kinds of mistake stand in the files named after what they
touch; ``mutants`` makes them. Nothing here uses ptx_lsp: what measures shares no code with what is measured.
"""
