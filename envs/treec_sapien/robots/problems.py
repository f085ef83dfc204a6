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
from treec_sapien.robots.files import ArmSpec, RobotFile
from treec_sapien.robots.kinematics import SLIDE, KinematicModel, UrdfJoint

_SLACK = 1e-3
"""Metres or radians by which a number may be off that was rounded."""

_OPENS = 0.002
"""Metres by which the travel of the fingers and `opening` may differ."""

_AT_TOOL = 0.01
"""Metres from the tool frame within which a palm says nothing about its direction."""

_ASIDE = 3
"""How much further a palm is beside the tool frame than behind it, if another axis was meant."""

_SUNK = 0.02
"""Metres below the floor at which a robot on wheels was meant to stand higher."""

_TO_Z = {
    "+x": "[0, 1.5708, 0]",
    "-x": "[0, -1.5708, 0]",
    "+y": "[-1.5708, 0, 0]",
    "-y": "[1.5708, 0, 0]",
}
"""Roll, pitch and yaw of the frame whose +z is an axis."""


def find_errors(definition: RobotDefinition, made: RobotModel) -> Iterator[RobotProblem]:
    """Return what keeps a robot that was assembled from being built."""
    return (it for it in find_problems(definition, made) if not it.may_be_right)


def find_problems(definition: RobotDefinition, made: RobotModel) -> Iterator[RobotProblem]:
    """Return what is wrong with a robot that was assembled."""
    yield from made.problems
    model, file = made.kinematics, definition.file
    if model is None:
        return
    for joint, value in file.home.items():
        yield from _value(model, ("home", joint), joint, value, on_key=True)
    yield from _still(file, model, made)
    yield from _below_the_floor(file, model, made)
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
    of: dict[str, str] = {}
    for side, arm in file.arms.items():
        yield from _arm(file, model, side, made)
        for number, joint in enumerate(arm.joints):
            words = f"the joint '{joint}' is one of the arm '{of.setdefault(joint, side)}'"
            if of[joint] != side or joint in arm.joints[:number]:
                help = f"what both arms stand on stays: home: {{{joint}: …}}"
                yield RobotProblem(("arms", side, "joints", number), words, help)
            elif joint in file.home:
                yield RobotProblem(("home", joint), words, "give it in the arm's home", on_key=True)


def _still(file: RobotFile, model: KinematicModel, made: RobotModel) -> Iterator[RobotProblem]:
    """Joints that nothing names, and that cannot stay at 0 or do not stay."""
    arms = {name: side for side, arm in file.arms.items() for name in arm.joints}
    fingers = {it.joint for arm in file.arms.values() for it in arm.gripper.fingers}
    carry = {
        it.name
        for name in fingers & model.joints.keys()
        for it in model.chain(model.joints[name].child)
    }
    for name in model.movable:
        joint = model.joints[name]
        leader = joint.follows[0] if joint.follows else ""
        if name in made.base or name in fingers or name in file.home:
            continue
        if leader in arms and file.moves != "telescope":
            words = f"'{name}' follows '{leader}' (mimic), which an arm moves: it would not follow"
            help = None if name in carry else f"leave it out: without: ['{joint.child}']"
            yield RobotProblem(("urdf",), words, help)
        elif name not in arms and not made.follows.get(name) and not joint.low <= 0 <= joint.high:
            words = f"'{name}', from {joint.low:g} to {joint.high:g}, cannot be fixed at 0"
            yield RobotProblem(("urdf",), words, f"say where it stays: home: {{{name}: …}}")


def _below_the_floor(
    file: RobotFile, model: KinematicModel, made: RobotModel
) -> Iterator[RobotProblem]:
    """Whether a robot on wheels stands in the floor: its origin is higher than its wheels."""
    if file.base == "fixed":
        return
    home = made.home(file)
    solid = [link for link in model.links if _has_shape(made, [link])]  # frames may be anywhere
    heights = {link: model.pose(link, home).p[2] + file.lift for link in solid or model.links}
    lowest = min(heights, key=heights.__getitem__)
    if heights[lowest] < -_SUNK:
        words = f"'{lowest}' is {-heights[lowest]:.2f} m below the floor"
        help = f"lift: {file.lift - heights[lowest]:.2f} or more"
        yield RobotProblem(("lift",), words, help)


def _arm(
    file: RobotFile, model: KinematicModel, side: str, made: RobotModel
) -> Iterator[RobotProblem]:
    at, arm = ("arms", side), file.arms[side]
    unknown = [
        problem
        for number, name in enumerate(arm.joints)
        for problem in _joint(model, (*at, "joints", number), name)
    ]
    yield from unknown
    tool = arm.tool if isinstance(arm.tool, str) else tool_link(side)
    wrong_tool = list(_unknown((*at, "tool"), tool, model.links, "link"))
    if arm.hand is not None:
        wrong_tool += _unknown((*at, "hand"), arm.hand, model.links, "link")
    yield from wrong_tool
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
    for number, joint in enumerate(map(model.joints.__getitem__, arm.joints)):
        if joint.high - joint.low < _SLACK:
            words = f"the joint '{joint.name}' cannot move"
            yield RobotProblem((*at, "joints", number), words, _range(joint))
    if arm.hand is not None and not _is_on(model, arm.hand, arm):
        words = f"the link '{arm.hand}' is not at the end of this arm"
        yield RobotProblem((*at, "hand"), words, f"'{arm.joints[-1]}' must move it")
        return
    yield from _gripper(file, model, side, tool, made)


def _is_on(model: KinematicModel, link: str, arm: ArmSpec) -> bool:
    """Whether the arm's last joint moves a link."""
    return arm.joints[-1] in [joint.name for joint in model.chain(link)]


