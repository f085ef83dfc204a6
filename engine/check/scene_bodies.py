"""Scenes' bodies, judged by the package that knows them.

The engine knows no shapes. A scene's `bodies:` names the Python packages of its kinds, and the
first of them that has a function ``problems(objects, bodies, agents)`` is asked, once a scene; the
rules TC801 to TC804 each tell their part of the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from engine.check.base import entries
from engine.files.entry import Entry
from engine.files.places import AgentFile, SceneFile
from engine.files.view import View
from engine.source.diagnostics import Diagnostic


class Problem(Protocol):
    """What a package of bodies says is wrong with an object."""

    @property
    def rule(self) -> str:
        """`body`, `overlap`, `standing` or `reach`."""

    @property
    def name(self) -> str:
        """The object."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Which of the object's keys."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def help(self) -> str | None:
        """What would be right."""

    @property
    def on_key(self) -> bool:
        """Whether the key itself is wrong."""


Judge = Callable[[Mapping[str, Any], tuple[str, ...], Mapping[str, Any]], Iterator[Problem]]


def problems(view: View, rule: str, code: str) -> Iterator[Diagnostic]:
    """What is wrong with the bodies of a view's scenes, for one of the rules."""
    for entry in entries(view, "scene"):
        for it in _judged(entry, agents_of(view, entry)):
            if it.rule == rule:
                span = entry.span("objects", it.name, *it.keys, key=it.on_key)
                yield Diagnostic(code, "error", span, it.message, it.help)


def packages(scene: SceneFile) -> tuple[str, ...]:
    """The packages in which the kinds of a scene's bodies are looked for."""
    if scene.bodies is None:
        return ()
    return (scene.bodies,) if isinstance(scene.bodies, str) else tuple(scene.bodies)


def agents_of(view: View, scene: Entry[SceneFile]) -> tuple[Entry[AgentFile], ...]:
    """The agents with bodies that act in a scene: those of the systems that have its domain."""
    systems = [view.system] if view.system else view.library.of_kind("system")
    found = {
        agent.name: agent
        for system in systems
        if system.model.domain == scene.model.domain
        for agent in View(view.library, system).all("agent").values()
        if agent.model.body is not None
    }
    return tuple(found[name] for name in sorted(found))


@lru_cache(maxsize=16)
def _judged(entry: Entry[SceneFile], agents: tuple[Entry[AgentFile], ...]) -> list[Problem]:
    scene = entry.model
    names = packages(scene)
    judge = _judge(names)
    if judge is None:
        return []
    objects = {
        name: {"body": spec.body, "pose": spec.pose, "yaw": spec.yaw}
        for name, spec in scene.objects.items()
        if spec.body is not None and (spec.pose is None or is_pose(spec.pose))  # TC510 says so
    }
    robots = {it.name: it.model.body for it in agents if "kind" not in (it.model.body or {})}
    if not all(is_pose(body.get("pose", [0, 0, 0])) for body in robots.values() if body):
        robots = {}
    return list(judge(objects, names, robots))


def is_pose(value: object) -> bool:
    """Whether it is three finite numbers, or seven."""
    return (
        isinstance(value, list)
        and len(value) in (3, 7)
        and all(isinstance(it, int | float) and math.isfinite(it) for it in value)
    )


def _judge(names: tuple[str, ...]) -> Judge | None:
    for name in names:
        try:
            judge: Judge | None = getattr(import_module(name), "problems", None)
        except ImportError:  # TC801 says so
            return None
        if judge is not None:
            return judge
    return None
