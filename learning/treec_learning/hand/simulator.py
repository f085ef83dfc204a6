"""The kinematic simulator of hands at their targets: many side by side, stepped together.

A step moves the hand by a twist in the target's present frame and the fingers by what they make in
0.1 s. Fingers that close around what is between them hold it: a joint then follows the hand as far
as it can, and the hand follows the joint; a hand that leaves the joint's way by more than 1.5 cm
loses it. What the hand would meet otherwise refuses the motion, and is reported. There are no
forces and no robot: how far an arm reaches is minded where a policy is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_learning.hand.cases import HandCase
from treec_learning.hand.rotations import (
    Array,
    rotation_vectors,
    rotations,
    turned,
    turned_back,
)

STEP, TURN = 0.02, 0.2
"""The largest motion in a step (m, and rad about each axis)."""
ACTIONS = 7
"""Numbers of an action: along and about x, y and z of the target as shares of that, and above 0 to
close the fingers."""
SEEN = 21
"""Numbers of an observation."""
MOST = 100
"""Steps of an episode."""
WIDEST, NARROWEST = 0.057, 0.016
"""How far the fingers open and close (m): Baxter's."""
TIP = 0.0185
"""From the tool's point to the ends of the fingers (m)."""
ARM = 0.1
"""Metres that count as one radian."""

_FINGERS = 0.02  # m a step
_FINGER = 0.012  # a finger's thickness (m)
_LOST, _TWISTED = 0.015, 0.7  # m and rad off the way at which a joint is lost
_HOLD = 0.03  # m that a radian counts for in a hold
_DEEP, _SHALLOW = 0.01, 0.012  # m beyond the target, and short of it, where fingers can hold
_DROP, _FLOOR = 0.025, 0.006  # m: from so high a thing may fall; so far the place is below
_BESIDE = 0.015  # m: so far beside its place a thing may be put
_ON = 0.6  # share of a button's travel from which on it switches

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HandStep:
    """After a step: which motions were refused, which for a touch, and what was lost or dropped."""

    refused: Bools
    touched: Bools
    spoilt: Bools
    """A thing was pushed away or dropped: the episode cannot succeed any more."""


