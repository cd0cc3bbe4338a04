from typing import overload


@overload
def pick(value: int) -> int: ...  #: contains pick#2


@overload
def pick(value: str) -> str: ...  #: contains pick#3


def pick(value):  #: contains pick
    return value


def again():  #: contains again
    return 1


def again():  #: contains again#2
    return 2


pick(1)  #: calls pick
again()  #: calls again#2
