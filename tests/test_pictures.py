"""The pictures in docs/ show the layers and modules there are."""

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", DOCS / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["architecture.svg", "data-paths.svg"])
def test_pictures_are_up_to_date(drawing: ModuleType, name: str) -> None:
    assert (DOCS / name).read_text() == drawing.PICTURES[name](), "run: python docs/draw.py"
    assert f"]({name})" in (DOCS / "architecture.md").read_text()


def test_every_module_of_the_layers_is_drawn(drawing: ModuleType) -> None:
    root = ElementTree.fromstring(drawing.draw_architecture())
    drawn = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    wanted = {
        name for layers in drawing.read_layers().values() for layer in layers for name in layer
    }
    assert len(wanted) > 80
    assert wanted <= drawn
