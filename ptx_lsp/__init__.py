"""ptx-lsp: a language server and checker for NVIDIA PTX."""

__version__ = "0.1.0"
