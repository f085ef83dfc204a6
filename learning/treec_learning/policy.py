"""Policies as small files, and their actions without torch or stable-baselines3.

A policy is one .npz: the layers of a network, and as JSON what made it (the learning file, command,
data of the training, machine), and what is between them. It gives the logits of the actions, or,
where an action is a row of numbers, that row. Where it was trained in an environment that is not
treec's, it describes what that shows and takes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treec.arrays import read_arrays
from treec.atomic import atomic_writer
from treec_learning.hand import simulator as hand
from treec_learning.pantry.simulator import ACTIONS, SIZES
from treec_learning.spaces import Spaces, spaces_from

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
                seen = np.maximum(seen, 0.0) if self._is_relu else np.tanh(seen)
        return seen

    def motions(self, seen: Floats) -> Floats:
        """Return the most likely actions (n, numbers) of a policy whose actions are numbers."""
        numbers = self.logits(seen)
        return np.asarray(np.tanh(numbers) if self.squashes else np.clip(numbers, -1.0, 1.0))

    def action(self, observation: Any) -> Any:
        """Return the likeliest action in an environment that is not treec's, as it takes it.

        Raises ValueError for an observation of another shape.
        """
        assert self.spaces is not None
        numbers = self.logits(self.spaces.flat(observation)[None])[0]
        return self.spaces.action_of(numbers, squash=self.squashes)

    @cached_property
    def spaces(self) -> Spaces | None:
        """What an environment that is not treec's shows and takes."""
        data = self.made.get("spaces")
        return None if data is None else spaces_from(data)

    @property
    def squashes(self) -> bool:
        """Whether the hyperbolic tangent of its last numbers fills the range of an action."""
        return bool(self.made.get("network", {}).get("squash"))

    @cached_property
    def _is_relu(self) -> bool:
        return bool(self.made.get("network", {}).get("activation") == "relu")

    def act(self, seen: Floats) -> npt.NDArray[np.int64]:
        """Return the likeliest actions (n,)."""
        return np.asarray(self.logits(seen).argmax(axis=1))

    @property
    def is_of_hands(self) -> bool:
        """Whether it moves a hand at its target, and not an arm in the pantry."""
        return self.spaces is None and self.observation == "target"

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
    policy = Policy(layers, made if isinstance(made, dict) else {})
    if _shape(policy) != (sizes[0][0], sizes[-1][1]):
        raise PolicyError(f"{path} is not a policy: it does not say what it sees")
    return policy


def _shape(policy: Policy) -> tuple[int, int] | None:
    """The lengths of what a policy says that it sees and gives."""
    try:
        if policy.spaces is not None:
            return policy.spaces.sizes
    except (TypeError, KeyError):
        return None
    return SHAPES.get(str(policy.made.get("learning", {}).get("observation")))
