"""A person from recordings who comes to what the robots work at.

Where a recipe has something handed over, they come for that; else to what is stirred. Who neither
waits for stands at the table and reaches over it once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from experiments.mosaic.kitchen import RecipeSubtask
from treec.files.places import PersonMotion
from treec.files.view import View

AT_TABLE = (-0.15, 0.2)
"""Where (x, y; m) somebody reaches to who comes for nothing."""

FOR_HANDOVER = (-0.05, 0.32, 1.1)
"""Where (m) the hand is to which something is given: who waits for it is not in the pot's way."""

OVER = (0.94, 1.0)
"""Heights (m) of the fingertips over a container's middle: a pot's rim is at 0.87, and lower the
palm goes through it."""

HOLDS = 10.0
"""Seconds for which the hand is held there."""

AWAY, COMES = 0.8, 2.0
"""Metres that who reaches over the table stands behind it before and afterwards, and the seconds of
the way: pouring and putting down makes no room for who stands there."""

LATER = (60.0, 120.0)
"""Seconds after which somebody reaches who comes for nothing."""


class NoMotion(ValueError):
    """The file has no recording in which a hand reaches out; the message says so."""


@lru_cache(maxsize=2)
def recordings(path: Path) -> tuple[Any, ...]:
    """Return the recordings, seen by no shipped forecaster, in which a hand reaches out.

    Raises NoMotion.
    """
    from experiments.forecasting.motions import held_out, reaches_out
    from treec_sapien.people.recordings import MotionFileError, read_recordings

    try:
        fitting = [it for it in held_out(read_recordings(path), path) if reaches_out(it)]
    except MotionFileError as error:
        raise NoMotion(str(error)) from None
    if not fitting:
        raise NoMotion(f"in no held-out recording of {path} does a hand reach out")
    return tuple(fitting)


@dataclass(frozen=True)
class Visit:
    """What a person comes for: a skill, and the container at which it works, if it is one."""

    skill: str = ""
    container: str = ""


def visit_of(recipe: Sequence[RecipeSubtask]) -> Visit:
    """Return what a person comes for in a recipe."""
    if any(work.task == "hand_over" for work in recipe):
        return Visit("hand_over")
    for work in recipe:
        if work.task == "stir":
            return Visit("stir", next(iter(work.args.values()), ""))
    return Visit()


def motion_of(
    visit: Visit, places: Mapping[str, Any], people: Path, seed: int, folder: Path
) -> PersonMotion:
    """Draw a recording and place it; it is written into ``folder``. Raises NoMotion.

    ``places`` are the scene's objects.
    """
    from experiments.forecasting.motions import coming, up_to_reach, write_motion
    from treec_sapien.people.skeleton import RATE

    rng = np.random.default_rng((seed, 53))
    fitting = recordings(people)
    joints = fitting[int(rng.integers(len(fitting)))].joints
    spec: dict[str, Any] = {"yaw": float(rng.uniform(-115, -65))}
    off = rng.uniform(-0.02, 0.02, 2)
    if visit.skill == "hand_over":
        there = np.array(FOR_HANDOVER) + rng.uniform(-0.05, 0.05, 3)
        held = up_to_reach(joints, HOLDS)
        joints = np.concatenate([held, held[: len(held) - int(HOLDS * RATE)][::-1]])
        spec["starts"] = {"skill": visit.skill, "after": "0.5s"}
    else:
        obj = places.get(visit.container)
        at = AT_TABLE if obj is None or obj.pose is None else obj.pose[:2]
        there = np.array([*(np.array(at) + off), rng.uniform(*OVER)])
        joints = coming(joints, AWAY, COMES)
        spec["returns"] = True
        after = rng.uniform(3.0, 6.0) if visit.skill else rng.uniform(*LATER)
        spec["starts"] = {"after": f"{after:.1f}s"}
        if visit.skill:
            spec["starts"]["skill"] = visit.skill
    path = (folder / "motion.npz").resolve()
    write_motion(path, joints)
    reach = [round(float(x), 4) for x in there]
    return PersonMotion.model_validate({"motion": str(path), "reach": reach, **spec})


def with_person(view: View, motion: PersonMotion) -> View:
    """Return the view with that person in its scene."""
    scene, user = view.scenes[0], view.people[0]
    moved = scene.model.model_copy(update={"people": {**scene.model.people, user: motion}})
    placed = type(scene)(scene.kind, scene.name, moved, scene.node, scene.file)
    return view.changed(lambda entry: placed if entry is scene else entry)
