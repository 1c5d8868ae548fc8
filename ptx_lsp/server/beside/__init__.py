"""``ptx-lsp beside -- clangd …``: one server for the editor, made of this one and that of the host language."""
