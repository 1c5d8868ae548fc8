-- What is particular to PTX while typing. Set vim.b.did_ftplugin in a file of your own to have none of it.

if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = true

-- Names begin with a letter, '_', '$' or '%', so that '*', 'ciw' and CTRL-] take the whole of %r1 and $L__BB0_2.
-- The dot is left out: 'cw' on ld.global.f32 changes one part of it.
vim.opt_local.iskeyword = { '@', '48-57', '_', '$', '%' }

vim.opt_local.comments = { 's1:/*', 'mb:*', 'ex:*/', '://' }
vim.opt_local.commentstring = '// %s'
vim.opt_local.formatoptions:remove('t') -- code is not broken where a line is long
vim.opt_local.formatoptions:append('croqlj')
vim.opt_local.suffixesadd = { '.ptx' }

vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. ' | ' or '')
  .. 'setlocal iskeyword< comments< commentstring< formatoptions< suffixesadd<'
