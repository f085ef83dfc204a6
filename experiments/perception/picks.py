"""Whole picks: a set on a shelf is built with physics, and the robot picks the wanted thing.

As Table 2 of MOSAIC counts: a trial comes off if the robot ends with the wanted thing in its hand.
It stands before the shelf, looks with the cameras of the system, reaches for the point that the
localizer says, and closes its fingers. What stands there is that of
`experiments.perception.clutter`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.perception.clutter import ClutterTrial, make_trials
from treec.files.entry import AnyEntry, Entry
from treec.files.fields import Model
from treec.files.places import AgentFile, SceneFile
from treec.files.view import View, on_environment
from treec.nodes.events import NeedAnswered
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_perception.files import CameraFile
from treec_perception.find_camera import SceneEyes
from treec_perception.localizer_query import movable
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.scene import PlacedBody
from treec_testing.skill_trial import finish, try_skill

SKILL = "pick"
DRAWS = 4
"""How many sets are drawn at most for each that is wanted."""
DECIMALS = 4


@dataclass(frozen=True, slots=True)
class PickTrial:
    """How a pick ended: whether the robot holds the wanted thing, else the reason.

    ``error`` is how far (m) the point that it reached for was from the thing's middle, at the last
    look; None if it found nothing. ``looks`` counts these, ``seconds`` are simulated.
    """

    level: str
    seed: int
    thing: str
    picked: bool
    reason: str
    error: float | None
    looks: int
    seconds: float


def scene_of(scene: SceneFile, shelf: str, trial: ClutterTrial) -> SceneFile:
    """Return a scene in which the shelf holds the things of a trial, and nothing else.

    What stands elsewhere stays, unless it is in the trial.
    """
    stands = {name: trial.layout.bodies[name] for name in movable(trial.layout)}
    objects: dict[str, Any] = {}
    for name, spec in scene.objects.items():
        placed = stands.get(name)
        if placed is not None:
            objects[name] = spec.model_copy(update=_at(placed, shelf))
        elif spec.facts.get("at") != shelf:
            objects[name] = spec
    return scene.model_copy(update={"objects": objects})


def _at(placed: PlacedBody, shelf: str) -> Mapping[str, Any]:
    numbers = (*placed.pose.p, *placed.pose.q)
    return {"pose": [round(float(x), DECIMALS) for x in numbers], "yaw": 0.0, "at": shelf}


def before(agent: AgentFile, base: Pose, shelf: str) -> AgentFile:
    """Return an agent whose robot begins before the shelf."""
    w, _, _, z = base.q
    at = [round(float(x), DECIMALS) for x in base.p]
    heading = round(math.degrees(2 * math.atan2(z, w)), DECIMALS)
    body = {**(agent.body or {}), "pose": at, "yaw": heading}
    return agent.model_copy(update={"body": body, "starts": {**agent.starts, "near": shelf}})


def view_of(view: View, shelf: str, agent: str, localizer: str, trial: ClutterTrial) -> View:
    """Return a system's view in SAPIEN, with a trial on the shelf and at most this localizer.

    The robot stands where the trial's picture is taken from.
    """

    def changed(entry: AnyEntry) -> AnyEntry | None:
        if entry.kind == "localizer" and entry.name != localizer:
            return None
        model: Model
        if entry.kind == "scene":
            model = scene_of(entry.model, shelf, trial)
        elif entry.kind == "agent" and entry.name == agent and trial.base is not None:
            model = before(entry.model, trial.base, shelf)
        else:
            return entry
        return Entry(entry.kind, entry.name, model, entry.node, entry.file)

    assert view.system is not None
    return View(view.library, on_environment(view.system, "sapien")).changed(changed)


def pick(
    view: View, agent: str, trial: ClutterTrial, folder: Path | None = None, *, see: bool = True
) -> PickTrial:
    """Let a robot pick the wanted thing of a trial, in a view of `view_of`.

    Without ``see`` it knows where the thing is. The pictures of its looks go to ``folder``. Raises
    CannotRun and CannotTry if the system has no such robot or skill.
    """
    spec = RunSpec(seed=trial.seed, env="sapien", see=see)
    return pick_thing(view, agent, trial.thing, spec, trial.level, folder)


def pick_thing(
    view: View,
    agent: str,
    thing: str,
    spec: RunSpec,
    level: str = "as it stands",
    folder: Path | None = None,
) -> PickTrial:
    """Let a robot pick a thing in a view in SAPIEN; see `pick`."""
    answers: list[NeedAnswered] = []

    def note(record: Record) -> None:
        if isinstance(record.event, NeedAnswered):
            answers.append(record.event)

    clock, journal = SteppingClock(), Journal.in_memory()
    run = Run(view, clock, journal, spec, folder=folder)
    try:
        run.open_environments()
        leave = run.world.subscribe(note)
        result = try_skill(run, SKILL, {"agent": agent, "item": thing})
        leave()
    finally:
        finish(run)
    held = result.ok and all(promise.holds for promise in result.after)
    reason = result.reason or ("" if held else "the robot holds something else, or nothing")
    error = answers[-1].record.get("error") if answers and answers[-1].value else None
    return PickTrial(
        level, spec.seed or 0, thing, held, reason, error, len(answers), result.seconds
    )


def possible(
    eyes: SceneEyes, camera: CameraFile, shelf: str, level: str, count: int, seed: int
) -> Iterator[tuple[ClutterTrial | None, str]]:
    """Make trials in which the robot picks the thing when it is told where that is.

    Those that it does not are left out: None is given instead, with the reason. Fewer than
    ``count`` are made if more than three in four are left out.
    """
    assert camera.mounted is not None
    agent, made = camera.mounted.agent, 0
    for trial in make_trials(eyes, camera, shelf, [level], DRAWS * count, seed):
        told = pick(view_of(eyes.view, shelf, agent, "", trial), agent, trial, see=False)
        made += told.picked
        yield (trial, "") if told.picked else (None, f"{trial.thing}: {told.reason}")
        if made == count:
            return
