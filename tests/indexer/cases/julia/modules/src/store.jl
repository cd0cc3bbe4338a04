module Stores
export find, put!, Store
mutable struct Store
    rows::Dict{Int,Any}
end
find(s::Store, id) = get(s.rows, id, nothing) #: references Stores.Store.rows, Stores.Store
function put!(s::Store, row)
    s.rows[row.id] = row
    find(s, row.id) #: calls Stores.find
end
end
