"""Windows of ten past and 25 future frames, seen from the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_sapien.people.recordings import Floats, MotionEpisode
from treec_sapien.people.skeleton import PAST, WINDOW, WRISTS

NEAR = 0.25
"""A window is a transition if a wrist comes that near (m) to the partner's in its future."""

STRIDE = 5
"""Frames between the beginnings of windows that are evaluated."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class MotionWindows:
    """Episodes in one array, and where windows begin in it.

    ``frames`` (n, 16, 3): seven joints, the root, the partner's seven joints, the thing; what is
    missing is 0, and ``has`` (n, 2) says whether there is a partner and a thing. ``starts`` are the
    first frames of windows, ``episode`` (n) is the number of each frame's episode.
    """

    frames: npt.NDArray[np.float32]
    has: npt.NDArray[np.float32]
    starts: npt.NDArray[np.int64]
    episode: npt.NDArray[np.int64]

    def window(self, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return windows (w, 35, 16, 3)."""
        return self.frames[starts[:, None] + np.arange(WINDOW)]


def motion_of(episodes: Sequence[MotionEpisode], stride: int = STRIDE) -> MotionWindows:
    """Put episodes into one array, with a window at every ``stride`` frames."""
    parts, has, starts, numbers = [], [], [], []
    offset = 0
    for number, it in enumerate(episodes):
        n = len(it)
        data = np.zeros((n, 16, 3), np.float32)
        data[:, :7], data[:, 7] = it.joints, it.root
        if it.partner is not None:
            data[:, 8:15] = it.partner
        if it.thing is not None:
            data[:, 15] = it.thing
        parts.append(data)
        has.append(
            np.tile(np.array([it.partner is not None, it.thing is not None], np.float32), (n, 1))
        )
        starts.append(offset + np.arange(0, n - WINDOW + 1, stride))
        numbers.append(np.full(n, number))
        offset += n
    if not parts:
        empty = np.zeros(0, np.int64)
        return MotionWindows(
            np.zeros((0, 16, 3), np.float32), np.zeros((0, 2), np.float32), empty, empty
        )
    return MotionWindows(
        np.concatenate(parts), np.concatenate(has), np.concatenate(starts), np.concatenate(numbers)
    )


def transitions(motion: MotionWindows) -> Bools:
    """Return which windows are transitions: the hands of two people come near each other."""
    near_another = np.zeros(len(motion.starts), np.bool_)
    for at in range(0, len(motion.starts), 4096):
        starts = motion.starts[at : at + 4096]
        future = motion.window(starts)[:, PAST:]
        own, other = future[:, :, WRISTS], future[:, :, [8 + joint for joint in WRISTS]]
        apart = np.linalg.norm(own[:, :, :, None] - other[:, :, None], axis=-1)
        near = apart.min(axis=(1, 2, 3)) < NEAR
        near_another[at : at + 4096] = near & (motion.has[starts, 0] > 0)
    return near_another


def facing(window: npt.NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return the origin (w, 3) and the turn (w, 3, 3) of the person's frame in each window.

    The frame is that of the last frame seen: its origin is the root, x is forward (across the
    shoulders, level), y is to the left, z is up. Points come into it by ``(p - origin) @ turn``.
    """
    last = window[:, PAST - 1].astype(np.float64)
    left = last[:, 1] - last[:, 2]
    left[:, 2] = 0.0
    size = np.linalg.norm(left, axis=1, keepdims=True)
    left = np.where(size > 1e-6, left / np.maximum(size, 1e-6), (0.0, 1.0, 0.0))
    turn = np.zeros((len(last), 3, 3))
    turn[:, :, 1] = left
    turn[:, 0, 0], turn[:, 1, 0] = left[:, 1], -left[:, 0]
    turn[:, 2, 2] = 1.0
    return last[:, 7].copy(), turn


def seen_from(
    window: npt.NDArray[np.float32], origin: Floats, turn: Floats
) -> npt.NDArray[np.float32]:
    """Return windows (w, t, k, 3) in the person's frame."""
    moved = window - origin[:, None, None].astype(np.float32)
    rotated: npt.NDArray[np.float32] = np.einsum("wtki,wij->wtkj", moved, turn.astype(np.float32))
    return rotated
