"""How well joints are found: of people who move as recorded, in a scene that is simulated.

A person stands at a table with a robot arm on it, reaches over the table and comes back, as in a
recording. Cameras see their dressed body; joints are compared with those that move it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec import EnvironmentSetup
from treec_perception.files import CameraFile, PoseEstimatorFile
from treec_perception.pose.combine import combine
from treec_perception.pose.landmarker import FindsLandmarks
from treec_perception.pose.watch import PoseRequest, PoseWatcher, PoseWatchSetup
from treec_perception.sources import SourceName
from treec_sapien.people.recordings import MotionEpisode
from treec_sapien.people.skeleton import JOINTS, RATE
from treec_sapien.person.person import Person
from treec_sapien.things import Things
from treec_sapien.view.scene import SceneView

Floats = npt.NDArray[np.float64]

OBJECTS: dict[str, dict[str, Any]] = {
    "table": {"type": "Place", "body": {"kind": "table", "size": [1.5, 0.9, 0.75]}},
    "pot": {"type": "Item", "pose": [-0.28, 0.25, 0.75], "body": {"kind": "pot"}},
}
AGENTS = {"R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.6, 0.0, 0.75]}}}
REACH = (-0.28, 0.25, 0.95)
"""Where the fingertips are at the farthest (m)."""

YAW = (-115.0, -65.0)
"""Between which directions (degrees) the person reaches."""

CAMERAS: tuple[dict[str, Any], ...] = tuple(
    {
        "camera": name,
        "about": "Beyond the table, beside the arm.",
        "size": [424, 240],
        "lens": {"fx": 308, "fy": 308, "cx": 212, "cy": 120},
        "pose": {"eye": [x, -0.7, 1.75], "looks_at": [-0.2, 0.6, 1.1]},
        "range": [0.28, 4.0],
        "noise": {},
    }
    for name, x in (("people_left", 0.9), ("people_right", -1.5))
)
"""Beyond the table on either side of the arm, as in MOSAIC's kitchen."""


@dataclass(frozen=True)
class PersonTrial:
    """How far (m) joints were off in each picture of a person (pictures, 7), NaN if not seen.

    By camera, and of all together; ``speed`` (pictures, 7) is the joints' own (m/s).
    """

    recording: str
    errors: Mapping[str, Floats]
    speed: Floats


def watch_people(
    episodes: Sequence[MotionEpisode],
    estimator: PoseEstimatorFile,
    root: Path,
    n: int,
    seed: int,
    rate: float,
    landmarker: FindsLandmarks | None = None,
) -> Iterator[PersonTrial]:
    """Watch ``n`` people, drawn by the seed, ``rate`` times a second.

    Raises PoseModelError if there is no model.
    """
    source: SourceName = "sapien"
    cameras = tuple((CameraFile.model_validate(it), source) for it in CAMERAS)
    rng = np.random.default_rng(seed)
    for number in range(n):
        episode = episodes[int(rng.integers(len(episodes)))]
        yaw = float(rng.uniform(*YAW))
        with tempfile.TemporaryDirectory(prefix="treec-people-") as folder:
            path = Path(folder) / "motion.npz"
            lengths = [len(episode.joints)]
            np.savez(path, positions=episode.joints, lengths=lengths, joints=list(JOINTS), fps=RATE)
            spec = {"motion": str(path), "reach": list(REACH), "yaw": yaw, "returns": True}
            things = Things(
                EnvironmentSetup(
                    "sapien", "people", OBJECTS, AGENTS, seed=seed, people={"user": spec}
                )
            )
        view = SceneView(things)
        setup = PoseWatchSetup(view.stage, cameras, estimator, root, landmarker)
        watcher = PoseWatcher(setup)
        first = 1_000_000 * (seed + 1) + 10_000 * number
        yield _watch(things.people["user"], watcher, view, episode.recording, rate, first)
        watcher.close()


def _watch(
    user: Person, watcher: PoseWatcher, view: SceneView, recording: str, rate: float, first: int
) -> PersonTrial:
    names = [str(it["camera"]) for it in CAMERAS]
    together = " and ".join(names)
    errors: dict[str, list[Floats]] = {name: [] for name in (*names, together)}
    true: list[Floats] = []
    user.begins = 0.0
    times = np.arange(0.0, user.motion.seconds, 1 / rate)
    for number, now in enumerate(times.tolist()):
        user.place(now)
        true.append(user.joints(now))
        looks, _ = watcher.looks(PoseRequest(now, view.poses(), {}, first + 10 * number))
        for name in names:
            errors[name].append(_off(combine([looks[name]] if name in looks else []), true[-1]))
        errors[together].append(_off(combine(list(looks.values())), true[-1]))
    speed = np.linalg.norm(np.gradient(np.array(true), 1 / rate, axis=0), axis=2)
    return PersonTrial(recording, {name: np.array(it) for name, it in errors.items()}, speed)


def _off(found: Floats, true: Floats) -> Floats:
    return np.asarray(np.linalg.norm(found - true, axis=1))


def summary(trials: Sequence[PersonTrial]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by camera and joint: pictures, the share in which it is seen, errors in mm."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for camera in trials[0].errors:
        errors = np.concatenate([it.errors[camera] for it in trials])
        rows = {name: _row(errors[:, at]) for at, name in enumerate(JOINTS)}
        found[camera] = {**rows, "all seven": _row(errors)}
        found[camera]["all seven"]["at_once"] = float((~np.isnan(errors)).all(axis=1).mean())
    return found


def _row(errors: Floats) -> dict[str, Any]:
    seen = errors[~np.isnan(errors)]
    row: dict[str, Any] = {"pictures": len(errors), "seen": len(seen) / errors.size}
    for name, share in (("median_mm", 50), ("p95_mm", 95)):
        row[name] = round(1000 * float(np.percentile(seen, share)), 1) if len(seen) else None
    return row
