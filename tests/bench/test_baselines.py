"""The baselines' answers are read as they are written, and ours goes through the same interface."""

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from baselines.contract import Answer, Place, Subject
from baselines.every import BASELINES, choose, copy_repository
from baselines.ripgrep import find_terms
from processes import measure
from quality import rate, read_callers, repeat_failures

ROOT = Path("/r")
ANSWERS = {
    "codegraph": (
        "**Callers of f (2 found)**\n\n- g (method) - src/a.py:62\n- h (function) - b.py:3\n",
        [Place("src/a.py", "g", 62), Place("b.py", "h", 3)],
    ),
    "code-review-graph": (
        '{"results":[{"name":"g","file_path":"/r/src/a.py","line_start":62,"line_end":70}]}',
        [Place("src/a.py", "g", 62, 70)],
    ),
    "jcodemunch": (
        '{"callers":[{"name":"g","file":"src/a.py","line":62}]}',
        [Place("src/a.py", "g", 62)],
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_callers_are_read_from_each_rival(name: str, tmp_path: Path) -> None:
    text, expected = ANSWERS[name]
    (rival,) = choose(tmp_path, name)
    assert rival.read_places("callers", Answer(text, 0.0), ROOT) == expected


def test_ripgrep_ranks_files_by_matches(tmp_path: Path) -> None:
    (rival,) = choose(tmp_path, "ripgrep")
    found = rival.read_places("search", Answer("./a.py:2\n./b.py:10\n", 0.0), ROOT)
    assert found == [Place("b.py"), Place("a.py")]
    assert find_terms("how is a Request parsed") == ["Request", "parsed"]


def test_every_baseline_has_a_search(tmp_path: Path) -> None:
    subject = Subject("parse a request", "parse", "Parser.parse", "method", "a.py")
    for rival in choose(tmp_path, ""):
        assert rival.make_call("search", subject, ROOT) is not None
    assert len(BASELINES) == 6


def test_an_unknown_baseline_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no such baseline: grep"):
        choose(tmp_path, "grep")


def test_ours_answers_through_the_interface(sample: Path, tmp_path: Path) -> None:
    (ours,) = choose(tmp_path / "work", "agrama")
    root = copy_repository(ours, sample)
    figures = measure(ours.index_command(root) or [], {**ours.environment})
    assert figures["wall_seconds"] > 0
    session = ours.serve(root)
    try:
        subject = Subject("sum two amounts", "add", "Money.add", "method", "shop/money.py")
        call = ours.make_call("search", subject, root)
        assert call is not None
        answer = session.ask(call)
        assert not answer.error
        assert answer.seconds > 0
        places = ours.read_places("search", answer, root)
        assert "shop/money.py" in [place.path for place in places]
    finally:
        session.close()


def test_an_index_begins_from_nothing(tmp_path: Path) -> None:
    (ours,) = choose(tmp_path, "agrama")
    (ours.home / "old").touch()
    ours.forget()
    assert list(ours.home.iterdir()) == []


def test_a_failure_is_tried_once_more_and_kept(sample: Path, tmp_path: Path) -> None:
    truth = tmp_path / "truth" / "retrieval"
    (truth / "queries").mkdir(parents=True)
    (truth / "repos.json").write_text(json.dumps([{"name": sample.name, "benchmark_root": None}]))
    question = {
        "query": "sum two amounts",
        "relevant": [{"path": "shop/money.py"}],
        "secondary": [],
    }
    (truth / "queries" / f"{sample.name}.json").write_text(json.dumps([question]))
    kept = {
        "failures": {"agrama": {sample.name: "it fell over"}},
        "repositories": {"agrama": {sample.name: 0.0, "other": 0.5}},
        "ndcg10": {"agrama": 0.25},
    }
    result = tmp_path / "quality-0.json"
    result.write_text(json.dumps({"figures": {"retrieval": kept}}))
    options = Namespace(truth=tmp_path / "truth", repos=sample.parent, work=tmp_path, again=result)
    assert repeat_failures(options) == 0
    found = json.loads(result.read_text())["figures"]["retrieval"]
    assert found["repositories"]["agrama"] == {sample.name: 1.0, "other": 0.5}
    assert found["ndcg10"] == {"agrama": 0.75}
    assert found["failures"] == {}
    assert found["tried_again"] == {"agrama": {sample.name: "it fell over"}}


def test_files_are_rated_by_their_rank() -> None:
    assert rate(["a", "b"], {"a"}) == 1.0
    assert rate(["b", "a"], {"a"}) == pytest.approx(0.6309, abs=1e-4)
    assert rate(["b"], {"a"}) == 0.0


def test_callers_of_the_truth_leave_module_code_out() -> None:
    site = ["a.py", 3, 0, "f", "name", "C.g", [["b.py", 1, "f", "function"]], "both"]
    module = ["a.py", 9, 0, "f", "name", "<module>", [["b.py", 1, "f", "function"]], "both"]
    callers = read_callers({"sites": [site, module]})
    assert callers == {Subject("f", "f", "f", "function", "b.py"): {("a.py", "g")}}
