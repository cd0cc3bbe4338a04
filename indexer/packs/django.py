"""Django: managers give query sets of their model, model forms hold an instance of theirs."""

from typing import TYPE_CHECKING

from agrama.indexer.packs.pack import Pack

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver

_MANAGERS = frozenset(("objects", "_default_manager", "_base_manager"))
_ONE = frozenset(("create", "get", "first", "last", "earliest", "latest"))
_ONE_AND_FLAG = frozenset(("get_or_create", "update_or_create"))
_OTHER = frozenset(
    ("values", "values_list", "count", "exists", "delete", "update", "aggregate", "dates",
     "datetimes", "contains", "explain", "bulk_update", "in_bulk")
)  # fmt: skip
# Module and name of the classes that mark a model, a model form and a query set.
_MODEL = ("db.models.base", "Model")
_FORM = ("forms.models", "BaseModelForm")
_QUERY = ("db.models.query", "QuerySet")
_OUTSIDE_MODELS = ("django.db.models.Model", "django.db.models.base.Model")
_OUTSIDE_FORMS = (
    "django.forms.ModelForm", "django.forms.models.ModelForm", "django.forms.BaseModelForm",
)  # fmt: skip


class DjangoPack(Pack):
    """State of one solution: which classes are models and forms, and the queries made."""

    def __init__(self) -> None:
        self._models: set[int] = set()
        self._forms: set[int] = set()
        self._model: int | None = None
        self._query: int | None = None
        self._queries: dict[int, int] = {}  # model -> class of its queries
        self._model_of: dict[int, int] = {}  # class of queries -> model

    def prepare(self, solver: "Solver") -> bool:
        roots: dict[tuple[str, str], int] = {}
        for cls in solver.classes.bases:
            code: Code = solver.data[cls]
            for mark in (_MODEL, _FORM, _QUERY):
                if code.name == mark[1]:
                    unit = solver.units[code.unit]
                    if f".{unit.language.module_name(unit.path)}".endswith(f"django.{mark[0]}"):
                        roots[mark] = cls
        self._model, self._query = roots.get(_MODEL), roots.get(_QUERY)
        self._models = self._derived(solver, roots.get(_MODEL), _OUTSIDE_MODELS)
        self._forms = self._derived(solver, roots.get(_FORM), _OUTSIDE_FORMS)
        return bool(self._models)

    def _derived(self, solver: "Solver", root: int | None, outside: tuple[str, ...]) -> set[int]:
        """Classes below a class of the program or below one outside."""
        marked = set() if root is None else {root}
        for cls in solver.classes.bases:
            code: Code = solver.data[cls]
            for register in code.bases:
                if register >= 0 and solver.static.outside_name(code.base + register) in outside:
                    marked.add(cls)
        return {cls for cls in solver.classes.bases if marked & set(solver.classes.order(cls))}

    def class_attribute(self, solver: "Solver", cls: int, name: str, variable: int) -> None:
        if name in _MANAGERS and cls in self._models:
            solver.flow.add(variable, self._queries_of(solver, cls))

    def _queries_of(self, solver: "Solver", model: int) -> int:
        """The object that stands for every query of a model."""
        made = self._queries.get(model)
        if made is None:
            base = model if self._query is None else self._query
            made = self._queries[model] = solver.synthetic_class(-1, model, base)
            self._model_of[made] = model
            if self._query is None:
                solver.classes.bases[made] = []
        return solver.objects.instance(made)

    def instance_attribute(self, solver: "Solver", cls: int, name: str, variable: int) -> None:
        if cls in self._model_of:
            receiver = solver.objects.instance(cls)
            solver.flow.add(variable, solver.objects.operation(receiver, name))
        elif name == "instance" and cls in self._forms:
            model = self._form_model(solver, cls)
            if model is not None:
                solver.flow.add(variable, solver.objects.instance(model))

    def _form_model(self, solver: "Solver", form: int) -> int | None:
        """`class Meta: model = X` of a form or of one it derives from."""
        for cls in solver.classes.order(form):
            for meta in sorted(solver.static.member(cls, "Meta")):
                for model in sorted(solver.static.member(meta, "model")):
                    if solver.is_class(model):
                        return model
        return self._model

    def element(self, solver: "Solver", cls: int) -> int | None:
        model = self._model_of.get(cls)
        return None if model is None else solver.objects.instance(model)

    def settles(self, solver: "Solver", receiver: int) -> bool:
        return solver.is_instance(receiver) and solver.data[receiver] in self._model_of

    def operate(self, solver: "Solver", receiver: int, name: str, destination: int) -> None:
        one = solver.objects.instance(self._model_of[solver.data[receiver]])
        plain = name.removeprefix("a") if name[1:] in _ONE | _ONE_AND_FLAG else name
        if plain in _ONE:
            solver.flow.add(destination, one)
        elif plain in _ONE_AND_FLAG:
            pair = solver.objects.container(("django pair", receiver))
            solver.flow.add(solver.containers.key(pair, ("i", 0)), one)
            solver.flow.add(destination, pair)
        elif name == "bulk_create":
            many = solver.objects.container(("django list", receiver))
            solver.flow.add(solver.containers.key(many, None), one)
            solver.flow.add(destination, many)
        elif name not in _OTHER:
            solver.flow.add(destination, receiver)
