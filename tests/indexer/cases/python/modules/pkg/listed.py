__all__ = ["shown"]


def shown():
    pass


def hidden():
    pass
