"""What an editor can ask: one feature a file, answers in plain records with code-point spans.

Nothing here knows the protocol; :mod:`ptx_lsp.server.handlers` translates.
"""
