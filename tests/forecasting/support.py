"""Made-up motion in the formats of the recordings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

REST = np.array(
    [
        (0.0, 0.0, 1.45),
        (0.0, 0.2, 1.4),
        (0.0, -0.2, 1.4),
        (0.05, 0.3, 1.15),
        (0.05, -0.3, 1.15),
        (0.3, 0.25, 1.05),
        (0.3, -0.25, 1.05),
        (0.0, 0.12, 0.9),
    ]
)
"""Neck, shoulders, elbows, wrists, left hip of somebody who looks along x."""

NAMES = (
    "neck", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist",
    "right_wrist", "left_hip",
)  # fmt: skip


def body(frames: int, seed: int, rate: float = 30.0) -> npt.NDArray[np.float64]:
    """Somebody who walks slowly and swings the arms: (frames, 8, 3)."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames) / rate
    walk = np.outer(t, (*rng.normal(0, 0.3, 2), 0.0))
    swing = np.sin(2 * np.pi * rng.uniform(0.4, 0.9) * t + rng.uniform(0, 6))
    out = np.tile(REST, (frames, 1, 1)) + walk[:, None]
    out[:, 3:7, 0] += 0.15 * swing[:, None]
    out[:, 5:7, 2] += 0.1 * swing[:, None]
    return out


def handovers(
    path: Path, lengths: tuple[int, ...] = (90, 120, 100, 90, 110), seed: int = 0
) -> Path:
    """Write recordings of two people who face each other, 1 m apart, and a thing."""
    giver, receiver, thing = [], [], []
    for number, length in enumerate(lengths):
        a, b = body(length, seed + 2 * number), body(length, seed + 2 * number + 1)
        b = b * (-1, -1, 1) + (0.8, 0.0, 0.0)
        giver.append(a)
        receiver.append(b)
        thing.append(a[:, 6])
    np.savez(
        path,
        names=np.array([f"m{n}" for n in range(len(lengths))]),
        lengths=np.array(lengths),
        giver=np.concatenate(giver).astype(np.float32),
        receiver=np.concatenate(receiver).astype(np.float32),
        object=np.concatenate(thing).astype(np.float32),
        joints=np.array(NAMES),
        fps=np.array(30),
    )
    return path


def assembly(
    path: Path, lengths: tuple[int, ...] = (200, 150), missing: int = 0, camera: bool = False
) -> Path:
    """Write recordings of one person without neck and hip, in another order of joints.

    Of a ``camera``, that looks along y, they are in its axes: x right, y down, z away from it.
    """
    order = ("left_wrist", "right_wrist", "left_elbow", "right_elbow", "left_shoulder",
             "right_shoulder")  # fmt: skip
    columns = [NAMES.index(name) for name in order]
    data = np.concatenate([body(length, 50 + n)[:, columns] for n, length in enumerate(lengths)])
    if camera:
        data = data[..., [0, 2, 1]] * (1, -1, 1)
    data[60 : 60 + missing, 2] = np.nan
    np.savez(
        path,
        names=np.array([f"t{n}" for n in range(len(lengths))]),
        lengths=np.array(lengths),
        positions=data,
        joints=np.array(order),
    )
    return path
