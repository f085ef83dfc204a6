"""Forward kinematics of one arm, for many configurations at once.

mplib's own is one configuration a call; choosing a grasp, a base pose and an arm's bend together
means some thousand of them, so that they are computed as numpy batches here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from envs.sapien.motion.frames import Array, Index, inverse, matrix


class Chain:
    """The joints between a robot's root and one link, and where that link is.

    ``names`` are the movable joints from the root out, ``low`` and ``high`` their limits (n,).
    Poses are in the scene's frame: the root stands where ``root`` (4, 4) says.
    """

    def __init__(self, articulation: Any, link: str, root: Array) -> None:
        steps: list[tuple[str, str, Array, Array, tuple[float, float]]] = []
        at = articulation.find_link_by_name(link)
        while at.parent is not None:
            joint = at.joint
            limits = (0.0, 0.0)
            if joint.dof:
                low, high = np.asarray(joint.limits, dtype=float)[0]
                limits = (float(low), float(high))
            kind = "fixed" if not joint.dof else joint.type.split("_")[0]
            steps.append(
                (
                    joint.name,
                    kind,
                    matrix(joint.pose_in_parent),
                    inverse(matrix(joint.pose_in_child)),
                    limits,
                )
            )
            at = at.parent
        self.root = np.array(root, dtype=float)
        self.names: list[str] = []
        self._before: list[Array] = []
        self._slides: list[bool] = []
        low_, high_ = [], []
        fixed = np.eye(4)
        for name, kind, before, after, limits in reversed(steps):
            fixed = fixed @ before
            if kind == "fixed":
                fixed = fixed @ after
                continue
            self.names.append(name)
            self._before.append(fixed)
            self._slides.append(kind == "prismatic")
            low_.append(limits[0])
            high_.append(limits[1])
            fixed = after
        self._tool = fixed
        self.low = np.array(low_)
        self.high = np.array(high_)

    def __len__(self) -> int:
        """How many joints move it."""
        return len(self.names)

    def where(self, names: Sequence[str]) -> Index:
        """Where these joints stand among the chain's."""
        return np.array([self.names.index(name) for name in names], dtype=np.intp)

    def poses(self, q: Array) -> Array:
        """The link's poses (n, 4, 4) for configurations (n, joints), or one for one."""
        single = q.ndim == 1
        turn, place, _ = self._walk(np.atleast_2d(q), jacobian=False)
        out = np.zeros((len(place), 4, 4))
        out[:, :3, :3], out[:, :3, 3], out[:, 3, 3] = turn, place, 1.0
        return out[0] if single else out

    def poses_and_jacobians(self, q: Array) -> tuple[Array, Array]:
        """Poses (n, 4, 4) and Jacobians (n, 6, joints): shift, then rotation."""
        turn, place, parts = self._walk(q, jacobian=True)
        out = np.zeros((len(place), 4, 4))
        out[:, :3, :3], out[:, :3, 3], out[:, 3, 3] = turn, place, 1.0
        jacobian = np.zeros((len(q), 6, len(self)))
        for i, (axis, origin) in enumerate(parts):
            if self._slides[i]:
                jacobian[:, :3, i] = axis
            else:
                jacobian[:, :3, i] = np.cross(axis, place - origin)
                jacobian[:, 3:, i] = axis
        return out, jacobian

    def _walk(self, q: Array, jacobian: bool) -> tuple[Array, Array, list[tuple[Array, Array]]]:
        count = len(q)
        turn = np.broadcast_to(self.root[:3, :3], (count, 3, 3))
        place = np.broadcast_to(self.root[:3, 3], (count, 3))
        parts: list[tuple[Array, Array]] = []
        for i, before in enumerate(self._before):
            place = place + turn @ before[:3, 3]
            turn = turn @ before[:3, :3]
            axis = turn[:, :, 0]
            if jacobian:
                parts.append((axis, place))
            if self._slides[i]:
                place = place + axis * q[:, i, None]
            else:
                cosine, sine = np.cos(q[:, i])[:, None], np.sin(q[:, i])[:, None]
                second, third = turn[:, :, 1], turn[:, :, 2]
                turn = np.stack(
                    [axis, second * cosine + third * sine, third * cosine - second * sine], axis=2
                )
        place = place + turn @ self._tool[:3, 3]
        return turn @ self._tool[:3, :3], place, parts
