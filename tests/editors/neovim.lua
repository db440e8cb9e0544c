-- Runs the linter of `docs/editors.md` as nvim-lint does, on a model that is not saved, and reads Neovim's diagnostics.

local MODEL = [[
$version: "2"
namespace example
use smithy.waiters#waitable
@waitable(
    ThingReady: { acceptors: [
        { state: "failure", matcher: { output: { path: "status", comparator: "stringEquals", expected: "ä€𝄞" } } }, { state: "success", matcher: { output: { path: "status", comparator: "stringEquals", expected: "DONE" } } }
        { state: "failure", matcher: { output: { path: "misspelled", comparator: "stringEquals", expected: "FAILED" } } }
    ] }
)
operation GetThing {
    output := { status: Status }
}
]]
local OTHER = '$version: "2"\nnamespace example\nenum Status { PENDING, READY, FAILED }\n'

local function write(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
end

-- Returns what the linter shows for a buffer, as nvim-lint would.
local function lint(linter, buffer)
  local arguments = vim.tbl_map(function(one) return type(one) == "function" and one() or one end, linter.args)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
  local output = vim.fn.system(vim.list_extend({ vim.env.SMITHY_WAITERS_COMMAND }, arguments), text)
  local namespace = vim.api.nvim_create_namespace("lint")
  vim.diagnostic.set(namespace, buffer, linter.parser(output, buffer))
  return vim.diagnostic.get(buffer)
end

local function test()
  vim.fn.mkdir("model")
  write("model/thing.smithy", "not yet")
  write("model/status.smithy", OTHER)
  local page = assert(io.open(vim.env.SMITHY_WAITERS_PAGE)):read("*a")
  local example = assert(page:match("```lua\n(.-)```"))
  local plugin = { linters = {} }
  package.loaded.lint = plugin
  assert(loadstring(example))()
  vim.cmd("edit model/thing.smithy")
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(MODEL, "\n"))
  local linter = plugin.linters[plugin.linters_by_ft.smithy[1]]

  local found = {}
  for _, one in ipairs(lint(linter, buffer)) do
    local line = vim.api.nvim_buf_get_lines(buffer, one.lnum, one.lnum + 1, false)[1]
    table.insert(found, ("%d %s %s"):format(one.severity, one.code:match("%.(%a+)"), line:sub(one.col + 1, one.end_col)))
  end
  table.sort(found)
  -- Smithy's own event about `misspelled` is the language server's.
  local expected = { '2 NeverMatches "DONE"', '2 NeverMatches "ä€𝄞"', "4 WaiterName @waitable" }
  assert(vim.deep_equal(found, expected), vim.inspect(found))

  vim.fn.delete("model", "rf")
  local broken = lint(linter, buffer)
  assert(#broken == 1 and broken[1].message:find("error: cannot read `model`", 1, true), vim.inspect(broken))
  return #found
end

local passed, result = xpcall(test, debug.traceback)
io.stdout:write(passed and (result .. " diagnostics in Neovim\n") or (result .. "\n"))
vim.cmd(passed and "qall!" or "cquit")
