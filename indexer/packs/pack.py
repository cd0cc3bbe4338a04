"""What a framework pack may add to the solver."""

from typing import Any, Protocol


class Pack(Protocol):
    """Hooks, each called once per fact. A pack must only ever add objects, never depend on order."""

    def prepare(self, solver: Any) -> bool:
        """Is the framework part of, or used by, this program?"""

    def find_classes(self, solver: Any) -> None:
        """The class hierarchy is known."""

    def class_attribute(self, solver: Any, cls: int, name: str, variable: int) -> None:
        """`cls.name` is read into a variable."""

    def instance_attribute(self, solver: Any, cls: int, name: str, variable: int) -> None:
        """The attribute of an instance of `cls` is read into a variable."""

    def call_bound(self, solver: Any, function: int, receiver: int, destination: int) -> bool:
        """A bound method is called. True: its results are settled here."""
