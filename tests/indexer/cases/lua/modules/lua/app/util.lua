local M = {}

function M.trim(s)
  return s
end

function M.each(list, fn)
  for _, item in ipairs(list) do
    fn(item)
  end
end

return M
