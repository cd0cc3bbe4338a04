"""Index and search with a real transformer: minilm.py AGRAMA MODEL, in an environment with agrama[models].

Works in the current directory: makes a small project, asks for what no word of it says, changes a file,
and goes back to the shipped model. Every step is a command that a user would type.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FILES = {
    "greeting.py": "def welcome(visitor):\n    return f'Hello, {visitor}!'\n",
    "tax.py": "def add_vat(net, rate):\n    return net * (1 + rate)\n",
    "disk.py": "import os\n\n\ndef remove_old_files(folder):\n    os.unlink(folder)\n",
}


def main() -> int:
    agrama, model = sys.argv[1:3]
    for name, text in FILES.items():
        Path(name).write_text(text)
    first = run(agrama, "index", ".", "--model", model, "--json")["index"]["model"]
    check("the index names the model", first["name"] == model and len(first["hash"]) == 16)
    check("its vectors are not ours", first["dimensions"] != 256)
    found = run(agrama, "search", "saying hi to guests", "--json")["results"]
    check("meaning alone finds the file", found[0]["path"] == "greeting.py")
    check("the model said so", found[0]["semantic_score"] > 0.3 and not found[0]["matching_terms"])
    Path("mail.py").write_text("def send_letter(recipient, body):\n    ...\n")
    again = run(agrama, "index", ".", "--json")
    check("an update keeps the model", again["index"]["model"] == first and not again["full"])
    found = run(agrama, "search", "posting an envelope to an addressee", "--json")["results"]
    check("what was added is embedded too", found[0]["path"] == "mail.py")
    ours = run(agrama, "index", ".", "--model", "static", "--json")
    check("another model embeds all anew", ours["full"] and ours["parsed"] == len(FILES) + 1)
    check("the shipped model is back", ours["index"]["model"]["dimensions"] == 256)
    found = run(agrama, "search", "add_vat", "--json")["results"]
    check("and searches", found[0]["path"] == "tax.py")
    return 0


def run(*command: str) -> dict[str, Any]:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def check(claim: str, holds: bool) -> None:
    if not holds:
        raise SystemExit(f"not so: {claim}")
    sys.stdout.write(f"{claim}\n")


if __name__ == "__main__":
    sys.exit(main())
