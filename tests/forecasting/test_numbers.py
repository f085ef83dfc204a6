"""What forecasting computes of given motion, in numbers: `numbers.txt`; and what commands print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sapien")

import torch

from tests.cli.conftest import Treec, treec
from tests.forecasting.support import REST, assembly, handovers
from tests.forecasting.test_live import constant_velocity, tracked
from tests.support import transcript
from tests.support.golden import check, written
from treec_forecasting import drawing
from treec_forecasting.baselines import BASELINES
from treec_forecasting.cli import forecast
from treec_forecasting.evaluation import Corruption, corrupted, covered, evaluate
from treec_forecasting.forecaster import Forecasts
from treec_forecasting.live import goes_on, open_model, speed_beyond, stands_still, stay
from treec_forecasting.metrics import clustered
from treec_forecasting.networks import make_network
from treec_forecasting.occluded_joints import HiddenJoints
from treec_forecasting.spikes import are_led_to, noise_of, without_spikes
from treec_forecasting.synthetic import MOTIONS, make_motion
from treec_forecasting.training import Progress
from treec_forecasting.windows import facing, motion_of, seen_from, transitions
from treec_sapien.people.amass import read_amass
from treec_sapien.people.recordings import fill_gaps, read_recordings, resample, split

__all__ = ["treec"]


def _recordings(folder: Path) -> Iterator[tuple[str, object]]:
    for name, file in {
        "handovers": handovers(folder / "h.npz", (90, 61)),
        "assembly": assembly(folder / "a.npz", missing=4),
        "assembly, gaps": assembly(folder / "g.npz", missing=40),
        "assembly, camera": assembly(folder / "c.npz", camera=True),
    }.items():
        for it in read_recordings(file):
            yield f"{name}, {it.recording} {it.person}", (it.joints, it.root, it.partner, it.thing)
    many = read_recordings(handovers(folder / "m.npz", (60,) * 10))
    yield "split", [[it.recording for it in part] for part in split(many, 3)]
    gaps = np.array([[0.0, 1.0], [np.nan, 2.0], [2.0, np.nan], [3.0, np.nan], [5.0, 9.0]])
    yield "gaps", (fill_gaps(gaps, 1).tolist(), fill_gaps(gaps, 2).tolist())
    yield "resampled", resample(np.array([[0.0], [1.0], [4.0], [9.0]]), 30.0, 25.0).tolist()
    numbers = np.random.default_rng(5)
    poses = numbers.normal(0.0, 0.4, (6, 72))
    fields = {"mocap_framerate": 120.0, "poses": poses, "trans": numbers.normal(size=(6, 3))}
    yield "amass", read_amass(fields)
    for motion in MOTIONS:
        made = make_motion(motion, 2, 3)
        yield (
            f"made up, {motion}",
            (made["positions"], made["lengths"], made["names"], int(made["fps"])),
        )


def _windows(folder: Path) -> Iterator[tuple[str, object]]:
    episodes = read_recordings(handovers(folder / "w.npz", (90, 61)))
    motion = motion_of(episodes)
    yield "windows", (motion.frames, motion.has, motion.starts, motion.episode)
    window = motion.window(motion.starts)
    origin, turn = facing(window)
    yield "facing", (origin, turn, seen_from(window, origin, turn))
    yield "transitions", transitions(motion)
    for name, baseline in BASELINES.items():
        yield f"baseline {name}", baseline(window[:, :10, :8])
    for corruption in (Corruption(0.02), Corruption(lost=0.3, seed=2)):
        yield str(corruption), corrupted(motion, corruption).frames
    table = evaluate(episodes, {}, Corruption(0.01, 0.1, 4))
    yield "evaluated", replace(table, rows=[vars(row) for row in table.rows])
    numbers = np.random.default_rng(5)
    points, truth = (numbers.normal(size=(4, 25, 7, 3)).astype(np.float32) for _ in range(2))
    exponential = np.full((4, 3, 25), -np.log([[0.5], [0.2], [0.05]]), np.float32)
    forecasts = Forecasts(points, np.full((4, 25, 7), 2.0, np.float32), 0.0, exponential)
    yield "covered", covered(forecasts, truth)
    yield "clustered", clustered(points[:, 0, 0, 0], np.array([0, 0, 1, 2]))
    past = window[0, :10, :8].astype(np.float64)
    yield "stay", stay(past)
    yield "goes on", goes_on(past)
    yield "beyond", (speed_beyond(past, stay(past)[0]), speed_beyond(past, goes_on(past)[1:]))
    yield "still", [stands_still(past * scale, noise) for scale in (0.01, 1) for noise in (0, 1)]
    shown = seen_from(window, origin, turn)[0]
    yield "drawn", drawing.svg(shown, shown[10:, :7], "title", None)
    yield "drawn with spread", drawing.svg(shown, shown[10:, :7], "t", np.full((25, 7), 0.1))
    yield "film", [np.asarray(picture) for picture in drawing.film(shown, shown[10:, :7])][::12]


def _networks() -> Iterator[tuple[str, object]]:
    past = torch.linspace(-1.0, 1.0, 10 * 16 * 3).reshape(1, 10, 16, 3)
    for kind, more in {
        "sts_gcn": {},
        "dct_mlp": {"width": 16, "depth": 2, "sees": ("partner",)},
    }.items():
        torch.manual_seed(3)
        network = make_network(kind, {"dropout": 0.2, **more}).eval()
        with torch.inference_mode():
            points, spread = network(past, torch.tensor([[1.0, 1.0]]))
        size = sum(parameter.numel() for parameter in network.parameters())
        found = (points.numpy(), None if spread is None else spread.numpy())
        yield kind, (size, written(found, 2))


def _joints() -> Iterator[tuple[str, object]]:
    times = np.arange(8) / 25
    poses = np.array([REST[:7] + np.array((0.04 * n, 0.0, 0.002 * n * n)) for n in range(8)])
    poses[3, 5] += (0.0, 0.3, 0.0)
    known = np.ones((8, 7), np.bool_)
    known[5, 4] = False
    yield "spikes", without_spikes(times, poses, known)[3:6].tolist()
    yield "noise", (noise_of(times, poses), noise_of(times[:2], poses[:2]))
    for off in (0.0, 0.1, 0.2, 1.0):
        led = are_led_to(times, poses, known, 8 / 25, poses[-1] + (0.04 + off, 0.0, 0.03))
        yield f"led to, {off}", led
    hidden = HiddenJoints()
    for number in range(14):
        now, pose = number / 25, REST[:7] + np.array((0.05 * number, 0.0, 0.0))
        mask = np.zeros(7, np.bool_)
        mask[5] = 4 <= number < 9
        mask[0] = number in (6, 7)
        joints, neck = hidden.carried(np.where(mask[:, None], np.nan, pose), mask)
        joints = hidden.believe(now, joints, ~mask, mask, neck)
        widths = hidden.widths(now, mask, 0.5)
        yield f"hidden at {number}", (neck, joints[5], widths, hidden.hidden_for(now, mask))
    for name, spoil in {
        "all": {},
        "missing": {5: None, 6: None},
        "jump": {9: REST[:7] + 1.0},
        "no wrist": {n: np.vstack([REST[:6], [[np.nan] * 3]]) for n in range(8, 14)},
        "nobody": {n: np.full((7, 3), np.nan) for n in range(10, 14)},
    }.items():
        for model in (constant_velocity(), "why there is none"):
            live, outlook = tracked(14, model, spoil)
            yield f"live, {name}, {type(model).__name__}", (live.rejected, vars(outlook))
    yield "no model", open_model("nosuch", Path("x"))


@pytest.mark.thorough
def test_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    for part in (_recordings(tmp_path), _windows(tmp_path), _networks(), _joints()):
        lines += [f"{name}: {written(value)}" for name, value in part]
    table = evaluate(read_recordings(handovers(tmp_path / "e.npz", (90, 61))), {})
    row = replace(table.rows[0], milliseconds=1.234, coverage={"0.5": 0.512, "0.8": 0.7})
    forecast._print(replace(table, rows=[*table.rows, row]), held_out=True)
    forecast._print(table, held_out=False)
    forecast._tell(Progress(3, 10, 0.5, 40.0, 50.0, 12.0, True))
    lines += [written(forecast._plain(table)), *capsys.readouterr()]
    check(Path(__file__).with_name("numbers.txt"), "\n".join(lines) + "\n")


@pytest.mark.slow
def test_transcript(treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "treec.toml").write_text("[library]\n", "utf-8")
    handovers(tmp_path / "motion.npz", (90,) * 4)
    for name, change in {
        "no_lengths": {"lengths": None},
        "no_joints": {"joints": None},
        "no_people": {"giver": None, "receiver": None},
        "lengths": {"lengths": np.array([1.5])},
        "long": {"lengths": np.array([9])},
        "list": {"lengths": np.zeros((2, 2), int)},
        "names": {"names": np.array(["a"])},
        "fps": {"fps": np.array("fast")},
        "no_fps": {"fps": np.array(-3.0)},
        "shape": {"giver": np.zeros((360, 8, 2))},
        "letters": {"giver": np.array(["a"])},
        "millimetres": {"giver": 1000.0 * np.tile(REST, (360, 1, 1))},
        "joint": {"joints": np.array(["nose"] * 8)},
    }.items():
        with np.load(tmp_path / "motion.npz") as file:
            arrays = {**dict(file), **change}
        given = {key: value for key, value in arrays.items() if value is not None}
        np.savez(tmp_path / f"{name}.npz", **given)
    transcript.check(Path(__file__).with_name("transcript.txt"), tmp_path, treec)
