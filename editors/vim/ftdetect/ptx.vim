autocmd BufNewFile,BufRead *.ptx setfiletype ptx
