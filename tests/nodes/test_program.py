from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree

ROOT = "program: Steps\nwith: {agent: R1, subtask: get pepper}\nonce: true"


def program(folder: Path, steps: str | None = None, root: str = ROOT) -> Bench:
    files = tree(root)
    if steps is not None:
        text = "task: get\nabout: Fetch.\nargs: {item: Item}\nsays: [get <item>]\nsteps: |\n"
        files["pack/get.task.yaml"] = text + "".join(f"  {s}\n" for s in steps.split("; "))
    b = Bench(folder, files)
    b.add("get pepper", item="pepper")
    return b


def test_steps_one_after_the_other(tmp_path: Path) -> None:
    b = program(tmp_path)
    b.pass_time(20)
    assert b.run.root.status is Status.SUCCESS
    assert b.skills() == ["go_to R1 ok", "pick R1 ok", "go_to R1 ok", "place R1 ok"]
    assert b.fact("at", "pepper") == "table"


def test_the_next_step_begins_in_the_tick_in_which_the_last_one_ended(tmp_path: Path) -> None:
    b = program(tmp_path)
    b.pass_time(20)
    ended = {e.t for e in b.told("skill.ended")[:-1]}
    assert ended <= {e.t for e in b.told("skill.started")}


def test_arguments_are_evaluated_when_their_step_is_reached(tmp_path: Path) -> None:
    b = program(tmp_path, "go_to(place_of(item)); pick(item); go_to(table); place(item, table)")
    b.tick()
    b.emit("fact.set", fact="at", args=["pepper"], value="table", source="told")
    b.pass_time(20)
    assert b.skills()[:3] == ["go_to R1 ok", "go_to R1 ok", "pick R1 ok"]  # it repairs at its turn


def test_stopped_midway_the_step_is_cancelled_and_the_rest_dropped(tmp_path: Path) -> None:
    b = program(tmp_path, root=ROOT.replace("once: true", "while: mood == 'calm'"))
    b.pass_time(5)
    b.set(mood="angry")
    b.tick()
    b.pass_time(20)
    assert b.skills() == ["go_to R1 ok", "pick R1 cancelled"]
    assert b.fact("near", "R1") == "pantry"


def test_begun_again_it_passes_over_what_holds(tmp_path: Path) -> None:
    b = program(tmp_path, root=ROOT.replace("once: true", "while: mood == 'calm'"))
    b.pass_time(5)
    b.set(mood="angry")
    b.tick()
    b.set(mood="calm")
    b.pass_time(3)
    assert [e.data["skill"] for e in b.told("skill.started")].count("go_to") == 2


def test_steps_that_are_wrong_are_a_failure_with_their_line(tmp_path: Path) -> None:
    wrong = {
        "pick(item); fly(item)": "unknown skill 'fly'",
        "pick(item, item)": "unknown agent 'pepper'",
        "go_to(the_moon)": "line 1",
        "pick(": "line 1",
        "go_to(place_of(table))": "'place' has no value",
    }
    for number, (steps, reason) in enumerate(wrong.items()):
        b = program(tmp_path / str(number), steps)
        b.pass_time(20)
        assert b.run.root.status is Status.FAILURE, steps
        assert reason in str(b.told("node.failed")[-1].data["reason"]), steps


def test_a_task_without_steps_is_a_failure(tmp_path: Path) -> None:
    b = program(tmp_path, root=ROOT.replace("get pepper", "dance"))
    b.emit("subtask.added", id="dance", words="dance", task=None, args={})
    assert b.tick() is Status.FAILURE
    assert "no steps are known" in str(b.told("node.failed")[0].data["reason"])
