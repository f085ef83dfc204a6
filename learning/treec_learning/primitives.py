"""Reward primitives: small functions of a state, from which reward files are combined.

Those of DAG-Plan's Table 5, the two that its Table 6 uses beside them, and the two terms of MOSAIC,
appendix D. Each takes numbers or arrays of numbers (one for each of many environments), and gives
the same. Distances in metres, angles in radians.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treec_learning.names import HAND, OTHER_HAND

Number = npt.NDArray[np.float64]


class RewardState(Protocol):
    """What an environment tells of its state; ``hand`` is the hand whose reward is asked for.

    Every method gives a number, or an array with one for each of many environments.
    """

    def distance(self, one: str, other: str) -> Number:
        """Return the distance between two things or hands (m)."""

    def grasped(self, thing: str) -> Number:
        """Return 1 where the hand holds it, else 0."""

    def inside(self, thing: str, other: str) -> Number:
        """Return 1 where it is in the other one, else 0."""

    def on(self, thing: str, other: str) -> Number:
        """Return 1 where it stands on the other one, else 0."""

    def above(self, thing: str, other: str) -> Number:
        """Return 1 where it is over the other one, else 0."""

    def tilt(self, thing: str) -> Number:
        """Return the angle (rad) between its own plane and the level."""

    def joint(self, thing: str) -> tuple[Number, Number, Number]:
        """Return its joint's position and the lowest and highest one."""

    def height(self, one: str) -> Number:
        """Return the height of a hand or thing (m)."""

    def refused(self) -> Number:
        """Return 1 where the last action was not executed, else 0."""

    def touched(self) -> Number:
        """Return 1 where the last action touched something, or would have, else 0."""


def closing_in(distance: Number, initial: Number) -> Number:
    """½ (1 − d / d₀ + 1 − tanh d): `obj_dis` and `ee_pos` of Table 5."""
    return np.asarray(0.5 * (1.0 - distance / initial + 1.0 - np.tanh(distance)))


def obj_horizon(angle: Number) -> Number:
    """1 − tanh(8 · angle to the plane)."""
    return np.asarray(1.0 - np.tanh(8.0 * np.abs(angle)))


def joint_qpos(position: Number, low: Number, high: Number, target: float) -> Number:
    """(clip(q, q_min, q_max) − q_min) / (q_max − q_min), from the end that is not the target.

    ``target`` is a share of the joint's travel: 1 is open or on, 0 is shut or off.
    """
    share = (np.clip(position, low, high) - low) / (high - low)
    return np.asarray(1.0 - np.abs(share - target) / max(target, 1.0 - target))


def ee_height(height: Number, other: Number) -> Number:
    """1 − min(|z_right − z_left|, 0.05) / 0.05."""
    return np.asarray(1.0 - np.minimum(np.abs(height - other), 0.05) / 0.05)


def obj_cut(grasped: Number, on: Number) -> Number:
    """½ (grasped(knife) + on(knife, target))."""
    return np.asarray(0.5 * (grasped + on))


def obj_pour(grasped: Number, angle: Number, above: Number) -> Number:
    """⅓ (grasped(obj) + obj_horizon(obj) + above(obj, target)).

    Taken word for word, obj_horizon would reward a vessel that stands; we take its opening's axis:
    ``angle`` is between that axis and the level, 0 when the vessel is tipped by 90 degrees.
    """
    return np.asarray((grasped + obj_horizon(angle) + above) / 3.0)


def ee_both(distance: Number, initial: Number, other: Number, other_initial: Number) -> Number:
    """Mean of `ee_pos` of both hands. Table 6 uses it; Table 5 does not define it."""
    return np.asarray(0.5 * (closing_in(distance, initial) + closing_in(other, other_initial)))


def closeness(distance: Number) -> Number:
    """exp(−‖O_c − O_g‖₂) − 1: equation 1 of MOSAIC, appendix D."""
    return np.asarray(np.exp(-distance) - 1.0)


def refused(refused: Number, distance: Number) -> Number:
    """−d where the last action was not executed, else 0 (MOSAIC, appendix D)."""
    return np.asarray(-distance * refused)


@dataclass(frozen=True)
class Start:
    """Distances at the beginning of an episode, which some primitives are relative to."""

    state: RewardState
    initial: Callable[[str, str], Number]

    def closing_in(self, one: str, other: str) -> Number:
        """See :func:`closing_in`."""
        return closing_in(self.state.distance(one, other), self.initial(one, other))


@dataclass(frozen=True)
class Primitive:
    """A primitive as files name it: how it is computed of its arguments."""

    value: Callable[..., Number]
    distances: Callable[..., tuple[tuple[str, str], ...]] = lambda *args: ()
    """The pairs whose distance at the beginning it needs."""


def _joint(s: Start, thing: str, target: Any) -> Number:
    return joint_qpos(*s.state.joint(thing), float(target))


def _axis_above_level(s: Start, thing: str) -> Number:
    return np.asarray(np.pi / 2 - s.state.tilt(thing))


def _both(s: Start, target: str) -> Number:
    near, far = (s.state.distance(hand, target) for hand in (HAND, OTHER_HAND))
    return ee_both(near, s.initial(HAND, target), far, s.initial(OTHER_HAND, target))


PRIMITIVES: Mapping[str, Primitive] = {
    "obj_dis": Primitive(
        lambda s, a, b: s.closing_in(a, b),
        lambda a, b: ((a, b),),
    ),
    "obj_horizon": Primitive(lambda s, a: obj_horizon(s.state.tilt(a))),
    "obj_grasped": Primitive(lambda s, a: np.asarray(s.state.grasped(a))),
    "obj_in_obj": Primitive(
        lambda s, a, b: np.asarray(s.state.inside(a, b)),
    ),
    "obj_on_obj": Primitive(
        lambda s, a, b: np.asarray(s.state.on(a, b)),
    ),
    "obj_above": Primitive(
        lambda s, a, b: np.asarray(s.state.above(a, b)),
    ),
    "joint_qpos": Primitive(
        _joint,
    ),
    "ee_pos": Primitive(
        lambda s, a: s.closing_in(HAND, a),
        lambda a: ((HAND, a),),
    ),
    "ee_both": Primitive(
        _both,
        lambda a: ((HAND, a), (OTHER_HAND, a)),
    ),
    "ee_height": Primitive(
        lambda s: ee_height(s.state.height(HAND), s.state.height(OTHER_HAND)),
    ),
    "obj_cut": Primitive(
        lambda s, a, b: obj_cut(s.state.grasped(a), s.state.on(a, b)),
    ),
    "obj_pour": Primitive(
        lambda s, a, b: obj_pour(s.state.grasped(a), _axis_above_level(s, a), s.state.above(a, b)),
    ),
    "closeness": Primitive(
        lambda s, a: closeness(s.state.distance(HAND, a)),
    ),
    "refused": Primitive(
        lambda s, a: refused(s.state.refused(), s.state.distance(HAND, a)),
    ),
    "blocked": Primitive(
        lambda s: np.asarray(-s.state.refused()),
    ),
    "touched": Primitive(
        lambda s: np.asarray(-s.state.touched()),
    ),
}
"""The primitives by the names that reward files use."""
