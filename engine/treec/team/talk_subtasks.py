"""Subtasks as parsers see them; most are as they were when somebody last spoke."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import compress
from operator import attrgetter, is_not

from treec.team.entities import Subtask
from treec.team.talk import TalkSubtask


class TalkSubtasks:
    """Keeps what was made for the last utterance."""

    def __init__(self) -> None:
        self._listed: tuple[Subtask, ...] = ()
        self._at: frozenset[str] = frozenset()
        self._made: list[TalkSubtask] = []
        self._given: tuple[TalkSubtask, ...] = ()

    def of(
        self,
        listed: tuple[Subtask, ...],
        at: Collection[str],
        plain: Callable[[Subtask], str] = attrgetter("words"),
    ) -> tuple[TalkSubtask, ...]:
        """Those listed, in `plain` words; ``at`` are the ids of people's current subtasks."""
        here = frozenset(at)
        if listed is self._listed and here == self._at:
            return self._given
        known = len(self._listed)
        if self._at != here or known > len(listed):
            self._made = []
            known = 0
        differ = map(is_not, listed[:known], self._listed)
        for place in compress(range(known), differ):
            self._made[place] = _talk_subtask(listed[place], here, plain)
        self._made += (_talk_subtask(subtask, here, plain) for subtask in listed[known:])
        self._listed, self._at = listed, here
        self._given = tuple(self._made)
        return self._given


def _talk_subtask(
    subtask: Subtask, at: Collection[str], plain: Callable[[Subtask], str]
) -> TalkSubtask:
    """A person's current subtask counts as running."""
    is_ready = "ready" if subtask.ready else subtask.status
    status = "running" if subtask.id in at else is_ready
    failed, asked = subtask.status == "failed", subtask.recipe is None
    return TalkSubtask(subtask.id, plain(subtask), status, subtask.agent, failed, asked)