class HandSimulator:
    """Cases side by side, with the state of each."""

    def __init__(self, cases: Sequence[HandCase], seed: int = 0) -> None:
        self.cases = list(cases)
        n = len(self.cases)
        self._rng = np.random.default_rng([5, seed])
        self.place, self.turn = np.zeros((n, 3)), np.zeros((n, 3, 3))
        self.position = np.zeros(n)
        """Of each joint (rad or m)."""
        self.width = np.zeros(n)
        self.closing, self.held, self.placed, self.switched = (np.zeros(n, bool) for _ in range(4))
        self._caught = np.zeros(n, bool)
        self.steps = np.zeros(n, dtype=np.int64)
        self.last = HandStep(*(np.zeros(n, bool) for _ in range(3)))
        self._axis, self._centre, self._down = (np.zeros((n, 3)) for _ in range(3))
        self._slip, self._travel, self._goal, self._thick = (np.zeros(n) for _ in range(4))
        self._long, self._gain = np.zeros(n), np.zeros(n)
        self._is = {name: np.zeros(n, bool) for name in ("hinge", "slide", "press", "release")}
        self._moves = np.zeros(n, bool)
        for index, case in enumerate(self.cases):
            self.put(index, case)

    def put(self, index: int, case: HandCase) -> None:
        """Begin a new case."""
        self.cases[index] = case
        self.place[index] = case.place
        self.turn[index] = rotations(case.turn[None])[0]
        self._axis[index], self._centre[index] = case.axis, case.centre
        self._down[index] = case.down
        self._slip[index], self._travel[index], self._goal[index] = (
            case.slip,
            case.travel,
            case.goal,
        )
        self._thick[index], self._long[index], self._gain[index] = case.width, case.long, case.gain
        hinge = case.motion in ("hinge", "knob")
        self._is["hinge"][index], self._is["slide"][index] = hinge, case.motion == "slide"
        self._is["press"][index] = case.motion == "press"
        self._is["release"][index] = case.motion == "release"
        self._moves[index] = hinge or case.motion == "slide"
        self.position[index] = 0.0 if case.motion == "press" else case.begins * case.travel
        release, press = case.motion == "release", case.motion == "press"
        self.held[index], self.closing[index] = release, release or press
        self.width[index] = case.width if release else NARROWEST if press else WIDEST
        self.placed[index] = self.switched[index] = self._caught[index] = False
        self.steps[index] = 0
        begun = case.begins * case.travel
        if self._moves[index] and begun:  # the hand begins before where the target is now
            at, frame = self._target(np.full(len(self.cases), begun))
            self.place[index] = at[index] + frame[index] @ case.place
            self.turn[index] = frame[index] @ self.turn[index]
        for flags in (self.last.refused, self.last.touched, self.last.spoilt):
            flags[index] = False

    @property
    def share(self) -> Array:
        """The position of each joint as a share of its travel; of a button: whether it is on."""
        moved = self.position / np.maximum(self._travel, 1e-9)
        return np.where(self._is["press"], self.switched, np.where(self._moves, moved, 0.0))

    @property
    def distance(self) -> Array:
        """From each hand to its target (m)."""
        return np.asarray(np.linalg.norm(self.place - self._target(self.position)[0], axis=1))

    def step(self, actions: npt.NDArray[np.float32]) -> HandStep:
        """Execute an action (n, 7) each; values beyond 1 count as 1."""
        self.steps += 1
        share = np.clip(np.asarray(actions, dtype=float), -1.0, 1.0)
        self._move_fingers(share[:, 6] > 0.0)
        at, frame = self._target(self.position)
        noise = self._rng.normal(0.0, 0.03, (len(share), 6))
        made = (share[:, :6] + noise * np.abs(share[:, :6])) * self._gain[:, None]
        place = self.place + turned(frame, STEP * made[:, :3])
        turn = rotations(turned(frame, TURN * made[:, 3:])) @ self.turn
        refused, pushed = self._meets(place, at, frame)
        place = np.where(refused[:, None], self.place, place)
        turn = np.where(refused[:, None, None], self.turn, turn)
        self.place, self.turn = place, turn
        self._drag()
        self._press()
        spoilt = self.last.spoilt | pushed | self._release()
        self.last = HandStep(refused, refused.copy(), spoilt)
        return self.last

    def seen(self) -> npt.NDArray[np.float32]:
        """Return the observations (n, 21); see :func:`observe`."""
        at, frame = self._target(self.position)
        tangent, spin = self._way(at)
        towards = np.where(self._goal > self.position / np.maximum(self._travel, 1e-9), 1.0, -1.0)
        towards = np.where(self._moves, towards, 1.0)[:, None]
        left = np.abs(self._goal * self._travel - self.position) * self._moves
        return observe(
            turned_back(frame, self.place - at),
            rotation_vectors(np.swapaxes(frame, 1, 2) @ self.turn),
            self.width - self._thick,
            self.closing,
            self.held,
            turned_back(frame, tangent * towards),
            turned_back(frame, spin * towards),
            left,
            turned_back(frame, np.where(self._is["release"][:, None], self._down, 0.0)),
            self._thick,
        )

    def _target(self, position: Array) -> tuple[Array, Array]:
        """Where the targets are (n, 3) and how they are turned (n, 3, 3) at joints' positions."""
        n = len(position)
        hinged = self._is["hinge"][:, None]
        angle = np.where(hinged, self._axis * position[:, None], 0.0)
        around = self._centre - turned(rotations(angle), self._centre)
        slid = self._axis * position[:, None]
        slides = self._is["slide"] | self._is["press"]
        at = np.where(hinged, around, np.where(slides[:, None], slid, 0.0))
        frame = rotations(angle * (1.0 - self._slip)[:, None])
        return np.asarray(at), np.asarray(frame) if n else frame

    def _way(self, at: Array) -> tuple[Array, Array]:
        """How the targets move (n, 3) and turn (n, 3) for a unit of their joints (scene)."""
        hinged = self._is["hinge"][:, None]
        tangent = np.cross(self._axis, at - self._centre)
        slides = (self._is["slide"] | self._is["press"])[:, None]
        spin = np.where(hinged, self._axis * (1.0 - self._slip)[:, None], 0.0)
        return np.where(hinged, tangent, np.where(slides, self._axis, 0.0)), spin

    def _move_fingers(self, close: Bools) -> None:
        """Close or open them; those that close around something hold it."""
        self.closing = close
        self._caught = close & (self._between() | (self._caught & self._between(caught=True)))
        least = np.where(self._caught | self.held, self._thick, NARROWEST)
        shut = np.maximum(self.width - _FINGERS, np.minimum(least, self.width))
        wide = np.minimum(self.width + _FINGERS, WIDEST)
        self.width = np.where(close, shut, wide)
        around = self._caught & (self.width <= self._thick + 1e-4)
        self.held = close & (self.held | around) & ~self.placed

    def _between(self, *, caught: bool = False) -> Bools:
        """Whether what is to be held is between the fingers.

        When it is ``caught``, closing fingers draw the hand to its middle.
        """
        at, frame = self._target(self.position)
        x, y, z = turned_back(frame, self.place - at).T
        turn = rotation_vectors(np.swapaxes(frame, 1, 2) @ self.turn)
        room = np.maximum(self.width - self._thick, 0.0) / 2
        fits = np.abs(y) <= (_BESIDE if caught else room + 1e-6)
        deep = (z > -_SHALLOW) & (z < _DEEP)
        straight = (np.abs(turn[:, 2]) < 0.45) & (np.linalg.norm(turn, axis=1) < _TWISTED)
        inside = fits & deep & straight & (np.abs(x) < self._long)
        return np.asarray(inside & ~self._is["press"] & ~self._is["release"])

    def _meets(self, place: Array, at: Array, frame: Array) -> tuple[Bools, Bools]:
        """Which motions would meet something, and which would push a free thing away by it."""
        x, y, z = turned_back(frame, place - at).T
        gap = self._thick / 2
        fingers = (np.abs(y) > self.width / 2 - gap) & (np.abs(y) < self.width / 2 + _FINGER + gap)
        level = (np.abs(x) < self._long + 0.01) & (z > -TIP - gap)
        palm = (
            (z > _DEEP) & (np.abs(y) < self.width / 2 + _FINGER) & (np.abs(x) < self._long + 0.01)
        )
        met = ((fingers & level) | palm) & ~self.held & ~self._caught
        pressed = self._is["press"]
        beside = (np.abs(x) > self._long) | (np.abs(y) > self._long)
        rest = self._travel - self.position
        met = np.where(pressed, (z > np.where(beside, -0.002, rest + 0.008)), met)
        below = np.einsum("ni,ni->n", place, self._down)
        aside = np.linalg.norm(place - below[:, None] * self._down, axis=1)
        walls = (aside > _BESIDE) & (below > -0.03)
        put_down = self.held & (walls | (below > _FLOOR + 0.003))
        met = np.where(self._is["release"], put_down, met)
        free = ~self._moves & ~pressed & ~self._is["release"]
        return np.asarray(met), np.asarray(met & free & fingers & level)

    def _drag(self) -> None:
        """A joint that is held follows its hand as far as it can, and the hand follows it."""
        at, frame = self._target(self.position)
        tangent, spin = self._way(at)
        off = self.place - at
        twisted = rotation_vectors(self.turn @ np.swapaxes(frame, 1, 2))
        along = np.einsum("ni,ni->n", off, tangent)
        along += _HOLD**2 * np.einsum("ni,ni->n", twisted, spin)
        size = np.einsum("ni,ni->n", tangent, tangent)
        size += _HOLD**2 * np.einsum("ni,ni->n", spin, spin)
        held = self.held & self._moves
        moved = np.where(held, along / np.maximum(size, 1e-6), 0.0)
        self.position = np.clip(self.position + moved, 0.0, np.maximum(self._travel, self.position))
        at, frame = self._target(self.position)
        off = self.place - at
        twisted = rotation_vectors(self.turn @ np.swapaxes(frame, 1, 2))
        far = np.linalg.norm(off, axis=1) > _LOST
        lost = held & (far | (np.linalg.norm(twisted, axis=1) > _TWISTED))
        self.held &= ~lost
        stays = (held & ~lost)[:, None]
        self.place = np.where(stays, at + 0.6 * off, self.place)

    def _press(self) -> None:
        """A button goes as far as the closed hand pushes it, and comes back."""
        x, y, z = self.place.T
        on_it = self._is["press"] & (np.abs(x) < self._long) & (np.abs(y) < self._long)
        depth = np.clip(np.where(on_it & self.closing, z, 0.0), 0.0, self._travel)
        self.position = np.where(self._is["press"], depth, self.position)
        self.switched |= self._is["press"] & (depth >= _ON * self._travel)

    def _release(self) -> Bools:
        """Things that are let go stay where they are put; whether one was dropped elsewhere."""
        let_go = self._is["release"] & ~self.held & ~self.placed
        below = np.einsum("ni,ni->n", self.place, self._down)
        aside = np.linalg.norm(self.place - below[:, None] * self._down, axis=1)
        well = (below > -_DROP) & (aside < _BESIDE)
        self.placed |= let_go & well
        return np.asarray(let_go & ~well)


