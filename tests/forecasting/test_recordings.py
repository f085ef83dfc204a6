"""Recordings: both formats, gaps, 25 Hz, splits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.forecasting.support import REST, assembly, body, handovers
from treec_sapien.people.recordings import (
    HIP_BELOW_NECK,
    MotionFileError,
    fill_gaps,
    read_recordings,
    resample,
    split,
)
from treec_sapien.people.skeleton import WINDOW


def test_two_people_are_two_episodes_that_see_each_other(tmp_path: Path) -> None:
    episodes = read_recordings(handovers(tmp_path / "h.npz"))
    assert [(it.recording, it.person) for it in episodes[:3]] == [
        ("h/m0", "giver"), ("h/m0", "receiver"), ("h/m1", "giver"),
    ]  # fmt: skip
    giver, receiver = episodes[:2]
    assert giver.partner is not None
    assert giver.thing is not None
    assert np.allclose(giver.partner, receiver.joints)
    assert np.allclose(giver.thing, giver.joints[:, 6], atol=1e-6)
    assert np.allclose(giver.joints[0], REST[:7] + giver.joints[0, 0] - REST[0], atol=0.2)


def test_time_runs_at_25_frames_a_second(tmp_path: Path) -> None:
    (giver, *_) = read_recordings(handovers(tmp_path / "h.npz", (91,)))
    assert len(giver) == 76  # 3 s at 30 Hz
    truth = body(91, 0)
    assert np.allclose(giver.joints[25], truth[30, :7], atol=1e-5)
    assert np.allclose(giver.root[50], truth[60, 7], atol=1e-5)


def test_a_recording_without_neck_and_hip(tmp_path: Path) -> None:
    (first, second) = read_recordings(assembly(tmp_path / "a.npz"))
    assert first.partner is None
    assert first.thing is None
    middle = (first.joints[:, 1] + first.joints[:, 2]) / 2
    assert np.allclose(first.joints[:, 0], middle)
    assert np.allclose(first.root, middle - (0, 0, HIP_BELOW_NECK))
    assert np.allclose(second.joints[0, 5], body(150, 51)[0, 5])


def test_a_cameras_axes_are_turned_up(tmp_path: Path) -> None:
    up = read_recordings(assembly(tmp_path / "a.npz"))
    seen = read_recordings(assembly(tmp_path / "b.npz", missing=5, camera=True))
    for one, other in zip(seen, up, strict=True):
        assert np.abs(one.joints - other.joints).max() < 0.05
        assert np.allclose(one.root, other.root)
    for name, more in (("says its rate", {"fps": 30}), ("with arms held up", {})):
        with np.load(tmp_path / "b.npz") as file:
            fields = dict(file)
        if not more:
            elbows = slice(2, 4)
            fields["positions"][:, elbows] += (0.0, -0.4, 0.0)
        np.savez(tmp_path / "c.npz", **fields, **more)
        (first, *_) = read_recordings(tmp_path / "c.npz")
        assert np.allclose(first.joints[0, 1], fields["positions"][0, 4]), name


def test_a_short_gap_is_filled_and_a_long_one_cuts(tmp_path: Path) -> None:
    whole = read_recordings(assembly(tmp_path / "a.npz", (200,)))
    short = read_recordings(assembly(tmp_path / "b.npz", (200,), missing=5))
    assert len(short) == 1
    assert np.abs(short[0].joints - whole[0].joints).max() < 0.05
    long = read_recordings(assembly(tmp_path / "c.npz", (200,), missing=20))
    assert [len(it) for it in long] == [50, 100]  # 60 and 120 frames at 30 Hz


def test_what_is_shorter_than_a_window_is_left_out(tmp_path: Path) -> None:
    assert read_recordings(handovers(tmp_path / "h.npz", (40,))) == []
    assert len(read_recordings(handovers(tmp_path / "g.npz", (43,)))[0]) >= WINDOW


def test_gaps_at_the_ends_are_not_filled() -> None:
    data = np.array([[np.nan], [1.0], [np.nan], [3.0], [np.nan]])
    assert np.allclose(fill_gaps(data, 2), [[np.nan], [1], [2], [3], [np.nan]], equal_nan=True)


def test_resampling_keeps_straight_motion() -> None:
    line = np.arange(31.0)[:, None] / 30
    assert np.allclose(resample(line, 30, 25)[:, 0], np.arange(26) / 25)
    assert resample(line, 25, 25) is line


def test_people_of_one_recording_stay_together(tmp_path: Path) -> None:
    episodes = read_recordings(handovers(tmp_path / "h.npz", (90,) * 20))
    parts = split(episodes, 3)
    names = [{it.recording for it in part} for part in parts]
    assert [len(it) for it in names] == [14, 2, 4]
    assert names[0].isdisjoint(names[1] | names[2])
    assert names[1].isdisjoint(names[2])
    assert sum(len(part) for part in parts) == 40
    assert [it.recording for it in split(episodes[::-1], 3)[2]][::-1] == [
        it.recording for it in parts[2]
    ]
    assert names[2] != {it.recording for it in split(episodes, 4)[2]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"giver": None, "receiver": None}, "has neither 'giver' and 'receiver' nor 'positions'"),
        ({"lengths": None}, "has no 'lengths'"),
        ({"joints": None}, "has no 'joints'"),
        ({"lengths": np.array([5])}, r"'giver' has 510 frames, and 'lengths' adds up to 5"),
        ({"giver": np.zeros((510, 3))}, r"'giver' is \(510, 3\); it must be \(frames, 8, 3\)"),
        ({"joints": np.array(["x"] * 8)}, "has no joint 'left_shoulder'"),
        (
            {"giver": 1000 * np.tile(REST, (510, 1, 1))},
            "left upper arms are 274 m long: positions must be in metres",
        ),
        ({"joints": np.array("neck")}, r"'joints' is \(\); it must be a list"),
        ({"lengths": np.array(510)}, r"'lengths' is \(\); it must be a list"),
        ({"lengths": np.array(["510"])}, "'lengths' must be whole numbers"),
        ({"lengths": np.array([600, -90])}, "'lengths' must be whole numbers"),
        ({"names": np.array("m")}, r"'names' is \(\); it must be a list"),
        ({"object": np.zeros((5, 3))}, "'object' has 5 frames, and 'lengths' adds up to 510"),
        ({"object": np.zeros((510, 4))}, r"'object' is \(510, 4\); it must be \(frames, 3\)"),
        ({"object": np.array(0.0)}, r"'object' is \(\); it must be \(frames, 3\)"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(
    tmp_path: Path, change: dict[str, object], says: str
) -> None:
    with np.load(handovers(tmp_path / "h.npz")) as data:
        fields = {name: data[name] for name in data.files}
    fields = {name: it for name, it in {**fields, **change}.items() if it is not None}
    np.savez(tmp_path / "bad.npz", **fields)  # type: ignore[arg-type]
    with pytest.raises(MotionFileError, match=says):
        read_recordings(tmp_path / "bad.npz")


def test_other_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(MotionFileError, match="no such file"):
        read_recordings(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no archive", "utf-8")
    with pytest.raises(MotionFileError, match=r"text\.npz is not an \.npz file"):
        read_recordings(tmp_path / "text.npz")
    data = handovers(tmp_path / "h.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(MotionFileError, match=r"cut\.npz is not an \.npz file"):
        read_recordings(tmp_path / "cut.npz")
    np.save(tmp_path / "one.npy", np.zeros((9, 8, 3)))
    with pytest.raises(MotionFileError, match=r"one\.npy is not an \.npz file: it holds one array"):
        read_recordings(tmp_path / "one.npy")


def test_damaged_files_are_told_whatever_is_damaged(tmp_path: Path) -> None:
    """zipfile, zlib, numpy and tokenize each have their own errors."""
    whole = handovers(tmp_path / "h.npz", (50,))
    with np.load(whole) as file:
        np.savez_compressed(whole, **dict(file))
    data, rng = whole.read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(60):
        damaged = bytearray(data)
        for at in rng.integers(len(data), size=3):
            damaged[at] ^= 1 << int(rng.integers(8))
        (tmp_path / "bad.npz").write_bytes(damaged)
        try:
            read_recordings(tmp_path / "bad.npz")
        except MotionFileError:
            refused += 1
    assert refused > 40


def test_a_thing_or_a_partner_that_is_never_seen_is_not_there(tmp_path: Path) -> None:
    path = handovers(tmp_path / "h.npz", (60, 60))
    with np.load(path) as file:
        fields = dict(file)
    fields["object"][:60] = np.nan
    fields["receiver"][60:] = np.nan
    np.savez(path, **fields)
    found = {(it.recording, it.person): it for it in read_recordings(path)}
    assert set(found) == {("h/m0", "giver"), ("h/m0", "receiver"), ("h/m1", "giver")}
    assert found["h/m0", "giver"].thing is None
    assert found["h/m0", "giver"].partner is not None
    assert found["h/m1", "giver"].partner is None
    assert found["h/m1", "giver"].thing is not None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"fps": np.array(0)}, "'fps' is 0; it must be above 0"),
        ({"fps": np.array(np.inf)}, "'fps' is inf; it must be above 0"),
        ({"fps": np.array([30, 30])}, "'fps' must be a number"),
        ({"fps": np.array("fast")}, "'fps' must be a number"),
        ({"names": np.array(["only one"])}, "there are 1 'names' and 5 'lengths'"),
        ({"giver": np.array("nobody")}, "'giver' must be numbers"),
    ],
)
def test_what_is_wrong_in_a_recording_is_told(
    tmp_path: Path, fields: dict[str, np.ndarray], message: str
) -> None:
    path = handovers(tmp_path / "h.npz")
    with np.load(path) as file:
        np.savez(path, **{**dict(file), **fields})
    with pytest.raises(MotionFileError, match=message):
        read_recordings(path)
