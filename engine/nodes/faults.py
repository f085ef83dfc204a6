"""Which skills fail in a run: the scenario's faults, drawn with the run's seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from treec.files.systems import Fault
from treec.nodes.worker import FaultHit
from treec.source.objects import name_of


class FaultPlan:
    """Says of each order, when it is given, whether it will fail.

    The same seed and the same orders give the same hits, in every process. Every fault draws from
    its own generator, and only for orders it matches, so that one more fault at the end of a
    scenario does not move the others. An order that a resumed run has seen is asked about again,
    which brings the plan to where it was.
    """

    def __init__(self, faults: Sequence[Fault], seed: int) -> None:
        self._faults = tuple(faults)
        self._hits = [0] * len(self._faults)
        self._random = [
            random.Random(f"fault {index} of {fault.skill}, seed {seed}")
            for index, fault in enumerate(self._faults)
        ]

    def hit(self, skill: str, args: Mapping[str, object]) -> FaultHit | None:
        """Return the first fault, in the scenario's order, that strikes this order, or None.

        A fault without an argument takes any value of it. `times` counts strikes; a fault that
        was not reached draws nothing.
        """
        for index, fault in enumerate(self._faults):
            if fault.skill != skill or not _matches(fault.args, args):
                continue
            if fault.times is not None and self._hits[index] >= fault.times:
                continue
            if fault.chance < 1 and self._random[index].random() >= fault.chance:
                continue
            self._hits[index] += 1
            return FaultHit(fault.reason, fault.at)
        return None


def _matches(wanted: Mapping[str, object], given: Mapping[str, object]) -> bool:
    return all(name in given and _same(value, given[name]) for name, value in wanted.items())


def _same(wanted: object, given: object) -> bool:
    """Compare a value from a file with an argument: a thing is meant by its name."""
    name = name_of(given)
    if name is not None:
        return wanted == name
    return wanted == given and isinstance(wanted, bool) == isinstance(given, bool)
