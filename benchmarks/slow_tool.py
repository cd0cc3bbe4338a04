"""One CPU-bound tool of a second among 128 pipelined requests: by how much does it delay the others?

    slow_tool.py [--rounds 50] [--save]

Each round sends a burst of 127 fast calls alone, then the slow call with the same burst behind it,
and compares when the k-th fast answer arrives. The worst difference over all answers and rounds is
the figure; more than 10 ms makes the exit status 1.
"""

import argparse
import json
import sys
import time

from client import Client, script
from report import write_report

FAST_CALLS = 127
LIMIT_MS = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    client = Client(script("wire_server.py"))
    client.handshake()
    delays = []
    try:
        for _ in range(options.rounds):
            alone = _burst(client, slow=False)
            beside = _burst(client, slow=True)
            delays.append(max(b - a for a, b in zip(alone, beside, strict=True)) * 1e3)
    finally:
        client.close()
    delays.sort()
    figures = {"median_ms": delays[len(delays) // 2], "worst_ms": delays[-1], "rounds": len(delays)}
    print(json.dumps(figures))
    if options.save:
        print(write_report("slow_tool", figures | {"delays_ms": delays}))
    return 0 if delays[-1] <= LIMIT_MS else 1


def _burst(client: Client, *, slow: bool) -> list[float]:
    """Seconds from sending to each of the fast answers, in order of arrival."""
    lines, burning = [], None
    if slow:
        line, burning = client.encode("tools/call", {"name": "burn", "arguments": {}})
        lines.append(line)
    for number in range(FAST_CALLS):
        arguments = {"size": 1000, "label": f"fast {number}"}
        lines.append(client.encode("tools/call", {"name": "sized", "arguments": arguments})[0])
    start = time.perf_counter()
    client.write(b"".join(lines))
    arrivals: list[float] = []
    left = len(lines)
    while left:
        answer = json.loads(client.read_line())
        if "id" not in answer:
            continue
        left -= 1
        if answer["id"] != burning:
            arrivals.append(time.perf_counter() - start)
    return arrivals


if __name__ == "__main__":
    sys.exit(main())
