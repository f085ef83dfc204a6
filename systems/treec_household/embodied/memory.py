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
    seen of its state.
    """

    kind: str
    mask: npt.NDArray[np.bool_]
    score: float = 1.0
    name: str | None = None
    below: int | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)


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


class ObjectMemory:
    """All instances. ``names`` gives the names of each class that instances may get."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.instances: list[Instance] = []
        self._names = {kind: list(given) for kind, given in names.items()}
        self.wanted: str | None = None
        """A name that is looked for: the next instance of its class gets it."""

    def find(self, name: str) -> Instance | None:
        """The instance of a name."""
        return next((one for one in self.instances if one.name == name), None)

    def add(self, detection: Detection, points: Floats) -> Instance | None:
        """Merge a detection with its points (n, 3), or note a new instance.

        None if there can be no more of its class.
        """
        middle = points[np.argsort(np.linalg.norm(points - points.mean(0), axis=1))[0]]
        own = self._match(detection, middle)
        if own is None:
            name = detection.name or self._free_name(detection.kind)
            if name is None:
                return None
            own = Instance(detection.kind, middle, points[:0], 0.0, name, seen=0)
            self.instances.append(own)
        own.seen += 1
        own.missed = 0
        own.carried = False
        moved = float(np.linalg.norm(middle - own.centroid)) > 0.3
        small = max(kind_of(own.kind).size) < 0.5
        is_new = small or (moved and len(points) > len(own.points))
        kept = own.points[:0] if is_new else own.points
        both = np.concatenate([points, kept])
        own.points = both[:: max(1, -(-len(both) // SAMPLES))]
        own.score = max(own.score, detection.score)
        own.centroid = middle if small else np.median(own.points, axis=0)
        return own

    def _match(self, detection: Detection, middle: Floats) -> Instance | None:
        if detection.name is not None:
            return self.find(detection.name)
        near = max(CLOSE, MERGE * max(kind_of(detection.kind).size[:2]))
        same = [one for one in self.instances if one.kind == detection.kind and not one.carried]
        far = [float(np.linalg.norm(one.centroid - middle)) for one in same]
        return same[int(np.argmin(far))] if far and min(far) <= near else None

    def _free_name(self, kind: str) -> str | None:
        used = {one.name for one in self.instances}
        free = [name for name in self._names.get(kind, ()) if name not in used]
        if self.wanted in free:
            return self.wanted
        return free[0] if free else None

    def carry(self, name: str, kind: str) -> None:
        """Note a thing that is in the hand, or on what is."""
        nowhere = np.zeros(3)
        self.instances.append(Instance(kind, nowhere, nowhere[None][:0], 1.0, name, carried=True))

    def forget(self, instance: Instance) -> None:
        """Forget an instance that is not there any more."""
        self.instances.remove(instance)
