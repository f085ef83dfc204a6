"""A person from recordings who comes to what the robots work at.

Where a recipe has something handed over, they come for that; else to what is stirred. Who neither
waits for stands at the table and reaches over it once. Of a recording that is the way to where the
hand reaches farthest; recordings in which they would go through the table or what stands on it are
not used. Whom a robot tells that they are in its way steps aside for 20 s.
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
from treec.run.run import Run

AT_TABLE = (-0.15, 0.2)
"""Where (x, y; m) somebody reaches to who comes for nothing."""

FOR_HANDOVER = (-0.05, 0.32, 1.1)
"""Where (m) the hand is to which something is given: who waits for it is not in the pot's way."""

OVER = (0.94, 1.0)
"""Heights (m) of the fingertips over a container's middle: a pot's rim is at 0.87, and lower the
palm goes through it."""

HOLDS, STAYS = 10.0, 1.0
"""Seconds for which a hand is held there that waits for something, and one that does not."""

REACHING = 2.0
"""Seconds of a recording before a hand reaches farthest: before, most hands were lower, which is
the pot or the table here."""

DRAWS = 200
"""How many recordings are drawn, at most, until one is clear of what is there."""

AWAY, COMES = 0.8, 2.0
"""Metres that who reaches over the table stands off it before and afterwards, and the seconds of
the way."""

TURNS = (0.0, 0.35, -0.35, 0.7, -0.7, 1.05, -1.05)
"""Angles (rad) to straight behind them at which they may stand, the likeliest first."""

AISLE = 1.07
"""Metres before cupboards and appliances in which nobody stands about: the work aisle of kitchens
(NKBA's planning guidelines: 42 inches). Somebody waited beside the fridge's open door."""

STORES = ("fridge", "refrigerator", "pantry", "shelf", "cabinet", "stove", "sink", "dishwasher")
"""Kinds of bodies that others work at."""

JITTER, HELD = 0.03, 0.12
"""Metres that the table's things may stand from where the scene has them, turned as they may be,
and that what is in a hand sticks out of it: one that went back with the salt hit the pot.
"""

HEARS, ASIDE = 1.0, 0.8
"""Seconds after which somebody steps aside who is asked to, and how far (m)."""

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
    if any(work.task == "hand over" for work in recipe):
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
    from experiments.forecasting.motions import write_motion
    from treec_sapien.person.motion import placed_by_reach

    rng = np.random.default_rng((seed, 53))
    fitting, boxes = recordings(people), boxes_of(places)
    for _ in range(DRAWS):
        joints, spec = _draw(visit, places, fitting[int(rng.integers(len(fitting)))].joints, rng)
        placed = placed_by_reach(joints, spec["reach"], spec["yaw"])
        if is_clear(placed, boxes, JITTER, HELD if visit.skill == "hand_over" else 0.0):
            break
    else:
        raise NoMotion(f"in {DRAWS} recordings of {people} they go through the table or its things")
    path = (folder / "motion.npz").resolve()
    write_motion(path, joints)
    return PersonMotion.model_validate({"motion": str(path), **spec})


def room_at(joints: Any, there: Any, yaw: float, boxes: Any) -> float:
    """Return how far (m, level) who reaches ``there`` stands from boxes (m, 2, 3) at first."""
    from treec_sapien.person.motion import placed_by_reach

    return _room(placed_by_reach(joints, there, yaw)[0], boxes)


def _room(joints: Any, boxes: Any) -> float:
    """How far (m, level) a body (joints: 7, 3) is from boxes (m, 2, 3)."""
    from treec_sapien.person.figure import points

    at = points(joints)[:, None, :2]
    off = np.maximum(np.maximum(boxes[:, 0, :2] - at, at - boxes[:, 1, :2]), 0.0)
    return float(np.linalg.norm(off, axis=-1).min(initial=np.inf))


def _draw(
    visit: Visit, places: Mapping[str, Any], joints: Any, rng: np.random.Generator
) -> tuple[Any, dict[str, Any]]:
    """The joints (n, 7, 3) of who comes for something, and where and when they do."""
    stores = stores_of(places)
    from experiments.forecasting.motions import coming, up_to_reach
    from treec_sapien.people.skeleton import RATE

    spec: dict[str, Any] = {"yaw": float(rng.uniform(-115, -65))}
    off = rng.uniform(-0.02, 0.02, 2)
    if visit.skill == "hand_over":
        there = np.array(FOR_HANDOVER) + rng.uniform(-0.05, 0.05, 3)
        held = up_to_reach(joints, HOLDS, REACHING)
        joints = np.concatenate([held, held[: len(held) - int(HOLDS * RATE)][::-1]])
        spec["starts"] = {"skill": visit.skill, "after": "0.5s"}
    else:
        obj = places.get(visit.container)
        at = AT_TABLE if obj is None or obj.pose is None else obj.pose[:2]
        there = np.array([*(np.array(at) + off), rng.uniform(*OVER)])
        reaching = up_to_reach(joints, STAYS, REACHING)
        ways = [coming(reaching, AWAY, COMES, turn) for turn in TURNS]
        rooms = [room_at(it, there, spec["yaw"], stores) for it in ways]
        joints = ways[int(np.argmax(np.minimum(rooms, AISLE)))]
        spec["returns"] = True
        after = rng.uniform(3.0, 6.0) if visit.skill else rng.uniform(*LATER)
        spec["starts"] = {"after": f"{after:.1f}s"}
        if visit.skill:
            spec["starts"]["skill"] = visit.skill
    spec["reach"] = [round(float(x), 4) for x in there]
    return joints, spec


