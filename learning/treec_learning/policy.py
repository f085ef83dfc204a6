"""Policies as small files, and their actions without torch or stable-baselines3.

A policy is one .npz: the layers of a network with tanh between them, and as JSON what made it (the
learning file, command, data of the training, machine). It gives the logits of the actions, or,
where an action is a row of numbers, that row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec.arrays import read_arrays
from treec.atomic import atomic_writer
from treec_learning.hand import simulator as hand
from treec_learning.pantry.simulator import ACTIONS, SIZES

Floats = npt.NDArray[np.float32]
SHAPES = {
    **{name: (size, len(ACTIONS)) for name, size in SIZES.items()},
    "target": (hand.SEEN, hand.ACTIONS),
}
"""Observation → the lengths of what a policy sees and gives."""
POLICY = "policy.npz"
"""Name of a policy's file in its folder."""


class PolicyError(ValueError):
    """A policy that cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Policy:
    """A network from an observation (n, size) to logits (n, actions)."""

    layers: Sequence[tuple[Floats, Floats]]
    """Weights (in, out) and biases (out,)."""
    made: Mapping[str, Any]
    """What made it."""

    def logits(self, seen: Floats) -> Floats:
        """Return the logits (n, actions)."""
        for index, (weight, bias) in enumerate(self.layers):
            seen = seen @ weight + bias
            if index < len(self.layers) - 1:
                seen = np.tanh(seen)
        return seen

    def motions(self, seen: Floats) -> Floats:
        """Return the most likely actions (n, numbers) of a policy whose actions are numbers."""
        return np.asarray(np.clip(self.logits(seen), -1.0, 1.0))

    def act(self, seen: Floats) -> npt.NDArray[np.int64]:
        """Return the likeliest actions (n,)."""
        return np.asarray(self.logits(seen).argmax(axis=1))

    @property
    def is_of_hands(self) -> bool:
        """Whether it moves a hand at its target, and not an arm in the pantry."""
        return self.observation == "target"

    @property
    def observation(self) -> str:
        """The observation that it was made for."""
        return str(self.made["learning"]["observation"])


def save_policy(path: Path, policy: Policy) -> None:
    """Write a policy; the file is there as a whole or not at all."""
    arrays: dict[str, Any] = {"made": np.array(json.dumps(policy.made, sort_keys=True))}
    for index, (weight, bias) in enumerate(policy.layers):
        arrays[f"weight{index}"], arrays[f"bias{index}"] = weight, bias
    with atomic_writer(path) as file:
        np.savez(file, **arrays)


def load_policy(path: Path) -> Policy:
    """Read a policy. Raises PolicyError for data that are not a policy."""
    try:
        file = read_arrays(path)
        made = json.loads(str(file["made"]))
        count = sum(name.startswith("weight") for name in file)
        layers = [(file[f"weight{n}"], file[f"bias{n}"]) for n in range(count)]
    except FileNotFoundError:
        raise PolicyError(f"no policy in {path}") from None
    except (OSError, ValueError, KeyError) as error:
        raise PolicyError(f"{path} is not a policy: {error}") from None
    sizes = [weight.shape for weight, bias in layers if weight.ndim == 2 == bias.ndim + 1]
    fits = len(sizes) == len(layers) > 0 and all(a[1] == b[0] for a, b in pairwise(sizes))
    if not fits:
        raise PolicyError(f"{path} is not a policy: its layers do not fit together")
    learning = made.get("learning", {}) if isinstance(made, dict) else {}
    if SHAPES.get(str(learning.get("observation"))) != (sizes[0][0], sizes[-1][1]):
        raise PolicyError(f"{path} is not a policy: it does not say what it sees")
    return Policy(layers, made)
