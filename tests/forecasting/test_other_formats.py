"""AMASS' and CoMaD's own files, written small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.forecasting.support import body
from treec_sapien.people.amass import rotations
from treec_sapien.people.comad import HIP, MARKER_OF, MARKERS
from treec_sapien.people.recordings import MotionFileError, read_recordings
from treec_sapien.people.skeleton import JOINTS

UPRIGHT = (np.pi / 2, 0.0, 0.0)
"""Turns SMPL's y, up in its rest pose, to z."""


def amass(path: Path, frames: int = 240, **turned: tuple[float, float, float]) -> Path:
    """Somebody at (1, 2) in SMPL's rest pose, with some joints turned; looks along -y."""
    poses = np.zeros((frames, 156))
    poses[:, :3] = UPRIGHT
    for number, turn in turned.items():
        at = 3 * int(number.removeprefix("joint"))
        poses[:, at : at + 3] = turn
    trans = np.tile((1.0, 2.0, 1.2), (frames, 1))
    trans[:, 0] += np.arange(frames) / 120
    np.savez(
        path,
        poses=poses,
        trans=trans,
        betas=np.zeros(16),
        gender=np.array("female"),
        mocap_framerate=np.array(120.0),
    )
    return path


def test_somebody_of_amass_stands_with_stretched_arms(tmp_path: Path) -> None:
    (found,) = read_recordings(amass(tmp_path / "a.npz"))
    assert len(found) == 50  # 2 s
    joints = dict(zip(JOINTS, found.joints[0], strict=True))
    assert joints["left_wrist"] - joints["right_wrist"] == pytest.approx([1.36, 0, 0], abs=1e-6)
    assert joints["neck"][2] - found.root[0, 2] == pytest.approx(0.6, abs=0.01)
    assert found.joints[25] - found.joints[0] == pytest.approx(
        np.tile((1.0, 0.0, 0.0), (7, 1)), abs=1e-6
    )


def test_turns_of_amass_are_those_of_the_joints(tmp_path: Path) -> None:
    """The left elbow, bent by 90 degrees about SMPL's y, brings the forearm forward."""
    plain = read_recordings(amass(tmp_path / "a.npz"))[0].joints[0]
    bent = read_recordings(amass(tmp_path / "b.npz", joint18=(0.0, -np.pi / 2, 0.0)))[0].joints[0]
    assert bent[:5] == pytest.approx(plain[:5])
    assert bent[5] - bent[3] == pytest.approx([0.0, -0.25, 0.01], abs=1e-6)


def test_the_later_form_of_amass(tmp_path: Path) -> None:
    with np.load(amass(tmp_path / "a.npz", joint16=(0.0, 0.0, -1.2))) as old:
        np.savez(
            tmp_path / "b.npz",
            root_orient=old["poses"][:, :3],
            pose_body=old["poses"][:, 3:66],
            trans=old["trans"],
            mocap_frame_rate=old["mocap_framerate"],
        )
    one, other = (read_recordings(tmp_path / f"{name}.npz")[0].joints for name in "ab")
    assert one == pytest.approx(other)


def test_rotations_about_axes() -> None:
    quarter, none = rotations(np.array([(0.0, 0.0, np.pi / 2), (0.0, 0.0, 0.0)]))
    assert quarter @ (1.0, 0.0, 0.0) == pytest.approx([0.0, 1.0, 0.0])
    assert none == pytest.approx(np.eye(3))


def comad(path: Path, frames: int = 240, gap: range = range(0)) -> Path:
    """Two people in Motive's axes (-x, z, y of ours), 120 frames a second."""
    people: dict[str, Any] = {}
    for number, name in enumerate(("Ann", "Bob")):
        true = body(frames, number, 120.0)
        markers = np.zeros((frames, MARKERS, 3))
        for joint, column in zip(JOINTS, range(7), strict=True):
            markers[:, MARKER_OF[joint]] = true[:, column]
        markers[:, HIP] = true[:, 7]
        motive = markers[..., [0, 2, 1]] * (-1, 1, 1)
        motive[list(gap), MARKER_OF["left_wrist"]] = 0.0
        people[name] = motive.tolist()
    path.write_text(json.dumps(people), "utf-8")
    return path


