"""Made-up motion of people of all sizes at everyday things: what forecasters learn to leave alone.

Each recording is of another person, in another place. Hands go from place to place with minimum
jerk, in circles or to and fro; the trunk sways, leans and turns; elbows follow from the lengths of
the arms. Nothing is as rich as what people do: it is there so that a network knows more kinds of
motion than one set of recordings has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treec_sapien.people.skeleton import RATE

Floats = npt.NDArray[np.float64]

SECONDS = 8.0
"""How long a recording is."""

FASTEST = 1.3
"""Metres a second that a wrist goes from place to place on average, at most."""


@dataclass
class _Plan:
    """A person and what they do: all of (n, …) frames, metres and radians, seen from the hips.

    ``hands`` are the left and the right wrist; what is not set is at rest.
    """

    rng: np.random.Generator
    size: float
    n: int = round(SECONDS * RATE)
    hands: Floats = field(default_factory=lambda: np.zeros((0, 2, 3)))
    place: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    yaw: Floats = field(default_factory=lambda: np.zeros(0))
    lean: Floats = field(default_factory=lambda: np.zeros(0))
    sink: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        rng, n = self.rng, self.n
        hang = np.array((rng.uniform(-0.02, 0.12), rng.uniform(0.2, 0.3), rng.uniform(-0.15, 0.0)))
        folded = np.array((rng.uniform(0.18, 0.35), rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.3)))
        rest = [hang if rng.random() < 0.5 else folded for _ in range(2)]
        at = np.stack(rest) * np.array(((1, 1, 1), (1, -1, 1)))
        self.hands = np.repeat(at[None], n, axis=0)
        self.place, self.yaw = np.zeros((n, 2)), np.zeros(n)
        self.lean, self.sink = np.full(n, rng.uniform(0.0, 0.15)), np.zeros(n)

    @property
    def time(self) -> Floats:
        """Seconds of the frames."""
        return np.arange(self.n) / RATE

    def goes(self, low: Floats, high: Floats, dwell: tuple[float, float], begin: Floats) -> Floats:
        """Return a path (n, d) from place to place in a box, with a rest at each."""
        rng, at = self.rng, begin
        path: list[Floats] = []
        while sum(map(len, path)) < self.n:
            path.append(np.repeat(at[None], round(RATE * rng.uniform(*dwell)) + 1, axis=0))
            to = rng.uniform(low, high)
            way = float(np.linalg.norm(to - at))
            frames = max(4, round(RATE * way / rng.uniform(0.25 * FASTEST, FASTEST)) + 8)
            share = smooth(np.linspace(0, 1, frames))[:, None]
            bow = rng.normal(0, 0.08 * way, len(at)) * (4 * share * (1 - share))
            path.append(at + share * (to - at) + bow)
            at = to
        whole: Floats = np.concatenate(path)
        skipped = int(rng.integers(len(whole) - self.n + 1))
        return whole[skipped : skipped + self.n]

    def on_and_off(self, share: float = 0.75) -> Floats:
        """Return (n) between 0 and 1: whether they do it, with pauses, for a share of the time."""
        rng, at = self.rng, float(self.rng.random() < share)
        path: list[Floats] = []
        while sum(map(len, path)) < 2 * self.n:
            long = rng.uniform(0.5, 4.0) * (share if at else 1 - share) * 2
            ramp = smooth(np.linspace(0, 1, round(RATE * rng.uniform(0.6, 1.4))))
            path += [np.full(round(RATE * long), at), ramp if not at else 1 - ramp]
            at = 1 - at
        whole = np.concatenate(path)
        skipped = int(rng.integers(len(whole) - self.n))
        return np.asarray(whole[skipped : skipped + self.n])

    def wanders(self, sigma: float, seconds: float, *shape: int) -> Floats:
        """Return smooth noise (n, …) with a standard deviation, that changes in so many seconds."""
        frames = max(2.0, seconds * RATE)
        at = np.arange(-3 * frames, 3 * frames + 1)
        kernel = np.exp(-0.5 * (at / frames) ** 2)
        kernel /= np.sqrt((kernel**2).sum())
        raw = self.rng.normal(0, sigma, (self.n + len(at) - 1, int(np.prod(shape or (1,)))))
        out = np.stack([np.convolve(column, kernel, "valid") for column in raw.T], axis=1)
        return out.reshape(self.n, *shape) if shape else out[:, 0]


def smooth(share: Floats) -> Floats:
    """Go from 0 to 1 as a share of the time does, with minimum jerk."""
    s = np.clip(share, 0.0, 1.0)
    return np.asarray(10 * s**3 - 15 * s**4 + 6 * s**5)


def _stand(plan: _Plan) -> None:
    """Stand, and now and then shift one's weight."""
    if plan.rng.random() < 0.5:
        plan.place = plan.goes(np.full(2, -0.06), np.full(2, 0.06), (1.5, 4.0), np.zeros(2))


