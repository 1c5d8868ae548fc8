"""The terminal side: ``ptx-lsp check``, ``ptx-lsp explain``, and the way into the server.

Whole-process time counts here, so modules import late what not every run needs.
"""
