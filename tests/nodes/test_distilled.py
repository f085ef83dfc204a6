"""Distilled scorers as answerers: at once where they are sure, else the next; stale, never."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.nodes.test_answerers import RULES, decision, ordered, passed, who
from tests.nodes.test_decide import bench, choose
from tests.support.bench import Bench
from treec.files.library import load_library
from treec_asking.answerers import NotSure
from treec_asking.distilled import prompt_fingerprint
from treec_models.distil import write_scorer
from treec_models.distilled import DistilledScorer, buckets_of, read_scorer

ORDER = "[{distilled: D}, {model: big/one}]"


def scorer(words: str = "level 3") -> DistilledScorer:
    """One that chooses B where it sees a 3, more surely the more it sees."""
    buckets = buckets_of(words)
    rows = len(buckets)
    weights = {
        "words": np.array(buckets),
        "hidden": np.zeros((rows, 1), np.float32),
        "hidden.bias": np.zeros(1, np.float32),
        "direct": np.tile(np.array([0, 2], np.float32), (rows, 1)),
        "out": np.zeros((1, 2), np.float32),
        "out.bias": np.zeros(2, np.float32),
    }
    return DistilledScorer(weights, {"choose": ["A", "B"]})


def write(folder: Path, sure: float, words: str = "level 3", prompt: str | None = None) -> Path:
    if prompt is None:
        entry = load_library(folder).find("decision", "D")
        assert entry is not None
        prompt = prompt_fingerprint(entry)
    path = folder / "distilled" / "D.json"
    about = {"node": "D", "kind": "decision", "prompt": prompt, "bound": {"sure": sure}}
    write_scorer(path, scorer(words), about)
    return path


def answered(folder: Path, sure: float, **changes: Any) -> Bench:
    b = bench(folder, decision=decision(ORDER), answers={"D": [choose("A")]})
    write(folder, sure, **changes)
    b.set(level=3)
    b.settle()
    return b


@pytest.fixture
def state(tmp_path: Path) -> str:
    """What D sees at level 3."""
    b = ordered(tmp_path / "seen", "[{model: big/one}]", choose("A"))
    content: str = b.requests[0].messages[-1].content
    return content.replace("<data>", "").replace("</data>", "")


def test_it_answers_at_once_where_it_is_sure(tmp_path: Path, state: str) -> None:
    b = answered(tmp_path, 0.8, words=state)
    assert who(b) == ["B by distilled/D"]
    assert not b.requests
    (made,) = b.told("answered")
    assert made.data["confidence"] > 0.8
    assert made.data["probabilities"].keys() == {"A", "B"}
    assert not b.told("asked")


def test_what_it_is_not_sure_of_goes_to_the_next(tmp_path: Path, state: str) -> None:
    b = answered(tmp_path, 0.999, words=state)
    assert who(b) == ["A by scripted"]
    assert "is below 0.999" in passed(b)[0]
    assert len(b.requests) == 1


def test_what_is_new_to_it_goes_to_the_next(tmp_path: Path) -> None:
    b = answered(tmp_path, 0.1, words="nothing of this kind was ever seen")
    assert who(b) == ["A by scripted"]
    assert "of what it sees is new to it" in passed(b)[0]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda path: path.unlink(), "distilled/D.json is missing: treec distil D"),
        (lambda path: path.write_text("{"), "its header cannot be read"),
        (lambda path: path.write_text(" " * (2 << 20)), "at most 1,048,576 are read"),
        (lambda path: path.with_suffix(".npz").write_bytes(b"x"), "is not the file that was"),
        (lambda path: _mix(path), "D.npz is not the file that was written with it"),
        (lambda path: _edit(path, node="E"), "it was fitted to 'E'"),
        (lambda path: _edit(path, prompt="0"), "the prompt, its options or its schema have"),
        (lambda path: _edit(path, questions={"choose": ["A"]}), "has the shape"),
        (lambda path: _edit(path, questions={"choose": ["A", "C"]}), "not fitted to the option"),
    ],
)
def test_one_that_cannot_answer_passes_on_and_says_why(
    tmp_path: Path, state: str, damage: Any, told: str
) -> None:
    b = bench(tmp_path, decision=decision(ORDER), answers={"D": [choose("A")]})
    damage(write(tmp_path, 0.1, words=state))
    b.set(level=3)
    b.settle()
    assert who(b) == ["A by scripted"]
    assert told in passed(b)[0]
    assert not b.told("model.lost")


def _edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def _mix(path: Path) -> None:
    """Its header beside the weights of another fit, as a merge leaves them."""
    header, other = path.read_text(), read_scorer(path)
    weights = {**other.weights, "direct": -other.weights["direct"]}
    write_scorer(path, DistilledScorer(weights, other.options), json.loads(header))
    path.write_text(header)


def test_a_question_of_another_kind_is_passed_on() -> None:
    with pytest.raises(NotSure, match="not fitted to the question 'choose'"):
        scorer().answer("level 3", {"choose": {"type": "noul"}})


@pytest.mark.thorough
def test_check_says_that_it_is_stale_without_numpy(tmp_path: Path) -> None:
    bench(tmp_path, decision=decision(ORDER))
    write(tmp_path, 0.5)
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from treec.check import check_library\nfrom treec.files.library import load_library\n"
        "for p in check_library(load_library(Path(sys.argv[1]))):\n"
        "    if p.code == 'TC405': print(p.severity, p.message, p.help)\n"
        "assert 'numpy' not in sys.modules\n"
    )

    def check() -> str:
        command = [sys.executable, "-c", code, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    assert check() == ""
    file = next(path for path in tmp_path.rglob("*.yaml") if "decision: D" in path.read_text())
    text = file.read_text()
    file.write_text(text.replace("The second.", "The other."))
    told = "the prompt, its options or its schema have changed since it was fitted"
    assert check() == (f"warning the answerer 'D' can never answer: {told} treec distil D\n")
    file.write_text(text.replace(RULES, RULES + "examples: []\n"))
    assert check() == ""
    offer = "offer: {to: D, when: level > 5, because: It is high.}"
    file.with_name("more.action.yaml").write_text(f"action: More\nabout: More.\n{offer}\n")
    told = "passes on where 'More' is offered: it was not fitted to it"
    assert check() == f"warning the answerer 'D' {told} treec distil D\n"
