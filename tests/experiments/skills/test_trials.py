"""Skills tried one by one: what is tried, what is done before it, and how it is counted."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from experiments.line_store import LineStoreError
from experiments.skills.cases import NoTrials, SkillSelection, SkillTrial, select_trials
from experiments.skills.planner import TrialCall, TrialPlanner, words
from experiments.skills.report import SkillReport, make_row, to_json, to_text
from experiments.skills.results import FILE, TrialResult
from experiments.skills.sensing import SceneFacts
from experiments.skills.trials import cause_of, run_trials
from tests.support.library import WAREHOUSE
from treec.check import check_library
from treec.files.library import Library, load_library
from treec.files.view import View, in_scene
from treec.nodes.worker import Effect
from treec_testing.decisions.situation import with_model
from treec_testing.pool.spread import Pool
from treec_testing.skill_trial import LIMIT

DEPOT = Path(__file__).parents[2] / "data/depot"
YARD = """\
scene: yard
about: Three crates on two racks, a dock, and a gate that is shut.
domain: depot
objects:
  rack: {type: Place}
  ramp: {type: Place}
  dock: {type: Place}
  gate: {type: Gate}
  crate 2: {type: Crate, at: rack}
  crate 3: {type: Crate, at: rack}
  crate 4: {type: Crate, at: ramp}
"""
GATES = """\
skill: open
about: Open a gate.
args: {agent: Robot, gate: Gate}
before:
  - not opened(gate)
after:
  - opened(gate)
takes: 1s
runs: {symbolic: treec.envs.symbolic:Effects}
---
skill: close
about: Close a gate.
args: {agent: Robot, gate: Gate}
before:
  - opened(gate)
after:
  - not opened(gate)
takes: 1s
runs: {symbolic: treec.envs.symbolic:Effects}
---
skill: lift
about: Lift a crate onto another; no skill changes what is heavy.
args: {agent: Robot, crate: Crate}
before:
  - heavy(crate)
after:
  - at(crate) == agent
