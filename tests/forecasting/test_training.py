"""Training: networks, a tiny forecaster made anew bit for bit, stopping and going on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.forecasting.support import handovers
from treec_forecasting.evaluation import Corruption, corrupted, covered, evaluate
from treec_forecasting.files import ForecastFile
from treec_forecasting.forecaster import (
    LEVELS,
    Forecaster,
    ForecasterError,
    Forecasts,
    load,
    read_card,
    save,
)
from treec_forecasting.networks import DctMlp, StsGcn, make_network
from treec_forecasting.training import Fit, mirrored, prepared
from treec_forecasting.variation import varied
from treec_forecasting.windows import motion_of
from treec_sapien.people.recordings import MotionEpisode, read_recordings, split
from treec_sapien.people.skeleton import PAST, WINDOW


def spec(**more: object) -> ForecastFile:
    network = {"dct_mlp": {"width": 32, "depth": 1, "sees": ["partner", "thing"]}}
    return ForecastFile.model_validate(
        {
            "forecast": "tiny", "about": "x", "network": network, "epochs": 2, "batch": 32,
            "windows_per_epoch": 256, "noise": 0.002, **more,
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> list[MotionEpisode]:
    path = tmp_path_factory.mktemp("motion") / "h.npz"
    return read_recordings(handovers(path, (90,) * 10))


def made(out: Path, file: ForecastFile, episodes: list[MotionEpisode]) -> Path:
    out.mkdir(exist_ok=True)
    train, validation, _ = split(episodes, file.seed)
    save(out, file, Fit(file, train, validation, out).run(lambda _: None), {"command": "x"})
    return out


def test_sts_gcn_has_about_the_size_of_its_release() -> None:
    """34 thousand parameters for seven joints; the root is an eighth here."""
    network = StsGcn()
    assert 34_000 < sum(it.numel() for it in network.parameters()) < 42_000
    out, spread = network(torch.randn(2, PAST, 16, 3), torch.ones(2, 2))
    assert out.shape == (2, 25, 8, 3)
    assert spread is None


def test_an_unknown_network_is_named() -> None:
    with pytest.raises(ValueError, match="unknown network 'lstm'"):
        make_network("lstm", {})


def test_what_a_network_does_not_see_changes_nothing() -> None:
    torch.manual_seed(0)
    past, has = torch.randn(2, PAST, 16, 3), torch.ones(2, 2)
    other = past.clone()
    other[:, :, 8:15] += 1.0
    for network, same in (
        (DctMlp(32, 1).eval(), True),
        (DctMlp(32, 1, sees=("thing",)).eval(), True),
        (DctMlp(32, 1, sees=("partner",)).eval(), False),
        (StsGcn().eval(), True),
    ):
        with torch.inference_mode():
            assert torch.equal(network(past, has)[0], network(other, has)[0]) is same


def test_equal_seeds_make_equal_forecasters_to_the_bit(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    a = made(tmp_path / "a", spec(), episodes)
    b = made(tmp_path / "b", spec(), episodes[::-1][::-1])
    c = made(tmp_path / "c", spec(seed=1), episodes)
    assert (a / "weights.npz").read_bytes() == (b / "weights.npz").read_bytes()
    assert (a / "weights.npz").read_bytes() != (c / "weights.npz").read_bytes()


@pytest.mark.thorough
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    whole = made(tmp_path / "whole", spec(epochs=3), episodes)
    out = tmp_path / "cut"
    out.mkdir()
    train, validation, _ = split(episodes, 0)

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Fit(spec(epochs=3), train, validation, out).run(stop)
    assert (out / "checkpoint.pt").is_file()
    cut = made(out, spec(epochs=3), episodes)
    assert (cut / "weights.npz").read_bytes() == (whole / "weights.npz").read_bytes()


def test_a_checkpoint_of_another_file_is_refused(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    made(tmp_path, spec(), episodes)
    train, validation, _ = split(episodes, 0)
    with pytest.raises(ValueError, match="is of another forecast file"):
        Fit(spec(noise=0.01), train, validation, tmp_path)
    with pytest.raises(ValueError, match="is of other recordings"):
        Fit(spec(), train[1:], validation, tmp_path)


def test_a_checkpoint_that_does_not_say_what_it_began_with_is_refused(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    made(tmp_path, spec(epochs=1), episodes)
    path = tmp_path / "checkpoint.pt"
    saved = torch.load(path, weights_only=True)
    del saved["before"]
    torch.save(saved, path)
    train, validation, _ = split(episodes, 0)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is damaged, or of another version"):
        Fit(spec(epochs=1), train, validation, tmp_path)


@pytest.mark.parametrize("keep", [0, 2, -100])
def test_a_damaged_checkpoint_is_told(
    tmp_path: Path, episodes: list[MotionEpisode], keep: int
) -> None:
    made(tmp_path, spec(epochs=1), episodes)
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(path.read_bytes()[:keep])
    train, validation, _ = split(episodes, 0)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is damaged, or of another version"):
        Fit(spec(epochs=1), train, validation, tmp_path)


def test_a_training_that_diverges_is_told_and_makes_nothing(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    with pytest.raises(ValueError, match="the training diverged; try a smaller learning_rate"):
        made(tmp_path, spec(learning_rate=1e30), episodes)
    assert not (tmp_path / "weights.npz").exists()


def test_too_few_recordings_are_told(tmp_path: Path, episodes: list[MotionEpisode]) -> None:
    with pytest.raises(ValueError, match="2 episodes to train on and 0 to validate with: at least"):
        Fit(spec(), episodes[:2], [], tmp_path)


def test_a_forecaster_may_begin_with_another(tmp_path: Path, episodes: list[MotionEpisode]) -> None:
    before = made(tmp_path / "a", spec(), episodes)
    train, validation, _ = split(episodes, 0)
    fit = Fit(spec(epochs=1), train, validation, tmp_path)
    fit.begin_with(before)
    state, kept = fit.network.state_dict(), load(before).state()
    assert all(torch.equal(state[name], kept[name]) for name in state)
    (tmp_path / "o").mkdir()
    other = Fit(spec(network={"sts_gcn": {}}), train, validation, tmp_path / "o")
    with pytest.raises(ForecasterError, match="is of another network"):
        other.begin_with(before)


@pytest.mark.thorough
def test_training_beats_the_baselines(tmp_path: Path, episodes: list[MotionEpisode]) -> None:
    file = spec(epochs=20, windows_per_epoch=1024, noise=0.0, learning_rate=3e-3)
    folder = made(tmp_path, file, episodes)
    test = split(episodes, 0)[2]
    table = evaluate(test, {"tiny": load(folder)})
    errors = {row.method: row.errors["scene"]["all ADE"].mean for row in table.rows}
    assert errors["tiny"] < 0.9 * min(errors["zero_velocity"], errors["constant_velocity"])


def test_mirroring_swaps_left_and_right(episodes: list[MotionEpisode]) -> None:
    seen, _ = prepared(motion_of(episodes), motion_of(episodes).starts[:3])
    swapped = mirrored(seen, np.array([True, False, True]))
    assert (swapped[1] == seen[1]).all()
    assert np.allclose(swapped[0, :, 5], seen[0, :, 6] * (1, -1, 1))
    assert (mirrored(swapped, np.array([True, False, True])) == seen).all()


def untrained_network() -> nn.Module:
    torch.manual_seed(3)
    return make_network("dct_mlp", {"width": 32, "depth": 1})


def untrained() -> Forecaster:
    return Forecaster(spec(), {}, untrained_network())


def test_a_forecast_sees_nothing_that_comes_later(episodes: list[MotionEpisode]) -> None:
    motion = motion_of(episodes[:1], 10**6)
    before = untrained().forecast(motion, motion.starts)
    motion.frames[PAST:WINDOW] += 3.0
    after = untrained().forecast(motion, motion.starts)
    assert (before.points == after.points).all()


def test_a_forecast_turns_and_moves_with_the_person(episodes: list[MotionEpisode]) -> None:
    motion = motion_of(episodes[:1])
    turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    moved = motion_of(episodes[:1])
    moved.frames[:] = motion.frames @ turn + np.float32([3.0, -2.0, 0.0])
    a = untrained().forecast(motion, motion.starts).points
    b = untrained().forecast(moved, moved.starts).points
    assert np.allclose(a @ turn + np.float32([3.0, -2.0, 0.0]), b, atol=1e-4)


def test_noise_and_lost_joints_touch_what_is_seen_alone(episodes: list[MotionEpisode]) -> None:
    motion = motion_of(episodes)
    bad = corrupted(motion, Corruption(0.01, 0.3, 1))
    assert (bad.frames[:, 15:] == motion.frames[:, 15:]).all()
    off = np.abs(bad.frames[:, :15] - motion.frames[:, :15])
    for people in (off[:, :8], off[:, 8:]):
        assert 0.005 < people.mean() < 0.05
    frozen = corrupted(motion, Corruption(0.0, 0.5, 1)).frames
    same = (frozen[1:, 5] == frozen[:-1, 5]).all(axis=1)
    assert 0.4 < same.mean() < 0.6
    assert (corrupted(motion, Corruption(0.01, 0.3, 1)).frames == bad.frames).all()
    rows = {
        how.noise: evaluate(episodes, {}, how).rows[1].errors["scene"]["all ADE"].mean
        for how in (Corruption(), Corruption(0.01))
    }
    assert rows[0.01] > rows[0.0] + 20  # constant velocity multiplies noise


def test_a_share_lies_within_its_radius() -> None:
    """Without a calibration, distances are taken to be exponential; with one, it tells."""
    rng = np.random.default_rng(0)
    spread = np.full((400, 25, 7), 0.05, np.float32)
    off = np.zeros((400, 25, 8, 3), np.float32)
    for far, card in (
        (rng.exponential(0.05, spread.shape), {}),
        (rng.uniform(0, 0.05, spread.shape), {"moves": [[level] * 25 for level in LEVELS]}),
    ):
        off[:, :, :7, 0] = far
        one = Forecaster(spec(), {"calibration": {"radii": card}}, untrained_network())
        quantiles = np.repeat(one.radii[1:], 400, axis=0)
        found = covered(Forecasts(off, spread, 0.0, quantiles), np.zeros_like(off))
        assert found is not None
        for level, share in found.items():
            assert share == pytest.approx(float(level), abs=0.01)


def test_windows_vary_and_what_happens_has_no_noise(episodes: list[MotionEpisode]) -> None:
    torch.manual_seed(0)
    seen = torch.from_numpy(prepared(motion_of(episodes), motion_of(episodes).starts[:100])[0])
    past, future = varied(seen, 0.01)
    assert past.shape == (100, PAST, 16, 3)
    assert future.shape == (100, WINDOW - PAST, 8, 3)
    stops = (future == future[:, :1]).flatten(1).all(dim=1)
    assert 0 < stops.sum() < 25
    rough = (future[:, 2:] - 2 * future[:, 1:-1] + future[:, :-2]).norm(dim=-1).mean()
    noisy = (past[:, 2:] - 2 * past[:, 1:-1] + past[:, :-2])[:, :, :8].norm(dim=-1).mean()
    assert noisy > 2 * rough


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("made.json", b"{}", "made.json is not a forecaster's card"),
        ("made.json", b"no json", "made.json is not a forecaster's card"),
        ("made.json", b"[]", "made.json is not a forecaster's card: it: Input should be"),
        ("made.json", b'{"forecast": {}}', "card: forecast: Field required"),
        ("made.json", b'{"trained_on": [1], "forecast": {}}', "card: trained_on: Input should be"),
        ("weights.npz", b"no archive", r"weights\.npz cannot be read"),
    ],
)
def test_broken_folders_are_told(
    tmp_path: Path, episodes: list[MotionEpisode], name: str, data: bytes, says: str
) -> None:
    folder = made(tmp_path, spec(epochs=1), episodes)
    (folder / name).write_bytes(data)
    with pytest.raises(ForecasterError, match=says):
        load(folder)


def test_a_folder_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(ForecasterError, match="has no forecaster: 'treec forecast train'"):
            read_card(folder)
    (tmp_path / "made.json").mkdir()
    with pytest.raises(ForecasterError, match=r"made\.json cannot be read: Is a directory"):
        read_card(tmp_path)
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(ForecasterError, match=r"file/made\.json cannot be read: Not a directory"):
        read_card(tmp_path / "file")


def test_damaged_weights_are_told_whatever_is_damaged(
    tmp_path: Path, episodes: list[MotionEpisode]
) -> None:
    """zipfile, zlib, numpy and tokenize each have their own errors."""
    folder = made(tmp_path, spec(epochs=1), episodes)
    data, rng = (folder / "weights.npz").read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(60):
        damaged = bytearray(data)
        for at in rng.integers(len(data), size=3):
            damaged[at] ^= 1 << int(rng.integers(8))
        (folder / "weights.npz").write_bytes(damaged)
        try:
            load(folder)
        except ForecasterError:
            refused += 1
    assert refused > 40
    (folder / "weights.npz").unlink()
    with pytest.raises(ForecasterError, match=r"has no weights\.npz: its training did not end"):
        load(folder)


@pytest.mark.thorough
def test_weights_of_another_network_are_told(tmp_path: Path, episodes: list[MotionEpisode]) -> None:
    a = made(tmp_path / "a", spec(epochs=1), episodes)
    b = made(tmp_path / "b", spec(epochs=1, network={"sts_gcn": {}}), episodes)
    (a / "weights.npz").write_bytes((b / "weights.npz").read_bytes())
    with pytest.raises(ForecasterError, match="does not fit its network"):
        load(a)
