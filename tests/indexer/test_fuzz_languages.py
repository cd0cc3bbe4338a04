"""A short run of the fuzz over all languages (the long one is `benchmarks/fuzz_languages.py`), and what it found."""

import sys
from pathlib import Path
from typing import Any

import pytest

from agrama.indexer.build import Indexer, Options
from agrama.indexer.languages import read_rows

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
CASES = Path(__file__).parent / "cases"

# What once hung a parser, broke an extractor or the resolver, by the name of its file.
FOUND = {
    "unfinished.pl": "my $x = <<E;\n$d",
    "nested.nix": "a: " * 1500 + "b" + " b" * 300,
    "pointer.cpp": "void f() { auto x = a" + ".get()" * 40 + "; }",
    "signs.swift": "let x = " + "-(" * 40 + "a" + ")" * 40,
    "lambda.rb": "lambda(x)\nproc(a: 1)\n",
    "nameless.rb": "class A\nend\nA.",
}


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [BENCHMARKS, *sys.path])
    import fuzz_languages

    return fuzz_languages


def test_spoilt_sources_of_every_language_are_indexed(fuzz: Any) -> None:
    samples = fuzz.read_samples([CASES])
    figures = fuzz.run(samples, files=6 * len(read_rows()), seed=7, batch=3 * len(read_rows()))
    assert figures["indexer_crashes"] == []
    assert figures["problems"] == {}
    assert figures["statuses"]["partial"] > len(read_rows())
    assert figures["worker_peak_megabytes"] < 500


def test_a_file_of_a_run_can_be_made_again(fuzz: Any) -> None:
    samples = fuzz.read_samples([CASES])
    assert fuzz.make_text(samples, 7, 12) == fuzz.make_text(samples, 7, 12)
    assert fuzz.make_text(samples, 7, 12) != fuzz.make_text(samples, 8, 12)


def test_an_extractor_that_fails_is_a_problem(fuzz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = "from agrama.indexer import chunk, worker; chunk.prepare_file = None; worker.main()"
    monkeypatch.setattr("agrama.indexer.pool._COMMAND", broken)
    figures = fuzz.run(fuzz.read_samples([CASES]), files=5, seed=1, batch=5)
    assert len(figures["problems"]) == 5


@pytest.mark.parametrize("name", FOUND)
def test_what_the_fuzz_found_is_indexed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGRAMA_HOME", str(tmp_path / "home"))
    root = tmp_path / "tree"
    root.mkdir()
    (root / name).write_text(FOUND[name])
    with Indexer(root, Options(workers=1, parse_seconds=5)) as indexer:
        report = indexer.run()
    assert report.problems == {}
    assert report.parsed == 1
