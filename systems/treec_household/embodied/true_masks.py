"""Eyes that are told everything: the true masks, and the true states of what they show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treec_household.embodied.memory import Detection
from treec_household.embodied.simulator import Simulator
from treec_household.state import HouseholdState
from treec_sapien.view.camera import Floats
from treec_sapien.view.depth_image import DepthImage

LEAST = 2
"""Pixels that are read of a thing for it to be seen."""
ATTRIBUTES = ("opened", "running", "dirty", "filled", "sliced", "cooked", "boiled")
_BESIDE = 0.25
"""Metres between a thing and what is seen below it, up to which it stands on that."""


class TrueMasks:
    """The segmentation of the simulator, as AI2-THOR gives it: names, not only classes."""

    def picture(self, simulator: Simulator) -> DepthImage:
        """Take a picture, without its colours."""
        return simulator.look()

    def detect(self, simulator: Simulator, image: DepthImage, depth: Floats) -> list[Detection]:
        """One detection for each thing that is in sight."""
        state = simulator.home.state
        numbers, counts = np.unique(image.ids, return_counts=True)
        found: list[Detection] = []
        things: list[int] = []
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            name = image.names.get(number, "")
            if name == "ground" and simulator.home.floor:
                name = min(simulator.home.floor)
            if name in state.kinds and count >= LEAST:
                mask = np.asarray(image.ids == number)
                shown = attributes_of(state, name)
                likely = {fact: float(bool(value)) for fact, value in shown.items()}
                found.append(
                    Detection(state.kinds[name], mask, 1.0, name, None, shown, None, likely)
                )
                things.append(number)
        return with_supports(found, depth)


def attributes_of(state: HouseholdState, name: str) -> dict[str, object]:
    """The state of a thing that can be seen."""
    return {fact: state.get(fact, name) for fact in ATTRIBUTES}


def with_supports(found: list[Detection], depth: Floats) -> list[Detection]:
    """Say of each detection on which other one it stands: what is seen just below it.

    What hides its lower part is nearer to the camera, and does not count.
    """
    owner = np.full(depth.shape, -1)
    for number, one in enumerate(found):
        owner[one.mask] = number
    out = []
    for number, one in enumerate(found):
        rows, columns = one.mask.nonzero()
        lowest = np.full(depth.shape[1], -1)
        np.maximum.at(lowest, columns, rows)
        at = np.flatnonzero((lowest >= 0) & (lowest < depth.shape[0] - 1))
        below = owner[lowest[at] + 1, at]
        there = depth[lowest[at] + 1, at] - depth[lowest[at], at]
        votes = below[(below >= 0) & (below != number) & (np.abs(there) < _BESIDE)]
        support = int(np.bincount(votes).argmax()) if len(votes) else None
        out.append(replace(one, below=support))
    return out