def _kind(obj: Any) -> str:
    return str((getattr(obj, "body", None) or {}).get("kind", ""))


def boxes_of(places: Mapping[str, Any]) -> Any:
    """Return the boxes (n, 2, 3; lowest and highest corner, m) around what the scene's bodies are.

    Objects without a pose or a body are nowhere.
    """
    from treec_sapien.bodies.kinds import packages_of
    from treec_sapien.bodies.scene import PlacedBody, body_of, pose_of
    from treec_sapien.bodies.solid import solid

    packages = packages_of("treec_sapien.bodies")
    boxes = []
    for obj in places.values():
        body = getattr(obj, "body", None)
        if obj.pose is None or body is None or "kind" not in body:
            continue
        placed = PlacedBody(body_of(body, packages), pose_of({"pose": obj.pose, "yaw": obj.yaw}))
        for link, pose in placed.solids():
            boxes += [(it.low, it.high) for it in (solid(one, pose) for one in link.shapes)]
    return np.array(boxes, float).reshape(-1, 2, 3)


def stores_of(places: Mapping[str, Any]) -> Any:
    """Return the boxes of the cupboards and appliances among them."""
    return boxes_of({name: it for name, it in places.items() if _kind(it) in STORES})


def is_clear(joints: Any, boxes: Any, by: float = 0.0, held: float = 0.0) -> bool:
    """Whether a person's body (joints: n, 7, 3) is clear of boxes (m, 2, 3) ``by`` metres, always.

    What is in their hands sticks out of them by ``held`` (m).
    """
    from treec_sapien.person.figure import HANDS, RADII, segments

    begin, end = segments(joints)
    share = np.linspace(0.0, 1.0, 5)[:, None]
    line = begin[..., None, :] * (1 - share) + end[..., None, :] * share  # (n, 9, 5, 3)
    radii = (RADII + by)[:, None, None]
    radii[list(HANDS)] += held
    for low, high in boxes:
        off = np.maximum(np.maximum(low - line, line - high), 0.0)
        if ((off**2).sum(axis=-1, keepdims=True) < radii**2).any():
            return False
    return True


@dataclass
class SteppingAside:
    """Lets the person of a run step aside who is told that they are in the way.

    To be looked at after each tick. They go back, or else to a side, wherever nothing stands, and
    where they leave others an aisle before the stores.
    """

    run: Run
    env: str
    user: str
    boxes: Any
    stores: Any
    _heard: int = 0

    def look(self) -> None:
        """Hear what has been said since the last look."""
        chat = self.run.team.chat
        said, self._heard = chat[self._heard :], len(chat)
        if any(it.who != self.user and "step aside" in it.text for it in said):
            self.run.clock.call_at(self.run.clock.now() + HEARS, self._step)

    def _step(self) -> None:
        opened = self.run.runtime.environments.find_open(self.env)
        if opened is not None:
            person = opened.environment.people[self.user]  # type: ignore[attr-defined]
            step_aside(person, self.run.clock.now(), self.boxes, self.stores)
        self.run.inbox.wake()


def step_aside(person: Any, now: float, boxes: Any, stores: Any) -> None:
    """Let a person of the kitchen step aside, to where they are clear of boxes (m, 2, 3).

    Before those which are ``stores`` they leave an aisle, or as much of it as they can.
    """
    from treec_sapien.person.motion import facing

    joints = person.joints(now)
    angles = np.radians(facing(joints)) + np.pi + np.array(TURNS)
    ways = [ASIDE * np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in angles]
    clear = [
        it for it in ways if is_clear(joints + np.linspace(0, 1, 5)[:, None, None] * it, boxes)
    ]
    if clear:
        by = max(clear, key=lambda it: min(_room(joints + it, stores), AISLE))
        person.step_aside(by[:2], now)


def with_person(view: View, motion: PersonMotion) -> View:
    """Return the view with that person in its scene."""
    scene, user = view.scenes[0], view.people[0]
    moved = scene.model.model_copy(update={"people": {**scene.model.people, user: motion}})
    placed = type(scene)(scene.kind, scene.name, moved, scene.node, scene.file)
    return view.changed(lambda entry: placed if entry is scene else entry)
