"""Straight to the target and along its joint's way, as the motion planner's rows go.

What a policy sees is enough for it, and nothing is learned: it makes the demonstrations, and what
a policy adds shows beside it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_learning.hand.simulator import ACTIONS, ARM, STEP, TURN

_NEAR, _BESIDE, _BEFORE = 0.005, 0.006, 0.035  # m
_THROUGH = 0.012  # m beyond a button's face at rest that a fist is driven to


def straight_actions(seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the actions (n, 7) for observations (n, 21)."""
    numbers = np.asarray(seen, dtype=float)
    off, turn = 0.05 * numbers[:, :3], 0.3 * numbers[:, 3:6]
    closing, held = numbers[:, 7] > 0.5, numbers[:, 8] > 0.5
    tangent, spin, left, down = (
        numbers[:, 9:12],
        numbers[:, 12:15],
        numbers[:, 15],
        numbers[:, 16:19],
    )
    puts = np.linalg.norm(down, axis=1) > 0.5
    push = closing & ~held & (left == 0.0) & (tangent[:, 2] > 0.5)
    moves = held & ~puts
    ahead = np.where(puts[:, None], down, np.array([0.0, 0.0, 1.0]))
    deep = np.einsum("ni,ni->n", off, ahead)[:, None]
    aside = off - deep * ahead
    beside = (np.linalg.norm(aside, axis=1) > _BESIDE) | (np.linalg.norm(turn, axis=1) > 0.12)
    before = np.where(beside, np.minimum(deep[:, 0], -_BEFORE), np.where(push, _THROUGH, 0.0))
    wanted = before[:, None] * ahead - off
    wanted = np.where(
        (closing & ~push & ~puts)[:, None], 0.0 * wanted, wanted
    )  # fingers close first
    along = np.clip(left * 0.1 / STEP, 0.0, 1.0)[:, None] * tangent
    rate = np.where(moves[:, None], along - 0.5 * off / STEP, wanted / STEP)
    turning = np.clip(left * 0.1 / STEP, 0.0, 1.0)[:, None] * spin * STEP / (ARM * TURN)
    turning = np.where(moves[:, None], turning - 0.3 * turn / TURN, -0.6 * turn / TURN)
    there = np.linalg.norm(off, axis=1) < _NEAR
    close = np.where(puts, ~(there & ~beside), push | moves | closing | (there & ~beside))
    action = np.concatenate([rate, turning, np.where(close, 1.0, -1.0)[:, None]], axis=1)
    size = np.maximum(np.abs(action[:, :6]).max(axis=1, keepdims=True), 1.0)
    action[:, :6] /= size
    assert action.shape[1] == ACTIONS
    return np.asarray(action, dtype=np.float32)