takes: 1s
runs: {symbolic: treec.envs.symbolic:Effects}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The depot with a second scene, in which there is a gate."""
    root = Path(shutil.copytree(DEPOT, tmp_path_factory.mktemp("evaluate") / "depot"))
    (root / "yard.scene.yaml").write_text(YARD, "utf-8")
    (root / "gates.skill.yaml").write_text(GATES, "utf-8")
    edits = {
        "depot.domain.yaml": [
            ("  Crate: {}\n", "  Crate: {}\n  Gate: {}\n"),
            ("derived:\n", "  opened: {args: [Gate]}\n  heavy: {args: [Crate]}\nderived:\n"),
        ],
        "depot.scene.yaml": [("at: shelf}", "at: shelf, heavy: true}")],
        "team.agent.yaml": [("stamp: {}}", "stamp: {}, open: {}, close: {}, lift: {}}")],
    }
    for name, changes in edits.items():
        text = (root / name).read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (root / name).write_text(text, "utf-8")
    found = load_library(root)
    assert not found.diagnostics
    assert not [one for one in check_library(found) if one.severity == "error"]
    return found


@pytest.fixture(scope="module")
def yard(library: Library) -> TrialPlanner:
    return _planner(library, "depot", "yard")


def _planner(
    library: Library, system: str, scene: str, sensing: SceneFacts | None = None
) -> TrialPlanner:
    entry = library.find("system", system)
    assert entry is not None
    view = View(library, in_scene(entry, scene))
    return (
        TrialPlanner(view, "symbolic")
        if sensing is None
        else TrialPlanner(view, "symbolic", sensing)
    )


def _call(skill: str, **args: str) -> TrialCall:
    return TrialCall(skill, tuple(args.items()))


def _plan(planner: TrialPlanner, call: TrialCall) -> str | None:
    found = planner.plan(call, random.Random(0))
    return None if found is None else words(found)


def test_what_can_be_done_at_once_needs_nothing_before(yard: TrialPlanner) -> None:
    assert _plan(yard, _call("go_to", agent="Hauler", place="rack")) == ""
    assert _plan(yard, _call("open", agent="Hauler", gate="gate")) == ""


def test_what_must_be_done_before_is_found_in_order(yard: TrialPlanner) -> None:
    assert _plan(yard, _call("close", agent="Hauler", gate="gate")) == "open(Hauler, gate)"
    place = _call("place", agent="Hauler", crate="crate 2", place="dock")
    way = yard.plan(place, random.Random(0))
    assert way is not None
    assert [call.skill for call in way] == ["go_to", "pick", "go_to"]
    assert dict(way[1].args)["crate"] == "crate 2"


def test_what_no_skill_changes_makes_a_call_impossible(yard: TrialPlanner) -> None:
    assert _plan(yard, _call("lift", agent="Hauler", crate="crate 2")) is None


def test_the_search_leaves_the_world_as_it_was(library: Library) -> None:
    planner = _planner(library, "depot", "yard")
    call = _call("place", agent="Hauler", crate="crate 3", place="dock")
    before = [(key, known.value) for key, known in planner._runtime.world.facts]
    assert planner.plan(call, random.Random(3)) is not None
    assert [(key, known.value) for key, known in planner._runtime.world.facts] == before


def test_repairs_are_left_to_the_skill_and_what_is_so_already_is_undone() -> None:
    planner = _planner(load_library(WAREHOUSE), "warehouse", "warehouse")
    assert _plan(planner, _call("pick", agent="Hauler", crate="crate 12")) == ""
    assert _plan(planner, _call("pick", agent="Scout", crate="crate 12")) is None  # it has no forks
    placing = _call("place", agent="Hauler", crate="crate 12", place="aisle 1")
    assert _plan(planner, placing) == "pick(Hauler, crate 12)"


def _drawn(
    library: Library, n: int, seed: int, objects: int | None = None
) -> tuple[SkillTrial, ...]:
    wanted = SkillSelection(("depot",), ("pick", "stamp"), ("yard",), objects)
    return select_trials(library, "symbolic", wanted, n, seed).trials


def test_the_same_seed_draws_the_same_trials_and_a_larger_number_more(library: Library) -> None:
    six = _drawn(library, 3, 5)
    assert _drawn(library, 3, 5) == six
    assert _drawn(library, 1, 5) == six[:2]  # the first of every skill comes first
    assert [trial.call.skill for trial in six] == ["pick", "stamp"] * 3
    assert [trial.seed for trial in six] == [5, 5, 6, 6, 7, 7]
    assert {trial.subject for trial in six[::2]} == {
        "crate 2",
        "crate 3",
        "crate 4",
    }  # each in turn
    assert _drawn(library, 3, 6) != six


def test_of_fewer_objects_the_same_ones_are_tried_again(library: Library) -> None:
    grasped = [trial.subject for trial in _drawn(library, 4, 5, 1)[::2]]
    assert grasped == [_drawn(library, 1, 5)[0].subject] * 4


def test_scenes_take_turns(library: Library) -> None:
    wanted = SkillSelection(("depot",), ("pick",))
    trials = select_trials(library, "symbolic", wanted, 4, 0).trials
    scenes = [trial.scene for trial in trials]
    assert scenes[:2] == scenes[2:]
    assert set(scenes) == {"depot", "yard"}
    gates = select_trials(library, "symbolic", SkillSelection(("depot",), ("open",)), 2, 0).trials
    assert {trial.scene for trial in gates} == {"yard"}  # the other has no gate


def test_what_can_be_done_nowhere_is_named(library: Library) -> None:
    wanted = SkillSelection(("depot",), ("pick", "lift"), ("yard",))
    assert select_trials(library, "symbolic", wanted, 1, 0).impossible == ("depot: lift",)


class NoRoom:
    """An environment in which nothing fits into anything."""

    def impossible(self, effects: tuple[Effect, ...]) -> str:
        return "too large" if any(effect.value == "dock" for effect in effects) else ""


def test_what_the_environment_foresees_to_fail_is_not_tried(library: Library) -> None:
    told = _planner(library, "depot", "yard", SceneFacts((), NoRoom()))
    place = _call("place", agent="Hauler", crate="crate 2", place="dock")
    pick = _call("pick", agent="Hauler", crate="crate 2")
    assert [_plan(told, place), _plan(told, pick)] == [None, "go_to(Hauler, rack)"]


def test_what_the_environment_senses_is_believed(library: Library) -> None:
    opened = Effect("opened", ("gate",), True, "sensed")
    planner = _planner(library, "depot", "yard", SceneFacts((opened,)))
    assert _plan(planner, _call("close", agent="Hauler", gate="gate")) == ""


def test_what_is_not_there_is_said(library: Library) -> None:
    with pytest.raises(NoTrials, match="unknown skill 'pik'; did you mean 'pick'"):
        select_trials(library, "symbolic", SkillSelection(("depot",), ("pik",)), 1, 0)
    with pytest.raises(NoTrials, match="unknown scene 'yrad'"):
        select_trials(library, "symbolic", SkillSelection(("depot",), scenes=("yrad",)), 1, 0)


def test_kept_trials_are_not_tried_again(library: Library, tmp_path: Path) -> None:
    wanted = SkillSelection(("depot",), ("pick",), ("yard",))
    trials = select_trials(library, "symbolic", wanted, 3, 0).trials
    keep, told = tmp_path / "kept", []
    first = run_trials(library, trials[:1], env="symbolic", pool=Pool(1), keep=keep)
    with (keep / FILE).open("a", encoding="utf-8") as file:
        file.write('{"env": "symb')  # it broke off here
    every = run_trials(
        library,
        trials,
        env="symbolic",
        pool=Pool(1),
        keep=keep,
        tell=lambda done, now: told.append((done.trial, now)),
    )
    assert every[0] == first[0]  # its wall time, too
    assert [done.trial for done in every] == list(trials)
    assert all(done.ok and done.begun and done.seconds == 2.0 for done in every)
    assert told == [(trials[0], False), (trials[1], True), (trials[2], True)]
    assert len((keep / FILE).read_text("utf-8").splitlines()) == len(trials)


def test_a_file_that_is_no_evaluation_is_not_gone_on_with(library: Library, tmp_path: Path) -> None:
    trials = select_trials(library, "symbolic", SkillSelection(("depot",), ("pick",)), 1, 0).trials
    (tmp_path / FILE).write_text('{"a": 1}\n', "utf-8")
    with pytest.raises(LineStoreError, match=r"trials\.jsonl:1: not a trial"):
        run_trials(library, trials, env="symbolic", pool=Pool(1), keep=tmp_path)


def test_what_has_not_ended_in_time_has_timed_out(library: Library) -> None:
    """It is stopped then, and what is stopped has not failed for a reason of its own."""
    drive = library.find("skill", "go_to")
    assert drive is not None
    slow = with_model(drive, drive.model.model_copy(update={"takes": LIMIT + 1}))
    changed = library.with_entries(slow if it is drive else it for it in library.entries)
    call = _call("go_to", agent="Hauler", place="rack")
    trial = SkillTrial("depot", "yard", "rack", 0, (call,))
    (done,) = run_trials(changed, [trial], env="symbolic", pool=Pool(1))
    assert (done.begun, done.cause) == (True, "timed out")
    assert done.reason == "it has not ended after 600 s"


@pytest.mark.thorough
def test_more_trials_than_a_pool_takes_go_on_in_the_next(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.skills.trials.TRIALS_A_PROCESS", 1)
    wanted = SkillSelection(("depot",), ("pick",), ("yard",))
    trials = select_trials(library, "symbolic", wanted, 3, 0).trials
    done = run_trials(library, trials, env="symbolic", pool=Pool(2))
    assert len(trials) == 3
    assert [one.trial for one in done] == list(trials)
    assert all(one.ok for one in done)


TRIAL = SkillTrial("dag_plan", "kitchen_2", "door", 0, (_call("open", agent="left", door="door"),))
DONE = (
    TrialResult(TRIAL, True, True, seconds=4.0, wall=1.0, measures=(("open", 0.9),), cpu=8.0),
    TrialResult(TRIAL, True, True, seconds=6.0, wall=4.0, measures=(("open", 0.7),)),
    TrialResult(TRIAL, False, True, "slipped", "slipped: off the handle", 99.0, 99.0),
    TrialResult(TRIAL, False, False, "grasp before it: blocked", "grasp(tin): blocked"),
)


def test_rates_are_of_what_was_begun_and_times_of_what_came_off() -> None:
    row = make_row("open", DONE)
    assert (row.trials, row.begun, row.ok) == (4, 3, 2)
    assert row.rate == pytest.approx(2 / 3)
    assert (row.seconds, row.seconds_worst) == (5.0, 6.0)
    assert (row.wall, row.wall_worst) == (2.5, 4.0)
    assert row.measures["open"] == pytest.approx((0.8, 0.7))
    nothing = make_row("open", DONE[2:])
    assert (nothing.rate, nothing.seconds, nothing.wall_worst) == (0.0, None, None)
    assert make_row("open", DONE[3:]).rate is None


def test_the_table_and_the_data_say_what_failed_of_what() -> None:
    report = SkillReport("sapien", 4, 0, ("spread",), DONE, ("mosaic: stack",))
    text = to_text(report).splitlines()
    assert text[1] == "3 begun, 2 succeeded; 2.0 s of CPU time each on average."
    assert "possible nowhere in these scenes: mosaic: stack" in text
    counts, times = "4      3     2    67 %", "5.00    6.00    2.50    4.00"
    assert text[4] == f"dag_plan: open       {counts}    {times}  open 0.80, 0.70"
    assert "     1 x dag_plan: open: slipped" in text
    assert "     1 x dag_plan: open: grasp before it: blocked" in text
    assert "no worker for sapien: spread" in text
    data = to_json(report)
    assert [cause["count"] for cause in data["causes"]] == [1, 1]  # type: ignore[attr-defined]
    assert len(data["trials"]) == 4  # type: ignore[arg-type]


def test_a_trial_is_told_in_one_line() -> None:
    told = [done.describe() for done in DONE[::2]]
    assert told == [
        "open(left, door) in kitchen_2, seed 0: succeeded in 4.0 s (8.0 s of CPU time)",
        "open(left, door) in kitchen_2, seed 0: failed: slipped (0.0 s of CPU time)",
    ]


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("dropped: at(plate) is table, not toaster", "dropped"),
        ("blocked", "blocked"),
        ("timed out after 60 s", "timed out"),
        ("pick(tin): 'near(agent) == place' does not hold", "a condition does not hold"),
        ("", "failed"),
    ],
)
def test_a_failure_has_a_name(reason: str, cause: str) -> None:
    assert cause_of(reason) == cause