def _gripper(
    file: RobotFile, model: KinematicModel, side: str, tool: str, made: RobotModel
) -> Iterator[RobotProblem]:
    """Whether the fingers go apart along y of the tool frame, as far as the file says."""
    arm = file.arms[side]
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
        elif not _is_on(model, joint.child, arm):
            words = f"the finger '{joint.name}' is not on this arm"
            wrong.append(RobotProblem((*keys, "joint"), words, f"'{arm.joints[-1]}' must move it"))
        elif not _has_shape(made, model.rigid_group(joint.child)):
            words = f"the finger '{joint.child}' has no collision shape: nothing could be held"
            help = f"give it one: shapes: {{{joint.child}: [{{box: [0.02, 0.01, 0.04]}}]}}"
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
    yield from _direction(frame, side, hand, model, arm, home)
    yield from _mounted_across(file, frame, model, arm, home, made)
    first, second = (_travel(model, frame, home, it.joint, it.shut, it.open) for it in fingers)
    shut, opened = (
        [
            a - b
            for a, b in zip(
                *(_finger_at(model, frame, home, it.joint, getattr(it, key)) for it in fingers),
                strict=True,
            )
        ]
        for key in ("shut", "open")
    )
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
    elif abs(opened[1]) < abs(shut[1]) - _SLACK:
        words = "the fingers are closer together at 'open' than at 'shut'"
        yield RobotProblem((*at, "fingers"), words, "'shut' is where the pads meet")
    elif abs(first[1] + second[1]) > 2 * _OPENS:
        words = f"one finger goes {abs(first[1]):.3f} m, the other {abs(second[1]):.3f} m"
        yield RobotProblem((*at, "fingers"), words, "both go equally far from the tool frame")


def _direction(
    frame: Pose,
    side: str,
    hand: str,
    model: KinematicModel,
    arm: ArmSpec,
    home: dict[str, float],
) -> Iterator[RobotProblem]:
    """Whether +z of the tool frame is what points out of the palm."""
    palm = (frame @ model.pose(hand, home)).p
    if max(map(abs, palm)) < _AT_TOOL:
        hand = model.joints[arm.joints[-1]].child
        palm = (frame @ model.pose(hand, home)).p
    axis = max(range(3), key=lambda at: abs(palm[at]))
    if abs(palm[axis]) < _AT_TOOL:
        return
    if palm[2] > _SLACK and axis == 2:
        words = f"+z of the tool frame points into '{hand}', not out of the palm"
        yield RobotProblem(("arms", side, "tool"), words, "turn the frame: rpy: [3.1416, 0, 0]")
    elif axis != 2 and abs(palm[axis]) > _ASIDE * abs(palm[2]):
        sign = "-" if palm[axis] > 0 else "+"
        words = f"{sign}{'xyz'[axis]} of the tool frame points out of '{hand}', which must be +z"
        help = f"turn the frame: tool: {{link: …, rpy: {_TO_Z[sign + 'xyz'[axis]]}}}"
        yield RobotProblem(("arms", side, "tool"), words, help)


def _mounted_across(
    file: RobotFile,
    frame: Pose,
    model: KinematicModel,
    arm: ArmSpec,
    home: dict[str, float],
    made: RobotModel,
) -> Iterator[RobotProblem]:
    """Whether a mounted gripper points to the side of where the arm's last link ends."""
    flange = model.joints[arm.joints[-1]].child
    for joint in model.chain(model.joints[arm.gripper.fingers[0].joint].child):
        if joint.child not in made.mounted or joint.parent in made.mounted:
            continue
        end, before = (model.pose(link, home).p for link in (joint.child, flange))
        x, y, z = _between(frame, before, end)
        if max(abs(x), abs(y)) < max(_AT_TOOL, _ASIDE * abs(z)):
            continue
        out = _between(model.pose(joint.parent, home).inverse(), before, end)
        axis = max(range(3), key=lambda at: abs(out[at]))
        sign = ("-" if out[axis] < 0 else "+") + "xyz"[axis]
        number = next(at for at, it in enumerate(file.mounts) if it.link == joint.parent)
        words = (
            f"'{joint.child}' is mounted across the arm, whose end is {sign} of '{joint.parent}'"
        )
        help = f"turn it: rpy: {_TO_Z[sign]}" if sign in _TO_Z else None
        yield RobotProblem(("mounts", number), words, help, may_be_right=True)


def _between(frame: Pose, a: Vector, b: Vector) -> Vector:
    """The way from a point to another in a frame, which is given as an inverse."""
    (ax, ay, az), (bx, by, bz) = frame.apply(a), frame.apply(b)
    return bx - ax, by - ay, bz - az


def _has_shape(made: RobotModel, links: Iterable[str]) -> bool:
    """Whether one of these links has a collision shape."""
    names = set(links)
    return made.tree is not None and any(
        link.get("name") in names and link.find("collision") is not None
        for link in made.tree.findall("link")
    )


def _finger_at(
    model: KinematicModel, frame: Pose, home: dict[str, float], joint: str, value: float
) -> Vector:
    """Where a finger is in the tool frame."""
    return (frame @ model.pose(model.joints[joint].child, {**home, joint: value})).p


def _travel(
    model: KinematicModel,
    frame: Pose,
    home: dict[str, float],
    joint: str,
    shut: float,
    opened: float,
) -> Vector:
    """How far a finger goes from shut to open in the tool frame."""
    a, b = (_finger_at(model, frame, home, joint, value) for value in (shut, opened))
    x, y, z = (after - before for before, after in zip(a, b, strict=True))
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
