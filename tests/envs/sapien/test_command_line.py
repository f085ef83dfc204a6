"""Kitchens with physics through the command line: a skill, a small task, a whole salad."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.systems.conftest import library
from treec.world.journal import events, read_journal

__all__ = ["library", "treec"]

JITTERED = ("--env", "sapien", "--jitter")
POUR = """\
scenario: a_pour
system: mosaic
user:
  - says: R1, put the lettuce into the bowl
    means: [{request: {agent: R1}}]
expect: {finally: "added('lettuce', 'bowl') and at('lettuce') == 'table'", within: 3m}
"""


def final_facts(journal: Path) -> dict[tuple[object, ...], object]:
    """What holds at a run's end, by fact and things; what is false or unknown is not there."""
    found: dict[tuple[object, ...], object] = {}
    for record in read_journal(journal):
        for event in events(record):
            if event.kind.startswith("fact."):
                key = (event.data["fact"], event.data["args"])
                found[key] = event.data.get("value") if event.kind == "fact.set" else None
    return {key: value for key, value in found.items() if value not in (None, False)}


def journal_of(runs: Path) -> Path:
    (journal,) = runs.glob("*/journal.jsonl")
    return journal


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_a_skill_is_tried_out_and_what_came_of_it_is_sensed(treec: Treec) -> None:
    words = ("skill", "try", "pick", "item=lettuce", "--agent", "R1", "--env", "sapien")
    result = treec(*words, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    assert "  after    at(lettuce)  expected R1, sensed R1" in result.out
    assert "  after    holding(R1)  expected lettuce, sensed lettuce" in result.out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("skill", "where", "sensed"),
    [
        pytest.param(
            "put_into item=apple target=sink --agent left --seed 1",
            ("--system", "dag_plan", "--scene", "kitchen_3", "--first", "grasp item=apple"),
            "at(apple)  expected sink, sensed sink",
            marks=pytest.mark.slow,
            id="a level hand does not get into a deep sink: the apple comes in steeply",
        ),
        pytest.param(
            "pick item=milk --agent R2 --seed 3",
            (),
            "holding(R2)  expected milk, sensed milk",
            id="open fingers need room beside a fridge's wall",
        ),
        pytest.param(
            "pick item=pan --agent R1 --seed 0",
            (),
            "holding(R1)  expected pan, sensed pan",
            id="a pan's handle is within the arm's reach",
        ),
        pytest.param(
            "stir container=bowl tool=ladle --agent R1 --seed 5",
            (),
            "stirred(bowl)  expected true, expected true",
            id="once round, the arm is bent otherwise: it goes back the same way",
        ),
        pytest.param(
            "put_down --agent R2 --seed 3",
            ("--first", "pick item='cocoa powder'"),
            "at(cocoa powder)  expected pantry, sensed pantry",
            id="what is put down is put where its robot is sensed to be",
        ),
    ],
)
def test_it_comes_off_with_things_a_little_elsewhere(
    treec: Treec, skill: str, where: tuple[str, ...], sensed: str
) -> None:
    result = treec("skill", "try", *skill.split(), *where, *JITTERED, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    assert sensed in result.out


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 4])
def test_two_hands_take_a_pot_that_is_turned_below_a_roof(treec: Treec, seed: int) -> None:
    """Where a wrist would meet the roof, it is lifted less, or by flatter hands."""
    words = ("skill", "try", "put_onto_both", "item=pot", "other=right", "target=table")
    first = (
        "--first",
        "open door=cabinet_right_door",
        "--first",
        "grasp_both item=pot other=right",
    )
    where = ("--system", "dag_plan", "--scene", "kitchen_3", "--agent", "left")
    result = treec(*words, *first, *where, *JITTERED, "--seed", str(seed), "-L", ROOT)
    assert result.status == 0, result.out + result.err


@pytest.mark.needs_system("mosaic", "dag_plan")
def test_nothing_stands_elsewhere_than_the_scene_says(treec: Treec, tmp_path: Path) -> None:
    """Opening the kitchen changes no fact: all that is sensed at first is in the scene's file."""
    from treec.files.library import load_library
    from treec.files.view import View, in_scene, on_environment
    from treec.run.clocks import SteppingClock
    from treec.run.run import Run
    from treec.world.journal import Journal
    from treec.world.spec import RunSpec

    found = load_library(ROOT)
    for system, scene in (
        ("mosaic", "kitchen"),
        *(("dag_plan", f"kitchen_{n}") for n in (1, 2, 3)),
    ):
        entry = found.find("system", system)
        assert entry is not None
        view = View(found, on_environment(in_scene(entry, scene), "sapien"))
        run = Run(view, SteppingClock(), journal := Journal.in_memory(), RunSpec(env="sapien"))
        run.open_environments()
        told = [e.data for r in journal.records if r.by == "sapien" for e in events(r)]
        run.runtime.environments.close()
        assert told == [], scene


