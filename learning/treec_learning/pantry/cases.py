"""Cases of the pantry: where the thing and what is around it are, and where the hand begins.

A case is drawn from a generator and the ranges of a file of starts, so that the same seed gives the
same case. Walls stand to the sides, behind and below of the goal (MOSAIC, appendix D), as the
pantry's boards and the neighbours would; a board above and a thing in front can be added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from importlib.resources import files

import numpy as np
import yaml
from pydantic import Field

from treec.files.fields import Model
from treec_learning.pantry.kinematics import (
    FOLDED_REACH,
    HIGH,
    LOW,
    RADII,
    Array,
    configuration_at,
    spheres,
)

BOXES = ("left", "right", "back", "bottom", "top", "front")
"""What stands around a goal, in the order of :attr:`Case.boxes`."""
_FAR = 90.0
_DEPTH, _WALL, _BOARD = 0.45, 0.12, 0.02
_FRONT = BOXES.index("front")
_TRIES, _AT_ONCE = 48, 8

Range = tuple[float, float]


class StartSpec(Model):
    """Where the hand begins: ranges that are drawn from, and whether something stands in front.

    With ``before``, the tip's distance before the goal; else the arm's ``extension``.
    """

    about: str
    before: Range | None = None
    extension: Range | None = None
    beside: Range = Field(description="Distance of the tip beside the goal (m), to either side.")
    above: Range = Field(description="Height of the tip over the goal (m).")
    yaw: Range = (0.0, 0.0)
    pitch: Range = (0.0, 0.0)
    front: bool = False


class PlaceSpec(Model):
    """Ranges of what stands around a goal (m)."""

    height: Range
    depth: Range
    free: Range = Field(description="From the goal to the neighbour on each side.")
    below: Range = Field(description="From the goal down to the board.")
    behind: Range
    radius: Range = Field(description="Of the thing itself.")
    neighbour: Range = Field(description="Height of the neighbours over the board.")
    above: Range = Field(description="From the goal up to the next board, where there is one.")
    gap: Range = Field(description="From the tip of the drawn-in hand to the pantry's front.")


class StartsFile(Model):
    """The places and the starts of cases."""

    place: PlaceSpec
    starts: dict[str, StartSpec]


@cache
def shipped_starts() -> StartsFile:
    """Return the starts of treec: those of the paper's Table 4."""
    text = files("treec_learning.pantry").joinpath("starts.yaml").read_text("utf-8")
    return StartsFile.model_validate(yaml.safe_load(text))


@dataclass(frozen=True)
class Case:
    """One goal, what stands around it, and the configuration that the robot begins in."""

    start: str
    goal: Array
    stand: float
    boxes: Array
    """(boxes, 2, 3): lowest and highest corner of each, in the order of BOXES."""
    radius: float
    board: float
    first: Array


@dataclass
class CaseBatch:
    """Many cases side by side, for a simulator that steps them together."""

    goal: Array
    stand: Array
    low: Array
    high: Array
    radius: Array
    board: Array

    @classmethod
    def of(cls, cases: Sequence[Case]) -> CaseBatch:
        """Stack cases."""
        boxes = np.stack([case.boxes for case in cases])
        return cls(
            np.stack([case.goal for case in cases]),
            np.array([case.stand for case in cases]),
            boxes[:, :, 0].copy(),
            boxes[:, :, 1].copy(),
            np.array([case.radius for case in cases]),
            np.array([case.board for case in cases]),
        )

    def put(self, index: int, case: Case) -> None:
        """Replace one of them."""
        self.goal[index], self.stand[index] = case.goal, case.stand
        self.low[index], self.high[index] = case.boxes[:, 0], case.boxes[:, 1]
        self.radius[index], self.board[index] = case.radius, case.board

    def repeated(self, times: int) -> CaseBatch:
        """Return every case that many times, one after the other."""
        parts = (self.goal, self.stand, self.low, self.high, self.radius, self.board)
        return CaseBatch(*(np.repeat(part, times, axis=0) for part in parts))

    def touched(self, q: Array) -> Array:
        """Return for configurations (n, 5), one of each case, what they touch.

        A number of BOXES, the number after the last for the thing itself, -1 for nothing; the
        first of several.
        """
        places = spheres(q, self.stand)
        apart: Array | float = 0.0
        for axis, at in enumerate(places):
            low, high = self.low[:, :, None, axis], self.high[:, :, None, axis]
            off = np.maximum(low - at[:, None], at[:, None] - high)
            np.maximum(off, 0.0, out=off)
            apart = off * off + apart
        hit = (apart < RADII**2).any(axis=2)
        x, y, z = places
        radii, goal = RADII, self.goal[:, :, None]
        aside = (x - goal[:, 0]) ** 2 + (y - goal[:, 1]) ** 2
        level = (z > self.board[:, None] - radii) & (z < goal[:, 2] + 0.04 + radii)
        thing = ((aside < (self.radius[:, None] + radii) ** 2) & level).any(axis=1)
        every = np.concatenate([hit, thing[:, None]], axis=1)
        return np.where(every.any(axis=1), every.argmax(axis=1), -1)


