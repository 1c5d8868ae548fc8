"""Breaking valid PTX in one place at a time, the way a person would.

``scan`` reads a module just well enough to find places; the kinds of mistake stand in the files named after what they
touch; ``mutants`` makes them. What breaks and reads uses nothing of ptx_lsp: a measure shares no code with
what it measures.
"""
