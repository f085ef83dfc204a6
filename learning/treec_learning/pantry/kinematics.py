"""Where Stretch's arm and hand are, in closed form, for many configurations at once.

A configuration is (drive, lift, extension, yaw, pitch): metres along the pantry, metres, metres,
and the wrist's angles (rad). The pantry's frame has x along its front, y into it, z up from the
floor; the robot stands before it with its arm along y. The wrist does not roll, and the fingers are
wide open. The lengths are those of the Stretch 3 in hello-robot-stretch-urdf.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

JOINTS = ("drive", "lift", "extension", "yaw", "pitch")
LOW = np.array([-1.5, 0.0, 0.0, -1.75, -1.57])
HIGH = np.array([1.5, 1.1, 0.52, 4.0, 0.56])
"""Limits of the joints; the drive's are the length of floor before the pantry."""

_ARM = (0.083, 0.14495, 0.195)  # the middle of the telescope's end when drawn in, over the base
_YAW = (0.0, 0.14495, 0.16425)  # the yaw axis; x is measured from it
_DROP = 0.0305  # from the yaw axis down to the pitch axis
_BELOW = 0.024  # from the pitch axis down to the hand's middle
_AHEAD = 0.01886  # from the pitch axis ahead to the roll joint
_TIP = _AHEAD + 0.021 + 0.2152  # and to the middle of the pads
_ROOT = _AHEAD + 0.021 + 0.0372  # and to the root of the fingers
_APART = 0.0615  # from the hand's middle to a finger's, wide open
FINGER_RADIUS, PALM_RADIUS, WRIST_RADIUS, ARM_RADIUS = 0.010, 0.045, 0.045, 0.035
HALF_WIDTH = _APART + FINGER_RADIUS
"""Half the width of the open hand (m)."""
FOLDED_REACH = _YAW[1] + _TIP
"""From the base's middle to the tip when the arm is drawn in and the wrist straight (m)."""
TIP_HEIGHT = _YAW[2] - _DROP - _BELOW
"""Height of the tip when the lift is down and the wrist straight (m)."""

_BY_FINGER, _BY_ARM = 9, 13
_ALONG = np.concatenate(
    [np.tile(np.linspace(_ROOT, _TIP + 0.017, _BY_FINGER), 2), (_AHEAD, _ROOT - 0.01)]
)
_ASIDE = np.concatenate([np.repeat((-_APART, _APART), _BY_FINGER), np.zeros(2)])
_BACK = np.linspace(0.0, 1.0, _BY_ARM)
RADII = np.array(
    [FINGER_RADIUS] * (2 * _BY_FINGER)
    + [PALM_RADIUS] * 2
    + [WRIST_RADIUS] * 2
    + [ARM_RADIUS] * _BY_ARM
)
"""Radii (m) of the spheres that stand for fingers, palm, wrist and arm; see :func:`spheres`.

They are so close that a box of 1 cm between two of a finger, or of 3 cm between two of the arm,
touches one.
"""


def tip(q: Array, stand: Array) -> Array:
    """Return the tip (n, 3) of configurations (n, 5); the bases stand at y = ``stand`` (n,)."""
    return np.stack([part[:, 0] for part in _hand(q, stand, np.array([_TIP]), 0.0)], axis=1)


def spheres(q: Array, stand: Array) -> tuple[Array, Array, Array]:
    """Return x, y and z (n, spheres) of the middles of the spheres that stand for arm and hand."""
    x, y, z = _hand(q, stand, _ALONG, _ASIDE)
    axis_x, axis_y, axis_z = (part[:, None] for part in _axis(q, stand))
    back = _BACK * (q[:, 2:3] + 0.1)
    wide = np.zeros_like(back)
    return (
        np.concatenate([x, axis_x, axis_x, axis_x + _ARM[0] + wide], axis=1),
        np.concatenate([y, axis_y, axis_y, axis_y - back], axis=1),
        np.concatenate(
            [z, axis_z, axis_z - _DROP - _BELOW, axis_z + _ARM[2] - _YAW[2] + wide], axis=1
        ),
    )


def configuration_at(goal: Array, stand: Array, yaw: Array, pitch: Array) -> Array:
    """Return the configuration (n, 5) whose tip is at ``goal`` (n, 3); limits are not minded."""
    q = np.zeros((len(goal), 5))
    q[:, 3], q[:, 4] = yaw, pitch
    off = goal - tip(q, stand)
    q[:, 0], q[:, 1], q[:, 2] = off[:, 0], off[:, 2], off[:, 1]
    return q


def _axis(q: Array, stand: Array) -> tuple[Array, Array, Array]:
    return q[:, 0], stand + _YAW[1] + q[:, 2], _YAW[2] + q[:, 1]


def _hand(q: Array, stand: Array, along: Array, aside: Array | float) -> tuple[Array, Array, Array]:
    """Points of the hand, ``along`` its direction from the pitch axis and ``aside`` of it."""
    sin, cos = np.sin(q[:, 3:5]), np.cos(q[:, 3:5])
    ahead = along * cos[:, 1:] + _BELOW * sin[:, 1:]
    axis_x, axis_y, axis_z = (part[:, None] for part in _axis(q, stand))
    return (
        axis_x + aside * cos[:, :1] - ahead * sin[:, :1],
        axis_y + aside * sin[:, :1] + ahead * cos[:, :1],
        axis_z + along * sin[:, 1:] - _BELOW * cos[:, 1:] - _DROP,
    )
