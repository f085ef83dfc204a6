"""Overrides a model whose answers repeatedly differ from the rules without progress.

A model may know better than the offline rules, so its answer stands where they differ. But one that
is wrong in the same way again and again would keep a person waiting for ever. So a node counts the
answers in a row that differ from the rules' and from which no work came. After ``patience`` of them
the rules decide where the two differ, until work comes of an answer of the model's. Words are no
work: an answer that says, asks or proposes something changes nothing.

A model can also keep itself going: what its answer changes is what the node sees, so that it is
asked again, and nobody has said or done anything (it proposes the same again and again). After
``ROUNDS`` of these the rules decide as well.

A run that would come to rest is the third case: nobody is at work, no answer is on its way, and
the rules would do more than what the model has answered ("wait", a mere question, nothing at all).
After ``REST`` seconds the rules decide (:mod:`treec_asking.rest`). What people had said and the
model has answered with words only is taken up again then, after ``UNANSWERED`` seconds.

Where they do, the nodes below ask no model either, until somebody speaks or there is work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from treec.nodes.runtime import Runtime, heard_ids
from treec.source.scope import MappingScope
from treec.team.events import ActsRead
from treec.team.sentences import sentence
from treec.team.state import ActState

ROUNDS = 10
"""How often in a row a node may ask a model because of nothing but its own answers."""

REST = 10.0
"""Seconds of rest after which the rules decide, if they would do more than a model's answer."""

UNANSWERED = 30.0
"""The same where people were asked or told something instead of what they had ordered."""

OVERRULED = "overruled"
"""The sentence that tells people that rules decide."""


class OverridePolicy:
    """Whether an answer of a model stands, by what came of the ones before."""

    def __init__(self, runtime: Runtime, path: str, patience: int) -> None:
        self._runtime = runtime
        self._path = path
        self.patience = patience
        self._against = 0
        self._rounds = 0
        self._told = False
        self._since = 0
        self._heard: frozenset[str] = frozenset()
        self.by_model = False
        """Whether the node's last answer was a model's."""
        self.falls_short = False
        """Whether the rules would have done more than that answer."""
        self._left: tuple[ActState, ...] = ()
        """The acts for which the rules would have done something, and models have not."""

    @property
    def memory(self) -> dict[str, object] | None:
        """The counts and the last answer, for a resumed run; None where no model has answered."""
        if not (self._against or self._rounds or self._told or self.by_model or self._left):
            return None
        short = {"falls_short": True} if self.falls_short else {}
        left = {"left": [_as_data(act) for act in self._left]} if self._left else {}
        return {
            **short,
            **left,
            "against": self._against,
            "rounds": self._rounds,
            "told": self._told,
            "by_model": self.by_model,
            "since": self._since,
            "heard": sorted(self._heard),
            "overrides": self._path in self._runtime.suppressed,
        }

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Go on with them."""
        if "against" not in memory:
            return
        self._against, self._rounds = int(memory["against"]), int(memory["rounds"])
        self._told, self.by_model = bool(memory["told"]), bool(memory["by_model"])
        self._since, self._heard = int(memory["since"]), frozenset(memory["heard"])
        self.falls_short = "falls_short" in memory
        self._left = tuple(_as_state(act) for act in memory.get("left", ()))
        if memory["overrides"]:
            self._runtime.suppressed[self._path] = self._something_happened

    def stands(self, *, differs: bool) -> bool:
        """Whether an answer of a model stands; ``differs``: from that of the rules."""
        self._look_back()
        if self._something_happened():
            self._rounds = 0
        self._rounds += 1
        is_overridden = differs and self._against >= self.patience
        self._against += differs and not is_overridden
        if not is_overridden and self._rounds <= ROUNDS:
            return True
        self.give_way()
        return False

    def give_way(self, *, tells: bool = True) -> None:
        """Let the rules decide, here and below, until something happens."""
        self._since, self._heard = self._runtime.world.version, heard_ids(self._runtime)
        self._runtime.suppressed[self._path] = self._something_happened
        if tells:
            self._tell()

    def take_up(self) -> bool:
        """Let what models left of people's words be open again; false if there is nothing."""
        open_now = {act.id for act in self._open_acts}
        left = [act for act in self._left if act.id not in open_now]
        self._left = ()
        if left:
            self._runtime.world.emit(ActsRead((), tuple(map(_as_data, left))), self._path)
        return bool(left)

    @property
    def _open_acts(self) -> Sequence[ActState]:
        return cast(Sequence[ActState], self._runtime.world.state["acts"])

    @property
    def rest(self) -> float:
        """Seconds of rest after which the rules decide about what is left of people's words."""
        return UNANSWERED if self._left and not self._something_happened() else 0.0

    @property
    def led_nowhere(self) -> bool:
        """Whether the last answer was a model's, and nothing has happened since."""
        return self.by_model and not self._something_happened()

    def came_to_work(self) -> None:
        """Note that something came of an answer of the model's."""
        self._against = 0

    def note(self, *, by_model: bool, falls_short: bool = False, leaves: bool = False) -> None:
        """Note who gave the answer that the node now acts on, and if the rules would do more.

        ``leaves``: than to speak, because of what people said.
        """
        if self._left and self._something_happened():
            self._left = ()
        if leaves:
            new = (act for act in self._open_acts if act not in self._left)
            self._left = (*self._left, *new)
        self._look_back()
        self.by_model, self.falls_short = by_model, falls_short and by_model
        self._since = self._runtime.world.version
        self._heard = heard_ids(self._runtime)

    def _look_back(self) -> None:
        """Note whether work came of the model's last answer."""
        if self.by_model and self._runtime.work.since(self._since, self._path):
            self.came_to_work()
        self.by_model = False

    def _something_happened(self) -> bool:
        """Whether somebody has spoken, or there was any work, since the last answer."""
        spoken = not heard_ids(self._runtime) <= self._heard
        return spoken or self._runtime.work.since(self._since)

    def _tell(self) -> None:
        """Tell people, once in a run, that rules decide."""
        text = sentence(self._runtime.view, OVERRULED)
        if not self._told and text is not None and self._runtime.team.now.talk.last_heard:
            self._told = True
            self._runtime.say(text.render(MappingScope({})), self._path)


def _as_data(act: ActState) -> dict[str, Any]:
    """An act as `ActsRead` has it."""
    own = {"id": act.id, "kind": act.kind, "quote": act.quote, "utterance": act.utterance}
    return {**own, **act.fields}


def _as_state(act: Mapping[str, Any]) -> ActState:
    fields = dict(act)
    id, kind, quote, utterance = (fields.pop(n) for n in ("id", "kind", "quote", "utterance"))
    return ActState(id, kind, quote, utterance, fields)
