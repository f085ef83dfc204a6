"""Who uses which planner, in which order, with which recipe: random, balanced and seeded."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from experiments.mosaic.study.files import StudyFile
from treec.files.fields import Model


class StudySession(Model):
    """One conversation of a participant. ``participant`` and ``number`` count from 1."""

    participant: int
    number: int
    planner: str
    system: str
    recipe: str

    @property
    def folder(self) -> str:
        """The name of its folder, which does not say which planner it is."""
        return f"p{self.participant:02}-{self.number}"


def balanced_orders(number: int) -> list[tuple[int, ...]]:
    """Orders of ``number`` planners in which each is equally often at each place and after each.

    A Latin square balanced for the first carry-over (Williams, Australian Journal of Scientific
    Research A 2, 1949): ``number`` orders, or twice as many if it is odd.
    """
    first = [0]
    for step in range(1, number):
        first.append((first[-1] + (step if step % 2 else -step)) % number)
    rows = [tuple((place + row) % number for place in first) for row in range(number)]
    return rows if number % 2 == 0 or number == 1 else [*rows, *(row[::-1] for row in rows)]


def assign(study: StudyFile) -> list[StudySession]:
    """The sessions of all participants, in order.

    Of any number of first participants, no order and no recipe has been assigned more than once
    more often than another; where several are due, the seed chooses. More participants therefore
    leave the assignments of the earlier ones as they are.
    """
    labels = list(study.planners)
    orders: Sequence[tuple[int, ...]]
    if study.design == "within":
        orders = balanced_orders(len(labels))
    else:
        orders = [(index,) for index in range(len(labels))]
    rng = random.Random(f"study {study.seed}")
    by_order: Counter[tuple[int, ...]] = Counter()
    by_recipe: Counter[str] = Counter()
    pairs: Counter[tuple[tuple[int, ...], str]] = Counter()
    sessions = []
    for participant in range(1, study.participants + 1):
        _, _, order = min((by_order[one], rng.random(), one) for one in orders)
        _, _, _, recipe = min(
            (by_recipe[one], pairs[order, one], rng.random(), one) for one in study.recipes
        )
        by_order[order] += 1
        by_recipe[recipe] += 1
        pairs[order, recipe] += 1
        for number, index in enumerate(order, 1):
            label = labels[index]
            sessions.append(
                StudySession(
                    participant=participant,
                    number=number,
                    planner=label,
                    system=study.planners[label],
                    recipe=recipe,
                )
            )
    return sessions
