"""Download the packages that the code embedding is trained on, and keep only permissively licensed ones.

    python benchmarks/embedding/fetch.py OUT

Names stand in `packages.json`, by registry. PyPI and npm tell a package's licence in their metadata, a
Debian source package in `debian/copyright`; what is not MIT, BSD, Apache, ISC, PSF, Zlib, 0BSD or
Unlicense is left out. `OUT/packages.jsonl` records name, version, licence, address and SHA-256 of each.
"""

import argparse
import hashlib
import json
import lzma
import re
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

HERE = Path(__file__).parent
DEBIAN = "http://deb.debian.org/debian"
PERMISSIVE = re.compile(
    r"\b(?:mit|expat|bsd|apache|isc|psf|python software foundation|zlib|0bsd|unlicense|cc0)\b", re.I
)
COPYLEFT = re.compile(r"gpl|mpl|epl|cddl|sspl|agpl|commons clause|proprietary|busl", re.I)
MAX_BYTES = 60_000_000


class Source(NamedTuple):
    """One archive to download."""

    registry: str
    name: str
    version: str
    licence: str
    url: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    names = json.loads((HERE / "packages.json").read_text())
    tasks = [(registry, name) for registry in ("pypi", "npm") for name in names[registry]]
    with ThreadPoolExecutor(6) as pool:
        found = [source for source in pool.map(_try_find, tasks) if source]
        found += find_debian(set(names["debian"]))
        rows = list(pool.map(lambda source: fetch(source, options.out), found))
    kept = sorted((row for row in rows if row), key=lambda row: (row["registry"], row["name"]))
    text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in kept)
    (options.out / "packages.jsonl").write_text(text)
    sys.stdout.write(f"{len(kept)} of {len(tasks) + len(names['debian'])} packages kept\n")
    return 0


def is_permissive(licence: str) -> bool:
    """Whether a licence text names a permissive licence and no other kind."""
    return bool(PERMISSIVE.search(licence)) and not COPYLEFT.search(licence)


def _try_find(task: tuple[str, str]) -> Source | None:
    registry, name = task
    try:
        source = find_pypi(name) if registry == "pypi" else find_npm(name)
    except (urllib.error.URLError, KeyError, ValueError, TimeoutError) as error:
        sys.stderr.write(f"{registry} {name}: {error}\n")
        return None
    if source is None or not is_permissive(source.licence):
        sys.stderr.write(
            f"{registry} {name}: left out, {source.licence if source else 'no file'}\n"
        )
        return None
    return source


def find_pypi(name: str) -> Source | None:
    """The source archive of the newest release (a wheel where there is none)."""
    page = f"https://pypi.org/pypi/{name}/json"
    answer = json.loads(read_url(page))
    info = answer["info"]
    classifiers = [c for c in info["classifiers"] if c.startswith("License ::")]
    short = (info.get("license") or "").strip().partition("\n")[0][:80]
    licence = info.get("license_expression") or " / ".join([short, *classifiers])
    files = sorted(answer["urls"], key=lambda file: file["packagetype"] != "sdist")
    for file in files:
        if file["size"] <= MAX_BYTES:
            return Source("pypi", name, info["version"], licence, urljoin(page, file["url"]))
    return None


def find_npm(name: str) -> Source:
    answer = json.loads(read_url(f"https://registry.npmjs.org/{name.replace('/', '%2f')}/latest"))
    licence = answer.get("license") or ""
    licence = licence.get("type", "") if isinstance(licence, dict) else str(licence)
    return Source("npm", name, answer["version"], licence, answer["dist"]["tarball"])


def find_debian(names: set[str]) -> list[Source]:
    """Source packages of Debian stable; their licence is read when they are there."""
    if not names:
        return []
    index = lzma.decompress(read_url(f"{DEBIAN}/dists/stable/main/source/Sources.xz")).decode()
    found = []
    for stanza in index.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Directory|Version): (.*)$", stanza, re.M))
        if fields.get("Package") not in names:
            continue
        files = re.findall(r"^ [0-9a-f]{64} (\d+) (\S+)$", stanza, re.M)
        for size, file in files:
            if file.endswith(".asc") or int(size) > MAX_BYTES:
                continue
            if ".orig.tar" in file or file.endswith(".debian.tar.xz"):
                url = f"{DEBIAN}/{fields['Directory']}/{file}"
                found.append(Source("debian", fields["Package"], fields["Version"], "", url))
    return found


def fetch(source: Source, out: Path) -> dict[str, Any] | None:
    """Download one archive, unless it is there."""
    path = out / source.registry / source.url.rpartition("/")[2]
    path.parent.mkdir(exist_ok=True)
    try:
        content = path.read_bytes() if path.exists() else read_url(source.url)
    except (urllib.error.URLError, TimeoutError) as error:
        sys.stderr.write(f"{source.registry} {source.name}: {error}\n")
        return None
    if not path.exists():
        path.write_bytes(content)
    licence = source.licence
    if source.registry == "debian":
        licence = (
            " / ".join(sorted(set(read_debian_licences(path)))) or "(in the packaging archive)"
        )
    row = source._replace(licence=licence)._asdict()
    return {
        **row,
        "file": str(path.relative_to(out)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def read_debian_licences(path: Path) -> Iterator[str]:
    """The short licence names of `debian/copyright`, where an archive holds it."""
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.endswith("debian/copyright") and (file := archive.extractfile(member)):
                text = file.read().decode("utf-8", "replace")
                yield from re.findall(r"^License:\s*(\S[^\n]*)$", text, re.M)


def read_url(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "agrama-embedding"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        content: bytes = answer.read()
    return content


if __name__ == "__main__":
    sys.exit(main())
