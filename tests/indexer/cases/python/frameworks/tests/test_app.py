from app import create_user, store


def test_create():
    create_user()  #: tests app.py::create_user; calls app.py::create_user
    helper()  #: tests -


def helper():
    store()  #: tests -
