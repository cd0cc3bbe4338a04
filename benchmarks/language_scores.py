"""Write the measured scores of languages into docs/languages.md, from benchmarks/results/.

python benchmarks/language_scores.py [docs/languages.md]
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
DOCUMENT = Path(__file__).parent.parent / "docs" / "languages.md"
LANGUAGES = (
    "c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "php", "python", "ruby", "rust",
    "typescript",
)  # fmt: skip
# Which references of the type checkers belong to which language.
ORACLES = {"oracle_clangd_libuv": "c", "oracle_clangd_abseil-cpp": "cpp", "oracle_go_": "go"}
_TABLE = re.compile(r"(<!-- scores: [^\n]*-->)\n.*?(<!-- /scores -->)", re.DOTALL)


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENT
    text = target.read_text()
    if not _TABLE.search(text):
        raise SystemExit(f"{target} has no place for the scores")
    target.write_text(_TABLE.sub(lambda found: f"{found[1]}\n{make_table()}{found[2]}", text))
    return 0


def make_table() -> str:
    lines = [
        "| language | edges read by eye | own calls resolved | against a type checker |",
        "|---|---|---|---|",
    ]
    for language in LANGUAGES:
        cells = (describe_edges(language), describe_calls(language), describe_oracles(language))
        lines.append(f"| {language} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def describe_edges(language: str) -> str:
    found = read(f"edges-{language}.json")
    if found is None:
        return "–"
    verdicts = [edge["verdict"] for edge in found["edges"]]
    return f"{verdicts.count('right')} of {len(verdicts)} right ({found['repository']})"


def describe_calls(language: str) -> str:
    found = read(f"calls-{language}.json")
    return "–" if found is None else f"{100 * found['share']:.1f} % ({found['repository']})"


def describe_oracles(language: str) -> str:
    told = []
    for path in sorted(RESULTS.glob("oracle_*.json")):
        if any(path.name.startswith(name) for name, own in ORACLES.items() if own == language):
            report = json.loads(path.read_text())
            figures = report["figures"]
            repository = report["name"].split("_", 2)[2]
            told.append(f"P {figures['precision']} R {figures['recall']} ({repository})")
    return ", ".join(told) or "–"


def read(name: str) -> Any:
    path = RESULTS / name
    return json.loads(path.read_text()) if path.exists() else None


if __name__ == "__main__":
    raise SystemExit(main())
