"""One MCP round trip with an installed agrama: smoke.py AGRAMA. Indexes the current directory, then searches it."""

import json
import subprocess
import sys


def main() -> int:
    agrama = sys.argv[1]
    subprocess.run([agrama, "index", "."], check=True, stdin=subprocess.DEVNULL)
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "hybrid_search", "arguments": {"query": "own package imported"}}},
    ]  # fmt: skip
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [agrama, "serve", "--root", "."], input=text, capture_output=True, text=True, timeout=60
    )
    answers = {
        answer["id"]: answer
        for answer in map(json.loads, done.stdout.splitlines())
        if "id" in answer
    }
    results = answers[2]["result"]["structuredContent"]["results"]
    paths = [result["path"] for result in results]
    if done.returncode != 0 or "graph/__init__.py" not in paths:
        sys.stderr.write(f"exit {done.returncode}, found {paths}\n{done.stderr}\n")
        return 1
    sys.stdout.write(f"smoke test passed: {len(paths)} results\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
