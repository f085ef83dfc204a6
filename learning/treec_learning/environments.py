"""Importing this registers treec's environments with gymnasium.

``gymnasium.make("treec_learning.environments:treec/StretchPantry-v0")`` does both;
``gymnasium.make_vec(NAME, num_envs=64)`` steps 64 episodes in one batch where that is without
physics.
"""

from __future__ import annotations

import gymnasium

from treec_learning.files import HAND_AT_TARGET

STRETCH_PANTRY = "treec/StretchPantry-v0"
"""The name of :class:`treec_learning.pantry.environment.StretchPantry`."""
STRETCH_PANTRY_PHYSICS = "treec/StretchPantryPhysics-v0"
"""That of :class:`treec_learning.sapien.environment.StretchPantryPhysics`; needs `sapien`, too."""
SUBTASK = "treec/Subtask-v0"
"""That of :class:`treec_learning.sapien.subtask.Subtask`, likewise."""

_ENTRY_POINTS = {
    HAND_AT_TARGET: "treec_learning.hand.environment:HandAtTarget",
    SUBTASK: "treec_learning.sapien.subtask:SubtaskEnvironment",
    STRETCH_PANTRY: "treec_learning.pantry.environment:StretchPantry",
    STRETCH_PANTRY_PHYSICS: "treec_learning.sapien.environment:StretchPantryPhysics",
}

_TOGETHER = {
    HAND_AT_TARGET: "treec_learning.gymnasium_vector:hands",
    STRETCH_PANTRY: "treec_learning.gymnasium_vector:pantries",
}

for _name, _target in _ENTRY_POINTS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(id=_name, entry_point=_target, vector_entry_point=_TOGETHER.get(_name))
