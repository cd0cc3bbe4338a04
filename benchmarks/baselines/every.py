"""All baselines, ours first."""

import shutil
from pathlib import Path

from baselines.agrama_server import Agrama
from baselines.code_review_graph import CodeReviewGraph
from baselines.codegraph import Codegraph
from baselines.contract import Baseline
from baselines.jcodemunch import Jcodemunch
from baselines.ripgrep import Ripgrep
from baselines.semble import Semble

BASELINES: tuple[type[Baseline], ...] = (
    Agrama,
    Codegraph,
    Semble,
    CodeReviewGraph,
    Jcodemunch,
    Ripgrep,
)
NAMES = tuple(kind.name for kind in BASELINES)


def choose(work: Path, only: str) -> list[Baseline]:
    """Those asked for by name, separated by commas; all when none is."""
    wanted = only.split(",") if only else list(NAMES)
    if unknown := set(wanted) - set(NAMES):
        raise SystemExit(
            f"no such baseline: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}"
        )
    chosen = [kind(work) for kind in BASELINES if kind.name in wanted]
    for baseline in chosen:
        baseline.home.mkdir(parents=True, exist_ok=True)
    return chosen


def copy_repository(baseline: Baseline, source: Path) -> Path:
    """A copy of a repository for one baseline: some write into what they index."""
    target = baseline.folder / "repositories" / source.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    return target
