module Shop
include("store.jl") #: imports src/store.jl
include("checks.jl") #: imports src/checks.jl
using .Stores
using .Stores: find as lookup
import JSON

struct Order <: Record #: inherits src/checks.jl::Record
    id::Int
    store::Stores.Store
    items::Vector{Item}
    Order(id) = new(id, Stores.Store(), []) #: calls src/store.jl::Stores.Store
end

total(order::Order) = sum(price, order.items) #: calls src/checks.jl::price

function place(order::Order, n::Int=1; strict=true)::Bool
    check(order.id) || return false #: calls src/checks.jl::check
    put!(order.store, order) #: calls src/store.jl::Stores.put!
    found = Stores.find(order.store, n) #: calls src/store.jl::Stores.find
    lookup(order.store, n) |> check #: calls src/store.jl::Stores.find, src/checks.jl::check
    for item in order.items
        price(item) #: calls src/checks.jl::price
    end
    map(check, found) #: calls src/checks.jl::check
    map(x -> check(x), found) #: calls src/checks.jl::check
    foreach(found) do x
        audit(x) #: calls Shop.audit
    end
    function late(y) audit(y) end #: calls Shop.audit
    late(found) #: calls Shop.place.late
    other = Order(2) #: calls Shop.Order, Shop.Order.Order
    total(other) > 1 #: calls Shop.total
end

audit(x) = x
end
