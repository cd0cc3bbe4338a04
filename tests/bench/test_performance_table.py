"""docs/performance.md says what the results say."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_is_made_from_the_results(tmp_path: Path) -> None:
    made = tmp_path / "performance.md"
    subprocess.run([sys.executable, ROOT / "benchmarks" / "table.py", made], check=True)
    expected = (ROOT / "docs" / "performance.md").read_text()
    assert made.read_text() == expected, "run python benchmarks/table.py"
