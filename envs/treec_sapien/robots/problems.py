"""What is wrong with a robot's definition, found without a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.robots.assemble import (
    Keys,
    RobotModel,
    RobotProblem,
    similar,
    tool_link,
)
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.files import ArmSpec
from treec_sapien.robots.kinematics import SLIDE, KinematicModel, UrdfJoint

_SLACK = 1e-3
"""Metres or radians by which a number may be off that was rounded."""

_OPENS = 0.002
"""Metres by which the travel of the fingers and `opening` may differ."""


def find_problems(definition: RobotDefinition, made: RobotModel) -> Iterator[RobotProblem]:
    """Return what is wrong with a robot that was assembled."""
    yield from made.problems
    model, file = made.kinematics, definition.file
    if model is None:
        return
    for joint, value in file.home.items():
        yield from _value(model, ("home", joint), joint, value, on_key=True)
    for at, pair in enumerate(file.may_overlap):
        for number, link in enumerate(pair):
            yield from _unknown(("may_overlap", at, number), link, model.links, "link")
    for pattern in file.drives:
        if not any(fnmatchcase(name, pattern) for name in model.movable):
            words, help = f"no joint is called '{pattern}'", similar(pattern, model.movable)
            yield RobotProblem(("drives", pattern), words, help, on_key=True)
    if file.moves == "telescope" and (
        file.base == "fixed" or any(len(it.joints) != 8 for it in file.arms.values())
    ):
        words = "'telescope' is for a base that drives, with a lift, four segments and three wrists"
        yield RobotProblem(("moves",), words)
    for side, arm in file.arms.items():
        yield from _arm(model, side, arm)


def _arm(model: KinematicModel, side: str, arm: ArmSpec) -> Iterator[RobotProblem]:
    at = ("arms", side)
    unknown = [
        problem
        for number, name in enumerate(arm.joints)
        for problem in _joint(model, (*at, "joints", number), name)
    ]
    yield from unknown
    tool = arm.tool if isinstance(arm.tool, str) else tool_link(side)
    wrong_tool = list(_unknown((*at, "tool"), tool, model.links, "link"))
    yield from wrong_tool
    if arm.hand is not None:
        yield from _unknown((*at, "hand"), arm.hand, model.links, "link")
    for key in ("home", "velocity", "acceleration"):
        values = getattr(arm, key)
        if values is not None and len(values) != len(arm.joints):
            words = f"'{key}' has {len(values)} numbers for {len(arm.joints)} joints"
            yield RobotProblem((*at, key), words, "one for each joint, in their order")
    if len(arm.home) == len(arm.joints) and not unknown:
        for number, (name, value) in enumerate(zip(arm.joints, arm.home, strict=True)):
            yield from _value(model, (*at, "home", number), name, value)
    if unknown or wrong_tool:
        return
    chain = model.chain(tool)
    order = [joint.name for joint in chain if joint.name in arm.joints]
    if order != arm.joints:
        off = [name for name in arm.joints if name not in order]
        words = f"'{off[0]}' does not move the tool" if off else "the joints are in another order"
        help = f"from the root to the tool: {', '.join(it.name for it in chain if it.moves)}"
        yield RobotProblem((*at, "joints"), words, help)
        return
    yield from _gripper(model, side, arm, tool)


def _gripper(model: KinematicModel, side: str, arm: ArmSpec, tool: str) -> Iterator[RobotProblem]:
    """Whether the fingers go apart along y of the tool frame, as far as the file says."""
    at, fingers = ("arms", side, "gripper"), arm.gripper.fingers
    wrong: list[RobotProblem] = []
    for number, finger in enumerate(fingers):
        keys: Keys = (*at, "fingers", number)
        wrong += _joint(model, (*keys, "joint"), finger.joint)
        if wrong:
            continue
        joint = model.joints[finger.joint]
        if joint.kind != SLIDE:
            words = f"the joint '{joint.name}' turns: a finger's joint slides"
            help = "leave the gripper out (without:) and mount one whose fingers slide (mounts:)"
            wrong.append(RobotProblem((*keys, "joint"), words, help))
        elif abs(finger.open - finger.shut) < _SLACK:
            words = f"the finger '{joint.name}' opens nothing: it is at {finger.open:g} in both"
            wrong.append(RobotProblem((*keys, "open"), words, _range(joint)))
        for key in ("shut", "open"):
            wrong += _value(model, (*keys, key), joint.name, getattr(finger, key))
    low, high = arm.gripper.opening
    if not 0 <= low < high:
        words = f"the gripper opens nothing: 'opening' is from {low:g} to {high:g} m"
        wrong.append(RobotProblem((*at, "opening"), words, "the free width, shut and open"))
    yield from wrong
    if wrong:
        return
    home = dict(zip(arm.joints, arm.home, strict=False))
    frame = model.pose(tool, home).inverse()
    hand = arm.hand or model.joints[fingers[0].joint].parent
    if (frame @ model.pose(hand, home)).p[2] > _SLACK:
        words = f"+z of the tool frame points into '{hand}', not out of the palm"
        yield RobotProblem(("arms", side, "tool"), words, "turn the frame: rpy: [3.1416, 0, 0]")
    first, second = (_travel(model, frame, home, it.joint, it.shut, it.open) for it in fingers)
    apart = [a - b for a, b in zip(first, second, strict=True)]
    along = max(range(3), key=lambda axis: abs(apart[axis]))
    far = abs(apart[along])
    if far < _SLACK:
        words = "the gripper opens nothing: both fingers go the same way"
        yield RobotProblem((*at, "fingers"), words, "'open' of one of them has the other sign")
    elif along != 1:
        words = f"the fingers go apart along {'xyz'[along]} of the tool frame, which must be y"
        turn = "turn the frame: rpy: [0, 0, 1.5708]" if along == 0 else None
        yield RobotProblem(("arms", side, "tool"), words, turn)
    elif abs(far - (high - low)) > _OPENS:
        words = f"the fingers go {far:.3f} m apart, 'opening' says {high - low:.3f} m"
        yield RobotProblem((*at, "opening"), words)


def _travel(
    model: KinematicModel,
    frame: Pose,
    home: dict[str, float],
    joint: str,
    shut: float,
    opened: float,
) -> Vector:
    """How far a finger goes from shut to open in the tool frame."""
    link = model.joints[joint].child
    a, b = (frame @ model.pose(link, {**home, joint: value}) for value in (shut, opened))
    x, y, z = (after - before for before, after in zip(a.p, b.p, strict=True))
    return (x, y, z)


def _joint(
    model: KinematicModel, keys: Keys, name: str, *, on_key: bool = False
) -> Iterator[RobotProblem]:
    if name in model.joints and name not in model.movable:
        yield RobotProblem(keys, f"the joint '{name}' is fixed", on_key=on_key)
    else:
        yield from _unknown(keys, name, model.movable, "joint", on_key=on_key)


def _value(
    model: KinematicModel,
    keys: Keys,
    name: str,
    value: float,
    *,
    on_key: bool = False,
) -> Iterator[RobotProblem]:
    """Whether a joint can be at a value."""
    wrong = list(_joint(model, keys, name, on_key=on_key))
    yield from wrong
    if not wrong:
        joint = model.joints[name]
        if not joint.low - _SLACK <= value <= joint.high + _SLACK:
            words = f"'{name}' cannot be at {value:g}"
            yield RobotProblem(keys, words, _range(joint))


def _range(joint: UrdfJoint) -> str:
    unit = "m" if joint.kind == SLIDE else "rad"
    return f"it goes from {joint.low:g} to {joint.high:g} {unit}"


def _unknown(
    keys: Keys,
    name: str,
    known: Iterable[str],
    what: str,
    *,
    on_key: bool = False,
) -> Iterator[RobotProblem]:
    names = list(known)
    if name not in names:
        yield RobotProblem(keys, f"unknown {what} '{name}'", similar(name, names), on_key)
