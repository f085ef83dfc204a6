"""`treec run --model`: a model over HTTP writes a robot's program, and again when it is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec
from tests.support.files import KITCHEN, tree
from treec_fake_model.thread import FakeModelThread

STEPS = """\
program: Steps
about: The steps of a subtask.
args: {agent: Robot, subtask: Subtask}
offline: steps(subtask)
observation: "{{ agent }} does {{ subtask.words }}"
instructions: "Skills: {{ skills | join(' ') }}"
model: {retries: 2, timeout: 20s}
"""
ROOT = """\
parallel:
  until: never
  children:
    - recipe: Salad
    - {program: Steps, with: {agent: R1, subtask: get pepper}, once: true}
"""
FILES = {
    **{name: text for name, text in KITCHEN.items() if name != "pack/Talk.reading.yaml"},
    **tree(ROOT),
    "pack/Steps.program.yaml": STEPS,
    "pack/fetched.scenario.yaml": (
        "scenario: fetched\nsystem: test\nexpect: {finally: at(pepper) == 'table'}\n"
    ),
}
GOOD = "pick('pepper')\nplace('pepper', 'table')\n"


def written(text: str) -> dict[str, str]:
    return {"reasoning": "so", "program": text}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    for name, text in FILES.items():
        path = tmp_path / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def run(treec: Treec, root: Path, *more: object) -> Result:
    given = ("run", "test", "-s", "fetched", "--fast", "-L", root / "small")
    return treec(*given, "--runs", root / "runs", *more)


def told(root: Path, kind: str) -> list[dict[str, Any]]:
    (folder,) = (root / "runs").iterdir()
    records = map(json.loads, (folder / "journal.jsonl").read_text("utf-8").splitlines())
    return [record["data"] for record in records if record["kind"] == kind]


def test_a_refused_program_is_asked_for_again_and_then_run(treec: Treec, root: Path) -> None:
    cases = [
        {"node": "Steps", "times": 1, "answer": written("pick('pepper')\nfly('pepper')\n")},
        {"node": "Steps", "answer": written(GOOD)},
    ]
    with FakeModelThread({"model": "m-7", "cases": cases}) as server:
        result = run(treec, root, "--model", "openai/m-7", "--api-base", server.url)
        again = server.model.asked[1].text
    assert result.status == 0, result.out + result.err
    assert "line 2, column 1 in `fly('pepper')`: unknown skill 'fly'" in again
    assert [one["program"] for one in told(root, "programmed")] == [GOOD]
    assert [one["line"] for one in told(root, "step")] == [1, 2]


def test_without_a_model_the_tasks_steps_are_done(treec: Treec, root: Path) -> None:
    result = run(treec, root)
    assert result.status == 0, result.out + result.err
    assert [one["by"] for one in told(root, "programmed")] == ["offline"]
