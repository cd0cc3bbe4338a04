"""`agrama bench` with its raw figures kept: the real server on a repository, held to its promises.

promises.py REPOSITORY [--rounds 20] [--save]
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from report import write_report

from agrama.bench.run import Plan, judge, measure


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--rounds", type=int, default=Plan().rounds)
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/promises-<name>-<commit>.json"
    )
    options = parser.parse_args()
    root = options.repository.resolve()
    with tempfile.TemporaryDirectory() as home:
        os.environ["AGRAMA_HOME"] = home
        figures = measure(root, Path(home), Plan(rounds=options.rounds), lambda step: None)
    promises = judge(figures)
    print(json.dumps(promises, indent=1, ensure_ascii=False))
    if options.save:
        print(write_report(f"promises-{root.name}", figures | {"promises": promises}))
    return 0 if all(row["kept"] for row in promises) else 1


if __name__ == "__main__":
    sys.exit(main())
