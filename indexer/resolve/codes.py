"""Codes of the items that the solver subscribes itself, after those of the instructions."""

BIND_MEMBER = 32  # variable, receiver — a member found on a class becomes an attribute
CONSTRUCT = 33  # item of the call, class — a constructor arrives
EXTEND = 34  # container — its elements are those of what arrives too
KEY_READ = 35  # variable, container — a constant key arrives
KEY_STORE = 36  # variable, container
GET_ITEM = 37  # variable — a bound subscript method arrives
ITERATE = 38  # item of the iteration — a bound `__iter__` arrives
ADVANCE = 39  # item of the iteration — a bound `__next__` arrives
ITERATED = 40  # item of the iteration — what `__iter__` returned arrives
ENTERED = 41  # variable — a bound `__enter__` arrives
TYPE_BASE = 42  # item of the NEWTYPE — a base class arrives
TYPE_SPACE = 43  # class — its namespace container arrives
CLASS_BASE = 44  # class — a base that only flow can find arrives
PROTO_READ = 45  # variable, name, receiver — a prototype arrives
BIND_SLOT = 47  # variable, receiver — a stored value becomes an attribute
KEEP_CONTAINERS = 48  # variable — only containers pass
DROP_INSTANCES = (
    49  # variable, classes — all but their instances pass; no classes: all but containers
)
CONTEXT = 50  # function written as an argument — the type of its parameter arrives
COUNT = 51
