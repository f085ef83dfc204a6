"""Speed and separation: how near a robot may be to a person at its speed (ISO/TS 15066)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_sapien.motion.frames import Array

WALKING = 1.6
"""Speed (m/s) of a person that is to be assumed where it is not measured (ISO 13855)."""

SLOW, FAST = 0.4, 2.0
"""The least and the largest speed (m/s) that is assumed of a person whose joints are tracked.

Somebody who stands still may begin to move: in the 0.16 s in which an arm stops from 0.25 m/s, a
hand that sets out with 5 m/s² has come as far as one with 0.4 m/s.
"""


@dataclass(frozen=True)
class Stopping:
    """What decides how far a robot still moves: seconds to react, deceleration (m/s²).

    ``intrusion`` is C, the distance (m) that a part of the body may reach in before it is seen;
    ``robot_error`` is Z_r, the uncertainty (m) of the robot's own position.
    """

    reaction: float = 0.1
    deceleration: float = 4.0
    intrusion: float = 0.05
    robot_error: float = 0.01


STOPPING = Stopping()


def protective_distance(
    robot_speed: float,
    person_speed: float,
    person_error: float,
    stopping: Stopping = STOPPING,
) -> float:
    """Return the protective separation distance (m) of ISO/TS 15066, 5.5.4.2.3, equation 1.

    S_p = S_h + S_r + S_s + C + Z_d + Z_r, with

    - S_h = v_h (T_r + T_s): what the person moves until the robot has stopped,
    - S_r = v_r T_r: what the robot moves until it begins to brake,
    - S_s = v_r² / (2 a): what it moves while it brakes at the deceleration a, for T_s = v_r / a,
    - C: the intrusion distance; Z_d, Z_r: the uncertainties of the person's and the robot's place.

    ``robot_speed`` v_r and ``person_speed`` v_h are towards each other (m/s); of a robot that moves
    away v_r is 0. ``person_error`` is Z_d. Where the distance is to a forecast of the person, v_h
    is what they may move beyond it.
    """
    speed = max(0.0, robot_speed)
    braking = speed / stopping.deceleration
    moves = max(0.0, person_speed) * (stopping.reaction + braking)
    robot = speed * stopping.reaction + speed * braking / 2
    return moves + robot + stopping.intrusion + person_error + stopping.robot_error


def largest_speed(
    distance: npt.ArrayLike,
    person_speed: float,
    person_error: float,
    stopping: Stopping = STOPPING,
) -> Array:
    """Return the largest speed (m/s) of a robot towards a person whose S_p is within a distance.

    It is the positive root of v²/(2a) + v (T_r + v_h/a) = d - v_h T_r - C - Z_d - Z_r, or 0.
    Distances (…) give speeds (…).
    """
    least = protective_distance(0.0, person_speed, person_error, stopping)
    room = np.maximum(np.asarray(distance, float) - least, 0.0)
    a = stopping.deceleration
    half = a * stopping.reaction + max(0.0, person_speed)
    return np.asarray(np.sqrt(half * half + 2 * a * room) - half)


def worst_approach(
    towards: npt.ArrayLike,
    speed: npt.ArrayLike,
    distance: npt.ArrayLike,
    uncertain: npt.ArrayLike,
) -> Array:
    """Return the largest speed (m/s) towards a person whose place is known to ``uncertain`` (m).

    A part of the robot moves with ``speed``, of which ``towards`` is towards where the person is
    thought to be, ``distance`` (m) away. They may be in a direction that differs from that by the
    arcsine of ``uncertain / distance``: who passes beside a hand that is nearer than it seems moves
    into it. Straight away from there is away wherever they are. All are (…).
    """
    whole = np.maximum(np.asarray(speed, float), 1e-9)
    known = np.clip(np.asarray(towards, float) / whole, -1.0, 1.0)
    share = np.asarray(uncertain, float) / np.maximum(np.asarray(distance, float), 1e-9)
    off = np.arcsin(np.clip(share, 0.0, 1.0))
    return np.asarray(whole * np.cos(np.maximum(np.arccos(known) - off, 0.0)))


def lacking_speed(measured: npt.ArrayLike, forecast: npt.ArrayLike = 0.0) -> float:
    """Return what of joints' measured speeds (n, m/s) a forecast's (n) lacks; at most `FAST`."""
    lacks = np.asarray(measured, float) - np.asarray(forecast, float)
    return float(np.clip(lacks.max(), 0.0, FAST))


def assumed_speed(measured: npt.ArrayLike, forecast: npt.ArrayLike = 0.0) -> float:
    """Return v_h (m/s): what of joints' measured speeds (n) a forecast's (n) lacks, at most.

    At least `SLOW`, since measured speeds are past ones; at most `FAST`.
    """
    return max(SLOW, lacking_speed(measured, forecast))
