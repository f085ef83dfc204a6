"""What an environment shows and takes, as plain data, so that a policy needs numpy alone to act.

What is seen is one row of numbers: arrays flattened, counted values one-hot, the entries of a
dictionary one after the other. An action is made of the numbers that a network gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class SpacePart:
    """A part of what is seen, or an action: an array, or values that are counted."""

    key: str
    """In the dictionary of observations; empty if there is none."""
    kind: str
    """box, discrete, multi_discrete or multi_binary."""
    shape: tuple[int, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    """Of a box, flattened."""
    counts: tuple[int, ...] = ()
    """How many values each number has that is counted."""
    start: int = 0

    @property
    def size(self) -> int:
        """How many numbers of a network it is."""
        return sum(self.counts) if self.counts else int(np.prod(self.shape))


@dataclass(frozen=True)
class Spaces:
    """The parts of what is seen, and the action."""

    seen: tuple[SpacePart, ...]
    action: SpacePart

    @property
    def sizes(self) -> tuple[int, int]:
        """Of a network: how many numbers it is given, and how many it gives."""
        return sum(part.size for part in self.seen), self.action.size

    def flat(self, observation: Any) -> Floats:
        """Return an observation as a row (size,).

        Raises ValueError if it is of another shape, or has what it cannot have.
        """
        rows = []
        for part in self.seen:
            value = np.asarray(observation[part.key] if part.key else observation)
            what = f"observation '{part.key}'" if part.key else "observation"
            if value.shape != part.shape:
                raise ValueError(f"the {what} has the shape {value.shape}, not {part.shape}")
            values = value.ravel()
            if part.counts:
                values = values - part.start
                right = (values >= 0) & (values < np.array(part.counts))
            else:
                right = np.isfinite(values)
            if not right.all():
                raise ValueError(f"the {what} has {value.ravel()[~right][0]} in it")
            if not part.counts:
                rows.append(values)
                continue
            ones = zip(values, part.counts, strict=True)
            rows += [np.eye(count)[int(n)] for n, count in ones]
        return np.asarray(np.concatenate(rows), dtype=np.float32)

    def action_of(self, numbers: Floats, *, squash: bool) -> Any:
        """Return the action that a network's numbers (size,) stand for.

        With ``squash`` a box is filled by the hyperbolic tangent, else numbers are cut off at it.
        """
        part = self.action
        if part.kind == "box":
            low, high = np.array(part.low), np.array(part.high)
            wide = low + 0.5 * (np.tanh(numbers) + 1.0) * (high - low) if squash else numbers
            return np.clip(wide, low, high).reshape(part.shape).astype(np.float32)
        if part.kind == "multi_binary":
            return (numbers > 0).astype(np.int8).reshape(part.shape)
        ends = np.cumsum(part.counts)[:-1]
        best = [int(np.argmax(row)) + part.start for row in np.split(numbers, ends)]
        return best[0] if part.kind == "discrete" else np.array(best, dtype=np.int64)

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"seen": [_data(part) for part in self.seen], "action": _data(self.action)}


def spaces_from(data: Mapping[str, Any]) -> Spaces:
    """Return what `Spaces.data` made. Raises TypeError and KeyError."""
    return Spaces(tuple(map(_part, data["seen"])), _part(data["action"]))


def describe(observation: Any, action: Any) -> Spaces:
    """Describe two spaces of gymnasium. Raises ValueError for those that a network cannot have."""
    from gymnasium import spaces

    parts: Sequence[tuple[str, Any]] = [("", observation)]
    if isinstance(observation, spaces.Dict):
        parts = list(observation.spaces.items())
    seen = tuple(
        _described(key, space, f"observation '{key}'" if key else "observation")
        for key, space in parts
    )
    return Spaces(seen, _described("", action, "action"))


def _described(key: str, space: Any, what: str) -> SpacePart:
    from gymnasium import spaces

    if isinstance(space, spaces.Box):
        if len(space.shape) > 2:
            raise ValueError(f"its {what} is a picture or larger, {space.shape}: use numbers")
        low, high = (tuple(map(float, end.ravel())) for end in (space.low, space.high))
        return SpacePart(key, "box", space.shape, low, high)
    if isinstance(space, spaces.Discrete):
        return SpacePart(key, "discrete", (), counts=(int(space.n),), start=int(space.start))
    if isinstance(space, spaces.MultiDiscrete) and not np.any(space.start):
        counts = tuple(map(int, space.nvec.ravel()))
        return SpacePart(key, "multi_discrete", space.shape, counts=counts)
    if isinstance(space, spaces.MultiBinary):
        return SpacePart(key, "multi_binary", space.shape)
    raise ValueError(
        f"its {what} is {space}: use a Box, a Discrete, or for observations a Dict of them"
    )


def _data(part: SpacePart) -> dict[str, Any]:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in vars(part).items()}


def _part(data: Mapping[str, Any]) -> SpacePart:
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return SpacePart(**given)
