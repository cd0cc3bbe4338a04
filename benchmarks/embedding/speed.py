"""Measure what the shipped embedding costs: its size, loading it in a new process, a question's vector.

    python benchmarks/embedding/speed.py [--save]

Loading is timed in new processes that have numpy already, as a server has; questions are twenty of an
agent's kind, each embedded many times. Both are processor time, the least of several rounds: what other
work the machine has is not the embedding's.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from agrama.graph.embedding import _TABLE, load_embedding

sys.path.insert(0, str(Path(__file__).parent.parent))
from report import write_report

ROUNDS = 15
REPEATS = 200
LOAD = """
import time, numpy, orjson, hashlib
from agrama.graph import embedding
began = time.process_time()
embedding.load_embedding()
print(1000 * (time.process_time() - began))
"""
QUESTIONS = (
    "how is a request routed to its view", "where are session cookies signed", "parse the command line",
    "open a database connection", "retry with exponential backoff", "UserService.create_user",
    "read the configuration file", "validate an email address", "LRU cache eviction", "render a template",
    "what happens when a websocket closes", "serialize a model to JSON", "thread pool shutdown",
    "compute the checksum of a file", "password hashing", "schedule a periodic task", "unicode normalization",
    "merge two sorted lists", "event loop wakeup from another thread", "convert markdown to html",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true", help="keep the figures in results/")
    options = parser.parse_args()
    report = {
        "size_mb": round(_TABLE.stat().st_size / 1e6, 2),
        "load_ms": measure_load(),
        "question_us": measure_questions(),
    }
    if options.save:
        sys.stderr.write(f"{write_report('embedding_speed', report)}\n")
    sys.stdout.write(json.dumps(report, indent=1) + "\n")
    return 0


def measure_load() -> dict[str, float]:
    """Milliseconds to read the table."""
    command = [sys.executable, "-c", LOAD]
    times = [float(subprocess.check_output(command, text=True)) for _ in range(ROUNDS)]
    return _summarise(times)


def measure_questions() -> dict[str, Any]:
    """Microseconds per question, the mean of a round."""
    embedding = load_embedding()
    assert embedding is not None
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(REPEATS):
            for question in QUESTIONS:
                embedding.embed_question(question)
        times.append(1e6 * (time.process_time() - began) / (REPEATS * len(QUESTIONS)))
    return _summarise(times)


def _summarise(times: list[float]) -> dict[str, float]:
    times.sort()
    return {"least": round(times[0], 2), "median": round(times[len(times) // 2], 2)}


if __name__ == "__main__":
    sys.exit(main())
