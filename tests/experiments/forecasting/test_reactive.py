"""The experiment `forecasting.reactive`: what is measured, of whom, and that the command works."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sapien")

from experiments.command import main
from experiments.forecasting.motions import held_out, reaches_out, up_to_reach
from experiments.forecasting.reactive import command, differences, summary
from experiments.forecasting.reactive_trials import (
    PerfectForecast,
    ReactiveResult,
    is_in,
    reaction_of,
)
from tests.envs.sapien.person.people import kitchen_with, person
from treec_forecasting import forecaster
from treec_forecasting.synthetic import write_motion
from treec_sapien.people.recordings import MotionEpisode, read_recordings


def test_room_that_was_given_up_again_is_no_reaction() -> None:
    made, resumed = {"reacts": True}, {"resumes": True}
    notes = [(3.0, "", made), (5.0, "", resumed), (9.0, "", made), (11.0, "", resumed)]
    assert reaction_of(notes, 8.5) == pytest.approx(0.5)
    assert reaction_of(notes, 9.2) == pytest.approx(-0.2)
    assert reaction_of(notes, 4.0) == pytest.approx(-1.0)
    assert reaction_of(notes[:2], 8.0) is None


def test_of_a_file_that_was_trained_on_the_recordings_that_all_held_out_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made-up motion was trained on, too."""
    path = tmp_path / "reach.npz"
    path.write_bytes(b"what was trained on")
    joints = np.zeros((40, 7, 3))
    episodes = [MotionEpisode(f"reach/r/{n}", "p", joints, joints[:, 0]) for n in range(6)]
    monkeypatch.setattr(forecaster, "SHIPPED", tmp_path)
    made = {"trained_on": {"old.npz": forecaster.sha_of(path)}}
    for name, unseen in (("steady", ["r/1", "r/2", "r/5"]), ("without_noise", ["r/2", "r/5"])):
        (tmp_path / name).mkdir()
        spec = {"forecast": {"forecast": name, "about": "Any.", "network": {"sts_gcn": {}}}}
        card = {**spec, **made, "held_out": {"old.npz": unseen}}
        (tmp_path / name / forecaster.MADE).write_text(json.dumps(card), "utf-8")
    assert [it.recording for it in held_out(episodes, path)] == ["reach/r/2", "reach/r/5"]
    path.write_bytes(b"what was not")
    assert held_out(episodes, path) == episodes


def test_people_who_reach_out_are_used(tmp_path: Path) -> None:
    write_motion(tmp_path / "reach.npz", "reach", 1, 1)
    write_motion(tmp_path / "leave.npz", "leave", 1, 1)
    (reach,), (leave,) = (read_recordings(tmp_path / f"{it}.npz") for it in ("reach", "leave"))
    assert reaches_out(reach)
    assert not reaches_out(leave)
    held = up_to_reach(reach.joints)
    assert np.array_equal(held[-1], held[-200])


def test_what_is_summed_up() -> None:
    results = [
        ReactiveResult(True, 0.2, 0, 0, reaction=-0.5),
        ReactiveResult(True, 0.1, 2, 1, reaction=None),
        ReactiveResult(False, float("inf"), 0, 0),
        ReactiveResult(False, 0.15, 0, 0, why="dropped: ladle on the way"),
    ]
    found = summary(results)
    assert found["failures"] == {"not done in time": 1, "dropped: ladle on the way": 1}
    assert (found["trials"], found["succeeded"]) == (4, 2)
    assert (found["collisions"], found["own_collisions"]) == (1, 1)
    assert found["margin"]["mean"] == pytest.approx(0.15)
    assert found["reaction"] == {"mean": -0.5, "error": None, "n": 1}
    assert "goal" not in found


