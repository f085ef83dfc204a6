"""What is to be done after what: "then" between orders, "before" and "after" in front of one.

An order waits for those that a word such as "then" puts before it. One in a clause with "before" or
"after" is about work that there is already, or else an order as well; but what another robot would
have to do first is a condition, and no order rests on one.

Who was spoken to last in a sentence is meant by its next order, too, if he can do it: "Scout, stop
and charge".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treec.team.spoken_words import stands
from treec.team.state import FINISHED
from treec.team.talk import TalkContext
from treec_hearing.ear import Ear

Act = dict[str, Any]
Work = tuple[str, Mapping[str, Any]]
"""A task and its things."""
THEN, BEFORE, AFTER = "then", "before", "after"
_LEAD = 2
"""Words at either end of an order among which one may stand: "Hauler, then charge"."""


@dataclass
class TimeOrder:
    """The acts of utterances in time, those that only say when, and those without a time."""

    acts: list[Act]
    said_when: list[Act]
    unheard: list[Act]
    """Orders that wait for what nobody is to do, and the clauses that say so."""


def in_time_order(
    ear: Ear,
    texts: Mapping[str, str],
    acts: Sequence[Act],
    context: TalkContext,
    able: Callable[[str, str], bool] = lambda agent, task: True,
) -> TimeOrder:
    """Add to orders what they wait for: the keys ``after`` and ``before``, with orders or work.

    ``able``: whether an agent can do a task.
    """
    lexicon = ear.lexicon(context)
    works = [(lexicon.of_subtask(one.words).said, one.status) for one in context.subtasks]
    known: list[Work] = []
    done: list[Work] = []
    for said, status in works:
        if said is not None:
            (done if status in FINISHED else known).append((said.task, dict(said.args)))
    found = TimeOrder([dict(act) for act in acts], [], [])
    for utterance, text in texts.items():
        own = [act for act in found.acts if act["utterance"] == utterance]
        if any(act.get("task") for act in own):
            time = _OrdersInTime(ear, text, own, context, known, done, able)
            for act, others in time.more:
                at = next(n for n, one in enumerate(found.acts) if one is act)
                found.acts[at + 1 : at + 1] = others
            found.said_when += time.said_when
            found.unheard += time.unheard
    gone = {*map(id, found.said_when), *map(id, found.unheard)}
    found.acts = [act for act in found.acts if id(act) not in gone]
    return found


class _OrdersInTime:
    """Puts the orders of one utterance in their order; the acts are changed.

    ``known``: the work that there is, to which the orders are added; ``done``: what there was.
    """

    def __init__(
        self,
        ear: Ear,
        text: str,
        acts: list[Act],
        context: TalkContext,
        known: list[Work],
        done: Sequence[Work],
        able: Callable[[str, str], bool],
    ) -> None:
        self._ear = ear
        self._text = text
        self._mentions = ear.mentions(text, context)
        self._words = self._mentions.words
        self._known = known
        self._done = done
        self._able = able
        self._robots = {agent.name for agent in context.agents if not agent.person}
        self._times = ear.language.times
        self._polite = {
            at + n
            for at in range(len(self._words))
            for one in ear.polite
            if stands(self._words, at, one)
            for n in range(len(one))
        }
        self.said_when: list[Act] = []
        self.unheard: list[Act] = []
        self.more: list[tuple[Act, list[Act]]] = []
        """Orders with those of the others who were spoken to: "everyone, stop and charge"."""
        self._read(acts)
        quotes = {act["quote"] for act in self.unheard}
        self.unheard = [act for act in acts if act.get("task") and act["quote"] in quotes]

    def _read(self, acts: list[Act]) -> None:
        group: list[Act] = []
        earlier: list[Act] = []
        clauses: list[tuple[str, Act]] = []
        called: set[int] = set()  # the orders whose agent is spoken to: "Hauler, before you charge"
        spoken_to: tuple[str, ...] = ()
        before: Act | None = None
        kind, at = "", -1
        for act, near, later in self._near(acts):
            if near:
                kind, at = self._time_word(near)
            is_new = any(self._words[n].breaks == 2 for n in near)
            if is_new and kind != THEN:
                earlier, group, clauses, spoken_to = [], [], [], ()
            goes_on = before is not None and bool(before.get("task")) == bool(act.get("task"))
            goes_on = goes_on and (not act.get("task") or not near)
            before = act
            if not act.get("task"):
                spoken_to = self._spoken_to(act, spoken_to if goes_on else ())
                continue
            if kind in (BEFORE, AFTER):
                if not self._text.startswith(act["quote"], self._words[at].start):
                    called.add(id(act))
                if not group or (at > 0 and self._words[at - 1].text in self._ear.joins):
                    clauses = [*(() if near else clauses), (kind, act)]
                    self.unheard.append(act)  # until an order follows
                else:
                    for order in group:
                        self._relate(order, kind, act)
                continue
            if self._time_word(later)[0] == AFTER:  # and what comes before is no order
                self.unheard.append(act)
                continue
            is_next = kind if near else self._time_word(later)[0]
            if is_next == THEN and group:
                earlier, group = group, []
            group.append(act)
            self._known.append((act["task"], act.get("args") or {}))
            if act.get("agent") is None and not self._says_someone(act):
                self._give(act, spoken_to)
            if act.get("agent") in self._robots and act["agent"] not in spoken_to:
                spoken_to = (*(spoken_to if goes_on else ()), act["agent"])
            if THEN in (kind, is_next) or act.get("agent") in {
                one.get("agent") for one in group[:-1]
            }:
                _wait(act, AFTER, earlier)
            for when, other in clauses:
                if act.get("agent") is None and id(other) in called:
                    act["agent"] = other["agent"]
                self.unheard = [one for one in self.unheard if one is not other]
                self._relate(act, when, other)

    def _spoken_to(self, act: Act, others: tuple[str, ...]) -> tuple[str, ...]:
        """The robots to which an act that is no order is said, with others of the same breath."""
        if act.get("agent") is not None:
            return (*others, act["agent"]) if act["agent"] in self._robots else others
        sentence = self._mentions.sentence_of(self._text.find(act["quote"]))
        all_of = (robots for at in sentence for _, robots in self._mentions.several("Robot", at))
        return next((tuple(map(str, robots)) for robots in all_of), others)

    def _give(self, act: Act, spoken_to: Sequence[str]) -> None:
        """Give an order to who was spoken to and can do it; one without things to each of them."""
        able = [one for one in spoken_to if self._able(one, act["task"])]
        if len(able) == 1 or (able and not act.get("args")):
            act["agent"] = able[0]
            self.more.append((act, [{**act, "agent": other} for other in able[1:]]))

    def _says_someone(self, act: Act) -> bool:
        """Whether an order is for whoever can: "somebody fetch it"."""
        start = self._text.find(act["quote"])
        own = self._words_in(start, start + len(act["quote"]))
        return any(stands(self._words, n, one) for n in own for one in self._ear.language.someone)

    def _words_in(self, start: int, stop: int) -> list[int]:
        """The numbers of the words that begin among characters of the text."""
        return [n for n, word in enumerate(self._words) if start <= word.start < stop]

    def _near(self, acts: list[Act]) -> Iterator[tuple[Act, list[int], list[int]]]:
        """Each act with the words before it and at its ends, and its others.

        Words before it are of its sentence; there are none if it has those of the last order.
        """
        end, quote = 0, ""
        for start, act in sorted(self._places(acts), key=lambda one: one[0]):
            stop = start + len(act["quote"])
            own = self._words_in(start, stop)
            while len(own) > 1 and self._leads_on(own[-1]):
                stop = self._words[own.pop()].start
            first = own[0] if own else 0
            while first and self._words[first].breaks < 2:
                first -= 1
            before = [n for n in range(first, own[0] if own else 0) if self._words[n].start >= end]
            inner = own[_LEAD:]
            if act["quote"] != quote:
                yield act, [*before, *own[:_LEAD], *inner[-_LEAD:]], inner
            else:
                yield act, [], inner
            end, quote = max(end, stop), act["quote"]

    def _places(self, acts: list[Act]) -> Iterator[tuple[int, Act]]:
        """Acts with where their words begin: not before those of the act before, if they can."""
        start = 0
        for act in acts:
            later = self._text.find(act["quote"], max(start, 0))
            start = self._text.find(act["quote"]) if later < 0 else later
            yield start, act

    def _leads_on(self, at: int) -> bool:
        """Whether a word is of the next order, though it stands in this one's: "charge, then …"."""
        has_next = at + 1 < len(self._words) and self._words[at + 1].breaks < 2
        return has_next and (self._words[at].text,) in self._times.get(THEN, ())

    def _time_word(self, near: Sequence[int]) -> tuple[str, int]:
        """The first word among these that says when, and where it stands."""
        for at in near:
            for kind in (THEN, BEFORE, AFTER) if at not in self._polite else (THEN,):
                if any(stands(self._words, at, one) for one in self._times.get(kind, ())):
                    return kind, at
        return "", -1

    def _relate(self, act: Act, kind: str, other: Act) -> None:
        """What a clause with "before" or "after" says of an order."""
        if act.get("agent") is None and other.get("agent") is None and not other.get("args"):
            able = [r for r in self._robots if all(self._able(r, o["task"]) for o in (act, other))]
            act["agent"] = able[0] if len(able) == 1 else None
        if other.get("agent") is None:
            other["agent"] = act.get("agent")
        work = other["task"], other.get("args") or {}
        if work in self._known:
            _wait(act, kind, [other])
            self.said_when.append(other)
        elif kind == BEFORE:
            _wait(other, AFTER, [act])
        elif other["agent"] == act.get("agent"):
            _wait(act, AFTER, [other])
        elif work in self._done:
            self.said_when.append(other)
        else:
            self.unheard += [act, other]


def _wait(act: Act, kind: str, others: Sequence[Act]) -> None:
    work = [{n: other[n] for n in ("task", "args", "agent") if other.get(n)} for other in others]
    if work:
        act[kind] = [*act.get(kind, ()), *work]
