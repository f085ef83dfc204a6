"""Whose fault a failure is: rules over small journals, no physics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.mosaic.intents import INTENTS
from experiments.mosaic.judge import judge
from experiments.mosaic.trials.attribution import AttributedFailure, attribute
from experiments.mosaic.trials.trial import WholeTrial, judge_trial, robots_part
from tests.experiments.mosaic.tales import SALT, Tale
from treec.run.folder import JOURNAL

STIR = ("stir the pot", "stir", {"container": "pot"})
GET = ("get the salt", "get", {"item": "salt"})


def at_work(agent: str = "R2", work: tuple[str, str, dict[str, str]] = GET) -> Tale:
    """A robot has begun what the user agreed to."""
    tale = Tale().cook(work).propose(agent, work[0]).wait(2)
    offer = {"id": "p1", "agent": agent, "subtask": work[0]}
    tale.user("Yes.", {"do": "accept", "proposals": [offer]}).assign(agent, work[0])
    return tale.says(f"{agent} will {work[0]}.").event(
        "subtask.started", agent=agent, subtask=work[0]
    )


def look(tale: Tale, *, error: float | None = 0.002, why: str = "") -> Tale:
    value = None if why else {"point": [0, 0, 0]}
    return tale.wait(1).event(
        "need.answered",
        skill="pick",
        agent="R2",
        need="pose",
        provider="localize",
        args={"thing": "salt"},
        value=value,
        why=why,
        record={} if error is None else {"error": error},
    )


def skill(tale: Tale, name: str, agent: str = "R2", reason: str = "", **more: Any) -> Tale:
    args = {"agent": agent, "item": "salt"}
    ended = {"skill": name, "agent": agent, "args": args, "ok": not reason, "id": "s1"}
    return tale.wait(1).event("skill.ended", **ended, reason=reason, **more)


def done(tale: Tale) -> Tale:
    return tale.wait(1).event("subtask.done", subtask="get the salt")


def failures(tale: Tale, ended: str = "finished") -> list[AttributedFailure]:
    story = tale.story()
    return attribute(story, judge(story), ended)


def shown(tale: Tale, ended: str = "finished") -> list[tuple[str, str, bool]]:
    return [(one.module, one.kind, one.mended) for one in failures(tale, ended)]


def test_a_run_without_failures_has_none() -> None:
    assert shown(done(skill(look(at_work()), "pick"))) == []


@pytest.mark.parametrize(
    ("reason", "module", "kind"),
    [
        ("slipped: at(salt) is none, not R2", "skill", "slipped"),
        ("knocked over: rice", "skill", "knocked over"),
        ("not reached: by the arm from anywhere", "skill", "not reached"),
        ("timed out after 120 s", "skill", "out of time"),
        ("not seen: salt: nothing scores 0.3", "perception", "not found"),
        (
            "'near(agent) == at(item)' does not hold: R1 cannot reach it",
            "skill",
            "not reached",
        ),
        ("'at(item) in people' does not hold", "planner", "wrong subtask"),
        ("the environment 'sapien' is lost: ValueError", "engine", "environment lost"),
    ],
)
def test_the_reason_of_a_skill_names_the_module(reason: str, module: str, kind: str) -> None:
    tale = skill(look(at_work()), "pick", reason=reason)
    assert shown(tale, "gave up: no progress, 1 subtasks left") == [(module, kind, False)]


@pytest.mark.parametrize(
    ("error", "why", "kind"),
    [(0.031, "", "more than 30 mm off"), (None, "not seen: no camera", "not found")],
)
def test_what_fails_after_a_wrong_look_is_of_perception(
    error: float | None, why: str, kind: str
) -> None:
    tale = skill(look(at_work(), error=error, why=why), "pick", reason="slipped: at(salt)")
    assert shown(tale) == [("perception", kind, False)]


def test_a_look_that_another_makes_up_for_is_no_failure() -> None:
    tale = skill(look(at_work(), why="not seen: hidden"), "pick", cancelled=True, asked_again=True)
    assert shown(done(skill(look(tale), "pick"))) == []


def test_a_look_far_off_that_did_no_harm_is_told_as_made_up_for() -> None:
    tale = done(skill(look(at_work(), error=0.05), "pick"))
    assert shown(tale) == [("perception", "more than 30 mm off", True)]


def test_a_subtask_that_comes_off_at_the_second_attempt_mends_its_failure() -> None:
    tale = skill(look(at_work()), "pick", reason="slipped: at(salt)")
    assert shown(done(skill(look(tale), "pick"))) == [("skill", "slipped", True)]


def test_one_that_the_person_takes_over_does_not() -> None:
    tale = skill(look(at_work()), "pick", reason="slipped: at(salt)")
    why = {"reason": "pick(salt): slipped", "told": "slipped"}
    tale.event("subtask.failed", subtask="get the salt", agent="R2", **why)
    tale.assign("user", "get the salt")
    tale = done(tale)
    assert ("skill", "slipped", False) in shown(tale)
    assert robots_part(tale.story()) == (1, 0)


def stirring() -> Tale:
    tale = at_work("R1", STIR)
    tale.event("skill.started", id="s1", skill="stir", agent="R1", args={})
    return tale.event(
        "need.answered", skill="stir", agent="R1", need="forecast", provider="forecast", args={},
        value={"person": "user"}, record={},
    )  # fmt: skip


def test_who_waits_for_nobody_until_it_is_out_of_time_is_of_forecasting() -> None:
    tale = stirring().event("skill.noted", order="s1", text="makes room", record={"reacts": True})
    tale = skill(tale, "stir", "R1", reason="timed out after 120 s")
    assert shown(tale) == [("forecasting", "waited for nobody", False)]


def test_a_touch_by_the_robots_own_motion_is_of_forecasting_and_nothing_mends_it() -> None:
    tale = stirring()
    for own in (False, True):
        touch = {"person": "user", "link": "panda_hand", "at": 3.0, "own": own}
        tale.event("skill.noted", order="s1", text="", record={"touch": touch})
    tale = skill(tale, "stir", "R1").event("subtask.done", subtask="stir the pot")
    assert shown(tale) == [("forecasting", "touched", False)]


def test_a_note_in_words_alone_is_no_touch(tmp_path: Path) -> None:
    tale = skill(stirring().event("skill.noted", order="s1", text="makes room"), "stir", "R1")
    for name, text in zip((JOURNAL, INTENTS), tale.texts(), strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    trial = WholeTrial(tale.recipe, 1, "symbolic")
    assert judge_trial(trial, tmp_path, "finished", 60.0, 1.0).touched == 0


def test_what_was_handed_over_and_not_taken_is_of_forecasting() -> None:
    tale = skill(at_work(), "hand_over", reason="not taken: no hand has come")
    assert shown(tale) == [("forecasting", "not taken", False)]


def test_work_that_nobody_asked_for_is_of_the_planner() -> None:
    tale = Tale().cook(GET).assign("R2", "get the salt")
    tale.event("subtask.started", agent="R2", subtask="get the salt")
    assert shown(done(tale)) == [("planner", "act without permission", False)]


def test_words_that_came_to_nothing_are_of_speech_and_so_is_what_is_wrong_with_them() -> None:
    tale = Tale().cook(GET)
    tale.user("Somebody get the salt.", {"do": "request", "agent": None, **SALT}).wait(20)
    assert shown(tale, "gave up: no progress") == [
        ("speech", "ignore user", False),
        ("speech", "misunderstood", False),
    ]
    tale = Tale().cook(GET)
    tale.user("Somebody get the salt.", {"do": "request", "agent": None, **SALT})
    tale.says("Sorry, I did not get that.").wait(20)
    assert shown(tale) == [("speech", "misunderstood", True)]


def test_a_trial_that_does_not_end_and_has_no_other_failure_has_lost_an_order() -> None:
    lost = failures(Tale().cook(GET), "gave up: no progress, 1 subtasks left")
    assert [(one.module, one.kind) for one in lost] == [("planner", "order lost")]
    assert lost[0].what == "gave up: no progress, 1 subtasks left"


def test_a_stop_that_was_not_obeyed_is_told_of_its_interaction() -> None:
    def stopped(*, obeyed: bool) -> Tale:
        tale = at_work().plan("E").wait(2)
        tale.user("R2, stop!", {"do": "stop", "agent": "R2"}, mode="E")
        if obeyed:
            tale.event("agent.interrupted", agent="R2")
        tale.says("R2 has stopped." if obeyed else "What is it?").wait(20)
        tale.user("R2, go on.", {"do": "resume", "agent": "R2"}, mode="E")
        if obeyed:
            tale.event("agent.resumed", agent="R2")
        return tale.says("R2 goes on." if obeyed else "It does.").wait(20)

    assert shown(done(stopped(obeyed=True))) == []
    bad = failures(done(stopped(obeyed=False)))
    assert ("planner", "interaction E") in [(one.module, one.kind) for one in bad]


def test_a_subtask_that_fails_before_a_skill_of_it_begins_is_a_failure_once() -> None:
    why = "get(salt): 'near(agent) == at(item)' does not hold"
    told = "the salt is not where R2 can reach it"
    failed = {"subtask": GET[0], "agent": "R2"}
    never = at_work().wait(3).event("subtask.failed", **failed, reason=why, told=told)
    assert shown(never) == [("skill", "not reached", False)]
    late = skill(at_work(), "pick", reason="slipped")
    late = late.event("subtask.failed", **failed, reason="pick(salt): slipped", told="slipped")
    assert shown(late) == [("skill", "slipped", False)]
