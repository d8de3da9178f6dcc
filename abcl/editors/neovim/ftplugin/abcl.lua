-- ABCL/ST in Neovim 0.7 and later: one language server for all buffers, and the layout of `abcl fmt`.
-- K shows the type or signature under the cursor, gd goes to its definition, gr lists where it is used.
vim.bo.commentstring = '; %s'
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
vim.bo.formatexpr = 'v:lua.vim.lsp.formatexpr()'
-- Colours by the tree-sitter grammar, if its parser is there (Neovim 0.9); else by syntax/abcl.vim.
if vim.treesitter and vim.treesitter.start then pcall(vim.treesitter.start) end

if vim.fn.executable('abcl') == 0 then
  vim.notify('abcl is not in the PATH: no errors will be shown', vim.log.levels.WARN)
  return
end
if _G.abcl_server == nil or vim.lsp.get_client_by_id(_G.abcl_server) == nil then
  _G.abcl_server = vim.lsp.start_client({ name = 'abcl', cmd = { 'abcl', 'lsp' }, root_dir = vim.fn.getcwd() })
end
vim.lsp.buf_attach_client(0, _G.abcl_server)

for keys, action in pairs({ K = vim.lsp.buf.hover, gd = vim.lsp.buf.definition, gr = vim.lsp.buf.references }) do
  vim.keymap.set('n', keys, action, { buffer = true })
end
