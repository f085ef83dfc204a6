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
IMPLIED: Mapping[str, tuple[str, ...]] = dict.fromkeys(
    ("ee_pos", "ee_both", "obj_grasped", "closeness", "refused"), (HAND,)
)
"""The primitives that are of the hand without naming it."""
NUMBERS = ("share",)
"""The arguments that are numbers from 0 to 1."""
HIGHEST: Mapping[str, float] = {"closeness": 0.0, "refused": 0.0, "blocked": 0.0, "touched": 0.0}
"""The highest value of the primitives for which it is not 1."""
REWARDS = (
    "close",
    "cut",
    "grasp",
    "open",
    "pour",
    "put_into",
    "put_onto",
    "put_pot_into_sink",
    "put_pot_onto_stove",
    "reach",
    "reach_without_touch",
    "switch_off",
    "switch_on",
)
"""The rewards that treec brings, which every learning file may name."""
STARTS = ("easy", "realistic", "recovery", "obstacle")
"""The starts of the pantry's episodes: those of MOSAIC's Table 4."""
HAND_STARTS = ("handle", "flap", "drawer", "lever", "knob", "button", "thing", "place")
"""The kinds of targets of a hand (`learning/treec_learning/hand/starts.yaml`)."""
ABOUT: Mapping[str, str] = {
    "obj_dis": "Move an object close to another one.",
    "obj_horizon": "Hold an object level.",
    "obj_grasped": "Grasp an object.",
    "obj_in_obj": "Put an object into another one.",
    "obj_on_obj": "Put an object onto another one.",
    "obj_above": "Bring an object over another one.",
    "joint_qpos": "Move a joint to a share of its travel: 1 is open or on, 0 shut or off.",
    "ee_pos": "Move the hand to an object.",
    "ee_both": "Move both hands to an object.",
    "ee_height": "Keep both hands at one height.",
    "obj_cut": "Cut an object with a knife.",
    "obj_pour": "Pour what is in an object into another one.",
    "closeness": "Minus the cost of the hand's distance from an object (MOSAIC, equation 1).",
    "refused": "Minus the distance from an object, for an action that was not executed.",
    "blocked": "Minus 1 for an action that was not executed.",
    "touched": "Minus 1 for an action that touches what is not to be touched.",
}
"""Primitive → what it rewards, in a sentence."""


def start_shares(given: Mapping[str, float] | None) -> dict[str, float]:
    """Return the shares of starts that episodes in a pantry are drawn from; by default alike."""
    return dict(given or dict.fromkeys(STARTS, 1.0))