def _work(plan: _Plan) -> None:
    """Take and put down things at a table, with one hand or both."""
    rng = plan.rng
    table, busy = rng.uniform(0.0, 0.25), rng.random(2) < 0.8
    small = rng.random() < 0.4
    for side in range(2):
        sign = 1 - 2 * side
        if not busy[side]:
            continue
        low = np.array((0.2, -0.1, table))
        high = np.array((0.5, 0.35, table + 0.12))
        if small:
            middle = rng.uniform(low, high)
            low, high = middle - 0.05, middle + 0.05
        dwell = (0.1, 1.2) if rng.random() < 0.6 else (0.8, 4.0)
        way = plan.goes(low, high, dwell, rng.uniform(low, high))
        plan.hands[:, side] = way * (1, sign, 1)
    plan.lean = plan.lean + 0.1


def _stir(plan: _Plan) -> None:
    """Stir a pot, with pauses."""
    rng, side = plan.rng, int(plan.rng.integers(2))
    middle = np.array((rng.uniform(0.3, 0.5), rng.uniform(-0.1, 0.2), rng.uniform(0.15, 0.35)))
    phase = (
        2
        * np.pi
        * np.cumsum(np.abs(rng.uniform(0.4, 1.6) + plan.wanders(0.1, 1.0)) * plan.on_and_off())
        / RATE
        * rng.choice((-1, 1))
    )
    wide, deep = rng.uniform(0.03, 0.12), rng.uniform(0.02, 0.1)
    circle = np.stack([deep * np.cos(phase), wide * np.sin(phase), 0.01 * np.sin(phase)], axis=1)
    plan.hands[:, side] = (middle + circle) * (1, 1 - 2 * side, 1)


def _walk(plan: _Plan) -> None:
    """Walk by, stop, go on, also backwards and sideways; arms swing, or do not."""
    rng = plan.rng
    aside = 0.0 if rng.random() < 0.5 else rng.uniform(-np.pi, np.pi)
    swings = rng.uniform(0.0, 0.2)
    speed = rng.uniform(0.4, 1.5) * plan.on_and_off(0.8)
    plan.yaw = plan.wanders(rng.uniform(0.0, 0.3), 1.0)
    way = plan.yaw + aside
    step = speed[:, None] * np.stack([np.cos(way), np.sin(way)], axis=1) / RATE
    plan.place = np.cumsum(step, axis=0)
    phase = np.cumsum(2 * np.pi * (0.5 + 0.35 * speed)) / RATE
    for side in range(2):
        swing = swings * np.minimum(speed, 1.0) * np.sin(phase + np.pi * side)
        plan.hands[:, side, 0] += swing
        plan.hands[:, side, 2] += 0.3 * np.abs(swing)
    plan.sink = 0.1 * swings * np.minimum(speed, 1.0) * np.sin(2 * phase)


def _turn(plan: _Plan) -> None:
    """Turn to somebody and talk with one's hands."""
    plan.yaw = plan.goes(np.full(1, -1.2), np.full(1, 1.2), (0.8, 3.0), np.zeros(1))[:, 0]
    talk = plan.on_and_off(0.6)[:, None, None] * plan.wanders(0.05, 0.3, 2, 3)
    plan.hands = plan.hands + talk


def _wave(plan: _Plan) -> None:
    """Raise a hand, wave, let it down."""
    rng, side = plan.rng, int(plan.rng.integers(2))
    up = np.array((rng.uniform(0.25, 0.4), rng.uniform(0.2, 0.35), rng.uniform(0.45, 0.65)))
    raised = plan.on_and_off(0.6)[:, None]
    swing = rng.uniform(0.05, 0.15) * np.sin(2 * np.pi * rng.uniform(0.7, 1.6) * plan.time)
    there = up + swing[:, None] * (0, 1, 0)
    rest = plan.hands[:, side] * (1, 1 - 2 * side, 1)
    plan.hands[:, side] = (rest + raised * (there - rest)) * (1, 1 - 2 * side, 1)


def _wipe(plan: _Plan) -> None:
    """Wipe a table to and fro."""
    rng, side = plan.rng, int(plan.rng.integers(2))
    at = plan.goes(
        np.array((0.3, -0.1, 0.05)),
        np.array((0.5, 0.2, 0.06)),
        (1.0, 3.0),
        np.array((0.4, 0.0, 0.05)),
    )
    phase = 2 * np.pi * rng.uniform(0.4, 1.5) * np.cumsum(plan.on_and_off()) / RATE
    along = rng.uniform(-1, 1, 2) * 0.15
    to_and_fro = np.sin(phase)[:, None] * np.array((along[0], along[1], 0.0))
    plan.hands[:, side] = (at + to_and_fro) * (1, 1 - 2 * side, 1)
    plan.lean = plan.lean + 0.15


def _bend(plan: _Plan) -> None:
    """Bend down to something low, or sit down, and come up again."""
    down = plan.on_and_off(0.5)
    if plan.rng.random() < 0.5:
        plan.sink = -plan.rng.uniform(0.2, 0.45) * down
    else:
        plan.lean = plan.lean + plan.rng.uniform(0.2, 0.5) * down
    low = np.array((0.35, 0.1, -0.15))
    for side in range(2):
        target = low * (1, 1 - 2 * side, 1)
        plan.hands[:, side] += down[:, None] * (target - plan.hands[:, side])


