"""Checks scenes' bodies by the function of the package that defines them.

The engine knows no shapes. A scene's `bodies:` names the Python packages of its kinds; the first of
them that has a function ``problems(objects, bodies, agents)`` is called once per scene, and the
rules TC801 to TC805 each report their part of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, Protocol

from treec.check.base import entries, view_of
from treec.extensions import ExtensionError, registry
from treec.files.entry import Entry
from treec.files.places import AgentFile, SceneFile
from treec.files.view import View
from treec.foreign import ForeignError, import_foreign
from treec.source.diagnostics import Diagnostic
from treec_sapien.check.robots import robot_of, with_robot
from treec_sapien.robots.definition import RobotDefinition


class BodyProblem(Protocol):
    """A problem of an object, as a package of bodies reports it."""

    @property
    def rule(self) -> str:
        """`body`, `overlap`, `standing`, `reach` or `fits`."""

    @property
    def name(self) -> str:
        """The object."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The path of keys within the object."""

    @property
    def message(self) -> str:
        """The problem."""

    @property
    def help(self) -> str | None:
        """How to correct it."""

    @property
    def on_key(self) -> bool:
        """Whether the key rather than the value is wrong."""

    @property
    def agent(self) -> bool:
        """Whether ``name`` is an agent and the keys are those of its file."""

    @property
    def warning(self) -> bool:
        """Whether it may be meant so."""


Judge = Callable[[Mapping[str, Any], tuple[str, ...], Mapping[str, Any]], Iterable[BodyProblem]]


def problems(view: View, rule: str, code: str) -> Iterator[Diagnostic]:
    """Report one rule's problems with the bodies of a view's scenes."""
    for entry in entries(view, "scene"):
        if librarys_own(view, entry.model.body_packages):
            continue
        agents = agents_of(view, entry)
        robots = _robots_of(view, agents)
        for it in _find_problems(entry, agents, robots, _reaches(robots)):
            if it.rule != rule:
                continue
            if it.agent:
                own = next(one for one in agents if one.name == it.name)
                # without a system the problem is shown in the scene's own file
                span = own.span(*it.keys) if view.system else entry.span("scene")
                message = f"{it.message}, in the scene '{entry.name}'"
                yield Diagnostic(code, "warning" if it.warning else "error", span, message, it.help)
            else:
                span = entry.span("objects", it.name, *it.keys, key=it.on_key)
                yield Diagnostic(code, "error", span, it.message, it.help)


def agents_of(view: View, scene: Entry[SceneFile]) -> tuple[Entry[AgentFile], ...]:
    """Return the agents with bodies in a scene: those of the systems with its domain."""
    views = (
        [view] if view.system else [view_of(view.library, s) for s in view.library.own("system")]
    )
    found = {
        agent.name: agent
        for of in views
        if of.system is not None and of.system.model.domain == scene.model.domain
        for agent in of.all("agent").values()
        if agent.model.body is not None
    }
    return tuple(found[name] for name in sorted(found))


def _robots_of(
    view: View, agents: tuple[Entry[AgentFile], ...]
) -> tuple[RobotDefinition | None, ...]:
    """The robots of agents; None for one that has none of its own, or an unknown one."""
    return tuple(robot_of(with_robot(view, agent.model.body or {})) for agent in agents)


def _reaches(robots: tuple[RobotDefinition | None, ...]) -> tuple[object, ...]:
    """What scenes' problems depend on besides files of the library: models may be changed."""
    if not any(robots):
        return ()
    from treec_sapien.robots.reach import reach_of

    return tuple(None if it is None else reach_of(it) for it in robots)


@lru_cache(maxsize=16)
def _find_problems(
    entry: Entry[SceneFile],
    agents: tuple[Entry[AgentFile], ...],
    robots_of: tuple[RobotDefinition | None, ...],
    _: tuple[object, ...],
) -> list[BodyProblem]:
    scene = entry.model
    names = scene.body_packages
    judge = _load_judge(names)
    if judge is None:
        return []
    objects = {
        name: {**spec.facts, "body": spec.body, "pose": spec.pose, "yaw": spec.yaw}
        for name, spec in scene.objects.items()
        if spec.body is not None and (spec.pose is None or is_pose(spec.pose))  # reported by TC510
    }
    robots = {
        it.name: {**body, "robot": robot} if robot is not None else body
        for it, robot in zip(agents, robots_of, strict=True)
        if "kind" not in (body := it.model.body or {})
    }
    if not all(is_placed(body) for body in robots.values()):  # reported by TC801
        robots = {}
    return list(judge(objects, names, robots))


def thing_problems(view: View, entry: Entry[AgentFile], code: str) -> Iterator[Diagnostic]:
    """Report problems of an agent's body that is a thing (`kind`)."""
    body = entry.model.body or {}
    names = next((found for scene in view.scenes if (found := scene.model.body_packages)), ())
    judge = None if librarys_own(view, names) else _load_judge(names)
    if judge is None or not is_placed(body):
        return
    thing = {key: value for key, value in body.items() if key not in ("pose", "yaw")}
    alone = {entry.name: {"body": thing, "pose": body.get("pose", [0.0, 0.0, 0.0])}}
    for it in judge(alone, names, {}):
        if it.rule == "body":
            span = entry.span(*it.keys, key=it.on_key)
            yield Diagnostic(code, "error", span, it.message, it.help)


def is_placed(body: Mapping[str, Any]) -> bool:
    """Whether an agent's body has a place in the scene."""
    return has_pose(body) and is_pose([body.get("yaw", 0.0), 0, 0])


def has_pose(body: Mapping[str, Any]) -> bool:
    """Whether an agent's body has a pose: of a robot three numbers, of a thing three or seven."""
    pose = body.get("pose", [0, 0, 0])
    return is_pose(pose) and ("kind" in body or len(pose) == 3)


def is_pose(value: object) -> bool:
    """Whether a value is a list of three or seven finite numbers, the last four not all zero."""
    return (
        isinstance(value, list)
        and len(value) in (3, 7)
        and all(isinstance(it, int | float) and math.isfinite(it) for it in value)
        and (len(value) == 3 or math.hypot(*value[3:]) > 1e-6)
    )


def librarys_own(view: View, names: tuple[str, ...]) -> bool:
    """Whether kinds of bodies are the library's own Python, which a check must not execute."""
    library = view.library
    tops = {name.partition(".")[0] for name in names} - {"treec"}
    return library.settings.library.package in tops or any(
        (library.root / top).exists() for top in tops
    )


def _load_judge(names: tuple[str, ...]) -> Judge | None:
    for name in names:
        try:
            judge: Judge | None = getattr(import_foreign(name), "problems", None)
        except ForeignError as error:
            if not isinstance(error.__cause__, ImportError):  # that is reported by TC801
                registry().problem(ExtensionError(f"the bodies of '{name}': {error}"))
            return None
        if judge is not None:
            return partial(_call_judge, name, judge)
    return None


def _call_judge(name: str, judge: Judge, *args: Any) -> Iterable[BodyProblem]:
    """What a package finds wrong with bodies; if it fails, that is a problem of its own."""
    try:
        return registry().call(name, lambda: list(judge(*args)))
    except ExtensionError as error:
        registry().problem(error)
        return []
