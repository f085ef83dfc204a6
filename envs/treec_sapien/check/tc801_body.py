"""Invalid body: unknown package, kind, parameter, part or colour.

`body: {kind: …}` names a module of a package listed under the scene's `bodies:`, with the
parameters of that module's `build` and optionally a `colour`. `body: {of: …, part: …}` names an
object with a body and one of its parts. An agent's `body:` is a `robot` with its `pose`, `yaw` and
`side`, or the other `side` `of` an agent's robot, or a thing (`kind`, as for an object), such as a
person's open hand. A robot whose base is fixed has no skill for which it drives.

Wrong:

    bodies: treec_sapien.bodies
    objects:
      locker: {type: Place, pose: [0.4, 0.4, 0.75], body: {kind: cabinett, open: 90}}

Right:

    bodies: treec_sapien.bodies
    objects:
      locker: {type: Place, pose: [0.4, 0.4, 0.75], body: {kind: cabinet, opens: 90}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.companions import missing_help, moved_module
from treec.files.entry import Entry
from treec.files.modules import find_module, missing_module_help
from treec.files.places import AgentFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import suggest
from treec_sapien.check.robots import SHIPPED, find_robot
from treec_sapien.check.scene_bodies import has_pose, is_pose, problems, thing_problems

CODE = "TC801"

_ROBOT = ("robot", "pose", "yaw", "side", "of")
_DRIVES = ("go_to", "change_view")
"""Skills of this package for which the base drives."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report invalid bodies of objects and agents."""
    yield from _packages(view)
    yield from problems(view, "body", CODE)
    for entry in entries(view, "agent"):
        if entry.model.body is not None:
            yield from _robot(view, entry)


def _packages(view: View) -> Iterator[Diagnostic]:
    own = view.library.package
    for entry in entries(view, "scene"):
        listed = isinstance(entry.model.bodies, list)
        for index, name in enumerate(entry.model.body_packages):
            _, missing = find_module(name, own)
            if missing is not None and not missing_help("modules", missing):
                span = entry.span("bodies", index) if listed else entry.span("bodies")
                wrong = name if moved_module(name) is not None else missing
                help = missing_module_help(wrong, own)
                yield Diagnostic(CODE, "error", span, f"unknown module '{wrong}'", help)
        if entry.model.bodies is None:
            for name, spec in entry.model.objects.items():
                if spec.body is not None:
                    span = entry.span("objects", name, "body", key=True)
                    message = "the scene has 'body' but no 'bodies'"
                    yield Diagnostic(
                        CODE, "error", span, message, "add 'bodies: treec_sapien.bodies'"
                    )
                    break


def _robot(view: View, entry: Entry[AgentFile]) -> Iterator[Diagnostic]:
    body = entry.model.body or {}
    thing = "kind" in body
    for key in body:
        if key not in _ROBOT and not thing:
            span = entry.span("body", key, key=True)
            message = f"unknown key '{key}' of an agent's body"
            yield Diagnostic(CODE, "error", span, message, suggestion(key, _ROBOT, "keys"))
    if not has_pose(body):
        message = "an agent's pose must be [x, y, z] in metres"
        yield Diagnostic(CODE, "error", entry.span("body", "pose"), message)
    if "yaw" in body and not is_pose([body["yaw"], 0, 0]):
        message = "an agent's yaw must be a number of degrees"
        yield Diagnostic(CODE, "error", entry.span("body", "yaw"), message)
    if thing:
        yield from thing_problems(view, entry, CODE)
        return
    if ("robot" in body) == ("of" in body):
        message = "an agent's body is either a 'robot' of its own, or one 'of' another agent"
        yield Diagnostic(CODE, "error", entry.span("body"), message)
    elif "of" in body:
        others = [
            name for name, agent in view.all("agent").items() if "robot" in (agent.model.body or {})
        ]
        if body["of"] not in others:
            help = suggest(str(body["of"]), others)
            message = f"'{body['of']}' is not an agent with a robot"
            yield Diagnostic(CODE, "error", entry.span("body", "of"), message, help)
            return
    if any("treec_sapien.bodies" in scene.model.body_packages for scene in view.scenes):
        yield from _own_robot(view, entry)


def _own_robot(view: View, entry: Entry[AgentFile]) -> Iterator[Diagnostic]:
    """Whether a robot is known, and has the side."""
    body = entry.model.body or {}
    owner = view.all("agent").get(str(body.get("of", "")), entry)
    name = str((owner.model.body or {}).get("robot"))
    robot = find_robot(view, name)
    if robot is None:
        if owner is entry and "robot" in body:
            known = sorted({*SHIPPED, *view.all("robot")})
            span = entry.span("body", "robot")
            yield Diagnostic(
                CODE, "error", span, f"unknown robot '{name}'", suggestion(name, known, "robots")
            )
    elif "side" in body and body["side"] not in robot.file.arms:
        side, known = str(body["side"]), list(robot.file.arms)
        message = f"the robot '{name}' has no side '{side}'"
        yield Diagnostic(
            CODE, "error", entry.span("body", "side"), message, suggestion(side, known, "sides")
        )
    elif robot.file.base == "fixed":
        skills = {it: view.find("skill", it) for it in _DRIVES if it in (entry.model.skills or {})}
        drives = [name for name, it in skills.items() if it and "sapien" in it.model.runs]
        if drives:
            message = f"the base of '{name}' is fixed: '{entry.name}' cannot do '{drives[0]}'"
            help = (
                "in the robot's file: base: {stands: [{radius: 0.3, high: 0.3}]}; "
                "or give the agent other skills"
            )
            yield Diagnostic(CODE, "error", entry.span("body"), message, help)
