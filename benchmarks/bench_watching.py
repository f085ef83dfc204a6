"""What it takes to watch a person: a picture of a camera that stays, and the landmarks in it."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks.bench_views import SCENES, kitchen, least
from benchmarks.process import ROOT
from benchmarks.table import Table


def run(small: bool) -> list[Table]:
    """Times of a look at somebody in the kitchen; nothing where SAPIEN is not installed."""
    return [] if find_spec("sapien") is None else [_person(3 if small else 30)]


def _person(looks: int) -> Table:
    import numpy as np

    from treec_forecasting.synthetic import write_motion
    from treec_perception.pose.landmarker import PoseLandmarker
    from treec_perception.pose.model_file import PoseModelError, find_model
    from treec_sapien.view.camera import Camera
    from treec_sapien.view.rays import RayView
    from treec_sapien.view.scene import SceneView
    from treec_sapien.view.static_camera import SteadyView

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "motion.npz"
        write_motion(path, "reach", 1, 3)
        user = {"motion": str(path), "reach": [-0.28, 0.32, 0.92], "yaw": -90}
        things = kitchen(*SCENES["kitchen, Panda and Stretch"], people={"user": user})
    view = SceneView(things)
    camera = Camera.looking((0.9, -0.7, 1.75), (-0.2, 0.6, 1.1), (424, 240), 42.6)
    person = things.people["user"]
    person.begins = 0.0
    moments = []
    for now in np.linspace(0.0, person.motion.seconds, looks):
        person.place(float(now))
        moments.append(view.poses())
    every, steady = RayView(view.stage), SteadyView(view.stage)
    took: dict[str, list[float]] = {"every": [], "steady": [], "landmarks": []}
    try:
        landmarker = PoseLandmarker(find_model("full", ROOT))
    except PoseModelError:
        landmarker = None
    for poses in moments:
        took["every"].append(least(lambda p=poses: every.picture(camera, p, smooth=False), 1))
        took["steady"].append(least(lambda p=poses: steady.picture(camera, p), 1))
        colour = steady.picture(camera, poses).rgb
        if landmarker is not None and colour is not None:
            look = partial(landmarker.landmarks, colour)
            took["landmarks"].append(least(look, 1, time.perf_counter))
    if landmarker is not None:
        landmarker.close()
    cells = [1000 * float(np.median(it)) if it else "-" for it in took.values()]
    return Table(
        "A look at a person, ms",
        ("solids", "picture, all cast anew", "what moves cast anew", "landmarks"),
        [(len(view.stage.solids), *cells)],
        (
            f"The median of {looks} looks at somebody who reaches over the kitchen's table, at 424 "
            "× 240. Pictures: milliseconds of the processor, one core; MediaPipe's landmarks: real "
            "ones, its own threads; - without its model.",
        ),
    )