class Purpose(IntEnum):
    """What cases are drawn for; two purposes never draw the same ones."""

    TRAINING = 1
    DEMONSTRATION = 2
    TRIAL = 3
    EVALUATION = 4


def generator(purpose: Purpose, seed: int, of: int, number: int) -> np.random.Generator:
    """Return the generator of case ``number`` of a stream ``of`` a seed and purpose."""
    return np.random.default_rng([int(purpose), seed, of, number])


def draw_case(
    rng: np.random.Generator,
    shares: Mapping[str, float],
    file: StartsFile | None = None,
    *,
    top: bool = True,
) -> Case:
    """Draw a case; ``shares`` are the chances of the starts. Raises ValueError for an unknown one.

    The first configuration is within the joints' limits and touches nothing.
    """
    file = file or shipped_starts()
    name = choose_start(rng, shares, file)
    start = file.starts[name]
    while True:
        goal, stand, boxes, radius, board = _draw_place(rng, file.place, start.front, top)
        case = Case(name, goal, stand, boxes, radius, board, np.zeros(5))
        first = draw_first(rng, start, case)
        if first is not None:
            return replace(case, first=first)


def choose_start(rng: np.random.Generator, shares: Mapping[str, float], file: StartsFile) -> str:
    """Draw the name of a start by its share. Raises ValueError for an unknown one."""
    unknown = sorted(set(shares) - set(file.starts))
    if unknown:
        raise ValueError(f"unknown start '{unknown[0]}': {', '.join(file.starts)}")
    names = list(shares)
    weights = np.array([shares[name] for name in names], dtype=float)
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]


def _draw_place(
    rng: np.random.Generator, spec: PlaceSpec, front: bool, top: bool
) -> tuple[Array, float, Array, float, float]:
    goal = np.array([0.0, rng.uniform(*spec.depth), rng.uniform(*spec.height)])
    left, right = rng.uniform(*spec.free, size=2)
    board = goal[2] - rng.uniform(*spec.below)
    radius = rng.uniform(*spec.radius)
    tall = rng.uniform(*spec.neighbour)
    deep = goal[1] - rng.uniform(0.02, goal[1] - 0.005, size=2) * rng.uniform(0.3, 1.0)
    boxes = np.full((len(BOXES), 2, 3), _FAR)
    boxes[0] = (-left - _WALL, deep[0], board), (-left, _DEPTH, board + tall)
    boxes[1] = (right, deep[1], board), (right + _WALL, _DEPTH, board + tall)
    back = min(goal[1] + rng.uniform(*spec.behind), _DEPTH)
    boxes[2] = (-1.0, back, board), (1.0, _DEPTH + 0.02, board + 0.4)
    boxes[3] = (-1.0, 0.0, board - _BOARD), (1.0, _DEPTH, board)
    if top:
        above = goal[2] + rng.uniform(*spec.above)
        boxes[4] = (-1.0, 0.0, above), (1.0, _DEPTH, above + _BOARD)
    if front:
        side = rng.choice((-1.0, 1.0))
        middle = side * rng.uniform(0.03, 0.08)
        half = rng.uniform(0.02, 0.03)
        room = goal[1] - radius - 0.03
        far = rng.uniform(0.5, 1.0) * max(room, 0.02)
        high = rng.uniform(0.03, 0.07)
        boxes[_FRONT] = (middle - half, far - 2 * half, board), (middle + half, far, board + high)
    return goal, float(-FOLDED_REACH - rng.uniform(*spec.gap)), boxes, float(radius), float(board)


def draw_first(rng: np.random.Generator, start: StartSpec, case: Case) -> Array | None:
    """Draw a first configuration (5,) that touches nothing, or None after some tries."""
    goal = case.goal
    many = CaseBatch.of([case] * _AT_ONCE)
    for _ in range(_TRIES // _AT_ONCE):
        yaw, pitch, beside, above, before, extension = (
            rng.uniform(*ends, size=_AT_ONCE)
            for ends in (
                start.yaw,
                start.pitch,
                start.beside,
                start.above,
                start.before or (0.0, 0.0),
                start.extension or (0.0, 0.0),
            )
        )
        aim = goal + np.stack([beside * _sign(rng), -before, above], axis=1)
        q = configuration_at(aim, many.stand, yaw * _sign(rng), pitch)
        if start.extension is not None:
            q[:, 2] = extension
        good = np.all((q >= LOW) & (q <= HIGH), axis=1) & (many.touched(q) < 0)
        if good.any():
            return np.asarray(q[int(np.argmax(good))])
    return None


def _sign(rng: np.random.Generator) -> Array:
    return rng.choice((-1.0, 1.0), size=_AT_ONCE)
