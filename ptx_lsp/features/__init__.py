"""Editor features: one feature per file or package; answers are plain records with code-point spans.

Nothing here knows the protocol; :mod:`ptx_lsp.server.handlers` translates.
"""
