"""`python -m experiments.mosaic.trials`: MOSAIC's Figure 3."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments.mosaic.kitchen import RecipeSubtask, kitchen_of
from experiments.mosaic.trials.attribution import AttributedFailure
from experiments.mosaic.trials.chart import to_svg
from experiments.mosaic.trials.page import PAGE, write_page
from experiments.mosaic.trials.person import (
    AISLE,
    ASIDE,
    AWAY,
    NoMotion,
    SteppingAside,
    Visit,
    boxes_of,
    is_clear,
    motion_of,
    recordings,
    room_at,
    visit_of,
)
from experiments.mosaic.trials.table import to_json, to_text
from experiments.mosaic.trials.trial import WholeTrial, WholeTrialResult, run_trials
from tests.support.pool import Inline
from treec.files.library import load_library
from treec.files.view import View

ROOT = Path(__file__).parents[3]
REACHING = ROOT / "trees/scenarios/reaching.npz"
SALAD = WholeTrial("Toss Salad", 40, "symbolic")


def result(recipe: str, *failures: AttributedFailure, done: int = 8) -> WholeTrialResult:
    return WholeTrialResult(
        WholeTrial(recipe, 1), "finished", 8, done, 200.0, 30.0, failures, ("C", "E")
    )


RESULTS = [
    result("Caesar Salad"),
    result("Caesar Salad", AttributedFailure("skill", "slipped", 9.0, "R2: pick", "a", True)),
    result("Corn Soup", AttributedFailure("perception", "not found", 5.0, "corn"), done=6),
]


def test_the_table_has_the_papers_figures_beside_ours_and_failures_by_module() -> None:
    lines = to_text(RESULTS).splitlines()
    assert lines[1].split()[:6] == ["Caesar", "Salad", "2/2", "(5/10)", "100.0", "(86.7)"]
    assert lines[2].split()[:7] == ["Corn", "Soup", "0/1", "(6/10)", "75.0", "(90.0)", "1"]
    assert lines[3].split()[:5] == ["all", "2/3", "(41/60)", "91.7", "(91.6)"]
    assert "    1 x skill: slipped" in lines
    assert lines[-1] == "Corn Soup, seed 1, 5 s: perception: not found: corn"
    plain = json.loads(json.dumps(to_json(RESULTS)))
    assert (plain["whole"], plain["failures"]["perception"], plain["mended"]["skill"]) == (2, 1, 1)


def test_the_figure_is_the_same_for_the_same_results() -> None:
    figure = to_svg(RESULTS)
    assert figure == to_svg(RESULTS)
    assert "41 of 60" in figure
    assert figure.count('class="paper"') == 6
    first, then = re.findall(r'class="paper" [^>]* y="(\d+)"|y="(\d+)"[^>]*>Subtasks', figure)[2:4]
    assert int(then[1]) > int(first[0]) + 30  # the second part's title is below the first's bars


@pytest.mark.thorough
def test_a_trial_is_run_kept_and_shown_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from experiments.mosaic.trials import trial

    library = load_library(ROOT)
    (first,) = run_trials(library, "mosaic", [SALAD], pool=Inline(), keep=tmp_path)
    assert first.whole
    assert first.done == first.subtasks > 6
    assert len(first.interactions) == 2
    page = write_page(tmp_path, [first]).read_text("utf-8")
    assert f'href="{SALAD.name}/report.html"' in page
    assert (tmp_path / SALAD.name / "intents.jsonl").is_file()
    monkeypatch.setattr(trial, "_try", pytest.fail)
    assert run_trials(library, "mosaic", [SALAD], pool=Inline(), keep=tmp_path) == [first]
    assert (tmp_path / PAGE).is_file()
    kitchen = kitchen_of(View(library, library.find("system", "mosaic")))
    assert visit_of(kitchen.recipes["Vegetable Soup"]) == Visit("hand_over")  # its files say so


def thing(at: list[float], **body: object) -> object:
    return type("Thing", (), {"pose": at, "yaw": 0.0, "body": body})


def subtask(task: str, **args: str) -> RecipeSubtask:
    return RecipeSubtask(task, task, task, args, ())


def test_a_person_comes_for_what_is_handed_over_or_to_what_is_stirred() -> None:
    stir = subtask("stir", container="pot")
    assert visit_of([subtask("get", item="salt"), stir]) == Visit("stir", "pot")
    assert visit_of([stir, subtask("hand over", item="salt")]) == Visit("hand_over")
    assert visit_of([subtask("get", item="salt")]) == Visit()


def test_the_hand_comes_to_the_container_and_the_same_seed_gives_the_same(tmp_path: Path) -> None:
    pytest.importorskip("treec_sapien")
    pytest.importorskip("treec_forecasting")
    pot = type("Thing", (), {"pose": [-0.28, 0.32, 0.75]})
    motion = motion_of(Visit("stir", "pot"), {"pot": pot}, REACHING, 5, tmp_path)
    assert motion.reach == pytest.approx([-0.28, 0.32, 0.97], abs=0.04)
    assert motion.starts.skill == "stir"
    assert 3.0 <= motion.starts.after <= 6.0
    assert motion == motion_of(Visit("stir", "pot"), {"pot": pot}, REACHING, 5, tmp_path)
    with np.load(tmp_path / "motion.npz") as file:  # they come from farther away, at a walk
        necks = file["positions"][:, 0, :2]
    ways = np.linalg.norm(necks - necks[50], axis=1)
    assert ways[0] == pytest.approx(AWAY, abs=1e-3)
    assert 0.5 < np.diff(ways[:50]).min() * -25 < 1.0
    fridge = thing([0.7, 2.0, 0.0], kind="fridge")  # where they would stand: to a side, then
    motion = motion_of(Visit("stir", "pot"), {"pot": pot, "fridge": fridge}, REACHING, 5, tmp_path)
    with np.load(tmp_path / "motion.npz") as file:
        joints, boxes = file["positions"], boxes_of({"fridge": fridge})
    assert room_at(joints, motion.reach, motion.yaw, boxes) >= AISLE
    assert room_at(joints[50:], motion.reach, motion.yaw, boxes) == pytest.approx(1.0, abs=0.5)
    handed = motion_of(Visit("hand_over"), {}, REACHING, 5, tmp_path)
    assert handed.starts.skill == "hand_over"
    with np.load(tmp_path / "motion.npz") as file:
        assert len(file["positions"]) > 10 * 25
    with pytest.raises(NoMotion, match="no such file"):
        recordings(tmp_path / "nobody.npz")


@pytest.mark.thorough
def test_nobody_in_a_trial_goes_through_the_table_or_what_stands_on_it(tmp_path: Path) -> None:
    pytest.importorskip("treec_sapien")
    pytest.importorskip("treec_forecasting")

    from treec_sapien.person.motion import placed_by_reach

    places = {
        "table": thing([0.0, -0.1, 0.0], kind="table", size=[1.7, 1.1, 0.75]),
        "pot": thing([-0.28, 0.32, 0.75], kind="pot"),
    }
    boxes = boxes_of(places)
    motion = motion_of(Visit("stir", "pot"), places, REACHING, 5, tmp_path)
    with np.load(tmp_path / "motion.npz") as file:
        joints = placed_by_reach(file["positions"], motion.reach, motion.yaw)
    assert is_clear(joints, boxes)
    assert not is_clear(joints - np.array((0.0, 0.0, 0.15)), boxes)  # its fingertips in the pot
    wall = {**places, "wall": thing([0.0, 0.9, 0.0], kind="table", size=[4.0, 1.0, 1.2])}
    with pytest.raises(NoMotion, match="go through the table or its things"):
        motion_of(Visit("stir", "pot"), wall, REACHING, 5, tmp_path)


def test_what_is_in_a_hand_and_how_things_may_stand_count_to_what_is_to_be_clear() -> None:
    pytest.importorskip("treec_sapien")
    joints = np.full((1, 7, 3), 9.0)
    joints[0, 3], joints[0, 5] = (0.0, 0.8, 1.0), (0.0, 0.5, 1.0)  # left elbow and wrist
    tip = 0.5 - 0.17 - 0.045
    box = np.array([[[-0.1, tip - 0.3, 0.9], [0.1, tip - 0.1, 1.1]]])  # 10 cm before it
    assert is_clear(joints, box, 0.09)
    assert not is_clear(joints, box, 0.11)
    assert not is_clear(joints, box, 0.03, 0.08)
    assert is_clear(joints + np.array((0.0, 0.02, 0.0)), box, 0.03, 0.08)


@pytest.mark.parametrize("side", [1, -1])
def test_who_hears_that_they_are_in_the_way_steps_aside_and_comes_back(side: int) -> None:
    pytest.importorskip("treec_sapien")
    from treec_sapien.person.motion import PlacedMotion
    from treec_sapien.person.person import STANDS, WALKS, Person

    somebody = object.__new__(Person)  # no body in physics
    somebody.begins, joints = None, np.zeros((2, 7, 3))
    joints[:, 1], joints[:, 2] = (0.2, 0.0, 1.4), (-0.2, 0.0, 1.4)  # shoulders: faces -y
    joints[:, 0] = (0.0, 0.0, 1.5)
    somebody.motion = PlacedMotion(joints, 25.0)
    timers: list[Callable[[], None]] = []
    run: Any = SimpleNamespace(
        team=SimpleNamespace(chat=[SimpleNamespace(who="user", text="step aside")]),
        clock=SimpleNamespace(now=lambda: 5.0, call_at=lambda t, call: timers.append(call)),
        inbox=SimpleNamespace(wake=lambda: None),
    )
    kitchen = SimpleNamespace(environment=SimpleNamespace(people={"user": somebody}))
    run.runtime = SimpleNamespace(environments=SimpleNamespace(find_open=lambda env: kitchen))
    behind = boxes_of({"wall": thing([0.0, 0.9, 0.0], kind="table", size=[1.0, 0.2, 1.2])})
    shelf = boxes_of({"shelf": thing([1.6 * side, 0.3, 0.0], kind="shelf", size=[0.9, 0.3, 1.2])})
    hears = SteppingAside(run, "sapien", "user", behind, shelf)
    hears.look()
    assert not timers  # they said it themselves
    asks = "You are in R1's way: could you step aside, please?"
    run.team.chat.append(SimpleNamespace(who="assistant", text=asks))
    hears.look()
    hears.look()
    (step,) = timers
    step()
    ways = [somebody.joints(5.0 + t)[0, :2] for t in (0.0, WALKS / 2, WALKS, WALKS + STANDS)]
    assert np.linalg.norm(ways, axis=1) == pytest.approx([0.0, ASIDE / 2, ASIDE, ASIDE])
    assert -side * ways[-1][0] > ASIDE / 2  # a wall is behind them, and a shelf on the other side
    assert somebody.is_moving(5.0 + STANDS)
    assert somebody.joints(5.0 + 2 * WALKS + STANDS) == pytest.approx(joints[0])
    assert not somebody.is_moving(5.0 + 2 * WALKS + STANDS)