def test_methods_are_compared_trial_by_trial() -> None:
    one = [
        ReactiveResult(True, margin, 0, 0, goal=goal) for margin, goal in ((0.2, 1.0), (0.3, None))
    ]
    other = [
        ReactiveResult(True, margin, 0, 0, goal=goal) for margin, goal in ((0.1, 3.0), (0.1, 2.0))
    ]
    found = differences(one, other)
    assert list(found) == ["margin", "goal"]
    assert found["margin"] == pytest.approx({"mean": 0.15, "error": 0.05, "n": 2})
    assert found["goal"] == {"mean": -2.0, "error": None, "n": 1}


def test_a_tool_is_in_the_pot_or_above_it_or_beside_it() -> None:
    middle = np.array((0.1, 0.2))
    for tip, inside in (
        ((0.15, 0.2, 0.8), True),
        ((0.1, 0.2, 0.95), False),
        ((0.2, 0.2, 0.8), False),
    ):
        tool = np.array([(0.1, 0.2, 1.2), tip])
        assert is_in(tool, middle, 0.09, 0.9) == inside
    assert not is_in(np.zeros((0, 3)), middle, 0.09, 0.9)


def test_a_perfect_forecast_is_what_the_person_will_do(tmp_path: Path) -> None:
    kitchen = kitchen_with({"user": person(tmp_path)})
    user = kitchen.people["user"]
    outlook = PerfectForecast(user)(1.0, user.tracking)
    assert (outlook.basis, outlook.made, outlook.seen) == ("forecast", 1.0, 1.0)
    assert not outlook.spread.any()
    for at in (0, 10, 25):
        assert outlook.joints[at] == pytest.approx(user.joints(1.0 + at / 25))
    assert np.abs(outlook.joints[25] - outlook.joints[0]).max() > 0.05


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--data", "none.npz"), "no such file: none.npz"),
        (("--data", "none.npz", "--env", "symbolic"), "no people move in 'symbolic'"),
        (("--data", "none.npz", "--skill", "pour"), "unknown skill 'pour'"),
        (
            ("--data", "none.npz", "--method", "Theirs"),
            "unknown method 'Theirs'; known: Current, Base, Ours, Perfect",
        ),
    ],
)
def test_what_cannot_be_evaluated(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command, [*words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.slow
def test_a_table_of_trials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_motion(tmp_path / "reach.npz", "reach", 3, 1)
    words = ["--data", str(tmp_path / "reach.npz"), "--n", "1"]
    films = tmp_path / "films"
    words += ["--skill", "stir", "--film", str(films)]
    words += ["--method", "Ours", "--method", "Current", "--method", "Perfect"]
    assert main(command, [*words, "--output-format", "json"]) == 0
    names = ("current", "ours", "perfect")
    assert all((films / f"stir_{name}.webp").read_bytes()[8:12] == b"WEBP" for name in names)
    table = json.loads(capsys.readouterr().out)
    assert list(table) == ["Current", "Ours", "Perfect"]
    assert "paired" not in table["Current"]["stir"]
    assert 0.0 < table["Ours"]["stir"]["inside"]["mean"] < 1.0
    assert table["Perfect"]["stir"]["paired"]["Current"]["margin"]["mean"] > 0.0
    assert table["Ours"]["stir"]["own_collisions"] == 0
    assert table["Ours"]["stir"]["reaction"]["mean"] < table["Current"]["stir"]["reaction"]["mean"]


@pytest.mark.thorough
def test_joints_from_cameras_need_the_pose_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    write_motion(tmp_path / "reach.npz", "reach", 2, 1)
    data = str(tmp_path / "reach.npz")
    args = ["--data", data, "--n", "1", "--skill", "stir"]
    assert main(command, [*args, "--joints", "eyes"]) == 2
    assert "joints cannot come from 'eyes': from simulator or camera" in capsys.readouterr().err
    assert main(command, [*args, "--joints", "camera", "--noise", "0.03"]) == 2
    assert "--noise is that of the simulator's joints" in capsys.readouterr().err
    assert main(command, [*args, "--joints", "camera"]) == 2
    assert "treec perception weights --fetch pose" in capsys.readouterr().err
