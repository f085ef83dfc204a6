"""Pictures of a camera → joints → outlooks, in this process: `treec forecast watch`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_forecasting.live import LiveForecaster
from treec_perception.draw import skeleton
from treec_perception.picture import Picture
from treec_perception.pose.combine import combine
from treec_perception.pose.estimator import PoseEstimator
from treec_perception.pose.joints import PoseEstimate
from treec_sapien.people.recordings import Floats
from treec_sapien.people.skeleton import RATE, WRISTS
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.person.tracking import TrackedPose

AHEAD = (0.4, 0.8)
"""Seconds ahead at which forecasts of wrists are reported."""

WAYS = ((214, 51, 108), (112, 72, 232))
"""Colours of the ways that the left and the right wrist are forecast to take."""

NEAR = 0.5 / RATE
"""Seconds by which a later pose may be off the time that is forecast, to be compared with it."""


@dataclass(frozen=True)
class WatchedMoment:
    """A picture, what was found in it, and what is known of the person then."""

    picture: Picture
    estimate: PoseEstimate
    joints: Floats
    """In the scene (7, 3; m), NaN where hidden."""
    outlook: PersonOutlook

    def without_pixels(self) -> WatchedMoment:
        """Return the same without its picture's colours and depth, to keep many of them."""
        nothing = np.zeros((0, 0, 3), np.uint8)
        return replace(self, picture=replace(self.picture, colour=nothing, depth=None, ids=None))

    def wrists(self, ahead: float) -> Floats | None:
        """Return the forecast wrists (2, 3) so many seconds after the picture; None if there are
        none."""
        if self.outlook.basis != "forecast":
            return None
        at = int(np.argmin(np.abs(self.outlook.times - self.picture.time - ahead)))
        return np.asarray(self.outlook.joints[at][list(WRISTS)])

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""

        def plain(points: Floats | None) -> list[list[float] | None] | None:
            if points is None:
                return None
            return [
                None if np.isnan(it).any() else [round(float(x), 4) for x in it] for it in points
            ]

        return {
            "time": round(self.picture.time, 4),
            "joints": plain(self.joints),
            "basis": self.outlook.basis,
            "why": self.outlook.why,
            **{f"wrists_in_{ahead:g}_s": plain(self.wrists(ahead)) for ahead in AHEAD},
        }


class HandedJoints:
    """Joints that are handed over as they come, for a forecaster."""

    def __init__(self, sigma: float) -> None:
        self.sigma = self.lasting = sigma
        self.poses: deque[TrackedPose] = deque(maxlen=64)
        self.count = 0
        self.why = ""

    def take(self, now: float, joints: Floats | None) -> None:
        """Take a pose; one without any joint counts as missing."""
        if joints is not None and not np.isnan(joints).all():
            self.poses.append(TrackedPose(now, joints))
            self.count += 1

    def arrive(self, now: float) -> None:
        """Do nothing: what was taken is there."""


def watch(
    pictures: Iterable[Picture], estimator: PoseEstimator, live: LiveForecaster, sigma: float
) -> Iterator[WatchedMoment]:
    """Find and forecast a person in pictures with depth, in the order of their times (s)."""
    source = HandedJoints(sigma)
    for picture in pictures:
        estimate = estimator.estimate(picture)
        joints = combine([(estimate.joints, picture.camera)] if picture.camera else [])
        source.why = estimate.why
        source.take(picture.time, joints)
        yield WatchedMoment(picture, estimate, joints, live(picture.time, source))


def draw(moment: WatchedMoment) -> npt.NDArray[np.uint8]:
    """Return a moment's picture with the joints found, and the ways of wrists that are forecast."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    shown = skeleton(moment.picture.colour, moment.estimate)
    outlook, camera = moment.outlook, moment.picture.camera
    image = Pillow.fromarray(shown)
    pen = ImageDraw.Draw(image)
    if outlook.basis == "forecast" and camera is not None:
        for wrist, colour in zip(WRISTS, WAYS, strict=True):
            way = camera.pixels(outlook.joints[:, wrist])
            line = [(float(x), float(y)) for x, y, far in way if far > 0.05]
            if len(line) > 1:
                pen.line(line, fill=colour, width=3)
                x, y = line[-1]
                pen.ellipse((x - 5, y - 5, x + 5, y + 5), outline=colour, width=2)
    elif not moment.estimate.why:
        pen.rectangle((0, 0, 7 * len(outlook.why) + 6, 14), fill=(20, 20, 20))
        pen.text((3, 1), outlook.why, fill=(255, 255, 255))
    return np.asarray(image, np.uint8)


def errors(moments: Sequence[WatchedMoment], ahead: float) -> tuple[Floats, Floats]:
    """Return how far (m) wrists were off their forecasts, and off where they had been.

    Compared with the joints that were found so much later: their errors are part of both.
    """
    times = np.array([it.picture.time for it in moments])
    forecast, stayed = [], []
    for moment in moments:
        wanted = moment.picture.time + ahead
        at = int(np.argmin(np.abs(times - wanted)))
        wrists = moment.wrists(ahead)
        if wrists is None or abs(times[at] - wanted) > NEAR:
            continue
        later, now = moments[at].joints[list(WRISTS)], moment.joints[list(WRISTS)]
        both = ~np.isnan(later).any(axis=1) & ~np.isnan(now).any(axis=1)
        forecast.append(np.linalg.norm(wrists - later, axis=1)[both])
        stayed.append(np.linalg.norm(now - later, axis=1)[both])
    if not forecast:
        return np.zeros(0), np.zeros(0)
    return np.concatenate(forecast), np.concatenate(stayed)
