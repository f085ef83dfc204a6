"""A new kind of node that asks is one module, tests/support/estimate.py: all else knows no kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.cli.conftest import Treec, treec
from tests.support.bench import Bench
from tests.support.decisions import FILES
from tests.support.estimate import EXTENSION, Estimate
from tests.support.extensions import using
from treec.ask.transport import ScriptedAnswer, TransportError
from treec_fake_model.thread import FakeModelThread

__all__ = ["treec"]

DURATION = """\
estimate: Duration
about: How long the next subtask takes.
sees: [mood]
at_most: 60
offline: 5
instructions: How many minutes does it take?
examples:
  - about: Who is calm takes their time.
    given: {mood: calm}
    answer: {reasoning: No hurry., minutes: 5}
model: {retries: 1}
"""
NOTHING = """\
scenario: none
system: test
expect:
  finally: level == 5
  within: 1m
"""
ESTIMATE = {"pack/Duration.estimate.yaml": DURATION}


@pytest.fixture(autouse=True)
def extension() -> Iterator[None]:
    with using(EXTENSION):
        yield


def minutes(number: object) -> dict[str, object]:
    return {"reasoning": "", "minutes": number}


def asked(folder: Path, *answers: ScriptedAnswer) -> tuple[Bench, Estimate]:
    b = Bench(folder, {**FILES, **ESTIMATE}, answers={"Duration": answers})
    entry = b.library.find("estimate", "Duration")
    assert entry is not None
    return b, Estimate("main/Duration", b.run.runtime, b.run.scope, entry)


def ticked(b: Bench, node: Estimate) -> Status:
    while True:
        node.tick_once()
        if node.status is not Status.RUNNING:
            return node.status
        b.settle()


def outcomes(b: Bench) -> list[object]:
    return [e.data.get("refused") for e in b.told("answered") if e.data["name"] == "Duration"]


def test_an_answer_is_taken(tmp_path: Path) -> None:
    b, node = asked(tmp_path, minutes(12))
    assert ticked(b, node) is Status.SUCCESS
    assert b.world.state["level"] == 12


def test_it_is_held_against_the_schema_and_asked_again_with_the_reason(tmp_path: Path) -> None:
    b, node = asked(tmp_path, minutes("ten"), minutes(10))
    ticked(b, node)
    assert outcomes(b) == ["'minutes' must be a number, not \"ten\".", None]
    assert "must be a number" in b.requests[-1].messages[-1].content
    assert b.world.state["level"] == 10


def test_it_falls_back_when_every_answer_is_refused(tmp_path: Path) -> None:
    b, node = asked(tmp_path, minutes(600), minutes(601))
    assert ticked(b, node) is Status.SUCCESS
    assert outcomes(b) == ["nothing takes longer than 60 minutes."] * 2
    assert b.world.state["level"] == 60


def test_it_decides_offline_when_no_answer_comes(tmp_path: Path) -> None:
    b, node = asked(tmp_path, TransportError("down"))
    ticked(b, node)
    assert b.world.state["level"] == 5


def test_new_words_are_its_own_concern_and_halting_closes_the_request(tmp_path: Path) -> None:
    b, node = asked(tmp_path, minutes(12))
    node.tick_once()
    exchange = node.exchange
    node.stop(Status.INVALID)
    b.settle()
    assert exchange is not None
    assert (node.exchange, exchange.take()) == (None, None)


def test_its_cases_are_recorded_and_held_against_the_recording(
    tmp_path: Path, treec: Treec
) -> None:
    root = written(tmp_path)
    case = "Duration/who-is-calm-takes-their-time"
    assert "never recorded" in treec("snapshot", "-L", root, case).out
    assert treec("snapshot", "-L", root, "--record", case).status == 0
    assert treec("snapshot", "-L", root, case).status == 0
    file = root / "pack/Duration.estimate.yaml"
    file.write_text(DURATION.replace("offline: 5", "offline: 7"), "utf-8")
    told = treec("snapshot", "-L", root, case)
    assert told.status == 1
    assert "- minutes: 5" in told.out
    assert "+ minutes: 7" in told.out


@pytest.mark.thorough
def test_treec_ask_asks_it(tmp_path: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    root = written(tmp_path)
    (tmp_path / "calm.yaml").write_text("mood: calm\n", "utf-8")
    cases = [{"times": 1, "answer": minutes(600)}, {"answer": minutes(20)}]
    with FakeModelThread({"model": "fake-1", "cases": cases}) as server:
        done = treec(
            *("ask", "Duration", "--given", tmp_path / "calm.yaml", "-L", root),
            *("--model", "openai/fake", "--api-base", server.url),
        )
    assert done.status == 0, done
    assert "→ refused: nothing takes longer than 60 minutes." in done.out
    assert done.out.endswith("decided by openai/fake@fake-1: minutes: 20.0\n")


def test_a_run_of_it_becomes_a_case_and_is_compared(tmp_path: Path, treec: Treec) -> None:
    root = written(tmp_path)
    tree = root / "pack/main.tree.yaml"
    before = tree.read_text("utf-8")
    asks = "      - {estimate: Duration, once: true}\n      - {tree: worker"
    tree.write_text(before.replace("      - {tree: worker", asks), "utf-8")
    (root / "none.scenario.yaml").write_text(NOTHING, "utf-8")
    runs = tmp_path / "runs"
    done = treec("run", "test", "--scenario", "none", "--fast", "-L", root, "--runs", runs)
    assert done.status == 0, done
    (run,) = runs.iterdir()
    at = ("--at", "t=0", "--node", "Duration")
    added = treec("case", "add", run, *at, "--name", "at_once", "-L", root)
    assert added.status == 0, added
    case = (root / "tests/decisions/duration-at_once.case.yaml").read_text("utf-8")
    assert "minutes: 5" in case
    assert treec("compare", run, "-L", root).status == 0
    file = root / "pack/Duration.estimate.yaml"
    file.write_text(DURATION.replace("offline: 5", "offline: 7"), "utf-8")
    told = treec("compare", run, "-L", root)
    assert (told.status, "1 flipped" in told.out) == (1, True)


def written(folder: Path) -> Path:
    root = folder / "library"
    for name, text in {**FILES, **ESTIMATE}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root
