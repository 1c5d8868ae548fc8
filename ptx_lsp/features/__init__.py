"""Editor features: one feature per file or package; answers are plain records with code-point spans.

Features are independent of the protocol; :mod:`ptx_lsp.server.handlers` converts their answers.
"""
