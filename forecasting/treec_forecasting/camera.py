"""A person's joints from cameras and a pose estimator, as a forecaster takes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from treec_forecasting.files import CameraJoints, NoJoints
from treec_perception.capture import links_of
from treec_perception.files import CameraFile, PoseEstimatorFile
from treec_perception.pose import watch as watching
from treec_perception.pose.model_file import PoseModelError
from treec_perception.pose.watch import PoseRequest, PoseSeen, PoseWatchSetup, WatchEnded
from treec_perception.sources import source_of
from treec_sapien.people.recordings import Floats
from treec_sapien.person.tracking import TrackedPose
from treec_sapien.person.watched import WatchedPerson

KEPT = 64
"""How many poses are kept."""

PATIENCE = 30.0
"""Seconds for which a simulation waits for the joints of one moment."""

APART = 1e-3
"""Least seconds between two poses: times do not run back."""

SLOW_ANSWER = 1.0
"""Seconds after which a missing answer of a real camera is reported."""


SEED = 100_003
"""What a run's seed is multiplied with for those of its pictures' noise."""


class LooksForJoints(Protocol):
    """What looks for joints: requests are sent, and answered in their order."""

    def send(self, request: PoseRequest) -> None:
        """Ask for a look. Raises WatchEnded."""

    def has_answer(self) -> bool:
        """Whether an answer has come."""

    def receive(self, limit: float) -> PoseSeen:
        """Return the answer to the oldest request, waiting for it. Raises WatchEnded."""


class CameraTracking:
    """Asks for a look ``rate`` times a second; its joints arrive when they are there.

    Where cameras are ``simulated``, a look takes `CameraJoints.delay` of the run's time, however
    long it takes in fact: the simulation waits for it, so that equal seeds give equal runs. Real
    cameras are not waited for, and not asked again before they have answered.
    """

    def __init__(
        self,
        spec: CameraJoints,
        watch: LooksForJoints,
        request: Callable[[float], PoseRequest],
        *,
        simulated: bool,
    ) -> None:
        self._spec, self._watch, self._request = spec, watch, request
        self._simulated = simulated
        self._asked: deque[float] = deque()
        self._turn = -1
        self._ended = False
        self.poses: deque[TrackedPose] = deque(maxlen=KEPT)
        """What has arrived, oldest first."""
        self.count = 0
        """How many poses have arrived."""
        self.looks = 0
        """How many looks were answered, also those that found nobody."""
        self.why = ""
        """Why the last look gave no pose."""

    @property
    def sigma(self) -> float:
        """Standard deviation (m) that is assumed of each coordinate."""
        return self._spec.sigma

    @property
    def lasting(self) -> float:
        """The same: an estimator that takes a joint to be elsewhere does so for many poses."""
        return self._spec.sigma

    def take(self, now: float, joints: Floats | None) -> None:
        """Ask for a look if it is time; the true ``joints`` are not used."""
        del joints
        turn = int(now * self._spec.rate + 1e-6)
        if turn == self._turn or self._ended or (self._asked and not self._simulated):
            return
        self._turn = turn
        try:
            self._watch.send(self._request(now))
        except WatchEnded as error:
            self._end(error)
            return
        self._asked.append(now)

    def arrive(self, now: float) -> None:
        """Hand out what has arrived by now."""
        while self._asked and not self._ended:
            if self._simulated:
                if self._asked[0] + self._spec.delay > now + 1e-9:
                    return
            elif not self._watch.has_answer():
                if now - self._asked[0] > SLOW_ANSWER:
                    self.why = f"no look was answered for {now - self._asked[0]:.0f} s"
                return
            try:
                seen = self._watch.receive(PATIENCE)
            except WatchEnded as error:
                self._end(error)
                return
            self._asked.popleft()
            self.looks += 1
            self.why = seen.why
            if not np.isnan(seen.joints).all():
                time = seen.time  # that of the oldest of several pictures may be before the last
                if self.poses:
                    time = max(time, self.poses[-1].time + APART)
                self.poses.append(TrackedPose(time, seen.joints))
                self.count += 1

    def _end(self, error: WatchEnded) -> None:
        self._ended = True
        self.why = str(error)


def track_by_cameras(
    person: WatchedPerson,
    environment: Any,
    spec: CameraJoints,
    cameras: Iterable[CameraFile],
    estimator: PoseEstimatorFile,
    root: Path,
    seed: int,
) -> tuple[list[str], watching.PoseWatchProcess]:
    """Let cameras tell a person's joints from now on, in a process of its own.

    An environment with a ``layout`` is simulated: cameras show it. In any other one they are what
    their files say, and ``link_pose`` of the environment tells where those are that robots carry.
    Return the names of the cameras that are used, and the process, which is to be closed. Raises
    NoJoints if there is no camera or no model.
    """
    simulated = hasattr(environment, "layout")
    sources = [(it, source_of(it, simulated=simulated)) for it in cameras]
    usable = tuple((it, source) for it, source in sources if source is not None)
    if not usable:
        raise NoJoints("no camera shows the person")
    view = None
    if simulated:
        from treec_sapien.view.scene import SceneView

        view = SceneView(environment)
    stage = None if view is None else view.stage
    process = watching.PoseWatchProcess(PoseWatchSetup(stage, usable, estimator, root))
    try:
        process.start()
    except (PoseModelError, WatchEnded) as error:
        raise NoJoints(str(error)) from None
    used = [camera for camera, _ in usable]
    number = 0

    def request(now: float) -> PoseRequest:
        nonlocal number
        number += len(used)
        poses = None if view is None else view.poses()
        links = links_of(used, environment, simulated=simulated)
        return PoseRequest(now, poses, links, SEED * seed + number)

    person.tracking = CameraTracking(spec, process, request, simulated=simulated)
    return [it.camera for it in used], process
