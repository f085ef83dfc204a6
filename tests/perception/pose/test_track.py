"""Joints over short gaps and jumps."""

from __future__ import annotations

from treec_perception.pose.joints import BodyJoint, JointState
from treec_perception.pose.track import JointTracker
from treec_perception.stages import TrackStage
from treec_sapien.bodies.pose import Vector

SEEN, KEPT, OUTLIER = JointState.seen, JointState.kept, JointState.outlier
HIDDEN = BodyJoint(JointState.occluded)


def follow(
    *moments: tuple[float, Vector | None], gap: float = 0.5, jump: float = 3.0
) -> list[tuple[JointState, Vector | None]]:
    tracker = JointTracker(TrackStage.model_validate({"gap": gap, "jump": jump}))
    found = []
    for time, point in moments:
        joint = HIDDEN if point is None else BodyJoint(SEEN, point)
        it = tracker.follow({"wrist": joint}, time)["wrist"]
        found.append((it.state, it.point))
    return found


A, B, FAR = (0.0, 0.0, 1.0), (0.05, 0.0, 1.0), (2.0, 0.0, 1.0)


def test_what_moves_at_a_human_speed_is_seen() -> None:
    assert follow((0.0, A), (0.04, B)) == [(SEEN, A), (SEEN, B)]


def test_a_joint_is_kept_for_a_short_gap_and_no_longer() -> None:
    found = follow((0.0, A), (0.3, None), (0.5, None), (0.6, None))
    assert found == [(SEEN, A), (KEPT, A), (KEPT, A), (JointState.occluded, None)]


def test_a_joint_that_was_never_seen_is_not_kept() -> None:
    assert follow((0.0, None)) == [(JointState.occluded, None)]


def test_a_jump_is_an_outlier_and_the_joint_stays() -> None:
    found = follow((0.0, A), (0.04, FAR), (0.08, A))
    assert found == [(SEEN, A), (KEPT, A), (SEEN, A)]


def test_a_jump_after_the_gap_is_an_outlier_without_a_place() -> None:
    assert follow((0.0, A), (0.6, FAR))[1] == (OUTLIER, None)


def test_what_stays_at_the_new_place_is_believed() -> None:
    found = follow((0.0, A), (0.04, FAR), (0.08, FAR), (0.12, FAR), (0.16, FAR))
    assert [state for state, _ in found] == [SEEN, KEPT, KEPT, SEEN, SEEN]


def test_outliers_at_many_places_are_not_believed() -> None:
    away = [(0.04 * n, (2.0 * n, 0.0, 1.0)) for n in range(1, 8)]
    found = follow((0.0, A), *away)
    assert all(state is KEPT for state, _ in found[1:])


def test_each_joint_is_followed_by_itself() -> None:
    tracker = JointTracker(TrackStage.model_validate({}))
    tracker.follow({"left": BodyJoint(SEEN, A), "right": BodyJoint(SEEN, FAR)}, 0.0)
    found = tracker.follow({"left": HIDDEN, "right": BodyJoint(SEEN, FAR)}, 0.1)
    assert found["left"].point == A
    assert found["right"].state is SEEN
