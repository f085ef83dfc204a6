"""The description of a robot from its file: its model, written to the cache, and what moves it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from treec import write_atomic
from treec_sapien.check.robots import shipped
from treec_sapien.robots import adapt, assemble, overlaps
from treec_sapien.robots.assemble import RobotModel, per_model
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.description import ArmDescription, Description, Drive, Gripper
from treec_sapien.robots.files import ArmSpec, RobotFile
from treec_sapien.robots.kinematics import SLIDE, KinematicModel
from treec_sapien.robots.problems import find_errors
from treec_sapien.robots.reach import reach_of
from treec_sapien.robots.robot import Robot, place

_BASE = Drive(2e4, 4e3, 5e3)
_FINGER = Drive(2000.0, 100.0, 50.0, armature=0.01)
_JOINT = Drive(2000.0, 200.0, 100.0)
_SPEED = {SLIDE: (0.1, 0.3)}
"""Velocity and acceleration of a joint by its kind."""

_TURNING = (1.5, 3.0)


def describe(robot: RobotDefinition | str) -> Description:
    """Return a robot's description; the first call writes its model file.

    ``robot`` may be the name of one that ships. Raises ValueError: what is wrong with it.
    """
    return _describe(shipped(robot) if isinstance(robot, str) else robot)


@per_model
def _describe(definition: RobotDefinition, made: RobotModel) -> Description:
    for problem in find_errors(definition, made):
        where = ".".join(map(str, problem.keys))
        help = f"; {problem.help}" if problem.help else ""
        raise ValueError(f"the robot '{definition}', {where}: {problem.message}{help}")
    tree, model, file = made.tree, made.kinematics, definition.file
    assert tree is not None
    assert model is not None
    code = [adapt, assemble]
    name = re.sub(r"\W", "_", file.robot)
    urdf = adapt.cache_path(name, "urdf", made.sources, code, definition.text)
    if not urdf.is_file():
        with _blamed(definition, "its meshes"):
            tree = deepcopy(tree)
            adapt.cache_meshes(tree)
        write_atomic(urdf, adapt.text_of(tree))
    arms = {side: _arm(model, side, arm) for side, arm in file.arms.items()}
    described = Description(
        kind=file.robot,
        urdf=urdf,
        disabled=frozenset(frozenset(pair) for pair in file.may_overlap),
        arms=arms,
        home=made.follows | dict(_home(file, arms)),
        drives=dict(_drives(file, model, made.base)),
        base=made.base,
        lift=file.lift,
        moves=file.moves,
        reach=reach_of(definition),
    )
    if file.base != "fixed":
        described = replace(
            described,
            base_velocity=tuple(file.base.velocity),
            base_acceleration=tuple(file.base.acceleration),
        )
    named: frozenset[str] = frozenset()
    if made.srdf is not None:
        allowed = adapt.overlaps_of(made.srdf, model.links)
        described = replace(described, disabled=described.disabled | allowed)
        named = frozenset(model.links) - made.mounted
    if made.srdf is None or made.mounted:
        sizes = " ".join(str(it.stat().st_size) for it in made.tried)  # of meshes, too
        text = definition.text + sizes
        srdf = adapt.cache_path(name, "srdf", [urdf], [adapt, overlaps], text)
        sampled = overlaps.sampled_overlaps(described, srdf)
        new = frozenset(pair for pair in sampled if not pair <= named)
        described = replace(described, disabled=described.disabled | new)
    return described


def _arm(model: KinematicModel, side: str, arm: ArmSpec) -> ArmDescription:
    fingers = arm.gripper.fingers
    low, high = arm.gripper.opening
    kinds = [model.joints[name].kind for name in arm.joints]
    speeds = [_SPEED.get(kind, _TURNING) for kind in kinds]
    shut = tuple(finger.shut for finger in fingers)
    travel = [round((finger.open - finger.shut) / (high - low), 12) for finger in fingers]
    links = [model.rigid_group(model.joints[finger.joint].child) for finger in fingers]
    return ArmDescription(
        side=side,
        joints=tuple(arm.joints),
        tcp=arm.tool if isinstance(arm.tool, str) else assemble.tool_link(side),
        hand=arm.hand or model.joints[fingers[0].joint].parent,
        gripper=Gripper(
            joints=(fingers[0].joint, fingers[1].joint),
            links=(links[0], links[1]),
            opening=(low, high),
            shut=(shut[0], shut[1]),
            travel=(travel[0], travel[1]),
            depth=arm.gripper.depth,
        ),
        velocity=tuple(arm.velocity or (speed for speed, _ in speeds)),
        acceleration=tuple(arm.acceleration or (rise for _, rise in speeds)),
    )


def _home(file: RobotFile, arms: dict[str, ArmDescription]) -> Iterator[tuple[str, float]]:
    for side, arm in file.arms.items():
        yield from zip(arm.joints, arm.home, strict=True)
        gripper = arms[side].gripper
        yield from zip(gripper.joints, gripper.targets(gripper.opening[1]), strict=True)
    yield from file.home.items()


def _drives(
    file: RobotFile, model: KinematicModel, base: tuple[str, ...]
) -> Iterator[tuple[str, Drive]]:
    fingers = {it.joint for arm in file.arms.values() for it in arm.gripper.fingers}
    for joint in model.joints.values():
        if not joint.moves:
            continue
        spec = next((it for key, it in file.drives.items() if fnmatchcase(joint.name, key)), None)
        if spec is not None:
            drive = Drive(spec.stiffness, spec.damping, spec.force, spec.armature)
        elif joint.name in base:
            drive = _BASE
        else:
            drive = _FINGER if joint.name in fingers else _JOINT
        yield joint.name, drive


def load(
    scene: Any,
    robot: RobotDefinition | str,
    name: str,
    pose: Sequence[float] = (0.0, 0.0, 0.0),
    yaw: float = 0.0,
) -> Robot:
    """Add a robot to ``scene`` at ``pose`` (m), rotated by ``yaw`` degrees.

    ``robot`` may be the name of one that ships. Raises ValueError: what is wrong with it.
    """
    described = describe(robot)
    with _blamed(robot, str(described.urdf)):
        return place(scene, described, name, pose, yaw)


@contextmanager
def _blamed(robot: RobotDefinition | str, what: str) -> Iterator[None]:
    """Say which robot it is whose model SAPIEN or a reader of meshes does not take."""
    try:
        yield
    except (ValueError, TypeError, RuntimeError, OSError, ImportError) as error:
        raise ValueError(f"the robot '{robot}': cannot load {what}: {error}") from error