@pytest.mark.thorough
def test_a_pick_and_a_pour_in_a_conversation(treec: Treec, library: Path, tmp_path: Path) -> None:
    (library / "trees/scenarios/a_pour.scenario.yaml").write_text(POUR, "utf-8")
    runs = tmp_path / "runs"
    words = ("run", "mosaic", "--scenario", "a_pour", "--env", "sapien", "--fast")
    result = treec(*words, "--runs", runs, "-L", library)
    assert result.status == 0, result.out + result.err
    facts = final_facts(journal_of(runs))
    assert facts["added", ("lettuce", "bowl")] is True
    assert facts["at", ("lettuce",)] == "table"


def at_work(journal: Path) -> dict[str, list[tuple[float, float]]]:
    """When each agent was at a skill, by agent."""
    begun: dict[object, float] = {}
    found: dict[str, list[tuple[float, float]]] = {}
    for record in read_journal(journal):
        for event in events(record):
            if event.kind == "skill.started":
                begun[event.data["id"]] = event.t
            elif event.kind == "skill.ended" and event.data.get("id") in begun:
                span = begun[event.data["id"]], event.t
                found.setdefault(str(event.data["agent"]), []).append(span)
    return found


@pytest.mark.slow
def test_two_arms_at_once_do_a_task_and_the_same_seed_gives_the_same_journal(
    treec: Treec, tmp_path: Path
) -> None:
    journals = []
    for name in ("first", "second"):
        runs = tmp_path / name
        words = ("run", "dag_plan", "--task", "task_1", "--env", "sapien", "--fast")
        result = treec(*words, "--runs", runs, "-L", ROOT)
        assert result.status == 0, result.out + result.err
        journals.append(journal_of(runs))
    facts = final_facts(journals[0])
    assert (facts["at", ("apple",)], facts["at", ("bread",)]) == ("plate", "plate")
    spans = at_work(journals[0])
    assert any(
        begin < end_ and begin_ < end
        for begin, end in spans["left"]
        for begin_, end_ in spans["right"]
    )
    assert journals[0].read_bytes() == journals[1].read_bytes()


