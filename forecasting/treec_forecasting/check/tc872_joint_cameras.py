"""Cameras or a pose estimator of a forecaster's `joints` that are not there.

`joints: {camera: …}` takes a person's joints from cameras, with a pose estimator: those it names,
or all of the system and treec's own.

Wrong, where the cameras are `left` and `right`:

    forecaster: foresight
    joints:
      camera: {cameras: [lft], pose_estimator: bones}

Right:

    forecaster: foresight
    joints:
      camera: {cameras: [left], pose_estimator: bones}
    ---
    pose_estimator: bones
    about: Joints beneath the skin.
    stages: [{landmarks: {}}, {lift: {to_bone: true}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_perception.check.tc852_references import unknown

CODE = "TC872"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names that nothing has, and systems without a camera."""
    unread = unreadable_kinds(view.library)
    for entry in entries(view, "forecaster"):
        camera = entry.model.joints.camera
        if camera is None:
            continue
        known = view.all("camera")
        for index, name in enumerate(camera.cameras if "camera" not in unread else ()):
            span = entry.span("joints", "camera", "cameras", index)
            yield from unknown(name, known, "camera", span, CODE)
        if not known and "camera" not in unread:
            message = "no camera shows the person: the system has none"
            yield Diagnostic(CODE, "error", entry.span("joints", "camera"), message)
        name = camera.pose_estimator
        if name is None or "pose_estimator" in unread:
            continue
        span = entry.span("joints", "camera", "pose_estimator")
        estimators = view.all("pose_estimator")
        yield from unknown(name, estimators, "pose estimator", span, CODE)
