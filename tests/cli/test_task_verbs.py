"""agrama impact and agrama context, on a small repository."""

import json
from pathlib import Path

import pytest

from agrama.cli import main

DIFF = """--- a/shop/money.py
+++ b/shop/money.py
@@ -11,2 +11,2 @@
         \"\"\"Sum two amounts.\"\"\"
-        return Money(self.cents + other.cents)
+        return Money(other.cents + self.cents)
"""


@pytest.mark.parametrize("target", ["shop/money.py", "Money.add"])
def test_impact_of_a_file_or_symbol(
    indexed: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["impact", target, "--root", str(indexed), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "shop/basket.py::Basket.put" in {row["symbol"] for row in answer["affected"]}


def test_impact_of_a_diff(
    indexed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "change.diff").write_text(DIFF)
    words = ["impact", "--root", str(indexed), "--diff", str(tmp_path / "change.diff")]
    assert main([*words, "--json"]) == 0
    assert "shop/money.py::Money.add" in str(json.loads(capsys.readouterr().out)["changed_symbols"])
    assert main(words) == 0
    assert "Money.add" in capsys.readouterr().out
    assert main(["impact", "--root", str(indexed), "--diff", "/nonexistent"]) == 1


def test_context_of_a_task(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["context", "put", "an", "article", "into", "the", "basket", "--root", str(indexed)]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["relevant"][0]["path"] == "shop/basket.py"
    assert main(words) == 0
    assert "shop/basket.py" in capsys.readouterr().out
    assert main(["context", "--root", str(indexed)]) == 1