@pytest.mark.slow
def test_the_soup_is_heated_and_the_tin_put_on_the_table(treec: Treec, tmp_path: Path) -> None:
    task = "heat the soup and put the tin on the table"
    words = ("run", "dag_plan", "--task", task, "--env", "sapien", "--fast")
    result = treec(*words, "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    assert final_facts(journal_of(tmp_path))["at", ("tin",)] == "table"


@pytest.mark.slow
def test_a_salad_ends_with_the_same_facts_as_without_physics(treec: Treec, tmp_path: Path) -> None:
    found = []
    for env in ("symbolic", "sapien"):
        runs = tmp_path / env
        words = ("run", "mosaic", "--scenario", "caesar_salad", "--env", env, "--fast")
        result = treec(*words, "--runs", runs, "-L", ROOT)
        assert result.status == 0, result.out + result.err
        found.append(final_facts(journal_of(runs)))
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_run_that_was_killed_is_taken_up_with_things_as_they_were(
    treec: Treec, tmp_path: Path
) -> None:
    """Killed while R2 fetches: what it holds by then is where it was, and the salad gets done."""
    code = f"""
import os, signal, sys
from treec.world.world import World
emit = World.emit
picked = []
def stopping(self, event, by):
    record = emit(self, event, by)
    if event.kind == "skill.ended" and event.skill == "pick" and event.ok:
        picked.append(self.clock.now())
    if picked and self.clock.now() > picked[0]:  # what it holds is in the journal by then
        os.kill(os.getpid(), signal.SIGKILL)
    return record
World.emit = stopping
from treec.cli import main
sys.exit(main(["run", "mosaic", "-s", "fruit_salad", "--env", "sapien", "--fast",
               "--runs", {str(tmp_path)!r}, "-L", {str(ROOT)!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    journal = journal_of(tmp_path)
    before = final_facts(journal)
    held = [key[1][0] for key, value in before.items() if key[0] == "at" and value == "R2"]  # type: ignore[index]
    assert held
    count = len(journal.read_text("utf-8").splitlines())
    result = treec("run", "--resume", journal.parent, "--fast", "-L", ROOT)
    assert result.status == 0, result.out + result.err
    after = [json.loads(line) for line in journal.read_text("utf-8").splitlines()[count:]]
    opened = next(record for record in after if record["by"] == "sapien")
    sensed = {
        (e["data"]["fact"], *e["data"]["args"]): e["data"].get("value")
        for e in opened["data"]["events"]
    }
    assert sensed.get(("at", held[0]), "R2") == "R2"


DISTURBED = {
    "mosaic": "taken_away fallen dropped_object missed_place out_of_sight slippery",
    "dag_plan": "closed_again",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "name"), [(it, name) for it, names in DISTURBED.items() for name in names.split()]
)
def test_a_run_that_is_disturbed_ends_as_its_scenario_expects(
    treec: Treec, tmp_path: Path, system: str, name: str
) -> None:
    """Taken away, dropped, slipped, a door shut: noticed, and put right, asked for or given up."""
    words = ("run", system, "--scenario", name, "--env", "sapien", "--fast", "--offline")
    result = treec(*words, "--film", "0", "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.out + result.err


@pytest.mark.slow
def test_any_run_can_be_disturbed(treec: Treec, tmp_path: Path) -> None:
    """The ladle falls to the floor while others work: R1 cannot reach it, the person is asked."""
    words = ("run", "mosaic", "--scenario", "caesar_salad", "--env", "sapien", "--fast")
    disturb = ("--disturb", "20s: at(ladle) == none, fallen(ladle)")
    result = treec(*words, *disturb, "--offline", "--film", "0", "--runs", tmp_path, "-L", ROOT)
    assert "the ladle lies on the floor, where R1 does not reach" in result.out, result.err


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_room_is_made_for_a_hand_in_the_pot_and_a_replay_needs_no_torch(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    words = ("run", "mosaic", "--scenario", "hand_in_the_pot", "--env", "sapien", "--fast")
    done = treec(*words, "--offline", "-L", ROOT, "--runs", library / "runs")
    assert done.status == 0, done.out + done.err
    assert "as expected" in done.out
    journal = journal_of(library / "runs")
    noted = [
        event.data
        for record in read_journal(journal)
        for event in events(record)
        if event.kind == "skill.noted"
    ]
    words_said = [it["text"] for it in noted if it.get("text")]
    assert words_said == ["makes room for user", "goes on stirring: user has gone"]
    assert sum("forecasts" in it.get("record", {}) for it in noted) > 10
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "sapien", None)
    again = treec("replay", journal.parent, "-L", ROOT)
    assert again.status == 0, again.err
    assert "makes room for user" in again.out


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_a_salad_is_made_beside_a_person_with_cameras_forecasts_and_displaced_things(
    treec: Treec, tmp_path: Path
) -> None:
    for package in ("torch", "transformers"):
        pytest.importorskip(package)
    words = ("run", "mosaic", "--scenario", "salad_beside_a_person", "--env", "sapien", "--see")
    done = treec(*words, "--jitter", "--fast", "--offline", "-L", ROOT, "--runs", tmp_path)
    assert done.status == 0, done.out + done.err
    assert "8 of 8 subtasks done" in done.out
    assert "goes on stirring: user has gone" in done.out
    every = [it for record in read_journal(journal_of(tmp_path)) for it in events(record)]
    looks = [it.data["record"] for it in every if it.data.get("provider") == "localize"]
    assert len(looks) >= 5
    assert all(it["error"] < 0.03 for it in looks)
    assert not any("touch" in it.data.get("record", {}) for it in every)


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_a_thing_is_handed_to_a_moving_hand(treec: Treec, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    words = ("run", "mosaic", "--scenario", "handover_to_a_moving_hand", "--env", "sapien")
    done = treec(*words, "--fast", "--offline", "-L", ROOT, "--runs", tmp_path)
    assert done.status == 0, done.out + done.err
    assert "as expected" in done.out


@pytest.mark.slow
@pytest.mark.needs_system("mosaic")
def test_a_run_that_was_killed_is_taken_up_with_what_a_person_held(
    treec: Treec, tmp_path: Path
) -> None:
    """Killed before the end, when the hand has the lettuce: it is still there, and did not fall."""
    pytest.importorskip("torch")
    code = f"""
import os, signal, sys
from treec.world.world import World
emit = World.emit
def stopping(self, event, by):
    if event.kind == "run.end":
        os.kill(os.getpid(), signal.SIGKILL)
    return emit(self, event, by)
World.emit = stopping
from treec.cli import main
sys.exit(main(["run", "mosaic", "--scenario", "handover_to_a_moving_hand", "--env", "sapien",
               "--fast", "--offline", "--runs", {str(tmp_path)!r}, "-L", {str(ROOT)!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    journal = journal_of(tmp_path)
    count = len(journal.read_text("utf-8").splitlines())
    result = treec("run", "--resume", journal.parent, "--fast", "-L", ROOT)
    assert result.status == 0, result.out + result.err
    assert "as expected" in result.out
    after = journal.read_text("utf-8").splitlines()[count:]
    assert not any('"fact":"at"' in line and '"lettuce"' in line for line in after)
