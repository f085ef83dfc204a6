"""A person of seven joints before a camera, as a landmarker sees them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from treec_perception.picture import Picture
from treec_perception.pose.joints import JOINTS
from treec_perception.pose.landmarker import INDEX, Landmark
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.view.camera import Camera

CAMERA = Camera(Pose(), 300.0, 300.0, 160.0, 120.0, 320, 240)
"""At the origin; its optical frame is the scene's: x right, y down, z away."""

PERSON: dict[str, Vector] = {
    "left_shoulder": (0.2, -0.2, 1.5),
    "right_shoulder": (-0.2, -0.2, 1.5),
    "left_elbow": (0.3, 0.1, 1.5),
    "right_elbow": (-0.3, 0.1, 1.4),
    "left_wrist": (0.25, 0.3, 1.3),
    "right_wrist": (-0.1, 0.3, 1.2),
}
NECK = (0.0, -0.2, 1.5)


def marks(person: Mapping[str, Vector] = PERSON, **visibility: float) -> dict[str, Landmark]:
    """Where the joints are in the picture."""
    found = {}
    for name, point in person.items():
        x, y, _ = CAMERA.pixels(np.array(point))
        found[name] = Landmark(float(x), float(y), visibility.get(name, 0.9))
    return found


def picture(person: Mapping[str, Vector] = PERSON, time: float = 0.0) -> Picture:
    """Depth is a wall 3 m away, and a square of each joint's depth at the joint."""
    depth = np.full((240, 320), 3.0, np.float32)
    for point in sorted(person.values(), key=lambda it: -it[2]):
        x, y, z = CAMERA.pixels(np.array(point))
        depth[max(0, int(y) - 6) : int(y) + 7, max(0, int(x) - 6) : int(x) + 7] = z
    return Picture("front", np.zeros((240, 320, 3), np.uint8), depth, CAMERA, time)


class Sees:
    """A landmarker whose findings are given."""

    def __init__(self, *found: dict[str, Landmark] | None) -> None:
        self._found = list(found)

    def landmarks(self, colour: object) -> dict[str, Landmark] | None:
        return self._found.pop(0)


assert set(PERSON) == set(INDEX)
assert set(PERSON) | {"neck"} == set(JOINTS)
