"""Coarse reach of a robot's hands, from its file or from its model."""

from __future__ import annotations

from treec_sapien.bodies.reach import ReachLimits, Stand
from treec_sapien.robots.assemble import RobotModel, per_model, tool_link
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.files import RobotFile
from treec_sapien.robots.kinematics import KinematicModel, farthest
from treec_sapien.robots.problems import find_errors

_NEAR = 0.25
"""Share of its reach within which a hand does not come to its own shoulder."""

_FOOT = Stand(0.05, 0.03, 0.15)
"""What a robot that is bolted down takes up at least."""


@per_model
def reach_of(definition: RobotDefinition, made: RobotModel) -> ReachLimits | None:
    """Return a robot's reach; None if something is wrong with its file."""
    file = definition.file
    moves = file.base != "fixed"
    stands: tuple[Stand, ...] = (_FOOT,)
    if file.base != "fixed":
        stands = tuple(Stand(it.radius, it.low, it.high) for it in file.base.stands)
    spec = file.reach
    if spec is not None:
        return ReachLimits(
            spec.shoulder, spec.near, spec.far, spec.low, spec.high, moves=moves, stands=stands
        )
    model = made.kinematics
    if model is None or any(find_errors(definition, made)):
        return None
    shoulder, far = _ring(file, model, made.home(file))
    low, high = shoulder - far, shoulder + far
    return ReachLimits(
        shoulder, _NEAR * far, far, max(low, 0.02) if moves else low, high, moves, stands
    )


def _ring(file: RobotFile, model: KinematicModel, home: dict[str, float]) -> tuple[float, float]:
    """The height of the shoulder above the pose, and how far a hand gets from there (m)."""
    heights, reaches = [], []
    for side, arm in file.arms.items():
        chain = model.chain(arm.tool if isinstance(arm.tool, str) else tool_link(side))
        height = model.pose(model.joints[arm.joints[0]].child, home).p[2]
        heights.append(height + file.lift)
        reaches.append(farthest(chain, arm.joints, home, height))
    return round(sum(heights) / len(heights), 3), round(max(reaches), 3)