def observe(
    off: Array,
    turn: Array,
    room: Array,
    closing: npt.ArrayLike,
    held: npt.ArrayLike,
    tangent: Array,
    spin: Array,
    left: Array,
    down: Array,
    thick: Array,
) -> npt.NDArray[np.float32]:
    """Return observations (n, 21) of hands, all in the target's present frame.

    ``off`` (n, 3; m) and ``turn`` (n, 3; rad) are where the hand is, ``room`` the fingers' width
    without what they hold (m), ``tangent`` (n, 3; m) and ``spin`` (n, 3; rad) how the target moves
    for a unit of its joint towards the goal, ``left`` what its joint still has to go (rad or m),
    ``down`` (n, 3) the direction of gravity where something is to be put down, else 0, and
    ``thick`` what is between the fingers (m). All numbers are scaled to about 1.
    """
    size = np.sqrt((tangent**2).sum(axis=1) + ARM**2 * (spin**2).sum(axis=1))
    unit = np.where(size > 1e-9, size, 1.0)[:, None]
    parts = [
        np.clip(off / 0.05, -4.0, 4.0),
        np.clip(turn / 0.3, -4.0, 4.0),
        (room / 0.02)[:, None],
        np.asarray(closing, dtype=float)[:, None],
        np.asarray(held, dtype=float)[:, None],
        tangent / unit,
        ARM * spin / unit,
        np.clip(left * size / 0.1, 0.0, 3.0)[:, None],
        down,
        (thick / 0.04)[:, None],
        np.clip(np.linalg.norm(off, axis=1) / 0.02, 0.0, 4.0)[:, None],
    ]
    seen = np.concatenate(parts, axis=1).astype(np.float32)
    assert seen.shape[1] == SEEN, seen.shape
    return np.asarray(seen)