def _fidget(plan: _Plan) -> None:
    """Move all of oneself as chance has it, slowly or fast, much or little."""
    rng = plan.rng
    some = plan.on_and_off(rng.uniform(0.3, 1.0))
    seconds = rng.uniform(0.15, 1.0)
    far = np.exp(rng.uniform(np.log(0.01), np.log(0.25 * seconds)))
    plan.hands = plan.hands + some[:, None, None] * plan.wanders(far, seconds, 2, 3)
    slow = seconds + 0.4
    plan.yaw = some * plan.wanders(1.5 * far, slow)
    plan.lean = plan.lean + some * plan.wanders(0.5 * far, slow)
    plan.place = some[:, None] * plan.wanders(0.5 * far, slow, 2)
    plan.sink = some * plan.wanders(0.2 * far, slow)


EVERYDAY: dict[str, Callable[[_Plan], None]] = {
    "stand": _stand,
    "work": _work,
    "stir": _stir,
    "walk": _walk,
    "fidget": _fidget,
    "turn": _turn,
    "wave": _wave,
    "wipe": _wipe,
    "bend": _bend,
}
"""What people do, by name."""


def everyday(kind: str, rng: np.random.Generator) -> Floats:
    """Return a recording (n, 8, 3): the seven joints and the left hip at 25 Hz, z up."""
    plan = _Plan(rng, rng.uniform(0.85, 1.12))
    EVERYDAY[kind](plan)
    return _body(plan)


def _body(plan: _Plan) -> Floats:
    rng, n, size = plan.rng, plan.n, plan.size
    sway = plan.wanders(rng.uniform(0.001, 0.006), rng.uniform(0.3, 1.0), 2)
    lean = plan.lean + sway[:, 0] / 0.5
    up, ahead = np.cos(lean), np.sin(lean)
    zero, high = np.zeros(n), 0.95 * size + plan.sink
    trunk, wide = 0.47 * size, 0.17 * size * rng.uniform(0.9, 1.15)
    twist = 0.6 * plan.wanders(0.02, 0.6)
    body = np.zeros((n, 8, 3))
    body[:, 0] = np.stack([trunk * ahead, sway[:, 1], trunk * up], axis=1)
    upper, fore = 0.29 * size * rng.uniform(0.93, 1.07), 0.25 * size * rng.uniform(0.93, 1.07)
    for side, sign in ((0, 1.0), (1, -1.0)):
        across = np.stack([-np.sin(twist) * sign, np.cos(twist) * sign, zero], axis=1)
        shoulder = body[:, 0] + wide * across + (0.0, 0.0, -0.05 * size)
        jitter = plan.wanders(rng.uniform(0.0005, 0.003), 0.3, 3)
        wrist = plan.hands[:, side] * size + jitter + body[:, :1].mean(axis=1) * (0.3, 1, 0)
        wrist = shoulder + _within(wrist - shoulder, 0.98 * (upper + fore))
        body[:, 1 + side], body[:, 5 + side] = shoulder, wrist
        body[:, 3 + side] = elbow(shoulder, wrist, sign, upper, fore)
    body[:, 7] = np.array((0.0, 0.1 * size, 0.0)) + plan.wanders(0.001, 0.5, 3)
    yaw = plan.yaw + rng.uniform(-np.pi, np.pi)
    c, s = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    x, y = body[..., 0].copy(), body[..., 1].copy()
    body[..., 0], body[..., 1] = c * x - s * y, s * x + c * y
    first = yaw[0] - plan.yaw[0]
    turn = np.array(((np.cos(first), -np.sin(first)), (np.sin(first), np.cos(first))))
    body[..., :2] += (plan.place @ turn.T + rng.uniform(-2, 2, 2))[:, None]
    body[..., 2] += high[:, None]
    return body


def _within(way: Floats, most: float) -> Floats:
    """Shorten vectors (n, 3), smoothly, that are longer than an arm."""
    far = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    return np.asarray(way * most / far * (far / most) / (1 + (far / most) ** 8) ** 0.125)


def elbow(shoulder: Floats, wrist: Floats, sign: float, upper: float, fore: float) -> Floats:
    """Return where the elbow (n, 3) is, below and outside of the line from shoulder to wrist."""
    way = wrist - shoulder
    far = np.clip(np.linalg.norm(way, axis=1), 1e-6, upper + fore - 1e-6)
    along = way / far[:, None]
    at = (upper**2 - fore**2 + far**2) / (2 * far)
    off = np.sqrt(np.maximum(upper**2 - at**2, 0.0))
    down = np.array((0.0, 0.5 * sign, -1.0))
    down = down - (along @ down)[:, None] * along
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    return np.asarray(shoulder + at[:, None] * along + off[:, None] * down)
