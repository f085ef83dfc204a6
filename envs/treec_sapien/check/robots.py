"""Robots by name: those of a library's files, and those that ship with this package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.files.entry import Entry
from treec.files.skeletons import NoSkeleton
from treec.files.validate import read_entry
from treec.source.yaml import read_documents, read_file
from treec_sapien.robots.adapt import resolve
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.files import RobotFile

if TYPE_CHECKING:
    from treec.files.view import View

SUFFIX = ".robot.yaml"
_FOLDER = Path(__file__).parents[1] / "robots"
SHIPPED = tuple(sorted(path.name.removesuffix(SUFFIX) for path in _FOLDER.glob(f"*{SUFFIX}")))
"""The names of the robots that ship with this package."""


def definition_of(view: View, entry: Entry[RobotFile]) -> RobotDefinition:
    """Return the definition of a robot of a view."""
    return RobotDefinition(entry.model, view.library.file_beside(entry, "x").parent)


@cache
def shipped(name: str) -> RobotDefinition:
    """Return a robot that ships with this package. Raises ValueError for an unknown one."""
    if name not in SHIPPED:
        raise ValueError(f"unknown robot '{name}'; known: {', '.join(SHIPPED)}")
    path = _FOLDER / f"{name}{SUFFIX}"
    source, problems = read_file(path, path.name)
    assert source is not None, problems
    documents, _ = read_documents(source)
    entry, problems = read_entry(documents[0], "robot")
    assert entry is not None, problems
    return RobotDefinition(entry.model, _FOLDER)


def find_robot(view: View, name: str) -> RobotDefinition | None:
    """Return the robot of a name: the library's, else one that ships; None if there is none."""
    entry = view.find("robot", name)
    if entry is not None:
        return definition_of(view, entry)
    return shipped(name) if name in SHIPPED else None


def with_robot(view: View | None, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an agent's body with the definition of its robot in the place of the name."""
    found = None if view is None or "robot" not in body else find_robot(view, str(body["robot"]))
    return dict(body) if found is None else {**body, "robot": found}


def robot_of(body: Mapping[str, Any]) -> RobotDefinition | None:
    """Return the robot of an agent's body, which has its definition or the name of a shipped one.

    None if it has no robot, or an unknown one.
    """
    robot = body.get("robot")
    if isinstance(robot, RobotDefinition):
        return robot
    return shipped(str(robot)) if str(robot) in SHIPPED else None


def skeleton(view: View, name: str) -> str:
    """The Panda's file, to be changed where the robot at hand is another."""
    del view
    try:
        is_there = resolve(shipped("panda").file.urdf, _FOLDER, {}).is_file()
    except FileNotFoundError:
        is_there = False
    if not is_there:
        raise NoSkeleton(
            "a robot has a URDF, and the Panda's is missing: pip install 'treec[sapien]'"
        )
    text = (_FOLDER / f"panda{SUFFIX}").read_text("utf-8")
    return text.replace("robot: panda", f"robot: {name}", 1)
