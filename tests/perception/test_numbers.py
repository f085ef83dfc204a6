"""What perception computes of given pictures, in numbers: `numbers.txt`.

The other tests hold it against the truth of the scene, within some tolerance; this one notices
what changes a result at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.perception.pose.support import marks, picture
from tests.perception.support import THINGS, camera, layout
from tests.perception.test_pipeline import box_of
from tests.perception.test_report import look
from tests.support.golden import check, written
from treec_perception.crops import square_crop
from treec_perception.draw import annotate, depth_colours, skeleton
from treec_perception.frustum import Frustum, sample
from treec_perception.fuse import fuse
from treec_perception.localizer_query import size_of
from treec_perception.picture import Picture
from treec_perception.pipeline.centre import drop_outliers, mean_of, middle_of
from treec_perception.pipeline.depth_proposals import standing_pieces
from treec_perception.pipeline.occlusion import CoveredSides, covered_sides
from treec_perception.pipeline.result import BoxProposal, Localization
from treec_perception.pipeline.segment import bounds, segment_by_depth, surface_below, tints
from treec_perception.pipeline.size import SeenSize, seen_size
from treec_perception.pose.combine import combine
from treec_perception.pose.joints import BodyJoint, JointState, PoseEstimate
from treec_perception.pose.landmarker import Landmark
from treec_perception.pose.lift import in_picture, lift
from treec_perception.pose.track import JointTracker
from treec_perception.report import _result, _table
from treec_perception.stages import LiftStage, TrackStage

FILE = Path(__file__).with_name("numbers.txt")
SIDES = [
    CoveredSides(**dict.fromkeys(sides, True))
    for sides in ((), ("left",), ("right",), ("above",), ("below",), ("left", "right", "below"))
]


def _of_a_thing(seen: Picture, thing: str) -> Iterator[tuple[str, object]]:
    box = box_of(seen, thing)
    mask = segment_by_depth(seen, box, 0.15)
    yield "box, mask", (box, bounds(mask), int(mask.sum()))
    yield "surface", surface_below(seen, box)
    points = seen.points()[mask]
    assert seen.camera is not None
    eye, size = seen.camera.eye, size_of(layout().bodies[thing].body)
    yield "mean", mean_of(points)
    yield "kept", [len(drop_outliers(points, limit)) for limit in (1.0, 2.0, 3.0)]
    for sides in SIDES:
        yield f"middle {sides}", middle_of(points, eye, size, 0.75, covered=sides)
    yield "middle, hollow", middle_of(points, eye, size, None, hollow=True)
    yield "middle, no size", middle_of(points, eye, None)
    yield "middle, half of it", middle_of(points[: len(points) // 2], eye, size, 0.75)
    found = seen_size(points, eye)
    assert found is not None
    yield "size", (found, size)
    others = [size_of(layout().bodies[name].body) for name in THINGS if name != "table"]
    yield "agreement", [found.agreement(one, 0.2) for one in others]
    yield (
        "agreement, covered",
        [
            SeenSize(found.wide, found.high, wide, high).agreement(one, 0.3)
            for one in others
            for wide, high in ((True, False), (False, True))
        ],
    )
    assert seen.depth is not None
    nearer = seen.depth.copy()
    for name, part in {
        "left": np.s_[:, : int(box[0]) + 3],
        "above": np.s_[: int(box[1]) + 3],
        "right": np.s_[:, int(box[2]) - 3 :],
    }.items():
        nearer[part] = 0.5
        yield f"covered {name}", covered_sides(nearer, mask)


def _of_people() -> Iterator[tuple[str, object]]:
    params = LiftStage.model_validate({})
    given = {**marks(left_elbow=0.2), "right_wrist": Landmark(-3.0, 100.0, 0.9)}
    for name, there in (("all", marks()), ("some", given)):
        joints = lift(in_picture(there, picture(), 0.5), picture(), params)
        yield f"joints, {name}", {key: one.to_json() for key, one in joints.items()}
        seen = picture().camera
        assert seen is not None
        yield f"combined, {name}", combine([(joints, seen), (joints, seen)]).tolist()
        estimate = PoseEstimate("eyes", "p", 0.123456, joints, "unsure", 12.345)
        yield f"drawn, {name}", skeleton(np.zeros((240, 320, 3), np.uint8), estimate)
    skin = LiftStage.model_validate({"to_bone": False, "window": 1, "reach": 0.3})
    joints = lift(in_picture(marks(), picture(), 0.5), picture(), skin)
    yield "joints, skin", {key: one.to_json() for key, one in joints.items()}
    tracker = JointTracker(TrackStage.model_validate({"jump": 2.0, "gap": 0.3}))
    path = [(0.0, 0.0), (0.1, 0.1), (0.2, 1.0), (0.3, None), (0.6, None), (0.7, 1.0), (0.8, 1.01)]
    for time, x in path:
        point = None if x is None else (x, 0.0, 0.0)
        state = JointState.occluded if x is None else JointState.seen
        (joint,) = tracker.follow({"neck": BodyJoint(state, point)}, time).values()
        yield f"tracked at {time}", (joint.state.value, joint.point)


def _looks() -> Iterator[tuple[str, object]]:
    def one(camera: str, x: float, score: float, **more: Any) -> dict[str, Any]:
        return look(camera=camera, point=[x, 0.0, 0.8], score=score, **more)

    near, off = one("a", 0.0, 0.8, depth=0.5), one("c", 0.4, 0.9)
    second = [{"point": [0.39, 0.0, 0.8], "score": 0.6}]
    yield "fused", fuse([near, one("b", 0.02, 0.7, depth=1.0), off], 0.04)
    yield "fused, second best", fuse([{**near, "others": second}, off], 0.04)
    yield "fused, none", fuse([look(found=False)], 0.04)
    for name, more in {
        "found": {},
        "not found": {"found": False, "why": "it scores 0.1", "point": None},
        "no point": {"point": None, "spread": None, "depth": None, "note": "no depth"},
    }.items():
        for truth in (None, [1.0, 2.1, 0.8]):
            yield f"result, {name}, {truth}", _result(look(**more), truth)
    yield "table", _table(look(), None)


def _lines() -> Iterator[str]:
    seen = camera(noise={}).take(1)
    assert seen.depth is not None
    assert seen.camera is not None
    for thing in THINGS:
        if thing != "table":
            yield f"# {thing}"
            yield from (f"{name}: {written(value)}" for name, value in _of_a_thing(seen, thing))
    yield "# pictures"
    for noise in ({}, {"subpixel": 0, "step": 0}, {"edges": 0, "dropout": 0.5, "baseline": 0.1}):
        yield f"depth with {noise}: {written(camera(noise=noise, range=[0.5, 1.4]).take(2).depth)}"
    yield f"depth, exact: {written(camera(range=[0.5, 1.4]).take(2).depth)}"
    yield f"pieces: {written(standing_pieces(seen, 5))}"
    yield f"one piece: {written(standing_pieces(seen, 1))}"
    yield f"tints: {written(tints(seen.colour))}"
    yield f"depth in grey: {written(depth_colours(seen.depth))}"
    yield f"crop: {written(square_crop(seen.colour, (2.0, 3.0, 30.0, 20.0), 0.25))}"
    yield f"small crop: {written(square_crop(seen.colour, (2.0, 3.0, 3.0, 4.0), 0.0, 8))}"
    proposals = (BoxProposal((30.0, 40.0, 60.0, 80.0), 0.7), BoxProposal((9, 4, 20, 50), 0.2))
    for found in (True, False):
        result = Localization("tin", "eyes", "p", found, 0.7, "" if found else "why", None)
        result = Localization(
            **{**vars(result), "proposals": proposals, "dropped": proposals[1:]},
        )
        yield f"annotated, {found}: {written(annotate(seen.colour, result))}"
    frustum = Frustum.of(camera().spec)
    for name in THINGS:
        points = sample(THINGS[name], ("treec_sapien.bodies",))
        yield f"sampled {name}: {written(np.array(points))}, {frustum.miss(points)}"
    for point in ((0.0, 0.0, 0.8), (0.0, -2.0, 2.0), (3.0, 0.0, 0.8), (0.0, 6.0, 0.0)):
        yield f"projected {point}: {written(frustum.project(point))}, {frustum.miss([point])}"
    yield "# people"
    yield from (f"{name}: {written(value)}" for name, value in _of_people())
    yield "# looks"
    yield from (f"{name}: {written(value)}" for name, value in _looks())


@pytest.mark.thorough
def test_numbers() -> None:
    check(FILE, "\n".join(_lines()) + "\n")
