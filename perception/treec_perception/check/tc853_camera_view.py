"""Camera that sees nothing of an object that it is meant for.

A fixed camera must have some of each object in `meant_for` in its picture and within its range of
depth. What stands in between is not considered, and a camera on a robot moves: it is not judged.

Wrong, where the table stands at the origin, 0.75 m high:

    camera: overhead
    about: Above the table.
    pose: {eye: [1.5, 0.0, 2.0], looks_at: [3.0, 0.0, 2.0]}
    meant_for: [table]

Right:

    camera: overhead
    about: Above the table.
    pose: {eye: [1.5, 0.0, 2.0], looks_at: [0.0, 0.0, 0.75]}
    meant_for: [table]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries, once
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.places import SceneFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_perception.files import CameraFile
from treec_perception.frustum import Frustum, sample

CODE = "TC853"


def check(view: View) -> Iterator[Diagnostic]:
    """Report fixed cameras that look past what they are meant for."""
    for entry in entries(view, "camera"):
        for scene in view.scenes:
            yield from _judge(view.library, entry, scene)


@once
def _judge(
    library: Library, entry: Entry[CameraFile], scene: Entry[SceneFile]
) -> Iterator[Diagnostic]:
    camera = entry.model
    if camera.pose is None:
        return
    frustum = Frustum.of(camera)
    for index, name in enumerate(camera.meant_for):
        spec = scene.model.objects.get(name)
        if spec is None:  # reported by TC852
            continue
        points = sample(spec.model_dump(include={"body", "pose", "yaw"}), scene.model.body_packages)
        if not points:
            continue
        why = frustum.miss(points)
        if why is not None:
            message = f"'{entry.name}' cannot see '{name}': {why}"
            axes = zip(*points, strict=True)
            middle = [round(sum(axis) / len(points), 2) + 0.0 for axis in axes]  # no -0.0
            help = f"to look at its middle: looks_at: {middle}"
            span = entry.span("meant_for", index)
            yield Diagnostic(CODE, "error", span, message, help)
