local util = require("app.util") --#: imports lua/app/util.lua
local M = {}

local function hidden()
  return util.trim("x") --#: calls lua/app/util.lua::M.trim
end

function M.setup(opts)
  hidden() --#: calls hidden
  M.run() --#: calls M.run
  util.each({ hidden }, function(f) f() end) --#: calls hidden, lua/app/util.lua::M.each
  opts.callback() --#: calls -
end

M.run = function()
  local ok = pcall(M.setup, {}) --#: calls M.setup
  for _, step in ipairs({ M.one, M.two }) do
    step() --#: calls M.one, M.two
  end
  return ok
end

function M.one() end
function M.two() end

return M
