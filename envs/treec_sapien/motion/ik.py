"""Batched inverse kinematics: damped least squares that respects joint limits.

Seeds, goals and grasps form a batch and are solved together, so that choosing among many solutions
costs little more than finding one. Deterministic: randomness comes in as seeds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_sapien.motion.chain import Chain
from treec_sapien.motion.frames import Array, Index, twist

TOLERANCE = 1e-3
"""Tolerance of a solution: metres and radians combined."""

_DAMPING = 0.03
_CENTRING_GAIN = 0.15  # gain that moves joints away from their limits in the null space
_STEP = 0.4  # largest change of a joint in one iteration (rad or m)


def solve(
    chain: Chain,
    goals: Array,
    seeds: Array,
    *,
    free: Index | None = None,
    weights: Array | None = None,
    iterations: int = 60,
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Move each seed (n, joints) until its tcp is at its goal (n, 4, 4); return q and convergence.

    ``free`` are the indices of the joints that may move (default: all); ``weights`` is how readily
    each of those does (default: 1).
    """
    free_joints = np.arange(len(chain)) if free is None else free
    weights = np.ones(len(free_joints)) if weights is None else weights
    q = np.clip(seeds, chain.low, chain.high)
    converged = np.zeros(len(q), dtype=bool)
    active = np.arange(len(q))
    for _ in range(iterations):
        poses, jacobians = chain.poses_and_jacobians(q[active])
        error = twist(poses, goals[active])
        near = np.linalg.norm(error, axis=1) < TOLERANCE / 4
        converged[active[near]] = True
        if np.all(near):
            break
        active, error, jacobians = active[~near], error[~near], jacobians[~near]
        q[active] = _step(
            chain, q[active], error, jacobians[:, :, free_joints], free_joints, weights
        )
    if not np.all(converged):
        rest = np.flatnonzero(~converged)
        error = twist(chain.poses(q[rest]), goals[rest])
        converged[rest] = np.linalg.norm(error, axis=1) < TOLERANCE
    return q, converged


def track(
    chain: Chain,
    ways: Array,
    starts: Array,
    *,
    free: Index | None = None,
    weights: Array | None = None,
    iterations: int = 6,
    jump: float = 0.4,
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Follow a sequence of poses (n, steps, 4, 4) from each start (n, joints).

    Return the joints (n, steps, joints) and which rows stayed within a millimetre throughout
    without a change of more than ``jump`` between two poses: an elbow that flips over is not a
    solution.
    """
    count, steps = ways.shape[:2]
    out = np.zeros((count, steps, len(chain)))
    fine = np.ones(count, dtype=bool)
    q = starts.copy()
    for step in range(steps):
        index = np.flatnonzero(fine)
        if not len(index):
            break
        solved, converged = solve(
            chain, ways[index, step], q[index], free=free, weights=weights, iterations=iterations
        )
        converged &= np.max(np.abs(solved - q[index]), axis=1) < jump
        q[index] = solved
        out[index, step] = solved
        fine[index[~converged]] = False
    return out, fine


def margin(chain: Chain, q: Array, joints: Index) -> Array:
    """Return the smallest distance (n,) of these joints to a limit, in half ranges."""
    low, high = chain.low[joints], chain.high[joints]
    inside = np.minimum(q[..., joints] - low, high - q[..., joints]) / ((high - low) / 2)
    return np.asarray(np.min(inside, axis=-1))


def solve_definite(square: Array, right: Array) -> Array:
    """Solve positive definite systems (n, k, k) for right sides (n, k), all at once.

    By elimination, which needs no pivots here. `numpy.linalg.solve` calls LAPACK for each system,
    and OpenBLAS wakes its threads for each call: thirty times as much for a thousand of six rows.
    """
    a = np.array(np.moveaxis(square, 0, -1), order="C")
    b = np.array(right.T, order="C")
    for row in range(len(b)):
        share = a[row + 1 :, row] / a[row, row]
        a[row + 1 :, row + 1 :] -= share[:, None] * a[row, row + 1 :]
        b[row + 1 :] -= share * b[row]
    for row in reversed(range(len(b))):
        b[row] = (b[row] - (a[row, row + 1 :] * b[row + 1 :]).sum(axis=0)) / a[row, row]
    return np.asarray(b.T)


def _step(
    chain: Chain, q: Array, error: Array, jacobian: Array, free_joints: Index, weights: Array
) -> Array:
    """One damped step; joints that would exceed a limit are fixed and the step is recomputed."""
    scale = np.minimum(1.0, 0.5 / np.maximum(np.linalg.norm(error, axis=1), 1e-9))
    error = error * scale[:, None]
    low, high = chain.low[free_joints], chain.high[free_joints]
    now = q[:, free_joints]
    open_ = np.broadcast_to(weights, now.shape)
    delta = np.zeros_like(now)
    middle, half = (low + high) / 2, (high - low) / 2
    aside = _CENTRING_GAIN * half * ((middle - now) / half) ** 5
    damping = _DAMPING**2 * np.minimum(1.0, np.linalg.norm(error, axis=1) / 0.05 + 1e-3)
    for _ in range(2):
        weighted = jacobian * open_[:, None, :]
        square = weighted @ np.swapaxes(weighted, 1, 2)
        square += damping[:, None, None] * np.eye(6)
        idle = aside * (open_ > 0)
        residual = error - np.einsum("nij,nj->ni", weighted, idle)
        push = solve_definite(square, residual)
        delta = idle + open_ * np.einsum("nji,nj->ni", weighted, push)
        beyond = (now + delta > high + 1e-9) | (now + delta < low - 1e-9)
        if not np.any(beyond & (open_ > 0)):
            break
        open_ = np.where(beyond, 0.0, open_)
    largest = np.max(np.abs(delta), axis=1, keepdims=True)
    delta = delta * np.minimum(1.0, _STEP / np.maximum(largest, 1e-9))
    out = q.copy()
    out[:, free_joints] = np.clip(now + delta, low, high)
    return out
