"""What the geometry of arms, people and views gives, in numbers: `numbers.txt`. No physics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.forecasting.support import REST
from tests.support.golden import check, outcome, written
from treec_sapien.bodies.pose import Pose, frame
from treec_sapien.motion import frames
from treec_sapien.motion.timing import resample, round_corners, time_parametrize
from treec_sapien.motion.traffic import Traffic
from treec_sapien.person import figure
from treec_sapien.person.motion import facing, placed, placed_by_reach, read_motion
from treec_sapien.person.separation import (
    Stopping,
    assumed_speed,
    lacking_speed,
    largest_speed,
    protective_distance,
    worst_approach,
)
from treec_sapien.person.tracking import JointTracking, TrackingNoise
from treec_sapien.view.camera import Camera

LOOKS = Pose((0.1, -0.9, 1.6), frame((0.0, 0.9, -0.8), (0.0, 0.0, -1.0)))
Lines = Iterator[tuple[str, object]]


def _of_frames() -> Lines:
    axis = np.array((0.6, 0.0, 0.8))
    one = frames.compose(frames.about(axis, 0.7), np.array((0.1, 0.2, 0.3)))
    other = frames.compose(frames.about(np.array((0.0, 1.0, 0.0)), -2.5), np.array((0.0, 0.5, 1.0)))
    for name, value in {
        "pose": one,
        "inverse": frames.inverse(one),
        "at": frames.at(1.0, 2.0, 3.0),
        "quaternion": frames.quaternion(one[:3, :3]),
        "quaternion, turned far": frames.quaternion(other[:3, :3]),
        "rotation": frames.rotation(frames.quaternion(other[:3, :3])),
        "translated": frames.translate(one, world=axis, own=2 * axis),
        "twist": frames.twist(one, other),
        "twists": frames.twist(np.stack([one, other]), one),
        "vector": frames.rotation_vector(one[:3, :3]),
        "half a turn": frames.rotation_vector(frames.about(axis, np.pi)),
        "between": frames.between(one, other, np.array((0.0, 0.25, 1.0))),
        "line": np.array(frames.line(one, other)),
        "coarse line": np.array(frames.line(one, other, 0.2, 0.5)),
        "matrix": frames.matrix(LOOKS),
    }.items():
        yield name, value.tolist() if value.size < 40 else value


def _of_paths() -> Lines:
    path = np.array(((0.0, 0.0), (1.0, 0.0), (1.0, 0.6), (0.9, 0.6)))
    limits = np.array((1.0, 0.8)), np.array((2.0, 3.0))
    for pace in (1.0, 0.4):
        for exact in (False, True):
            yield f"timed {pace} {exact}", time_parametrize(path, *limits, pace=pace, exact=exact)
    yield "rounded", round_corners(path)
    yield "resampled", resample(path, 0.3).tolist()
    yield "standing", time_parametrize(path[:1], *limits).tolist()
    now = [0.0]
    traffic = Traffic(lambda: now[0])
    rows = np.linspace(0.0, 1.0, 5)[:, None] * np.ones(2)
    traffic.set_out("left", np.array((0, 1)), rows, wait=2)
    traffic.set_out("right", np.array((2, 3)), 2 * rows)
    for step in range(0, 9, 2):
        now[0] = step / 50
        course = traffic.others("right")
        at = [(it.until, it.at(traffic.step), it.at(traffic.step + 3)) for it in course]
        under_way = [traffic.is_under_way(who) for who in ("left", "right", "nobody")]
        yield f"traffic {step}", (traffic.step, at, under_way)
        yield "  at rest", traffic.with_others_at_rest("right", np.full(4, 9.0))
        traffic.hold_up("left", held_up=step > 2)
        traffic.hold_up("right", held_up=step > 4)
        yield "  standoff", [traffic.is_standoff(who) for who in ("left", "right")]
    traffic.stop("left")
    yield "stopped", (len(traffic.others("right")), traffic.is_under_way("left"))


def _of_people() -> Lines:
    joints = REST[:7]
    yield "points", figure.points(joints).tolist()
    begins, ends = figure.segments(joints)
    yield "segments", (begins.tolist(), ends.tolist())
    yield "widths", figure.capsule_widths(np.arange(7.0) / 10)
    yield "radii", figure.RADII
    apart = figure.between(
        begins[:, None], ends[:, None], begins + np.array((0.3, 0.1, 0.0)), ends + 0.2
    )
    yield "between", apart
    yield "points apart", figure.between(joints, joints, joints[0], joints[0] + (0.0, 0.0, 1.0))
    yield "faces", [facing(placed(joints[None], (1.0, 2.0, 0.0), yaw)[0]) for yaw in (0, 45, 170)]
    moving = np.array([joints + np.array((0.0, 0.01 * n, 0.0)) for n in range(20)])
    yield "placed", placed(moving, (1.0, 2.0, 0.0), 30.0)
    for hand in (None, "left", "right"):
        yield f"reaches {hand}", placed_by_reach(moving, (0.4, 0.2, 1.0), -90.0, hand)
    stopping = Stopping()
    for speeds in ((0.0, 0.0), (0.5, 1.6), (1.0, 0.25)):
        yield f"protective {speeds}", protective_distance(*speeds, 0.05, stopping)
        distances = np.array((0.0, 0.1, 0.5, 2.0))
        yield "  speed", largest_speed(distances, speeds[1], 0.05)
        yield "  approach", worst_approach(speeds[0], speeds[1], distances, 0.1)
    measured = np.array((0.1, 1.2, 5.0))
    yield "speeds", [lacking_speed(measured), lacking_speed(measured, 0.5 * measured)]
    yield (
        "assumed",
        [assumed_speed(measured[:n], forecast) for n in (1, 3) for forecast in (0.0, 1.0)],
    )
    tracking = JointTracking(TrackingNoise(0.01, 0.1, 0.12), 4)
    for number in range(9):
        now = number / 25
        tracking.take(now, moving[number])
        tracking.arrive(now)
        yield f"tracked {number}", [(pose.time, pose.joints) for pose in tracking.poses][-1:]
    yield "sigma", (tracking.sigma, tracking.lasting)


def _of_cameras() -> Lines:
    camera = Camera(LOOKS, 300.0, 310.0, 160.0, 120.0, 320, 240)
    depth = np.linspace(0.5, 1.5, 320 * 240).reshape(240, 320)
    yield "points", camera.points(depth)
    for point in ((0.0, 0.0, 0.8), (0.3, 0.2, 0.7), (0.0, -2.0, 2.0)):
        yield f"pixels {point}", camera.pixels(np.array(point))
    yield "towards", camera.towards(np.array((0.0, 160.0)), np.array((0.0, 120.0))).tolist()
    yield (
        "shifted",
        vars(camera.shift(-10, 20)) if hasattr(camera, "__dict__") else camera.shift(-10, 20),
    )
    yield "eye", camera.eye


WRONG: dict[str, Callable[[], object]] = {
    "no file": lambda: read_motion({"motion": "nosuch.npz"}),
    "no motion": lambda: read_motion({}),
}


@pytest.mark.thorough
def test_numbers() -> None:
    lines: list[str] = []
    for part in (_of_frames(), _of_paths(), _of_people(), _of_cameras()):
        lines += [f"{name}: {written(value)}" for name, value in part]
    lines += [f"{name}: {outcome(call)}" for name, call in WRONG.items()]
    check(Path(__file__).with_name("numbers.txt"), "\n".join(lines) + "\n")
