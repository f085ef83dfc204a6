"""A reward file at work: terms of two hands, normalised, with what success adds.

DAG-Plan, appendix A.3: each hand's terms are normalised to 1; the first time that a hand's
conditions hold adds 30, and all conditions together 150 minus the steps so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_learning.files import RewardFile, TermSpec
from treec_learning.primitives import PRIMITIVES, Number, RewardState, Start

SIDES = ("right", "left")
"""The hands that a reward file speaks of."""


@dataclass(frozen=True)
class RewardResult:
    """A step's reward and whether all conditions hold; numbers, or arrays of one for each."""

    value: Number
    success: Number


class Reward:
    """A reward file bound to things; ``names`` gives a thing for each of its arguments.

    ``sides`` are the hands that there are. Raises ValueError for an argument that is bound to
    nothing, and for terms of a hand that is not there.
    """

    def __init__(
        self, file: RewardFile, names: Mapping[str, str], sides: Sequence[str] = SIDES
    ) -> None:
        missing = [name for name in file.args if name not in names]
        if missing:
            raise ValueError(f"reward {file.reward}: '{missing[0]}' is not bound")
        absent = [side for side in SIDES if getattr(file, side) and side not in sides]
        if absent:
            raise ValueError(f"reward {file.reward} is of a {absent[0]} hand, which is missing")
        self.file = file
        self._names = dict(names)
        self._initial: dict[tuple[str, str, str], Number] = {}
        self._done_once: dict[str, Number] = {}

    def begin(self, states: Mapping[str, RewardState], at: Any = slice(None)) -> None:
        """Begin an episode, or those at some places of an array; ``states`` are by hand."""
        for side, term in self._terms():
            for one, other in PRIMITIVES[term.primitive].distances(*self._of(term)):
                now = np.maximum(np.atleast_1d(states[side].distance(one, other)), 1e-6)
                kept = self._initial.setdefault((side, one, other), now.copy())
                kept[at] = now[at]
        for side in SIDES:
            if side in self._done_once:
                self._done_once[side][at] = 0.0

    def __call__(self, states: Mapping[str, RewardState], steps: npt.ArrayLike) -> RewardResult:
        """Return the reward of a step; ``steps`` have been taken in the episode."""
        value, every = np.zeros(1), np.ones(1)
        for side in SIDES:
            terms = [term for of, term in self._terms() if of == side]
            if not terms:
                continue
            values = [self._value(side, term, states[side]) for term in terms]
            whole = sum(term.weight for term in terms) if self.file.normalised else 1.0
            value = value + sum(t.weight * v for t, v in zip(terms, values, strict=True)) / whole
            held = np.ones(1)
            for term, one in zip(terms, values, strict=True):
                if term.success is not None:
                    held = held * (one >= term.success - 1e-9)
            if any(term.success is not None for term in terms):
                before = self._done_once.setdefault(side, np.zeros_like(held))
                value = value + self.file.first_time * held * (1.0 - before)
                np.maximum(before, held, out=before)
            every = every * held
        value = value + every * (self.file.at_success - self.file.minus_steps * np.asarray(steps))
        return RewardResult(value, every)

    def _terms(self) -> list[tuple[str, TermSpec]]:
        sides = ((side, getattr(self.file, side)) for side in SIDES)
        return [(side, term) for side, terms in sides for term in terms]

    def _of(self, term: TermSpec) -> list[Any]:
        return [self._names.get(one, one) if isinstance(one, str) else one for one in term.of]

    def _value(self, side: str, term: TermSpec, state: RewardState) -> Number:
        start = Start(state, lambda one, other: self._initial[side, one, other])
        return np.atleast_1d(PRIMITIVES[term.primitive].value(start, *self._of(term)))
