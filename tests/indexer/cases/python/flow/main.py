class Left:
    def go(self):
        pass


class Right:
    def go(self):
        pass


def versions(flag):
    thing = Left()
    thing.go()  #: calls Left.go
    thing = Right()
    thing.go()  #: calls Right.go
    if flag:
        thing = Left()
    thing.go()  #: calls Left.go, Right.go


def returned():
    return Left()


def passed(thing):
    thing.go()  #: calls Right.go


def identity(thing):
    return thing


def narrowed(thing):
    if isinstance(thing, Left):
        thing.go()  #: calls Left.go


def annotated(thing: "Right | None"):
    thing.go()  #: calls Right.go


returned().go()  #: calls returned, Left.go
passed(Right())  #: calls passed, Right
identity(Left()).go()  #: calls identity, Left, Left.go
identity(Right()).go()  #: calls identity, Right, Right.go


class Holder:
    kind: Right

    def __init__(self):
        self.left = Left()  #: calls Left
        self.chosen = None

    def choose(self, right: Right):
        self.chosen = right

    def go(self):
        self.left.go()  #: calls Left.go; references Holder.left
        self.chosen.go()  #: calls Right.go
        self.kind.go()  #: calls Right.go

    def own(self):
        return self

    @property
    def inner(self):
        return self.left

    @classmethod
    def make(cls):
        return cls()


Holder().own().go()  #: calls Holder, Holder.__init__, Holder.own, Holder.go
Holder.make().inner.go()  #: calls Holder.make, Left.go


def functions():
    def inner():
        return outer_value.go()  #: calls Left.go

    outer_value = Left()
    call(inner)  #: calls call


def call(function):
    function()  #: calls functions.inner
