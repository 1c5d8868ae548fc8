"""The command line: ``ptx-lsp check``, ``explain``, ``format``, ``symbols``, ``decode``, ``encode``, and the server.

Startup time matters here, so modules import lazily.
"""
