"""agrama bench: time the real server on a repository and hold it to its promises."""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from agrama.cli.arguments import add_json, print_json
from agrama.errors import ToolError

_WIDE = 100  # columns of a terminal
_LESS = ("floor ms", "calls")  # what a narrow one does without
_MODES = ("cold", "uncached", "cached", "paced")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repo", type=Path, default=Path(), metavar="PATH", help="the repository (default: here)"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a look, not a figure")
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds of every case (20)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.bench.run import Plan, judge, measure

    root = arguments.repo.resolve()
    if not root.is_dir():
        raise ToolError(f"{arguments.repo} is not a directory: give the repository's root")
    plan = (
        Plan(rounds=2, calls=10, pipelined=300, starts=1, patience_seconds=0)
        if arguments.quick
        else Plan()
    )
    if arguments.rounds:
        plan = plan._replace(rounds=arguments.rounds)
    with tempfile.TemporaryDirectory(prefix="agrama-bench-") as home:
        # The sample is read in this process, from the index made there.
        os.environ["AGRAMA_HOME"] = home
        report = measure(root, Path(home), plan, _tell)
    promises = judge(report)
    kept = all(row["kept"] for row in promises)
    if arguments.json:
        print_json({**report, "promises": promises, "kept": kept})
    else:
        _print(report, promises)
    return 0 if kept else 1


def _tell(step: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{step} …", end="", file=sys.stderr, flush=True)


def _print(report: dict[str, Any], promises: list[dict[str, Any]]) -> None:
    from agrama.cli.terminal import make_console, print_table

    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    console = make_console()
    _print_machine(report)
    names = ["tool", "mode", "P50 ms", "P95 ms", "P99 ms", "CPU ms", "floor ms", "× floor", "calls"]
    rows = [_row("1 KB", "bare echo", report["echo_us"], report["echo_us"]["p50"])]
    if report["sdk_us"] is not None:
        rows.append(_row("1 KB", "official SDK", report["sdk_us"], report["echo_us"]["p50"]))
    for tool, modes in report["tools"].items():
        floor = modes["floor"]["p50"]
        for mode in _MODES:
            if mode in modes:
                rows.append(_row(tool, mode, modes[mode], floor))
    shown = [at for at, name in enumerate(names) if console.width >= _WIDE or name not in _LESS]
    rows = [[row[at] for at in shown] for row in rows]
    print_table([names[at] for at in shown], rows, right=names[2:], console=console)
    speed = report["calls_per_second"]
    print(
        f"\npipelined, the reading tools in turn, calls/s: {speed['working_set']:,.0f} on a working set of 100,\n"
        f"{speed['uncached']:,.0f} when no two are alike\n"
    )
    _print_promises(promises, console)


def _row(tool: str, mode: str, figures: dict[str, Any], floor: float) -> list[str]:
    times = [f"{figures[name] / 1000:.3f}" for name in ("p50", "p95", "p99")]
    # A warm floor says nothing of a first call.
    ratio = "–" if mode == "cold" else f"{figures['p50'] / floor:.1f}"
    busy = "–" if figures["cpu"] is None else f"{figures['cpu'] / 1000:.3f}"
    return [tool, mode, *times, busy, f"{floor / 1000:.3f}", ratio, f"{figures['calls']:,.0f}"]


def _print_machine(report: dict[str, Any]) -> None:
    machine, index, starts = report["machine"], report["index"], report["cold_start_us"]
    print(
        f"{report['repository']}: indexed in {index['seconds']:.1f} s "
        f"({index['cpu_seconds']:.1f} s of processor, largest process {index['peak_kb'] / 1024:,.0f} MB)"
    )
    memory = ", ".join(
        f"{name} {row['resident'] / 1024:,.0f} MB"
        for name, row in report["memory_kb"].items()
        if row
    )
    others = f"bare Python {starts['echo']['p50'] / 1000:.0f} ms"
    if "sdk" in starts:
        others += f", official SDK {starts['sdk']['p50'] / 1000:.0f} ms"
    print(
        f"cold start {starts['agrama']['p50'] / 1000:.0f} ms ({others});\n"
        f"resident: {memory or 'unknown'}"
    )
    rounds = report["rounds"]
    print(
        f"{machine['cores']} cores, load {machine['load'][0]:.1f}, Python {machine['python']}; "
        f"{rounds['quiet']} of {rounds['all']} rounds were quiet\n"
    )


def _print_promises(promises: list[dict[str, Any]], console: Any) -> None:
    from rich.text import Text

    for row in promises:
        mark = ("kept  ", "green") if row["kept"] else ("BROKEN", "bold red")
        amount = f"{row['got']:,.2f}" if row["unit"] == "ms" else f"{row['got']:,.0f}"
        console.print(Text.assemble(mark, f" {row['promise']}: {amount} {row['unit']}"))
