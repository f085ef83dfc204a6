"""Gates: nobody is forecast worse than by standing still, those who are known as before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.forecasting.support import REST, handovers
from treec_forecasting.calibration import calibrated
from treec_forecasting.evaluation import Corruption, evaluate
from treec_forecasting.files import ForecastFile
from treec_forecasting.forecaster import Forecaster, ForecasterError, find, load, save, shipped
from treec_forecasting.gate import FEATURES, HISTORY, Gate
from treec_forecasting.gate_fitting import _seen, fitted, fitted_to
from treec_forecasting.networks import DctMlp
from treec_forecasting.synthetic import motion_episodes
from treec_forecasting.windows import MotionWindows, motion_of
from treec_sapien.people.recordings import Floats, MotionEpisode, read_recordings
from treec_sapien.people.skeleton import PAST, RATE

SPEC = ForecastFile.model_validate(
    {
        "forecast": "tiny", "about": "x", "network": {"dct_mlp": {"width": 16, "depth": 1}},
        "gate": True,
    }
)  # fmt: skip

TOLERATED = 1.02
"""How much farther off than standing still a set may be."""


def always(parts: float, body: float) -> Gate:
    """A gate that is open so far, whatever it sees."""
    zeros, ones = np.zeros(FEATURES, np.float32), np.ones(FEATURES, np.float32)
    bias = np.array((parts, body), np.float32)
    return Gate(zeros, ones, zeros[None], zeros[:1], np.zeros((2, 1), np.float32), bias)


def wild() -> DctMlp:
    """A network that moves everybody about."""
    torch.manual_seed(1)
    network = DctMlp(16, 1)
    torch.nn.init.normal_(network.joints.weight, std=0.3)
    return network


def swaying(seed: int) -> MotionEpisode:
    """Somebody whose every joint wanders for itself, and who drifts; like no recording."""
    rng = np.random.default_rng(seed)
    kernel = np.exp(-0.5 * (np.arange(-24, 25) / 8) ** 2)
    noise = rng.normal(0.0, 0.04 / np.sqrt((kernel**2).sum()), (24, 198))
    ways = np.stack([np.convolve(it, kernel, "valid") for it in noise], axis=1).reshape(-1, 8, 3)
    drift = 0.1 * np.sin(np.arange(150)[:, None] / RATE * rng.uniform(0.5, 1.0, 3))
    body: Floats = REST + ways + drift[:, None]
    return MotionEpisode(f"sways/{seed}", "", body[:, :7], body[:, 7])


def ratios(name: str, episodes: list[MotionEpisode], how: Corruption) -> dict[str, float]:
    """How far off a forecaster is beside standing still."""
    still, _, own = evaluate(episodes, {"x": load(find(name))}, how).rows
    return {
        mode: errors["all ADE"].mean / still.errors[mode]["all ADE"].mean
        for mode, errors in own.errors.items()
    }


@pytest.mark.parametrize("name", shipped())
@pytest.mark.parametrize("how", [Corruption(), Corruption(0.01)], ids=["clean", "noise"])
def test_motion_that_a_network_never_had_is_not_worse_than_standing_still(
    name: str, how: Corruption
) -> None:
    """But for two: docs/results/forecasts.md has by how much."""
    if name != "everyday":
        assert max(ratios(name, motion_episodes("wave", 3, 4321), how).values()) <= TOLERATED
    if name != "sts_gcn":
        assert max(ratios(name, [swaying(it) for it in range(4)], how).values()) <= TOLERATED


def test_motion_that_a_network_knows_is_forecast_as_well_as_before() -> None:
    for kind in ("reach", "offer"):
        assert max(ratios("steady", motion_episodes(kind, 6, 4321), Corruption()).values()) < 0.75


def test_where_a_gate_is_shut_all_stays_and_where_only_the_body_moves_it_moves_as_one() -> None:
    motion = motion_of([swaying(0)])
    last = motion.frames[motion.starts + PAST - 1][:, None, :8]
    for gate, moves, bends in (
        (always(-99.0, -99.0), False, False),
        (always(-99.0, 99.0), True, False),
        (always(99.0, 99.0), True, True),
    ):
        forecasts = Forecaster(SPEC, {}, wild(), gate).forecast(motion, motion.starts)
        moved = forecasts.points - last
        assert bool((np.abs(moved) > 1e-4).any()) is moves is bool(forecasts.moves.all())
        assert bool((np.abs(moved - moved[:, :, 7:]) > 1e-4).any()) is bends
    alone = Forecaster(SPEC, {}, wild()).forecast(motion, motion.starts)
    assert np.allclose(alone.points, forecasts.points, atol=1e-5)


def test_a_gate_looks_at_what_came_of_the_last_forecasts_and_never_ahead() -> None:
    rng = np.random.default_rng(0)
    gate = Gate(
        *(np.zeros(FEATURES, np.float32), np.ones(FEATURES, np.float32)),
        rng.normal(0.0, 0.05, (8, FEATURES)).astype(np.float32),
        np.zeros(8, np.float32),
        rng.normal(size=(2, 8)).astype(np.float32),
        np.zeros(2, np.float32),
    )
    one = Forecaster(SPEC, {}, wild(), gate)

    def gates(change: slice, episode: int = 0) -> list[float]:
        motion = motion_of([swaying(0)])
        motion.frames[change, :8] += rng.normal(0.0, 0.05, (1, 8, 3)).astype(np.float32)
        motion.episode[: start - episode] -= episode
        seen = MotionWindows(motion.frames, motion.has, motion.starts, motion.episode)
        found = one.forecast(seen, np.array([start])).gates
        assert found is not None
        return [float(it) for it in found[0]]

    start = HISTORY
    as_it_is = gates(slice(0, 0))
    assert gates(slice(start + PAST, None)) == as_it_is
    assert gates(slice(0, start + PAST - HISTORY)) == as_it_is
    assert gates(slice(start - 15, start)) != as_it_is
    other_person = gates(slice(0, 0), 1)
    assert other_person != as_it_is
    assert gates(slice(0, start - 1), 1) == other_person


@pytest.fixture(scope="module")
def gate() -> Gate:
    """What a network that moves everybody about is given, by few windows and in few steps."""
    one = Forecaster(SPEC, {}, wild())
    motion = motion_of([swaying(it) for it in range(3)])
    return fitted_to([_seen(one, motion, Corruption(), 1.0)], 0, 60)


def test_a_network_that_knows_nothing_is_held_to_standing_still(gate: Gate) -> None:
    """And radii hold what they say."""
    episodes = [swaying(it) for it in range(10, 14)]
    one = Forecaster(SPEC, {}, wild(), gate)
    card = calibrated(one, {"a": motion_of(episodes)}, [Corruption()])
    told = Forecaster(SPEC, {"calibration": card}, wild(), gate)
    alone = Forecaster(SPEC, {}, wild())
    still, _, own, ungated = evaluate(episodes, {"x": told, "y": alone}).rows
    for mode in own.errors:
        worse, before = (
            it.errors[mode]["all ADE"].mean - still.errors[mode]["all ADE"].mean
            for it in (own, ungated)
        )
        assert worse < 0.2 * before
    assert own.coverage is not None
    assert own.coverage["0.8"] == pytest.approx(0.8, abs=0.05)


def test_a_gate_is_saved_and_read_and_what_is_no_gate_is_told(gate: Gate, tmp_path: Path) -> None:
    motion = motion_of([swaying(0)])
    save(tmp_path, SPEC, wild().state_dict(), {"command": "x"}, gate)
    read, before = load(tmp_path), Forecaster(SPEC, {}, wild(), gate)
    a, b = (it.forecast(motion, motion.starts).gates for it in (read, before))
    assert a is not None
    assert b is not None
    assert np.allclose(a, b, atol=0.02)
    assert load(tmp_path, gate=False).gate is None
    weights = (tmp_path / "weights.npz").read_bytes()
    for data, says in (
        (b"no archive", r"gate\.npz cannot be read"),
        (weights, r"gate\.npz is not a gate: 'mean'"),
        (None, r"has no gate\.npz: its training did not end"),
    ):
        (tmp_path / "gate.npz").unlink()
        if data is not None:
            (tmp_path / "gate.npz").write_bytes(data)
        with pytest.raises(ForecasterError, match=says):
            load(tmp_path)


@pytest.mark.thorough
def test_a_gate_needs_a_recording() -> None:
    with pytest.raises(ValueError, match="no recording to fit a gate to is as long as a window"):
        fitted(Forecaster(SPEC, {}, wild()), [], 1, 1)


@pytest.mark.thorough
def test_a_gate_is_fitted_to_recordings_and_to_motion_that_is_made_up(tmp_path: Path) -> None:
    """Slower, faster and backwards, too; to the same bits."""
    episodes = read_recordings(handovers(tmp_path / "h.npz", (90,) * 3))
    a, b = (fitted(Forecaster(SPEC, {}, wild()), episodes, 3, 1) for _ in range(2))
    assert (a.enter == b.enter).all()
    assert a.enter.any()
