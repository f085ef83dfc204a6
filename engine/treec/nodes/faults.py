"""The planned failures of skills: which orders fail, by the faults of a run and its seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from treec.nodes.worker import FaultHit
from treec.program.faults import Fault
from treec.source.objects import name_of


class FaultPlan:
    """Decides for each order, when it starts, whether it will fail.

    The same seed and orders give the same faults in every process. Each fault has its own random
    generator, used only for orders that it matches, so that adding a fault at the end of a scenario
    does not affect the others. A resumed run repeats its earlier orders to restore this state.
    """

    def __init__(self, faults: Sequence[Fault], seed: int) -> None:
        self._seed = seed
        self._faults: list[Fault] = []
        self._hits: list[int] = []
        self._random: list[random.Random] = []
        for fault in faults:
            self.add(fault)

    def add(self, fault: Fault) -> None:
        """Plan another fault of a skill, after those that there are."""
        index = len(self._faults)
        self._faults.append(fault)
        self._hits.append(0)
        self._random.append(random.Random(f"fault {index} of {fault.name}, seed {self._seed}"))

    def drop(self, skill: str) -> None:
        """Take back what is planned of a skill and has not hit."""
        self._faults = [replace(it, times=0) if it.name == skill else it for it in self._faults]

    @property
    def waiting(self) -> tuple[str, ...]:
        """The skills of which a call may fail still."""
        pairs = zip(self._faults, self._hits, strict=True)
        return tuple({it.name: 0 for it, hits in pairs if it.times is None or hits < it.times})

    def hit(self, skill: str, args: Mapping[str, object]) -> FaultHit | None:
        """Return the first failure, in order, that hits this order, or None."""
        found = self._first("fail", skill, args)
        return None if found is None else FaultHit(found.reason, found.at)

    def takes(self, skill: str, args: Mapping[str, object], by_file: float) -> float:
        """How long this order takes, in seconds."""
        found = self._first("take", skill, args)
        return by_file if found is None or found.takes is None else found.takes

    def _first(self, word: str, skill: str, args: Mapping[str, object]) -> Fault | None:
        """The first fault that hits this order, or None.

        A fault matches any value of an argument that it does not name. `times` limits its hits;
        faults after the first hit draw no random number.
        """
        for index, fault in enumerate(self._faults):
            if fault.word != word or fault.name != skill or not _matches(fault.args, args):
                continue
            if fault.times is not None and self._hits[index] >= fault.times:
                continue
            if fault.chance < 1 and self._random[index].random() >= fault.chance:
                continue
            self._hits[index] += 1
            return fault
        return None


def _matches(expected: Mapping[str, object], given: Mapping[str, object]) -> bool:
    return all(name in given and _same(value, given[name]) for name, value in expected.items())


def _same(expected: object, given: object) -> bool:
    """Compare a value from a file with an argument; things are compared by name."""
    name = name_of(given)
    if name is not None:
        return expected == name
    return expected == given and isinstance(expected, bool) == isinstance(given, bool)
