"""typing.NamedTuple: unpacking an instance yields its fields in order."""

from typing import TYPE_CHECKING

from agrama.indexer.packs.pack import Pack

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver

_ROOTS = ("typing.NamedTuple", "typing_extensions.NamedTuple")


class NamedTuplePack(Pack):
    """State of one solution: the fields of every named tuple."""

    def __init__(self) -> None:
        self._fields: dict[int, list[str]] = {}

    def prepare(self, solver: "Solver") -> bool:
        for cls in solver.classes.bases:
            code: Code = solver.data[cls]
            outside = (solver.static.outside_name(code.base + r) for r in code.bases if r >= 0)
            if any(name in _ROOTS for name in outside):
                rows = solver.units[code.unit].variables
                self._fields[cls] = [
                    row[0] for row in rows if row[1] == code.position and not row[5]
                ]
        return bool(self._fields)

    def item(self, solver: "Solver", cls: int, position: int) -> int | None:
        for each in solver.classes.order(cls) if cls in solver.classes.bases else ():
            fields = self._fields.get(each, [])
            if 0 <= position < len(fields):
                unit = solver.data[each].unit
                return solver.attribute(solver.objects.instance(cls), fields[position], unit)
        return None
