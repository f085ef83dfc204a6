"""Spread some of what the gripper holds over a thing, in SAPIEN.

Physical: what is held moves to and fro just above the thing. Declared: that some of it stays there
(nothing comes out of a packet here).
"""

from __future__ import annotations

import numpy as np

from treec_sapien.manipulation import body, carry_out, chance, held_body, in_tool
from treec_sapien.motion.frames import about, compose, inverse
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.sense.location import box
from treec_sapien.worker import Physical, PhysicalAct, Steps

CLEARANCE = 0.03
"""Clearance (m) of the motion above the thing."""

STROKES = 2
_TURNS = 12
_Z = np.array([0.0, 0.0, 1.0])


class Spread(Physical):
    """Worker of `spread`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Move the item to and fro over the base."""
        built = held_body(act, act.arg("item"))
        body(act, act.arg("base"))
        yield from carry_out(act, strokes(act, act.arg("base")), chance(act), built)


def strokes(act: PhysicalAct, base: str) -> list[ReachRow]:
    """Return strokes over half of the base's longer side, in all rotations of the hand."""
    low, high = box(act.kitchen, base)
    middle = np.array([*((low + high) / 2)[:2], high[2] + CLEARANCE])
    along = np.array([1.0, 0.0, 0.0]) if high[0] - low[0] >= high[1] - low[1] else np.eye(3)[1]
    half = along * max(0.03, float((high - low) @ along) / 4)
    tool_in_body = inverse(in_tool(act, held_body(act, act.arg("item"))))
    ends = [middle + half, middle - half] * STROKES
    out = []
    for turn in range(_TURNS):
        spin = about(_Z, 2 * np.pi * turn / _TURNS)
        keys = [compose(spin, end) @ tool_in_body for end in (middle + 0.06 * _Z, *ends)]
        out.append(through(keys, [4, *([5] * (len(ends) - 1))], name="strokes"))
    return out
