"""Compound orders, of which no clause may be lost without a word.

Two or three clauses are joined at random: orders that a system knows, orders of things and of verbs
that it does not know, and orders under a condition. Each is said at the beginning of a run of its
own, in which the rules decide. A clause is lost if the words that mark it stand neither in what is
given, proposed, dropped or done then, nor in what is said, and what is said is not about all of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from experiments.mosaic.readings import home_of
from treec.files.library import Library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

JOINS = (" and then ", " and ", ", ", ". ", ", then ", "; ", " and also ", ", and ", ". Also ")
CLAUSES: Mapping[str, Mapping[str, str]] = {
    "mosaic": {
        "get the pepper": "pepper",
        "fetch the ranch sauce": "ranch",
        "R1 should stir the bowl": "stir",
        "bring the salt": "salt",
        "R2, bring me the tomatoes": "tomato",
        "get the croutons": "croutons",
        "fetch the golden crown": "crown",
        "R2, get the unicorn": "unicorn",
        "polish the chandelier": "chandelier",
        "wipe the table": "wipe",
        "R1, dance a waltz": "waltz",
        "water the plants": "plants",
        "feed the cat": "cat",
        "the onions": "onions",
        "if the timer rings, get the yoghurt": "yoghurt",
        "put the lettuce into the bowl": "lettuce",
        "switch off the radio": "radio",
    },
    "warehouse": {
        "fetch crate 17": "17",
        "Hauler, bring crate 40": "40",
        "Scout, inspect crate 12": "12",
        "scan crate 31": "31",
        "fetch crate 99": "99",
        "Hauler, get the ladder": "ladder",
        "inspect the roof": "roof",
        "sweep the floor": "sweep",
        "open the gate": "gate",
        "Scout, sing a song": "song",
        "lock the office": "office",
        "Hauler should charge": "charge",
        "crate 40": "40",
        "if the truck comes, fetch crate 12": "12",
        "call the driver": "driver",
        "count the pallets": "pallets",
    },
}
"""System → what is ordered, and a word that marks it."""
BEGINNINGS = {"mosaic": "Let's make Caesar Salad", "warehouse": "Start the morning orders."}
UNHEARD = ("Sorry, I did not get that", "did not get: ")


@dataclass(frozen=True)
class CompoundOrder:
    """An order of several clauses, what was said to it, and the clauses that were lost."""

    system: str
    words: str
    replies: Sequence[str]
    lost: Sequence[str]

    def __str__(self) -> str:
        return f"{self.words!r} → {' '.join(self.replies)!r}: lost {', '.join(self.lost)}"


def give_orders(library: Library, seed: int = 0, n: int = 100) -> Iterator[CompoundOrder]:
    """Give random compound orders, by turns to each system."""
    rng = random.Random(f"compound orders {seed}")
    views = {system: home_of(library, system) for system in CLAUSES}
    for number in range(n):
        system = list(CLAUSES)[number % len(CLAUSES)]
        pool = CLAUSES[system]
        marks: dict[str, str] = {}
        for clause in rng.sample(list(pool), rng.choice((2, 2, 3))):
            if pool[clause] not in marks.values():
                marks[clause] = pool[clause]
        words = next(iter(marks))
        for clause in [*marks][1:]:
            join = rng.choice(JOINS)
            words += join + (clause[0].upper() + clause[1:] if join == ". " else clause)
        yield give_order(views[system], system, words[0].upper() + words[1:], marks)


def give_order(view: View, system: str, words: str, marks: Mapping[str, str]) -> CompoundOrder:
    """Say words in a run of their own; ``marks`` are its clauses, each with its mark."""
    clock, journal = VirtualClock(), Journal.in_memory()
    run = Run(view, clock, journal, RunSpec(chat=True))
    run.say(BEGINNINGS[system])
    run.loop.run(deadline=clock.now() + 1)
    said, open_ = len(run.team.chat), {p.id for p in run.team.now.open}
    before = {s.id: (s.status, str(s.agent)) for s in run.team.subtasks}
    run.say(words)
    run.loop.run(deadline=clock.now() + 2)
    replies = [line.text for line in run.team.chat[said:] if line.who == "assistant"]
    text = " ".join(replies)
    done = " ".join(
        [
            *(s.words for s in run.team.subtasks if before.get(s.id) != (s.status, str(s.agent))),
            *(p.subtask.words for p in run.team.now.open if p.id not in open_),
        ]
    )
    whole = text.startswith(UNHEARD[0])
    lost = [c for c, mark in marks.items() if not whole and mark not in (done + text).lower()]
    return CompoundOrder(system, words, replies, lost)
