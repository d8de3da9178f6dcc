autocmd BufRead,BufNewFile *.abcl setfiletype abcl
