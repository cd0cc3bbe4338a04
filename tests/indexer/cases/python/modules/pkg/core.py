import typing

if typing.TYPE_CHECKING:
    from .tools import Wrench  #: imports pkg/tools.py


class Engine:
    def run(self, tool: "Wrench"):
        tool.turn()  #: calls pkg/tools.py::Wrench.turn


def start():
    from pkg.tools import Wrench  #: imports pkg/tools.py

    return Wrench()  #: calls pkg/tools.py::Wrench
