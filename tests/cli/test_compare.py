from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.cli.test_case import HELLO
from tests.support.decisions import edit, write_library
from treec_fake_model.thread import FakeModelThread


@pytest.fixture
def run(tmp_path: Path, treec: Treec) -> Path:
    root = write_library(tmp_path / "library", **{"hello.scenario.yaml": HELLO})
    runs = tmp_path / "runs"
    treec("run", "test", "--scenario", "hello", "--fast", "-L", root, "--runs", runs)
    return next(runs.iterdir())


@pytest.fixture
def root(run: Path) -> Path:
    return run.parent.parent / "library"


def test_decided_again_by_the_same_rules_nothing_flips(run: Path, root: Path, treec: Treec) -> None:
    done = treec("compare", run, "-L", root)
    assert done.status == 0, done
    assert done.out.splitlines()[-1].endswith("decisions: none flipped")


def test_edited_rules_flip_decisions_with_what_was_seen(
    run: Path, root: Path, treec: Treec
) -> None:
    other = root.parent / "edited"
    shutil.copytree(root, other)
    edit(
        other,
        "pack/Choose.decision.yaml",
        "{when: available, choose: Wave}",
        "{when: true, choose: Wave}",
    )
    done = treec("compare", run, "-L", other)
    assert done.status == 1, done
    assert "    mood: calm\n    available: nothing\n" in done.out
    assert (
        "  as recorded           Rest  (by fallback)\n  the nodes' own rules  Wave  (by offline)\n"
    ) in done.out
    data = json.loads(treec("compare", run, "-L", other, "--output-format", "json").out)
    assert data["flips"][0]["decisions"] == {
        "as recorded": {"choose": "Rest"},
        "the nodes' own rules": {"choose": "Wave"},
    }
    told = treec("compare", run, "-L", other, "--output-format", "github").out
    assert told.startswith("::error file=")
    assert "Choose.decision.yaml,line=1," in told
    assert "as recorded: Rest" in told


def test_two_models_are_held_against_each_other(
    run: Path, root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    cases = [
        {"node": "Choose", "answer": {"reasoning": "", "choose": "Rest"}, "tokens": [100, 5]},
        {"node": "Talk", "answer": {"reasoning": "", "acts": []}},
    ]
    with FakeModelThread({"cases": cases}) as server:
        asked = ("--model", "openai/one", "--model", "openai/two", "--api-base", server.url)
        data = json.loads(treec("compare", run, "-L", root, *asked, "--output-format", "json").out)
        shown = treec("compare", run, "-L", root, *asked).out
    assert [one["name"] for one in data["contestants"]] == ["openai/one", "openai/two"]
    for one in data["contestants"]:
        assert one["decided"] == data["decisions"]
        assert one["input_tokens"] >= 100
        assert one["seconds_mean"] > 0
    assert data["flips"] == []
    assert "openai/two" in shown


def test_one_model_is_held_against_what_was_recorded(
    run: Path, root: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    script = {"model": "fake-1", "cases": [{"node": "Choose", "answer": {"choose": "Wave"}}]}
    with FakeModelThread(script) as server:
        asked = ("--model", "openai/fake", "--api-base", server.url)
        data = json.loads(treec("compare", run, "-L", root, *asked, "--output-format", "json").out)
    flips = [flip for flip in data["flips"] if flip["node"].endswith("Choose")]
    assert flips[0]["decisions"]["as recorded"] == {"choose": "Rest"}
    assert flips[0]["decisions"]["openai/fake"] == {"choose": "Wave"}
    assert flips[0]["by"] == ["fallback", "openai/fake@fake-1"]


def test_runs_that_are_not_there_and_three_models_end_with_2(
    run: Path, root: Path, treec: Treec
) -> None:
    assert treec("compare", run / "nowhere", "-L", root).status == 2
    three = [part for name in "abc" for part in ("--model", f"openai/{name}")]
    done = treec("compare", run, "-L", root, *three)
    assert done.status == 2
    assert "two models are compared at a time" in done.err
