"""Cases of a hand at its target: what it is at, how that moves, and where the hand begins.

A case is drawn from a generator and the ranges of `starts.yaml`, so that the same seed gives the
same case. The motion planner brings a hand so far before its target (DAG-Plan, appendix A.2); what
follows is learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
import yaml

from treec.files.fields import Model
from treec_learning.hand.rotations import Array, rotations

Range = tuple[float, float]
Motion = Literal["hinge", "slide", "knob", "press", "none", "release"]

_OFF, _TURNED = 0.015, 0.12  # where the planner brings the hand is off by so much (m, rad)
_ANEW = 0.35  # share of the episodes that begin anywhere between the way's ends
_GAIN = (0.75, 1.0)


class TargetSpec(Model):
    """Ranges of a kind of target; see the head of `starts.yaml`."""

    about: str
    joint: Motion
    travel: Range = (0.0, 0.0)
    lever: Range = (0.0, 0.0)
    slant: Range = (0.0, 0.0)
    slip: Range = (0.0, 0.0)
    width: Range
    long: Range
    before: Range


@cache
def shipped_targets() -> dict[str, TargetSpec]:
    """Return the kinds of targets, by name."""
    text = files("treec_learning.hand").joinpath("starts.yaml").read_text("utf-8")
    return {name: TargetSpec.model_validate(spec) for name, spec in yaml.safe_load(text).items()}


@dataclass(frozen=True)
class HandCase:
    """A target and a first pose of the hand, in the target's frame at the joint's low end."""

    start: str
    motion: Motion
    axis: Array
    """(3,): of the hinge, or the direction of the slide; unit length."""
    centre: Array
    """(3,): a point on the hinge's axis (m)."""
    slip: float
    """The share of a hinge's turn that the bar makes between the fingers."""
    travel: float
    """Of the joint (rad or m)."""
    begins: float
    """Where the joint is at first, as a share of its travel."""
    goal: float
    """Where it is to be, likewise."""
    width: float
    """What is between the fingers when they hold (m)."""
    long: float
    """How far along x the hand may be off and hold (m)."""
    down: Array
    """(3,): the direction of gravity."""
    place: Array
    """(3,): where the hand begins (m)."""
    turn: Array
    """(3,): how it is turned there, as a rotation vector (rad)."""
    gain: float
    """The share of a commanded motion that is made within the step."""


def draw_case(rng: np.random.Generator, shares: Mapping[str, float], goal: float) -> HandCase:
    """Draw a case; ``shares`` are the chances of the kinds of targets, ``goal`` that of the joint.

    Raises ValueError for an unknown kind.
    """
    known = shipped_targets()
    unknown = sorted(set(shares) - set(known))
    if unknown:
        raise ValueError(f"unknown start '{unknown[0]}': {', '.join(known)}")
    names = list(shares)
    weights = np.array([shares[name] for name in names], dtype=float)
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    spec = known[name]
    axis, centre = _hinge(rng, spec)
    before = float(rng.uniform(*spec.before))
    place = np.array([0.0, 0.0, -before])
    down = _down(rng, spec)
    if spec.joint == "release":  # straight down to it, or level and then down
        level = rng.normal(size=3)
        level -= down * (level @ down)
        level /= max(float(np.linalg.norm(level)), 1e-9)
        place = -before * down + level * rng.choice((0.0, 0.06)) * rng.random()
    if rng.random() < _ANEW:
        place = place * rng.uniform(0.2, 1.0)
    far = rng.choice((0.25, 1.0))
    begins = 0.0 if goal > 0.5 else 1.0
    if spec.joint in ("hinge", "slide", "knob") and rng.random() < _ANEW:
        begins = float(rng.uniform(0.0, 0.8)) if goal > 0.5 else float(rng.uniform(0.2, 1.0))
    return HandCase(
        start=name,
        motion=spec.joint,
        axis=axis,
        centre=centre,
        slip=float(rng.uniform(*spec.slip)) if rng.random() < 0.5 else spec.slip[0],
        travel=float(rng.uniform(*spec.travel)),
        begins=begins,
        goal=goal,
        width=float(rng.uniform(*spec.width)),
        long=float(rng.uniform(*spec.long)),
        down=down,
        place=place + rng.uniform(-_OFF, _OFF, 3) * far,
        turn=rng.uniform(-_TURNED, _TURNED, 3) * far,
        gain=float(rng.uniform(*_GAIN)),
    )


def _hinge(rng: np.random.Generator, spec: TargetSpec) -> tuple[Array, Array]:
    """The axis (3,) and a point on it (3,), in the target's frame; the joint opens towards -z."""
    lever = float(rng.uniform(*spec.lever))
    sign = float(rng.choice((-1.0, 1.0)))
    about_bar, across = rng.uniform(*spec.slant), rng.uniform(*spec.slant)
    slant = rotations(np.array([[about_bar, 0.0, 0.0]]))[0]
    if rng.random() < 0.5:
        slant = rotations(np.array([[0.0, 0.5 * across, 0.0]]))[0]
    if spec.joint == "slide":
        return slant @ np.array([0.0, 0.0, -1.0]), np.zeros(3)
    if spec.joint == "knob":
        return np.array([0.0, 0.0, sign]), np.zeros(3)
    if spec.joint != "hinge":
        return np.array([0.0, 0.0, 1.0]), np.zeros(3)
    # axis x (the bar is parallel to it), the hinge to one side, somewhat behind the bar
    axis = np.array([sign, 0.0, 0.0])
    centre = np.array([rng.uniform(-0.1, 0.1), -sign * lever, rng.uniform(0.0, 0.08)])
    if spec.lever[1] < 0.2:  # a lever turns about an axis in any direction across it
        spin = rotations(np.array([[0.0, 0.0, rng.uniform(-np.pi, np.pi)]]))[0]
        axis, centre = spin @ axis, spin @ centre
    return slant @ axis, slant @ centre


def _down(rng: np.random.Generator, spec: TargetSpec) -> Array:
    """The direction of gravity (3,) in the target's frame."""
    if spec.joint != "release":
        return np.array([0.0, 0.0, 1.0])
    steep = float(rng.choice((0.0, rng.uniform(0.0, 1.7))))
    way = rng.uniform(-np.pi, np.pi)
    level = np.array([np.cos(way), np.sin(way), 0.0])
    return np.asarray(np.array([0.0, 0.0, np.cos(steep)]) + np.sin(steep) * level)
