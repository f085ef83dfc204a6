"""Poses of all links of an articulation for many configurations at once.

Links are grouped by what moves them: a *mover* is the root, or a link with a movable joint of its
own; every other link is fixed to a mover. So a few products per joint place all links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treec_sapien.motion.frames import Array, Index, inverse, matrix

Mask = npt.NDArray[np.bool_]


class Tree:
    """The movers of an articulation, parents first; joints in the order of its qpos."""

    def __init__(self, articulation: Any) -> None:
        joints = {joint.name: at for at, joint in enumerate(articulation.active_joints)}
        self.mover: dict[str, int] = {}
        """Link → its mover."""
        self.offset: dict[str, Array] = {}
        """Link → its pose on its mover (4, 4)."""
        self._parent, self._joint = [-1], [-1]
        self._before = [np.eye(4)]
        self._slides = [False]
        self.upstream: list[frozenset[int]] = [frozenset()]
        """Mover → the joints that move it."""
        todo = [link for link in articulation.links if link.parent is None]
        self.mover[todo[0].name], self.offset[todo[0].name] = 0, np.eye(4)
        while todo:
            parent = todo.pop(0)
            for link in parent.children:
                self._add(link, parent.name, joints)
                todo.append(link)
        self._parents = np.array(self._parent, dtype=np.intp)

    def _add(self, link: Any, parent: str, joints: dict[str, int]) -> None:
        joint = link.joint
        on, at = self.mover[parent], self.offset[parent] @ matrix(joint.pose_in_parent)
        after = inverse(matrix(joint.pose_in_child))
        if not joint.dof:
            self.mover[link.name], self.offset[link.name] = on, at @ after
            return
        self.mover[link.name], self.offset[link.name] = len(self._parent), after
        number = joints[joint.name]
        self._parent.append(on)
        self._joint.append(number)
        self._before.append(at)
        self._slides.append(joint.type.startswith("prismatic"))
        self.upstream.append(self.upstream[on] | {number})

    def __len__(self) -> int:
        """The number of movers."""
        return len(self._parent)

    def moved_by(self, joints: Index) -> Mask:
        """Return which movers any of these joints moves."""
        chosen = {int(joint) for joint in joints}
        return np.array([bool(chosen & own) for own in self.upstream])

    def poses(self, q: Array, root: Array) -> Array:
        """Return the movers' poses (n, movers, 4, 4) for rows of qpos (n, joints)."""
        return self.again(q, np.broadcast_to(root, (len(self), 4, 4)), np.ones(len(self), bool))

    def again(self, q: Array, known: Array, moved: Mask) -> Array:
        """Recompute only the movers in ``moved``; ``known`` (movers, 4, 4) are the others.

        The root's known pose is kept.
        """
        out = np.repeat(known[None], len(q), axis=0)
        cosine, sine = np.cos(q), np.sin(q)
        for i in range(1, len(self)):
            if not moved[i]:
                continue
            joint, at = self._joint[i], out[:, self._parents[i]] @ self._before[i]
            if self._slides[i]:
                at[:, :3, 3] += at[:, :3, 0] * q[:, joint, None]
                out[:, i] = at
                continue
            c, s = cosine[:, joint, None], sine[:, joint, None]
            out[:, i] = at
            out[:, i, :3, 1] = at[:, :3, 1] * c + at[:, :3, 2] * s
            out[:, i, :3, 2] = at[:, :3, 2] * c - at[:, :3, 1] * s
        return out
