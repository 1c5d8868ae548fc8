-- Neovim knows *.ptx since 0.11.
vim.filetype.add({ extension = { ptx = 'ptx' } })
