"""Joints from cameras, as a forecaster takes them: in time, late, or not at all."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt
import pytest

from treec_forecasting.camera import CameraTracking
from treec_forecasting.files import CameraJoints, ForecasterFile
from treec_perception.pose.watch import PoseRequest, PoseSeen, WatchEnded

REST = np.array(
    [(0, 0, 1.4), (0, 0.2, 1.4), (0, -0.2, 1.4), (0, 0.3, 1.1), (0, -0.3, 1.1), (0.3, 0.3, 1.1),
     (0.3, -0.3, 1.1)]
)  # fmt: skip


class Watching:
    """A watch whose answers are there at once, or once they are let through."""

    def __init__(self, *, slow: bool = False) -> None:
        self.asked: list[float] = []
        self.open: deque[PoseSeen] = deque()
        self.slow = slow
        self.joints: npt.NDArray[np.float64] = REST
        self.why = ""
        self.gone = False
        self.refused = 0

    def send(self, request: PoseRequest) -> None:
        if self.gone:
            self.refused += 1
            raise WatchEnded("the process that watches is gone")
        self.asked.append(request.time)
        self.open.append(PoseSeen(request.time, self.joints, self.why))

    def has_answer(self) -> bool:
        return bool(self.open) and not self.slow

    def receive(self, limit: float) -> PoseSeen:
        if self.gone:
            self.refused += 1
            raise WatchEnded("the process that watches is gone")
        return self.open.popleft()


def tracking(watch: Watching, *, simulated: bool = True, **spec: float) -> CameraTracking:
    def request(now: float) -> PoseRequest:
        return PoseRequest(now, None, {}, 0)

    found = CameraJoints.model_validate({"rate": 10, "delay": 0.1, **spec})
    return CameraTracking(found, watch, request, simulated=simulated)


def run(source: CameraTracking, seconds: float, begin: float = 0.0) -> list[tuple[float, float]]:
    """Step through time at 60 Hz; return when each pose arrived, and its time stamp."""
    arrived = []
    for tick in range(round(begin * 60), round((begin + seconds) * 60)):
        now, before = tick / 60, source.count
        source.take(now, None)
        source.arrive(now)
        new = source.count - before
        arrived += [(now, pose.time) for pose in list(source.poses)[len(source.poses) - new :]]
    return arrived


def test_looks_are_as_many_as_asked_for_and_take_their_time() -> None:
    watch = Watching(slow=True)  # a simulation waits for it
    arrived = run(tracking(watch), 1.0)
    assert watch.asked == pytest.approx(np.arange(10) / 10, abs=1 / 60)
    assert len(arrived) == 9
    assert all(0.1 - 1e-6 <= now - stamp < 0.1 + 1 / 60 for now, stamp in arrived)


def test_a_real_camera_is_not_waited_for_nor_asked_again_before_it_has_answered() -> None:
    watch = Watching(slow=True)
    source = tracking(watch, simulated=False)
    assert run(source, 1.0) == []
    assert watch.asked == [0.0]
    watch.slow = False
    arrived = run(source, 1.0, begin=1.0)
    assert arrived[0] == (1.0, 0.0)  # late, and its time stamp says so
    assert len(watch.asked) == 11


def test_nobody_and_why() -> None:
    watch = Watching()
    watch.joints, watch.why = np.full((7, 3), np.nan), "nobody is in the picture"
    source = tracking(watch)
    assert run(source, 0.5) == []
    assert (source.count, source.looks, source.why) == (0, 4, "nobody is in the picture")
    watch.joints, watch.why = REST, ""
    assert len(run(source, 0.5, begin=0.5)) >= 4
    assert source.why == ""


def test_joints_that_are_hidden_stay_unknown() -> None:
    watch = Watching()
    watch.joints = REST.copy()
    watch.joints[5] = np.nan
    source = tracking(watch)
    run(source, 0.3)
    joints = source.poses[-1].joints
    assert joints is not None
    assert np.isnan(joints[5]).all()
    assert joints[6] == pytest.approx(REST[6])


@pytest.mark.parametrize("simulated", [True, False])
def test_when_the_watch_is_gone_no_pose_comes_and_that_is_told(simulated: bool) -> None:
    watch = Watching()
    source = tracking(watch, simulated=simulated)
    before = len(run(source, 1.0))
    watch.gone = True
    run(source, 1.0, begin=1.0)
    assert before >= 8
    assert source.count <= before + 1
    assert (source.why, watch.refused) == ("the process that watches is gone", 1)


def test_a_real_camera_that_does_not_answer_is_told() -> None:
    watch = Watching(slow=True)
    source = tracking(watch, simulated=False)
    run(source, 0.9)
    assert source.why == ""
    run(source, 2.0, begin=1.0)
    assert source.why == "no look was answered for 3 s"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"rate": 2}, "greater than or equal to 4"),
        ({"rate": 60}, "less than or equal to 25"),
        ({"delay": 0.25}, "up to 0.35 s old .* stale from 0.3 s on: nothing would be forecast"),
    ],
)
def test_looks_that_would_always_come_too_late_are_refused(
    spec: dict[str, float], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        ForecasterFile.model_validate({"forecaster": "f", "joints": {"camera": spec}})


def test_times_of_poses_do_not_run_back() -> None:
    """The oldest of two cameras' pictures may be older than the last look's only one."""
    watch = Watching()
    source = tracking(watch, simulated=False)
    for now, taken in ((1.0, 0.95), (1.1, 0.94), (1.2, 1.15)):
        source.take(now, None)
        watch.open[-1] = PoseSeen(taken, REST)
        source.arrive(now)
    times = [pose.time for pose in source.poses]
    assert times == pytest.approx([0.95, 0.951, 1.15])