def test_two_people_of_comad(tmp_path: Path) -> None:
    ann, bob = read_recordings(comad(tmp_path / "handover_1.json"))
    assert [(it.recording, it.person) for it in (ann, bob)] == [
        ("handover_1/0", "Ann"), ("handover_1/0", "Bob"),
    ]  # fmt: skip
    assert ann.joints[25] == pytest.approx(body(240, 0, 120.0)[120, :7], abs=1e-4)
    assert ann.root[25] == pytest.approx(body(240, 0, 120.0)[120, 7], abs=1e-4)
    assert ann.partner is not None
    assert ann.partner == pytest.approx(bob.joints)


def test_a_marker_that_is_not_seen_for_long_cuts_the_recording(tmp_path: Path) -> None:
    whole = read_recordings(comad(tmp_path / "a.json", 480))
    short = read_recordings(comad(tmp_path / "b.json", 480, range(100, 112)))
    long = read_recordings(comad(tmp_path / "c.json", 480, range(200, 240)))
    assert len(short) == len(whole) == 2
    assert len(long) == 4


def test_a_marker_that_is_null_is_not_seen(tmp_path: Path) -> None:
    whole = read_recordings(comad(tmp_path / "a.json", 480))
    people = json.loads((tmp_path / "a.json").read_text("utf-8"))
    for frame in range(100, 112):
        people["Ann"][frame][MARKER_OF["left_wrist"]] = None
        people["Bob"][frame][MARKER_OF["neck"]] = [None, None, None]
    (tmp_path / "b.json").write_text(json.dumps(people), "utf-8")
    for one, other in zip(read_recordings(tmp_path / "b.json"), whole, strict=True):
        assert one.joints == pytest.approx(other.joints, abs=0.02)


@pytest.mark.parametrize(("scale", "metres"), [(100, 29), (1000, 286)])
def test_comad_in_other_units_is_refused(tmp_path: Path, scale: int, metres: int) -> None:
    people = json.loads(comad(tmp_path / "a.json").read_text("utf-8"))
    people["Bob"] = (scale * np.array(people["Bob"])).tolist()
    (tmp_path / "b.json").write_text(json.dumps(people), "utf-8")
    says = rf"b\.json: left upper arms are {metres} m long: positions must be in metres"
    with pytest.raises(MotionFileError, match=says):
        read_recordings(tmp_path / "b.json")


@pytest.mark.parametrize(("scale", "metres"), [(100, 120), (1000, 1200)])
def test_amass_in_other_units_is_refused(tmp_path: Path, scale: int, metres: int) -> None:
    """Its arms are always those of the mean skeleton; its places are not."""
    with np.load(amass(tmp_path / "a.npz")) as file:
        fields = dict(file)
    fields["trans"] = scale * fields["trans"]
    np.savez(tmp_path / "b.npz", **fields)
    says = rf"b\.npz: 'trans' is {metres} m above the floor: it must be in metres"
    with pytest.raises(MotionFileError, match=says):
        read_recordings(tmp_path / "b.npz")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "there must be people by name"),
        ('{"Ann": [[1, 2, 3]]}', r"'Ann' is \(1, 3\)"),
        ('{"Ann": [["x"]]}', "must be numbers"),
        ("{", "Expecting"),
    ],
)
def test_what_is_no_file_of_comad(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text, "utf-8")
    with pytest.raises(MotionFileError, match=why):
        read_recordings(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"poses": np.zeros((9, 156))}, "mocap_framerate"),
        ({"poses": np.zeros((9, 12)), "mocap_framerate": 30}, r"the poses are \(9, 12\)"),
        ({"poses": np.zeros((8, 156)), "mocap_framerate": 30}, r"'trans' is \(9, 3\)"),
    ],
)
def test_what_is_no_file_of_amass(fields: dict[str, Any], why: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", trans=np.zeros((9, 3)), **fields)
    with pytest.raises(MotionFileError, match=why):
        read_recordings(tmp_path / "a.npz")
