"""Faults that are injected into a run: what they do, and that the journal has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nodes.test_decide import DECISION
from tests.nodes.test_decide import bench as deciding
from tests.run.test_environments import BOTH, GET, Small, kitchen
from tests.run.test_environments import small as small_world_installed
from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.faults import FaultPlan
from treec.program.faults import read_fault
from treec.run.injector import plan
from treec.run.resume import replay_faults

__all__ = ["small_world_installed"]

PICK = "{skill: pick, with: {agent: R1, item: pepper}, retry: 3}"


def inject(b: Bench | Small, text: str) -> None:
    b.run.injector.post(read_fault(text, b.run.view), "somebody")


def faults(b: Bench | Small) -> list[tuple[str, str, str]]:
    """What was injected, by whom, and why it had no effect."""
    return [
        (str(e.data["fault"]), e.by, str(e.data.get("problem", ""))) for e in b.told("injected")
    ]


def test_a_skill_fails_as_it_is_told(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(PICK))
    inject(b, "fail pick(pepper) x2: slipped")
    b.pass_time(20)
    assert b.skills()[:4] == ["go_to R1 ok", "pick R1 slipped", "pick R1 slipped", "pick R1 ok"]
    assert faults(b) == [("fail pick(pepper) x2: slipped", "somebody", "")]


def test_a_resumed_run_plans_what_was_injected_and_has_not_happened(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(PICK))
    inject(b, "fail pick x2: slipped")
    b.pass_time(7)
    assert b.skills() == ["go_to R1 ok", "pick R1 slipped"]
    failures = FaultPlan((), 0)
    assert replay_faults(failures, b.journal.records, b.run.view) == 3  # the last is in flight
    picks = [failures.hit("pick", {"agent": "R1", "item": "salt"}) for _ in range(2)]
    assert [hit is not None for hit in picks] == [True, False]


def test_facts_are_changed_and_forgotten(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: 20s"))
    inject(b, "set at(pepper) == table, at(salt) == none")
    inject(b, "unknown at(lettuce)")
    b.tick()
    facts = [b.fact("at", item) for item in ("pepper", "salt", "lettuce")]
    assert facts == ["table", None, "unknown"]
    assert [e.by for e in b.told("fact.set")][-1] == "somebody"


def test_an_agent_drops_out_and_works_again(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(PICK))
    b.pass_time(1)
    inject(b, "out R1")
    b.pass_time(5)
    assert b.skills() == ["go_to R1 cancelled"]
    inject(b, "back R1")
    b.pass_time(20)
    assert b.skills()[1:3] == ["go_to R1 ok", "pick R1 ok"]


@pytest.mark.parametrize(("what", "seconds"), [("silent", 6.0), ("down", 1.0), ("garbled", 1.0)])
def test_a_model_that_fails_is_done_without(tmp_path: Path, what: str, seconds: float) -> None:
    decision = DECISION + "model: {timeout: 5s, retries: 0}\nfallback: C\n"
    b = deciding(tmp_path, decision=decision, answers={"D": [{"reasoning": "", "choose": "A"}]})
    b.set(level=2)
    inject(b, f"model {what}")
    b.pass_time(seconds)
    assert b.chosen() == ["B"]
    inject(b, "model back")
    b.set(level=1)
    b.pass_time(1)
    assert b.told("decided")[-1].data["by"] == "scripted"
    answers = b.told("answered")
    assert ["injected" in str(e.data) for e in answers] == [what != "silent", False]


def test_a_run_without_a_model_has_none_to_fail(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("wait: 20s"))
    inject(b, "model silent")
    b.tick()
    assert faults(b) == [("model silent", "somebody", "no model is asked in this run")]


def test_an_environment_is_lost(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(BOTH))
    small.run.injector = injector = type(small.run.injector)(
        small.run, plan([read_fault("1500ms: lose small", small.run.view)], "injected")
    )
    small.run.loop.before_tick.insert(0, injector.begin)
    small.go()
    (lost,) = small.told("environment.lost")
    assert (lost.t, lost.data["reason"]) == (1.5, "injected")
    assert small.skills()[-1][2] is False
    assert faults(small) == [("lose small", "injected", "")]


def test_an_environment_that_is_not_open_cannot_be_lost(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET))
    inject(small, "lose small")
    small.run.loop.step()
    assert faults(small) == [("lose small", "somebody", "the environment 'small' is not open")]


def test_failures_of_a_skill_are_taken_back(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(PICK))
    inject(b, "fail pick x9: slipped")
    b.pass_time(7)
    assert b.run.runtime.faults.waiting == ("pick",)
    inject(b, "back pick")
    b.pass_time(20)
    assert b.skills()[-1] == "pick R1 ok"
    assert b.run.runtime.faults.waiting == ()
    resumed = FaultPlan((), 0)
    replay_faults(resumed, b.journal.records, b.run.view)
    assert resumed.hit("pick", {"agent": "R1", "item": "salt"}) is None


def test_a_lost_environment_is_opened_again(tmp_path: Path) -> None:
    small = Small(tmp_path, kitchen(GET))
    inject(small, "back small")
    small.run.loop.step()
    small.run.injector = injector = type(small.run.injector)(
        small.run,
        plan(
            [read_fault(f, small.run.view) for f in ("1500ms: lose small", "2s: back small")],
            "injected",
        ),
    )
    small.run.loop.before_tick.insert(0, injector.begin)
    small.go()
    (lost,), (back,) = small.told("environment.lost"), small.told("environment.back")
    assert (lost.t, back.t) == (1.5, 2.0)
    assert not small.run.runtime.environments.waits("R1")
    assert faults(small)[0] == ("back small", "somebody", "the environment 'small' is not lost")
