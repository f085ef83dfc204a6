"""Pictures of random homes with what they show: the training's data, made by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from experiments.helper.eyes.homes import random_home, stand_before
from treec_household.embodied.bodies import kind_of, kinds
from treec_household.embodied.look import STATES, crops_of, inputs_of, square_around
from treec_household.embodied.simulator import Simulator
from treec_household.embodied.true_masks import LEAST

CLASSES = ("", *kinds())
"""Class numbers of the network; 0 is no thing."""
PER_HOME = 10
CROPS = 4
"""Crops of one picture, at most."""
Ints = npt.NDArray[np.int64]


def types_of(domain: str) -> dict[str, Mapping[str, Any]]:
    """What things of each class of a domain's file afford."""
    read = yaml.safe_load(Path(domain).read_text("utf-8"))
    return {name: row.get("has", {}) for name, row in read["types"].items()}


def examples(
    seeds: range, types: Mapping[str, Mapping[str, Any]], error: float
) -> Iterator[dict[str, Any]]:
    """Pictures: inputs (120, 120, 5), classes, middles, crops and their states, as arrays."""
    for seed in seeds:
        sim = random_home(seed, types)
        rng = random.Random(f"pictures {seed}")
        noise = np.random.default_rng(seed)
        names = [n for n in sim.home.state.kinds if sim.home.pose(n) is not None]
        for number in range(PER_HOME):
            name = rng.choice(names)
            near = (0.4, 1.4) if number % 3 else (1.0, 3.0)
            if stand_before(sim, name, rng, near):
                yield _example(sim, rng, noise, error if number % 2 else 0.0)


def _example(
    sim: Simulator, rng: random.Random, noise: np.random.Generator, error: float
) -> dict[str, Any]:
    home, state = sim.home, sim.home.state
    view, camera = home.view(), sim.camera()
    image = view.rays.picture(camera, view.poses, smooth=False)
    assert image.rgb is not None
    depth = np.where(np.isfinite(image.depth), image.depth, 0.0).astype(np.float64)
    share = error * noise.uniform(0, 1) * np.sqrt(0.5)
    seen = depth * np.maximum(1 + noise.normal(0, share) + noise.normal(0, share, depth.shape), 0.1)
    points, turn = camera.points(depth.astype(np.float32)), sim.quarter * np.pi / 2
    classes = np.zeros(image.ids.shape, np.uint8)
    middles = np.zeros((*image.ids.shape, 3), np.float16)
    crops: list[tuple[Any, int, list[int]]] = []
    numbers, counts = np.unique(image.ids, return_counts=True)
    order = list(zip(numbers.tolist(), counts.tolist(), strict=True))
    rng.shuffle(order)
    for number, count in order:
        name = image.names.get(number, "")
        pose = home.pose(name) if name in state.kinds else None
        if pose is None or count < LEAST:
            continue
        kind = kind_of(state.kinds[name], fixed=name in home.fixtures)
        classes[image.ids == number] = CLASSES.index(state.kinds[name])
        middle = np.array(pose.apply((0.0, 0.0, kind.size[2] / 2)))
        mask = image.ids == number
        off = middle - points[mask]
        c, s = np.cos(turn), np.sin(turn)
        ahead = np.stack([off @ (c, s, 0), off @ (-s, c, 0), off[:, 2]], 1)
        middles[mask] = ahead
        wanted = [
            _state_of(state, name, fact) if state.get(afford, name) else -1
            for fact, afford in STATES.items()
        ]
        if max(wanted) >= 0 and len(crops) < CROPS and count >= 6:
            box = square_around(mask)
            crops.append((crops_of(sim, [box])[0], CLASSES.index(state.kinds[name]), wanted))
    return {
        "inputs": inputs_of(image.rgb, seen, camera).astype(np.float16),
        "classes": classes,
        "middles": middles,
        "crops": np.array([c for c, _, _ in crops], np.uint8).reshape(-1, 24, 24, 3),
        "crop_classes": np.array([c for _, c, _ in crops], np.uint8),
        "states": np.array([c for _, _, c in crops], np.int8).reshape(-1, len(STATES)),
    }


def _state_of(state: Any, name: str, fact: str) -> int:
    if fact in ("water", "coffee"):
        return int(state.get("filled", name) == fact)
    return int(bool(state.get(fact, name)))
