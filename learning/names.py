"""The names that reward files use, without the code behind them (and so without numpy)."""

from __future__ import annotations

from collections.abc import Mapping

HAND, OTHER_HAND = "hand", "other_hand"
"""Names in a reward file for the hand whose reward it is, and the other one."""
HANDS = (HAND, OTHER_HAND)

ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "obj_dis": ("object", "target"),
    "obj_horizon": ("object",),
    "obj_grasped": ("target",),
    "obj_in_obj": ("object", "target"),
    "obj_on_obj": ("object", "target"),
    "obj_above": ("object", "target"),
    "joint_qpos": ("object", "share"),
    "ee_pos": ("target",),
    "ee_both": ("target",),
    "ee_height": (),
    "obj_cut": ("knife", "target"),
    "obj_pour": ("object", "target"),
    "closeness": ("target",),
    "refused": ("target",),
    "blocked": (),
    "touched": (),
}
"""Primitive → its arguments, in order."""
NUMBERS = ("share",)
"""The arguments that are numbers from 0 to 1."""
MOST: Mapping[str, float] = {"closeness": 0.0, "refused": 0.0, "blocked": 0.0, "touched": 0.0}
"""The highest value of the primitives for which it is not 1."""
STARTS = ("easy", "realistic", "recovery", "obstacle")
"""The starts of the pantry's episodes: those of MOSAIC's Table 4."""
