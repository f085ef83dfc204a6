"""Models that insist: how long a model may answer against the rules while nothing comes of it.

A model may know better than the offline rules, so its choice is taken where they differ. But one
that is wrong in the same way again and again would keep a person waiting for ever. So a node counts
the answers in a row that differ from the rules' and from which no work came, and after `patience`
of them the rules answer where the two differ, until work comes of an answer of the model's. Words
are no work: an answer that talks, asks, or proposes changes nothing.

A model can also keep itself going: what its answer changes is what the node sees, so that it asks
again, without a word from anybody (it proposes the same again and again). After `ROUNDS` of these
the node and all nodes below it ask no model until somebody speaks or something else happens.
"""

from __future__ import annotations

from dataclasses import dataclass

from treec.nodes.events import SkillStarted
from treec.team.events import ActsRead, ActsSettled, Proposed, Said
from treec.world.events import Event, StateSet, flat
from treec.world.journal import Record

ROUNDS = 10
"""How often in a row a node may ask a model because of nothing but its own answers."""

OVERRULED = "overruled"
"""The sentence that tells people that rules decide."""

_TALK = (Said, ActsRead, ActsSettled, Proposed)


def is_work(event: Event) -> bool:
    """Whether an event changes more than the talk."""
    if isinstance(event, _TALK):
        return False
    return isinstance(event, SkillStarted) or type(event).change is not Event.change


class WorkLog:
    """Which nodes changed more than the talk, and when."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._values: dict[str, object] = {}

    def follow(self, record: Record) -> None:
        """Take a record into account."""
        if any([self._is_new(event) for event in flat(record.event)]):
            self._last[record.by] = record.n

    def _is_new(self, event: Event) -> bool:
        if isinstance(event, StateSet):  # to set a value again is no work
            known = self._values.get(event.name, self) == event.value
            self._values[event.name] = event.value
            return not known
        return is_work(event)

    def since(self, version: int, path: str = "") -> bool:
        """Whether there was work after a version, by the node at a path or nodes below it."""
        below = f"{path}/"
        return any(
            n > version and (not path or by == path or by.startswith(below))
            for by, n in self._last.items()
        )


@dataclass
class Insistence:
    """What came of the model's answers of one node."""

    patience: int
    against: int = 0
    """How many of its answers in a row differed from the rules', and no work came of them."""
    rounds: int = 0
    """How often in a row it was asked because of nothing but its own answers."""
    told: bool = False
    """Whether people were told that rules decide."""

    def differs(self) -> bool:
        """Note an answer that differs from the rules'; whether the rules' stands."""
        if self.against >= self.patience:
            return True
        self.against += 1
        return False

    def came_to_work(self) -> None:
        """Note that work came of an answer of the model's."""
        self.against = 0
        self.told = False
