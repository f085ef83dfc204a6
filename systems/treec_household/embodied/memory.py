"""What the robot has seen: instances by class and 3-D centroid, merged when they are near.

As in HELPER (appendix H.1), a detection near an instance of its class is the same instance. Its
centroid is the point of its mask that is nearest to the mean of all (HELPER: that of median depth),
for things of half a metre and more the median of the points that were kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treec_household.embodied.bodies import kind_of
from treec_sapien.view.camera import Floats

SAMPLES = 60
"""Points that are kept of an instance."""
MERGE = 0.6
"""Share of a thing's longest side within which two centroids are of the same thing."""
CLOSE = 0.09
"""Metres within which they are of the same thing, however small it is."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A thing in a picture: its class, its pixels, and how sure that is (0 to 1).

    ``name`` is what the segmentation calls it; None if it only knows classes. ``below`` is the
    number of the detection that it stands on, in the same picture. ``attributes`` are what can be
    seen of its state. ``middle`` (3,) is where its middle is: metres ahead, to the left
    and above the floor below the camera; None if that is not known.
    """

    kind: str
    mask: npt.NDArray[np.bool_]
    score: float = 1.0
    name: str | None = None
    below: int | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    middle: Floats | None = None
    likely: Mapping[str, float] = field(default_factory=dict)
    """How likely each state is that the thing can be in."""


@dataclass(eq=False)
class Instance:
    """A thing that was seen; ``points`` (n, 3) are some of its surface, in the robot's frame."""

    kind: str
    centroid: Floats
    points: Floats
    score: float
    name: str | None = None
    seen: int = 1
    missed: int = 0
    carried: bool = False
    within: float = 0.0
    """Metres about its centroid within which it is, since it was put there and not seen again."""


class ObjectMemory:
    """All instances. ``names`` gives the names of each class that instances may get."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.instances: list[Instance] = []
        self._names = {kind: list(given) for kind, given in names.items()}
        self.wanted: str | None = None
        """A name that is looked for: the next instance of its class gets it."""
        self.expected: list[str] = []
        """Names of what was made: pieces of what was cut, the last first."""

    def find(self, name: str) -> Instance | None:
        """The instance of a name."""
        return next((one for one in self.instances if one.name == name), None)

    def add(
        self,
        detection: Detection,
        points: Floats,
        middle: Floats | None = None,
        taken: Iterable[Instance] = (),
    ) -> Instance | None:
        """Merge a detection with its points (n, 3), or note a new instance.

        ``middle`` is that of the thing, if it is known; ``taken`` are instances that other
        detections of the picture are. None if there can be no more of its class.
        """
        guessed = middle
        if middle is None:
            middle = points[np.argsort(np.linalg.norm(points - points.mean(0), axis=1))[0]]
        own = self._match(detection, middle, guessed is not None, taken)
        if own is None:
            name = detection.name or self._free_name(detection.kind)
            if name is None and detection.name is None:
                name = self._name_of_doubtful(detection, taken)
            if name is None:
                return None
            own = Instance(detection.kind, middle, points[:0], 0.0, name, seen=0)
            self.instances.append(own)
        own.seen += 1
        own.missed = 0
        own.carried = False
        own.within = 0.0
        moved = float(np.linalg.norm(middle - own.centroid)) > 0.3
        small = max(kind_of(own.kind).size) < 0.5
        is_new = small or (moved and len(points) > len(own.points))
        kept = own.points[:0] if is_new else own.points
        both = np.concatenate([points, kept])
        own.points = both[:: max(1, -(-len(both) // SAMPLES))]
        own.score = max(own.score, detection.score)
        if guessed is not None:
            own.centroid = own.centroid + (guessed - own.centroid) / min(own.seen, 5)
        else:
            own.centroid = middle if small else np.median(own.points, axis=0)
        return own

    def _match(
        self, detection: Detection, middle: Floats, guessed: bool, taken: Iterable[Instance]
    ) -> Instance | None:
        """The instance that a detection is; a guessed middle may be off by half a thing's size."""
        if detection.name is not None:
            return self.find(detection.name)
        wide, deep, high = kind_of(detection.kind).size
        near = max(CLOSE, MERGE * max(wide, deep))
        others = {id(one) for one in taken}
        same = [
            one
            for one in self.instances
            if one.kind == detection.kind and not one.carried and id(one) not in others
        ]
        if guessed:
            level = max(CLOSE, MERGE * high)
            same = [one for one in same if abs(float(one.centroid[2] - middle[2])) <= level]
        far = [float(np.linalg.norm((one.centroid - middle)[:2])) for one in same]
        if not guessed:
            far = [float(np.linalg.norm(one.centroid - middle)) for one in same]
        if far and min(far) <= near:
            return same[int(np.argmin(far))]
        put = [at for at, one in enumerate(same) if far[at] <= one.within]
        return same[min(put, key=lambda at: far[at])] if put else None

    def _name_of_doubtful(self, detection: Detection, taken: Iterable[Instance]) -> str | None:
        """The name of an instance that was seen but once, and less surely: it is forgotten."""
        others = {id(one) for one in taken}
        doubtful = [
            one
            for one in self.instances
            if one.kind == detection.kind
            and one.seen == 1
            and one.score < detection.score
            and not one.carried
            and id(one) not in others
        ]
        if not doubtful:
            return None
        worst = min(doubtful, key=lambda one: one.score)
        self.forget(worst)
        return worst.name

    def _free_name(self, kind: str) -> str | None:
        used = {one.name for one in self.instances}
        free = [name for name in self._names.get(kind, ()) if name not in used]
        if self.wanted in free:
            return self.wanted
        made = [name for name in self.expected if name in free]
        return next(iter(made + free), None)

    def carry(self, name: str, kind: str) -> None:
        """Note a thing that is in the hand, or on what is."""
        nowhere = np.zeros(3)
        self.instances.append(Instance(kind, nowhere, nowhere[None][:0], 1.0, name, carried=True))

    def forget(self, instance: Instance) -> None:
        """Forget an instance that is not there any more."""
        self.instances.remove(instance)
