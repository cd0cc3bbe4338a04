"""Shared fixtures: an index folder of its own for every test, and a small repository with its index."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from agrama.cli import main

# How long an example takes says more about the machine than about the code.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

SAMPLE = {
    "shop/__init__.py": "",
    "shop/money.py": '''"""Money without floats."""


class Money:
    """An amount in cents."""

    def __init__(self, cents: int) -> None:
        self.cents = cents

    def add(self, other: "Money") -> "Money":
        """Sum two amounts."""
        return Money(self.cents + other.cents)
''',
    "shop/basket.py": '''"""What a customer is about to buy."""

from shop.money import Money


class Basket:
    def __init__(self) -> None:
        self.total = Money(0)

    def put(self, price: Money) -> None:
        """Put one article into the basket."""
        self.total = self.total.add(price)


def checkout(basket: Basket) -> Money:
    """Ask the customer for the whole price."""
    return basket.total
''',
    "README.md": "# Shop\n\nA shop with a basket.\n\n## Payment\n\nNot yet.\n",
    ".env": "TOKEN=planted\n",
}


def write_tree(root: Path, files: dict[str, str]) -> None:
    """Create files beneath a root."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(autouse=True)
def index_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the user's own indexes."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("AGRAMA_HOME", str(home))
    return home


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A small repository, not yet indexed."""
    root = tmp_path / "sample"
    write_tree(root, SAMPLE)
    return root


@pytest.fixture
def indexed(sample: Path) -> Path:
    """The same repository with its index."""
    assert main(["index", str(sample), "--quiet"]) == 0
    return sample
