"""Contracts on skills: none begins that would break one, and one that breaks is stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench, library
from tests.support.files import KITCHEN, tree
from treec.check import check_library
from treec.team.reasons import explain_failure
from treec.world.failures import Forbidden, StepFailed, failure_of

SAFE = """\
contract: calm_only
about: Robots drive only while all are calm.
each: skill(agent, skill)
when: skill == 'go_to' and agent == 'R1'
require: mood == 'calm'
"""
GO = "skill: go_to\nwith: {agent: R1, place: pantry}\n"
FORBIDDEN = StepFailed(
    "go_to", ("pantry",), Forbidden("calm_only", "Robots drive only while all are calm.")
)


def bench(folder: Path, root: str = GO, contract: str = SAFE) -> Bench:
    return Bench(folder, {**tree(f"{root}once: true"), "pack/safe.contract.yaml": contract})


def failures(b: Bench) -> list[object]:
    return [failure_of(str(e.data["reason"])) for e in b.told("node.failed")]


@pytest.mark.parametrize("root", [GO, f"{GO}retry: 3\n", f"{GO}retry: -1\n"])
def test_a_contract_that_breaks_stops_the_skill_at_that_instant(tmp_path: Path, root: str) -> None:
    b = bench(tmp_path, root)
    b.pass_time(2)
    b.set(mood="upset")
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["cancelled"]) == (2.0, True)
    (stopped,) = b.told("skill.forbidden")
    assert stopped.data["skill"] == "go_to(pantry)"
    assert b.said() == ["R1 stops: Robots drive only while all are calm."]
    b.pass_time(20)
    assert failures(b) == [FORBIDDEN]
    assert len(b.told("skill.started")) == 1


def test_none_begins_that_would_break_it(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(mood="upset")
    b.tick()
    assert not b.told("skill.started")
    assert failures(b) == [FORBIDDEN]


@pytest.mark.parametrize(
    ("type", "place", "begins"),
    [("Ward", "pantry", False), ("Place", "pantry", False), ("Ward", "table", True)],
)
def test_a_contract_may_forbid_all_things_of_a_type(
    tmp_path: Path, type: str, place: str, begins: bool
) -> None:
    contract = (
        "contract: no_wards\nabout: Nobody enters a ward.\neach: 'skill(agent, skill, args)'\n"
        f"when: skill == 'go_to' and is_a(args.place, '{type}')\nrequire: false\n"
    )
    files = {
        **tree(f"{GO.replace('R1', 'R2').replace('pantry', place)}once: true"),
        "pack/safe.contract.yaml": contract,
        "pack/kitchen.domain.yaml": KITCHEN["pack/kitchen.domain.yaml"].replace(
            "  Place: {}\n", "  Place: {}\n  Ward: {is: Place}\n"
        ),
        "pack/kitchen.scene.yaml": KITCHEN["pack/kitchen.scene.yaml"].replace(
            "pantry: {type: Place}", "pantry: {type: Ward}"
        ),
        "pack/R2.agent.yaml": KITCHEN["pack/R2.agent.yaml"].replace("near: table", "near: pantry")
        if place == "table"
        else KITCHEN["pack/R2.agent.yaml"],
    }
    b = Bench(tmp_path, files)
    b.tick()
    assert bool(b.told("skill.started")) is begins


def test_the_skills_of_others_go_on(tmp_path: Path) -> None:
    b = bench(tmp_path, GO.replace("R1", "R2"))
    b.pass_time(2)
    b.set(mood="upset")
    b.pass_time(5)
    assert b.fact("near", "R2") == "pantry"


def test_one_that_cannot_be_evaluated_is_broken(tmp_path: Path) -> None:
    b = bench(tmp_path, contract=SAFE.replace("mood == 'calm'", "mood + 1 > 2"))
    b.tick()
    assert not b.told("skill.started")
    (failure,) = failures(b)
    assert "it cannot be evaluated" in str(failure)


def test_people_are_told_what_the_contract_is_about(tmp_path: Path) -> None:
    b = bench(tmp_path)
    words = explain_failure(b.team.knowledge, "R1", str(FORBIDDEN))
    assert words == "Robots drive only while all are calm"


def test_a_subtask_that_breaks_eventually_is_stopped(tmp_path: Path) -> None:
    late = (
        "contract: quick\nabout: Everything is done in 3 s.\n"
        "eventually: {each: subtask, require: subtask.status == 'done', within: 3s}\n"
    )
    b = bench(tmp_path, contract=late)
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.pass_time(10)
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["cancelled"]) == (3.0, True)
    reason = Forbidden("quick", "Everything is done in 3 s.")
    assert failures(b) == [StepFailed("go_to", ("pantry",), reason)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("skill(agent, skill)", "skil(agent)", "unknown action 'skil'"),
        ("skill(agent, skill)", "skill(agnt, skill)", "unknown argument 'agnt' of 'skill'"),
        ("mood ==", "mod ==", "unknown name 'mod'"),
    ],
)
def test_it_is_checked(tmp_path: Path, old: str, new: str, message: str) -> None:
    loaded = library(
        tmp_path, {**KITCHEN, **tree(GO), "pack/safe.contract.yaml": SAFE.replace(old, new)}
    )
    found = [p for p in check_library(loaded) if p.span.path == "pack/safe.contract.yaml"]
    assert message in [p.message for p in found if p.severity == "error"]
