"""Windows, the person's frame, transitions, baselines and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.forecasting.support import handovers
from treec_forecasting.baselines import constant_velocity, zero_velocity
from treec_forecasting.metrics import clustered, displacement, summarize
from treec_forecasting.windows import facing, motion_of, seen_from, transitions
from treec_sapien.people.recordings import read_recordings
from treec_sapien.people.skeleton import PAST, WINDOW

AWAY = np.array((5.0, 0.0, 0.0))


def test_a_window_every_fifth_frame_and_none_over_two_recordings(tmp_path: Path) -> None:
    episodes = read_recordings(handovers(tmp_path / "h.npz", (91, 60)))
    motion = motion_of(episodes)
    assert len(motion.frames) == sum(len(it) for it in episodes)
    assert len(motion.starts) == sum((len(it) - WINDOW) // 5 + 1 for it in episodes)
    for start in motion.starts:
        assert len(set(motion.episode[start : start + WINDOW])) == 1


def test_the_persons_frame_looks_forward(tmp_path: Path) -> None:
    motion = motion_of(read_recordings(handovers(tmp_path / "h.npz")))
    window = motion.window(motion.starts)
    origin, turn = facing(window)
    assert np.allclose(turn @ np.swapaxes(turn, 1, 2), np.eye(3), atol=1e-6)
    assert np.allclose(np.linalg.det(turn), 1.0)
    seen = seen_from(window, origin, turn)
    last = seen[:, PAST - 1]
    assert np.abs(last[:, 7]).max() < 1e-5  # the root is the origin
    assert np.abs(last[:, 1, 0] - last[:, 2, 0]).max() < 1e-5  # shoulders lie across
    assert (last[:, 1, 1] > last[:, 2, 1]).all()  # the left one on the left
    assert (last[:, 5:7, 0] > 0.05).all()  # hands before the body, whoever looks where
    back = np.einsum("wtki,wij->wtkj", seen, np.swapaxes(turn, 1, 2)) + origin[:, None, None]
    assert np.allclose(back, window, atol=1e-5)


def test_what_comes_later_does_not_move_the_frame(tmp_path: Path) -> None:
    motion = motion_of(read_recordings(handovers(tmp_path / "h.npz")))
    window = motion.window(motion.starts)
    later = window.copy()
    later[:, PAST:] += 5.0
    for a, b in zip(facing(window), facing(later), strict=True):
        assert (a == b).all()


def test_transitions_are_windows_with_hands_near_each_other(tmp_path: Path) -> None:
    (giver, receiver) = read_recordings(handovers(tmp_path / "h.npz", (60,)))
    apart = replace(giver, partner=receiver.joints + AWAY)
    near = giver.joints.copy()
    near[:, 5] = giver.joints[:, 6] + (0.1, 0.0, 0.0)
    late = receiver.joints + AWAY
    late[-1, 5] = giver.joints[-1, 6]
    found = [
        transitions(motion_of([replace(giver, partner=other)], 1))
        for other in (near, apart.partner)
    ]
    assert found[0].all()
    assert not found[1].any()
    assert transitions(motion_of([replace(giver, partner=late)], 1)).nonzero()[0].tolist() == [
        len(giver) - WINDOW
    ]
    assert not transitions(motion_of([replace(giver, partner=None)])).any()


def test_baselines() -> None:
    past = np.zeros((1, PAST, 1, 3), np.float32)
    past[0, :, 0, 0] = np.arange(PAST) * 0.02
    assert np.allclose(zero_velocity(past)[0, :, 0, 0], 0.18)
    assert np.allclose(constant_velocity(past)[0, :, 0, 0], 0.18 + 0.02 * np.arange(1, 26))


def test_errors_in_millimetres() -> None:
    truth = np.zeros((4, 25, 7, 3), np.float32)
    forecast = truth.copy()
    forecast[:, :, 5:] = (0.03, 0.04, 0.0)  # wrists 50 mm off
    forecast[:, -1, 5:] = (0.06, 0.08, 0.0)
    off = displacement(forecast, truth)
    near = np.array([True, False, False, False])
    found = summarize(off, np.array([0, 0, 1, 1]), near)
    assert found["wrists FDE"].mean == pytest.approx(100)
    assert found["wrists ADE"].mean == pytest.approx(52)
    assert found["all ADE"].mean == pytest.approx(52 * 2 / 7)
    assert (found["all ADE"].windows, found["T-all ADE"].windows) == (4, 1)
    assert "T-all ADE" not in summarize(off, np.zeros(4, np.int64), np.zeros(4, bool))


def test_windows_of_one_recording_count_together() -> None:
    rng = np.random.default_rng(2)
    level = np.repeat(rng.normal(0, 1, 50), 40)  # all windows of a recording are alike
    cluster = np.repeat(np.arange(50), 40)
    found = clustered(level.astype(np.float32), cluster)
    assert found.error == pytest.approx(level.std() / np.sqrt(50), rel=0.05)
    alone = clustered(level.astype(np.float32), np.arange(2000))
    assert alone.error == pytest.approx(level.std() / np.sqrt(2000), rel=0.05)
    assert np.isnan(clustered(np.float32([1.0, 2.0]), np.zeros(2, np.int64)).error)
