"""Cases whose decisions a judge scores from 0 to 1, where they are asked and not replayed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Treec, treec
from tests.docs.pages import ROOT
from treec_fake_model.thread import FakeModelThread

__all__ = ["treec"]

JUDGE = """\
judge: Careful
about: How careful a decision is.
sees: {decision: "''", expected: "''"}
sets:
  care: {scale: {reckless: null, so so: null, careful: null}}
observation: "{{ decision }} (expected {{ expected }})"
"""
CASE = """\
case: near
node: Unsafe
args: {who: Anna}
given: {gap: 0.4, does: talking}
expect: {unsafe: 0.9}
scored_by: Careful
"""
ANSWERS = {
    "cases": [
        {"node": "Careful", "when": "unsafe: 0.9 .expected", "answer": {"care": 2}},
        {"node": "Careful", "when": "unsafe: 0.2 .expected", "answer": {"care": "so so"}},
        {"node": "Unsafe", "times": 1, "answer": {"unsafe": 0.2}},
        {"node": "Unsafe", "answer": {"unsafe": 0.9}},
    ]
}


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The template, with a judge of decisions and a case that names it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    shutil.copytree(ROOT / "templates/watched_arm", tmp_path / "arm")
    domain = tmp_path / "arm/envs/my_robot.domain.yaml"
    state = "state:\n  care: {type: number, default: 0}\nderived:"
    domain.write_text(domain.read_text("utf-8").replace("derived:", state), "utf-8")
    (tmp_path / "arm/prompts/careful.judge.yaml").write_text(JUDGE, "utf-8")
    (tmp_path / "arm/tests/decisions/near.case.yaml").write_text(CASE, "utf-8")
    return tmp_path / "arm"


def test_the_mean_of_its_scores_stands_beside_the_rate(arm: Path, treec: Treec) -> None:
    assert treec("check", "-L", arm).status == 0  # no tree runs it
    asked = ("snapshot", "Unsafe/near", "-L", arm, "--model", "openai/one", "--repeat", "4")
    with FakeModelThread(ANSWERS) as server:
        done = treec(*asked, "--api-base", server.url)
        data = json.loads(treec(*asked, "--api-base", server.url, "--output-format", "json").out)
    rules = 'offline: [{when: "true", answer: {care: 0}}]\n'  # none of a model that gives no answer
    (arm / "prompts/careful.judge.yaml").write_text(JUDGE + rules, "utf-8")
    with FakeModelThread({"cases": [{"node": "Careful", "status": 400}]}) as server:
        assert "score" not in treec(*asked, "--api-base", server.url).out
    rows = [line.split() for line in done.out.splitlines()]
    assert ["Unsafe/near", "3/4", "0.88"] in rows
    assert ["score", "0.88"] in rows
    assert data["rates"]["authors"]["one"]["score"] == 1.0


def test_a_judge_that_is_not_there_or_gives_no_score_is_named(arm: Path, treec: Treec) -> None:
    case = arm / "tests/decisions/near.case.yaml"
    asked = ("snapshot", "Unsafe/near", "-L", arm, "--model", "openai/one")
    with FakeModelThread(ANSWERS) as server:
        case.write_text(CASE.replace(": Careful", ": Carefl"), "utf-8")
        told = treec(*asked, "--api-base", server.url).err
        case.write_text(CASE.replace(": Careful", ": Dish"), "utf-8")
        other = treec(*asked, "--api-base", server.url).err
    assert "near.case.yaml:6:12: error TC614: unknown judge 'Carefl'" in told
    assert "did you mean 'Careful'?" in told
    assert "'Dish'" not in other
