require("app").setup({}) --#: imports lua/app/init.lua; calls lua/app/init.lua::M.setup

function Global()
end

Global() --#: calls Global
