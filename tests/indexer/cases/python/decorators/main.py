import functools


def plain(function):
    return function


def replaced(function):
    def inner():
        return function()  #: calls target

    return inner


def wrapped(function):
    @functools.wraps(function)
    def inner():
        return function()

    return inner


@plain  #: calls plain
def kept():
    pass


@replaced
def target():
    pass


@wrapped
def covered():
    pass


@functools.lru_cache
def cached():
    return Thing()


class Thing:
    def use(self):
        pass

    @staticmethod
    def bare():
        return Thing()


kept()  #: calls kept
target()  #: calls replaced.inner
covered()  #: calls covered
cached().use()  #: calls cached, Thing.use
Thing.bare().use()  #: calls Thing.bare, Thing.use
