"""Eyes of the robot's own: a small network tells the class of each pixel, a second one states.

It votes, too, where the middle of the thing is that a pixel shows; pixels of a class whose votes
are near each other are one thing. States are read from crops of the full picture, and count where
the network is sure. Nothing of the simulator's truth is used but its colour and depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from treec_household.embodied import network
from treec_household.embodied.bodies import kind_of
from treec_household.embodied.look import STATES, crops_of, inputs_of, square_around
from treec_household.embodied.memory import Detection
from treec_household.embodied.simulator import Simulator
from treec_household.embodied.true_masks import with_supports
from treec_sapien.view.camera import Floats
from treec_sapien.view.depth_image import DepthImage

SURE = 0.6
"""Mean likelihood of its class from which a thing is seen."""
LEAST = 3
"""Pixels that are read of a thing for it to be seen."""
READ = 12
"""Pixels that are read of a thing for its states to be read, too."""
_TOGETHER = 0.45
"""Share of a thing's size within which votes for its middle are for the same thing."""
_BESIDE = 0.65
"""The same of small things, by the points that are seen of them."""
_CLOSE = 0.05
"""Metres within which they are, however small it is."""
_SMALL = 0.35
"""Metres below which the points that are seen of a thing tell better where it is than votes."""
Bools = npt.NDArray[np.bool_]


class SmallEyes:
    """Eyes (see `treec_household.embodied.robot.Eyes`); ``afford`` is what things afford, by class.

    Raises FileNotFoundError without weights.
    """

    def __init__(self, afford: Mapping[str, frozenset[str]]) -> None:
        self._afford = afford
        self._classes = [str(name) for name in network.weights_of("classes")["names"]]

    def picture(self, simulator: Simulator) -> DepthImage:
        """Take a picture with its colours."""
        view = simulator.home.view()
        return view.rays.picture(simulator.camera(), view.poses, smooth=False)

    def detect(self, simulator: Simulator, image: DepthImage, depth: Floats) -> list[Detection]:
        """The things in the present picture, and what can be seen of their states."""
        assert image.rgb is not None
        camera = simulator.upright_camera()
        points = camera.points(depth.astype(np.float32))
        logits, off = network.see(inputs_of(image.rgb, depth, camera))
        logits -= logits.max(axis=-1, keepdims=True)
        share = np.exp(logits)
        share /= share.sum(axis=-1, keepdims=True)
        best = share.argmax(axis=-1)
        likely = share.max(axis=-1)
        found: list[Detection] = []
        numbers: list[int] = []
        for number in np.unique(best).tolist():
            kind = self._classes[number]
            if not kind:
                continue
            where = (best == number) & (depth > 0)
            small = max(kind_of(kind).size) < _SMALL
            for mask in _instances(where, points if small else points + off, kind, small=small):
                score = float(likely[mask].mean())
                if score >= SURE and mask.sum() >= LEAST:
                    middle = None if small else np.median((points + off)[mask], axis=0)
                    found.append(Detection(kind, mask, score, middle=middle))
                    numbers.append(number)
        return with_supports(self._with_states(simulator, found, numbers), depth)

    def _with_states(
        self, simulator: Simulator, found: list[Detection], numbers: list[int]
    ) -> list[Detection]:
        """Say of detections, whose classes have numbers, what crops of the picture show."""
        read = [
            at
            for at, one in enumerate(found)
            if one.mask.sum() >= READ
            and self._afford.get(one.kind, frozenset()).intersection(STATES.values())
        ]
        if not read:
            return found
        crops = crops_of(simulator, [square_around(found[at].mask) for at in read])
        likely = network.states(crops, np.array([numbers[at] for at in read]))
        for at, shares in zip(read, likely.tolist(), strict=True):
            sure, chances = self._states(found[at].kind, shares)
            found[at] = replace(found[at], attributes=sure, likely=chances)
        return found

    def _states(self, kind: str, likely: list[float]) -> tuple[dict[str, object], dict[str, float]]:
        """The states that a crop shows for certain, and how likely each is that can be."""
        can = self._afford.get(kind, frozenset())
        certain = network.weights_of("states")["certain"].tolist()
        shown = {
            fact: bool(share > 0.5)
            for fact, share, enough in zip(STATES, likely, certain, strict=True)
            if STATES[fact] in can and max(share, 1 - share) >= enough
        }
        liquids = [shown.pop(name, None) for name in ("water", "coffee")]
        out: dict[str, object] = dict(shown)
        if any(liquids):
            out["filled"] = "water" if liquids[0] else "coffee"
        elif liquids == [False, False]:
            out["filled"] = None
        names = zip(STATES, likely, strict=True)
        return out, {fact: share for fact, share in names if STATES[fact] in can}


def _instances(where: Bools, votes: Floats, kind: str, *, small: bool) -> Iterator[Bools]:
    """The pixels of each thing: those whose votes for its middle are near each other.

    Of a ``small`` thing each pixel's own point stands for its middle.
    """
    rows, columns = where.nonzero()
    own = votes[rows, columns]
    wide, deep, high = kind_of(kind).size
    share = _BESIDE if small else _TOGETHER
    reach = (max(_CLOSE, share * max(wide, deep)), max(_CLOSE, share * high))
    left = np.arange(len(own))
    while len(left) >= LEAST:
        middle = own[left[np.argmin(np.abs(own[left] - np.median(own[left], axis=0)).sum(axis=1))]]
        near = _near(own[left], middle, reach)
        near = _near(own[left], own[left][near].mean(axis=0), reach)
        if not near.any():
            near[0] = True
        mask = np.zeros_like(where)
        mask[rows[left[near]], columns[left[near]]] = True
        yield mask
        left = left[~near]


def _near(points: Floats, middle: Floats, reach: tuple[float, float]) -> Bools:
    off = points - middle
    return np.asarray(
        (np.hypot(off[:, 0], off[:, 1]) <= reach[0]) & (np.abs(off[:, 2]) <= reach[1])
    )
