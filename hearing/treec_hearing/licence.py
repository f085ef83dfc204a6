"""Whether the words of an utterance license the acts that a model reads in them.

An act is licensed by the clauses in which its quote stands, not by the quote alone: "mow the
lawn" out of "don't mow the lawn" is no order. What the parser heard, too, is licensed.
Everything else must be meant (:mod:`treec_hearing.clauses`), and may name only what its clauses
speak of: where they mention things, every subtask in the act has one of them, and so has what is
requested; whoever is to do something is named in the clause or before it. A yes, a report and a
go-on have a word of their kind (`own_words` of the hearing file). A report that names no work is of
what the speaker is at; a yes that names none is to what was asked last. A stop keeps a go-on out of
its utterance, and a no, a stop or a drop that the parser heard an order or a yes for the same work.

What clauses are left of an utterance, which no act reads, is said back (:meth:`Licence.unread`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, NamedTuple

from treec.files.types import ListOf, Named, parse_type, without_none
from treec.team.stop_words import STOP
from treec.team.talk import TalkContext
from treec_hearing.clauses import (
    CONDITION,
    FIRM,
    LATER,
    NEGATED,
    QUESTION,
    REPORTED,
    TOLD,
    Clause,
    Clauses,
    Mark,
    said_between,
)
from treec_hearing.ear import Ear
from treec_hearing.mentions import Lexicon, SaidTask
from treec_hearing.own_words import ACCEPT, DECLINE, DONE, DROP, RELEASE, RESUME

ASK, CHOOSE, REMARK = "ask", "choose", "remark"
WHY = {
    "negated": "says that it is not to be",
    "question": "is a question",
    "condition": "says under what condition",
    "reported": "tells what somebody else says",
    "past": "speaks of the past",
    "recent": "speaks of the past",
    "future": "speaks of later",
    "timed": "speaks of another time",
    "supposed": "only supposes it",
    "unfinished": "does not say that it is done",
    "told": "tells what is so",
}
"""What keeps a clause from being meant, for messages."""
_NOT_OF = {DONE: {"recent"}, DROP: {"recent", "unfinished"}}
"""What a clause of a kind may be: "the lawn was done"."""
_ONLY: Mapping[str, Set[str]] = {"unfinished": {DONE}, "correcting": frozenset()}
"""What keeps back these kinds alone."""
_REFUSALS = frozenset({DROP, STOP, RELEASE})
"""Kinds that a negation is a word for: only what it denies of their own words counts."""

_WHEN = LATER | {CONDITION}
_NO_ORDER = frozenset({QUESTION, REPORTED, "past", "supposed"})
"""What orders nothing, now or later."""
MOST_CLAUSES = 12
"""Clauses of a quote of which each by itself may license an act; of more only all together."""
_WORDED = frozenset({ACCEPT, DONE, RESUME})
"""Kinds that a negation anywhere in their clause denies: "the lawn is not done"."""

Act = Mapping[str, Any]


class TalkBefore(NamedTuple):
    """What the talk was about before the words that are judged."""

    context: TalkContext
    asked_last: Sequence[str] = ()
    """The open proposals that were made last, together."""
    recent: Sequence[str] = ()
    """The last lines of the talk, the latest last."""


class Licence:
    """What the unread utterances of a moment license: texts by their ids."""

    def __init__(
        self, ear: Ear, texts: Mapping[str, str], moment: TalkBefore, heard: Sequence[Act] | None
    ) -> None:
        """``heard`` is what the reading's parser heard; None if it has none."""
        self.ear, self.moment, self.heard = ear, moment, heard
        self.own_words = ear.own_words
        self.said = {id: ear.clauses(text, moment.context) for id, text in texts.items()}
        self._work = {one.id: one for one in moment.context.subtasks}
        self._proposals = {one.id: one for one in moment.context.proposals}
        self._people = {agent.name for agent in moment.context.agents if agent.person}

    def refusals(self, acts: Sequence[Act]) -> list[str]:
        """Why acts are not licensed by the words that they quote; empty if all are."""
        found: list[str] = []
        judged = [act for act in acts if act["utterance"] in self.said]
        for act in judged:
            if not self._is_heard(act):
                found += self._refusals(act)
        return list(dict.fromkeys([*found, *self._too_many(judged)]))

    def _is_heard(self, act: Act) -> bool:
        """Whether the parser heard the same act, or one with all that is in it."""
        return any(
            one["utterance"] == act["utterance"]
            and one["kind"] == act["kind"]
            and all(_within(act.get(name), value) for name, value in self._fields(one))
            for one in self.heard or ()
        )

    def _fields(self, act: Act) -> Iterator[tuple[str, object]]:
        """The fields of an act but text, which may be any part of what was said."""
        for name, kind in self.ear.acts.get(act["kind"], {}).items():
            if kind != "text":
                yield name, act.get(name)

    # One act

    def _refusals(self, act: Act) -> Iterator[str]:
        words = self.said[act["utterance"]]
        places = [*_places(words.text, act["quote"])]
        quoted = [words.of(start, end) for start, end in places]
        if not any(quoted):
            yield f"'{act['quote']}': only the beginning of so many words is read."
        withdrawn = self.ear.withdrawn(words.text, self.moment.context)
        if places and all(end <= withdrawn for _, end in places):
            yield f"'{act['quote']}' is corrected or taken back in the same breath."
        judged = [
            [*self._judge(act, words, run[first:last])]
            for run in quoted  # said twice, it may be meant once
            for last in range(len(run), 0, -1)
            for first in range(last)
            if last - first in (1, 2, len(run))
            and (len(run) <= MOST_CLAUSES or last - first == len(run))
        ]
        yield from min(judged, key=len, default=[])

    def _judge(self, act: Act, words: Clauses, clauses: Sequence[Clause]) -> Iterator[str]:
        """Why these clauses, some of those in which an act's quote stands, do not license it."""
        kind = act["kind"]
        text = words.text[clauses[0].start : clauses[-1].end]
        if self._is_careful(kind):
            for clause in clauses:
                mark = next(
                    (m for m in words.marks[clause] if self._governs(m, act, words, clause)), None
                )
                if mark is not None:
                    own = words.text[clause.start : clause.end]
                    yield f"'{own}' {WHY[mark.property]} ('{mark.word}'): it is no {kind}."
                    return
            yield from self._misses_own_word(act, words, clauses, text)
            yield from self._refuses(act, words, clauses, text)
        yield from self._beaten(act, words, clauses)
        yield from self._misnamed(act, words, clauses, text)

    def _is_careful(self, kind: str) -> bool:
        orders = any(
            isinstance(of, str) and parse_type(of) == Named("Task")
            for of in self.ear.acts.get(kind, {}).values()
        )
        return orders or kind == STOP or kind in self.ear.language.file.careful

    def _governs(self, mark: Mark, act: Act, words: Clauses, clause: Clause) -> bool:
        """Whether what a mark says of its words is said of an act."""
        kind = act["kind"]
        if mark.property in (TOLD, "timed"):
            return "task" in act
        if mark.property in _NOT_OF.get(kind, ()) or kind not in _ONLY.get(mark.property, {kind}):
            return False
        first = next(
            (n for n in range(clause.first, clause.last) if words.words[n].start >= mark.since),
            clause.last,
        )
        last = next(
            (n for n in range(first, clause.last) if words.words[n].start >= mark.until),
            clause.last,
        )
        if mark.property == NEGATED and kind in _REFUSALS:
            return any(self.own_words.places(kind, words, first + 1, last))
        if kind == STOP and self._lasts(mark):
            return False
        if kind == CHOOSE and mark.property == NEGATED and mark.own:
            said = words.names.recipes.get(str(act.get("recipe")), set())
            return bool(act.get("recipe")) and (not said or any(first <= at < last for at in said))
        if mark.since <= clause.start or (mark.property == NEGATED and kind in _WORDED):
            return True
        named = self._things(act) | {str(act.get("task"))}
        if "task" not in act and not self._named_subtasks(act):
            named |= self._agents(act)
        before, behind = self._named(words, clause.first, first), self._named(words, first, last)
        rest = words.words[first + len(mark.word.split()) : last]  # "mow the lawn, or rather not"
        alone = mark.property == NEGATED and all(word.text in words.by.bare for word in rest)
        return bool(named & behind) or not named & before or alone

    def _lasts(self, mark: Mark) -> bool:
        """Whether a condition only says how long a stop lasts."""
        lasting = {" ".join(phrase) for phrase in self.ear.lasting}
        return mark.word in lasting

    def _misses_own_word(
        self, act: Act, words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        kind = act["kind"]
        about = {*self._things(act), act.get("to")}  # "I will get the rake" takes it from a robot
        if kind == RELEASE and not about.isdisjoint(
            self._named(words, clauses[0].first, clauses[-1].last)
        ):
            return
        if not self.own_words.license(kind, act, words, clauses):
            yield f"'{text}' has no word of its own for the kind {kind}: ask what is meant."

    def _refuses(
        self, act: Act, words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        """Whether clauses say to stop or leave what an act wants done: "skip the rake"."""
        if not self._asked_work(act):
            return
        for clause in clauses:
            spared = words.spared(clause)
            for kind in (STOP, DROP):
                for at, end in self.own_words.places(kind, words, clause.first, clause.last):
                    verb = at in words.names.base_verbs
                    if not verb and at not in spared and not self._is_denied(words, clause, at):
                        word = words.text[words.words[at].start : words.words[end - 1].end]
                        yield f"'{text}' says '{word}': it is no {act['kind']}."
                        return

    @staticmethod
    def _is_denied(words: Clauses, clause: Clause, at: int) -> bool:
        place = words.words[at].start
        return any(
            mark.property == NEGATED and mark.since <= place < mark.until
            for mark in words.marks[clause]
        )

    # What the parser heard

    def _beaten(self, act: Act, words: Clauses, clauses: Sequence[Clause]) -> Iterator[str]:
        """Why a stop, a no or a drop in the same words keeps an act out."""
        kind = act["kind"]
        heard = [one for one in self.heard or () if one["utterance"] == act["utterance"]]
        if kind == RESUME and (words.stops() or any(one["kind"] == STOP for one in heard)):
            yield f"'{words.text.strip()}' says stop: it does not say to go on as well."
        work = self._asked_work(act)
        if not work:
            return
        for one in heard:
            if one["kind"] == STOP and self._near(one, words, clauses):
                agents = {agent for agent, _ in work}
                if one.get("agent") in (None, *agents) or None in agents:
                    yield f"'{one['quote']}' says stop: it is no {kind} in the same breath."
                    return
            against = self._refused_work(one)
            for agent, task in work:
                if any(task == of and agent in (None, who) for who, of in against):
                    yield f"'{one['quote']}' was heard as a {one['kind']} of the same work."
                    return

    def _near(self, heard: Act, words: Clauses, clauses: Sequence[Clause]) -> bool:
        """Whether what was heard is in the sentence of clauses."""
        places = _places(words.text, heard["quote"])
        own = {one for start, end in places for one in words.of(start, end)}
        return any(own.intersection(words.sentence(clause)) for clause in clauses)

    def _asked_work(self, act: Act) -> list[tuple[str | None, SaidTask | str]]:
        """Who shall do what by a request or a yes."""
        if act["kind"] == ACCEPT:
            return [(p.agent, self._said(p.subtask)) for p in self._proposed(act)]
        if "task" in act:
            args = tuple(sorted((act.get("args") or {}).items()))
            return [(act.get("agent"), SaidTask(str(act["task"]), args))]
        return []

    def _refused_work(self, act: Act) -> list[tuple[str | None, SaidTask | str]]:
        """Whose work of which kind a decline or a drop refuses; a drop everybody's."""
        if act["kind"] == DECLINE:
            return [(p.agent, self._said(p.subtask)) for p in self._proposed(act)]
        if act["kind"] == DROP:
            ids = act.get("subtasks") or ()
            return [
                (agent.name, self._said(id)) for id in ids for agent in self.moment.context.agents
            ]
        return []

    def _proposed(self, act: Act) -> list[Any]:
        ids = act.get("proposals") or ()
        return [self._proposals[id] for id in ids if id in self._proposals]

    def _said(self, subtask: str) -> SaidTask | str:
        """The task that a subtask is, for comparison; its id if its words are none."""
        one = self._work.get(subtask)
        said = self._lexicon.of_subtask(one.words).said if one is not None else None
        return subtask if said is None else SaidTask(said.task, tuple(sorted(said.args)))

    @cached_property
    def _lexicon(self) -> Lexicon:
        return self.ear.lexicon(self.moment.context)

    def strangers(self, act: Act, find: Callable[[str], Sequence[str]]) -> Sequence[str]:
        """To whom an order is said who is not here: "Max, get it".

        ``find``: who is spoken to or of by a name that nobody has.
        """
        if "task" not in act or act["utterance"] not in self.said:
            return ()
        words = self.said[act["utterance"]]
        for clause in self._quoted(act):
            sentence = words.sentence(clause)
            last = sentence.index(clause) + 1
            calls = last < len(sentence) and sentence[last].last - sentence[last].first == 1
            end = sentence[last if calls else last - 1].end
            if names := find(words.text[sentence[0].start : end]):
                return names
        return ()

    def names_its_agent(self, act: Act) -> bool:
        """Whether the sentences of an order name who is to do it."""
        words = self.said[act["utterance"]]
        sentences = map(words.sentence, self._quoted(act))
        return any(act.get("agent") in words.agents(s[0].first, s[-1].last) for s in sentences)

    # What nothing reads

    def unread(
        self, acts: Sequence[Act], names_nothing: Callable[[str], object], answered: bool = False
    ) -> list[str]:
        """The words of utterances that no act reads, where others are read or ``answered``.

        Of clauses that only tell something and name no work nothing is said. Where nothing is read
        at all, an answer speaks of what is the name of nothing: then it is said of the others.
        """
        found: list[str] = []
        for id, words in self.said.items():
            own = [act for act in acts if act["utterance"] == id]
            lost, marks = [*self._unread_in(words, own)], words.marks
            if answered:
                lost = [c for c in lost if not any(m.own and m.property in _WHEN for m in marks[c])]
            elif all(act["kind"] == REMARK for act in own):
                others = [one for one in lost if not names_nothing(words.plain(one))]
                lost = others if len(others) < len(lost) else []
            found += [words.plain(one) for one in _joined(words, lost)]
        return found

    def put_off(self, acts: Sequence[Act]) -> list[str]:
        """The words that order something for another time, or under a condition: none is kept."""
        found: list[str] = []
        for id, words in self.said.items():
            own = [act for act in acts if act["utterance"] == id and act["kind"] != REMARK]
            late = [
                clause
                for clause in words.all
                if any(mark.property in _WHEN for mark in words.marks[clause])
                and not any(mark.property in _NO_ORDER for mark in words.marks[clause])
                and words.asks_something(clause, only_work=True)
                and not self._is_read(words, clause, own)
            ]
            found += [words.plain(one) for one in _joined(words, late)]
        return found

    def _unread_in(self, words: Clauses, acts: Sequence[Act]) -> Iterator[Clause]:
        kinds = {act["kind"] for act in acts}
        stopped = STOP in kinds and kinds <= {STOP, REMARK}
        withdrawn = self.ear.withdrawn(words.text, self.moment.context)
        for clause in words.all:
            if clause.end <= withdrawn:
                continue
            asks = words.asks_something(clause, only_work=stopped) or self._agrees(words, clause)
            if asks and not self._is_read(words, clause, acts):
                yield clause

    def _agrees(self, words: Clauses, clause: Clause) -> bool:
        """Whether a clause says yes by the name of somebody who waits for one: "yes for R2"."""
        waiting = {one.agent for one in self.moment.context.proposals}
        return (
            not any(mark.property in FIRM | {NEGATED} for mark in words.marks[clause])
            and not waiting.isdisjoint(words.agents(clause.first, clause.last))
            and any(self.own_words.places(ACCEPT, words, clause.first, clause.last))
        )

    def _is_read(self, words: Clauses, clause: Clause, acts: Sequence[Act]) -> bool:
        """Whether an act has its words in a clause and is about what it names, or is so anyway."""
        agents = {*words.agents(0, len(words.words))}
        named = self._named(words, clause.first, clause.last) - agents
        new = words.names_unknown(clause)
        if new:  # "crate" of "crate 99" is no part of another's name
            named -= words.names.parts.keys()
        tasks = {task.name for task in self.moment.context.tasks}
        is_question = any(mark.property == QUESTION for mark in words.marks[clause])
        addressed = {at for places in words.names.agents.values() for at in places}
        only_agents = addressed.issuperset(
            at
            for at in range(clause.first, clause.last)
            if words.words[at].text not in words.by.idle
        )
        for act in acts:
            own = self.own_words.places(act["kind"], words, clause.first, clause.last)
            others = {*words.agents(clause.first, clause.last)} - self._agents(act)
            names_another = act["kind"] == DECLINE and others - self._people
            if not (named - tasks or names_another) and any(own):
                return True
            quoted = self._quoted(act)
            about = self._about(act)
            if only_agents and clause in quoted and not (self._agents(act) and others):
                return True  # "Hauler and Scout, ..." of work that one of them does
            if act["kind"] == ASK and clause in quoted and is_question:
                return True
            if act["kind"] == CHOOSE and (clause in quoted or self._names_recipe(words, clause)):
                return True
            if about & (named - tasks) and (clause in quoted or not (named & tasks) - about):
                return True
            if named <= about and not new and self._gives(act, words, clause, clause in quoted):
                return True
            if clause not in quoted or named - tasks:
                continue
            if any(
                True
                for c in quoted
                for _ in self.own_words.places(act["kind"], words, c.first, c.last)
            ):
                continue  # a yes is read where its own word is
            where = words.all if new else quoted
            things = {id for one in where for id in self._named(words, one.first, one.last)}
            remark = act["kind"] == REMARK and (named or len(quoted) == len(words.all) > 1)
            if not (about & (things - tasks) or remark):
                return True  # what the act is about is named here, if anywhere
        return False

    def _gives(self, act: Act, words: Clauses, clause: Clause, quoted: bool) -> bool:
        """Whether a clause says who does what an act is about: "leave it, I will do it".

        If the act does not quote it, it must be said of the speaker: it orders nobody.
        """
        agents = {*words.agents(clause.first, clause.last)}
        agents.intersection_update(self._agents(act, proposed=False))
        said = {word.text for word in words.words[clause.first : clause.last]}
        return (quoted or self.moment.context.user in agents) and bool(
            agents and said.intersection(words.by.pronouns)
        )

    @staticmethod
    def _names_recipe(words: Clauses, clause: Clause) -> bool:
        return bool(said_between(words.names.recipes, clause.first, clause.last))

    def _about(self, act: Act) -> set[str]:
        """The things and tasks that an act is about."""
        ids = [*self._named_subtasks(act), *(p.subtask for p in self._proposed(act))]
        tasks = {str(self._task_of(id)) for id in ids} | {str(act.get("task"))}
        return (self._things(act) | tasks) - {"None"}

    # Names

    def _misnamed(
        self, act: Act, words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        """What an act names that its clauses do not."""
        first, last = clauses[0].first, clauses[-1].last
        things = self._known_things(words, first, last) | self._said_args(act, words, clauses)
        agents = {*words.agents(first, last)} - self._people | {
            name
            for clause in clauses
            for one in words.beside(clause)
            if words.is_call(one)
            for name in words.agents(one.first, one.last, receiving=True)
        }
        subtasks = self._named_subtasks(act)
        for p in self._proposed(act):
            mentioned = p.agent in agents or things & self._things_of(p.subtask)
            if (things or agents) and not mentioned:
                yield f"'{text}' says nothing about {p.id} ({p.agent}: {p.words})."
        yield from self._misnamed_agents(act, words, clauses, text)
        recipes = said_between(words.names.recipes, first, last)
        for recipe in self._of_type(act, "Recipe"):
            orders = any(first <= at < last for at in words.names.base_verbs)
            if recipes and recipe not in recipes:
                yield f"'{text}' says {' and '.join(recipes)}, not {recipe}."
            elif not recipes and (orders or all(map(words.is_call, clauses))):
                yield f"'{text}' does not name {recipe}."
        if "task" in act and not self._speaks_of(things, words, clauses):
            yield f"'{text}' does not say this: {_order(act)}."
        elif "task" in act:
            own = {str(value) for value in (act.get("args") or {}).values()}
            if things and own and not things & own:
                yield f"'{text}' speaks of {_and(things)}, not of this: {act['task']} {_and(own)}."
        elif things:
            wrong = [id for id in subtasks if not things & self._things_of(id)]
            if wrong:
                right = [id for id in subtasks if things & self._things_of(id)] or sorted(things)
                yield f"'{text}' speaks of {_and(right)}, not of {_and(wrong)}."
        elif act["kind"] == DONE:
            yield from self._unnamed_report(subtasks, words, clauses, text)
        elif len(subtasks) > 1:
            recent = self._recent(words)
            wrong = [id for id in subtasks if id not in recent]
            if wrong:
                yield f"'{text}' does not name {_and(wrong)}."
        if act["kind"] == ACCEPT and not things and not agents:
            yield from self._vague_consent(act, words, clauses, text)

    def _said_args(self, act: Act, words: Clauses, clauses: Sequence[Clause]) -> set[str]:
        """What an act is to be done with and clauses say, though it is the name of no thing."""
        there = {words.mentions.stems[at] for c in clauses for at in range(c.first, c.last)}
        args = (act.get("args") or {}).values() if "task" in act else ()
        return {str(v) for v in args if there & {*self.ear.language.name(str(v))}}

    def _speaks_of(
        self, things: Collection[str], words: Clauses, clauses: Sequence[Clause]
    ) -> bool:
        """Whether clauses say a task, a thing, or a pronoun for it."""
        tasks = words.names.tasks.values()
        return bool(things) or any(
            words.words[at].text in words.by.pronouns or any(at in places for places in tasks)
            for clause in clauses
            for at in range(clause.first, clause.last)
        )

    def _misnamed_agents(
        self, act: Act, words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        """Agents in an act whom neither its clauses nor those before it name."""
        wanted = set(self._agents(act, proposed=False))
        stopped = [agent.name for agent in self.moment.context.agents if agent.stopped]
        if not wanted or self._means_all(words, clauses):
            return
        if act["kind"] == RESUME and [*wanted] == stopped:
            return
        things = self._named(words, clauses[0].first, clauses[-1].last)
        named = {
            one.agent
            for one in self.moment.context.subtasks
            if one.status in ("running", "interrupted")
            and things & {self._task_of(one.id), *self._things_of(one.id)}
        }
        if act["kind"] in (RESUME, STOP) and wanted <= named:
            return
        doers = {name for clause in clauses for name in words.doers(clause)}
        doers = doers or self._spoken_of(words, clauses)
        for name in sorted(wanted - doers):
            if doers:
                yield f"'{text}' says {_and(doers)}, not {name}."
            elif act["kind"] != STOP:
                whom = "the speaker" if name in self._people else name
                yield f"'{text}' does not say that {whom} is meant: leave it open."

    def _means_all(self, words: Clauses, clauses: Sequence[Clause]) -> bool:
        places = words.names.counts.get(0, ())
        return any(clause.first <= at < clause.last for clause in clauses for at in places)

    def _spoken_of(self, words: Clauses, clauses: Sequence[Clause]) -> set[str]:
        """Whom a clause with "it" or "you" may mean: who was named last in the talk."""
        said = {w.text for clause in clauses for w in words.words[clause.first : clause.last]}
        if not said & (words.by.pronouns | words.by.addressing):
            return set()
        for line in reversed(self.moment.recent):
            mentions = self.ear.clauses(line, self.moment.context)
            if found := {*mentions.names.agents} - self._people:
                return found
        return set()

    def _unnamed_report(
        self, subtasks: Sequence[str], words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        """A report that names no thing and no task is of the speaker's own running work."""
        context = self.moment.context
        named = {
            task
            for clause in clauses
            for task in said_between(words.names.tasks, clause.first, clause.last)
        }
        wrong = [
            id
            for id in subtasks
            if not self._is_running(id, context.user) and self._task_of(id) not in named
        ]
        if wrong:
            yield (
                f"'{text}' does not name {_and(wrong)}: without a name it is about what "
                f"{context.user} is at. Ask which work is meant."
            )

    def _is_running(self, id: str, agent: str) -> bool:
        one = self._work.get(id)
        return one is not None and one.agent == agent and one.status == "running"

    def _task_of(self, id: str) -> str | None:
        said = self._said(id)
        return said.task if isinstance(said, SaidTask) else None

    def _vague_consent(
        self, act: Act, words: Clauses, clauses: Sequence[Clause], text: str
    ) -> Iterator[str]:
        """Why a yes that names nothing is not a yes to its proposals.

        A word such as "fine", which may be a remark, is none to several, unless it was heard so.
        """
        plain = any(
            not {word.text for word in words.words[at:end]} <= words.by.idle
            for clause in clauses
            for at, end in self.own_words.places(ACCEPT, words, clause.first, clause.last)
        )
        ids = [p.id for p in self._proposed(act)]
        last = list(self.moment.asked_last)
        earlier = [id for id in ids if id not in last]
        if earlier:
            yield (
                f"'{text}' names nothing: it can be a yes to {_and(last)}, which was "
                f"asked last, not to {_and(earlier)}."
            )
        elif ids and self.heard is not None and len(last) > 1 and not plain:
            yield (
                f"'{text}' does not say to which of {_and(last)} it is a yes: if it is "
                "one, quote the words that say so; else it is a remark, and they are asked."
            )

    def _too_many(self, acts: Sequence[Act]) -> Iterator[str]:
        """Whether the same words carry more requests than they mention things, tasks or agents."""
        requests = [act for act in acts if "task" in act]
        for act in requests:
            words = self.said[act["utterance"]]
            own = set(self._quoted(act))
            same = [
                one
                for one in requests
                if one["utterance"] == act["utterance"] and own.issuperset(self._quoted(one))
            ]
            if len(same) < 2 or not own:
                continue
            first = min(clause.first for clause in own)
            last = max(clause.last for clause in own)
            most = max(
                1,
                len(self._known_things(words, first, last)),
                len(said_between(words.names.tasks, first, last)),
                len(words.agents(first, last)),
            )
            if len(same) > most:
                tasks = "; ".join(_order(one) for one in same)
                yield f"'{act['quote']}' does not ask for all of this: {tasks}."
                return

    def _quoted(self, act: Act) -> list[Clause]:
        words = self.said[act["utterance"]]
        return [
            one for start, end in _places(words.text, act["quote"]) for one in words.of(start, end)
        ]

    def _named(self, words: Clauses, first: int, last: int) -> set[str]:
        tasks = words.names.complete.intersection(said_between(words.names.tasks, first, last))
        return tasks | self._known_things(words, first, last) | {*words.agents(first, last)}

    def _known_things(self, words: Clauses, first: int, last: int) -> set[str]:
        """Things that words mention, those of the work also by a part of their name.

        A word of a task's own names none: "put it into the freezer" is about what is put there.
        """
        names = words.names
        articles = self._lexicon.language.articles
        of_tasks = set().union(*(names.tasks[task] for task in names.complete))
        of_tasks |= {at for at, word in enumerate(words.words) if word.text in articles}
        own = {thing: at - of_tasks for thing, at in names.things.items()}
        of_work = self._lexicon.things_of_work(self.moment.context.subtasks)
        near = of_work.intersection(said_between(names.parts, first, last))
        return {*said_between(own, first, last), *near}

    def _things_of(self, id: str) -> set[str]:
        said = self._said(id)
        return {thing for _, thing in said.args} if isinstance(said, SaidTask) else set()

    def _named_subtasks(self, act: Act) -> list[str]:
        return [str(id) for id in self._of_type(act, "Subtask")]

    def _things(self, act: Act) -> set[str]:
        """The things that an act is about."""
        found = (
            {str(value) for value in (act.get("args") or {}).values()} if "task" in act else set()
        )
        ids = [*self._named_subtasks(act), *(p.subtask for p in self._proposed(act))]
        recipes = {str(one) for one in self._of_type(act, "Recipe")}
        return found | recipes | {thing for id in ids for thing in self._things_of(id)}

    def _agents(self, act: Act, *, proposed: bool = True) -> set[str]:
        found = {str(one) for one in self._of_type(act, "Agent")}
        return found | ({p.agent for p in self._proposed(act)} if proposed else set())

    def _of_type(self, act: Act, name: str) -> Iterator[object]:
        """The values of an act's fields of a type."""
        for field, kind in self.ear.acts.get(act["kind"], {}).items():
            if not isinstance(kind, str) or act.get(field) is None:
                continue
            type_ = parse_type(kind)
            if isinstance(type_, ListOf) and type_.item == Named(name):
                yield from act[field]
            elif without_none(type_) == Named(name):
                yield act[field]

    def _recent(self, said: Clauses) -> set[str]:
        """Subtasks that the talk was about, or that people have."""
        context = self.moment.context
        things = self._known_things(said, 0, len(said.words))
        for line in self.moment.recent:
            words = self.ear.clauses(line, context)
            things |= self._known_things(words, 0, len(words.words))
        held = {one.id for one in context.subtasks if one.agent in self._people}
        return held | {id for id in self._work if things & self._things_of(id)}


def _joined(words: Clauses, clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses of a sentence that follow each other as one."""
    found: list[Clause] = []
    for clause in clauses:
        if found and found[-1].last == clause.first and words.words[clause.first].breaks < 2:
            clause = Clause(found[-1].first, clause.last, found.pop().start, clause.end)
        found.append(clause)
    return found


def _within(value: object, heard: object) -> bool:
    """Whether a field's value is what was heard, or a part of it."""
    if isinstance(heard, list | tuple):
        return isinstance(value, list | tuple | None.__class__) and set(value or ()) <= set(heard)
    return value == heard or (not value and not heard)


def _places(text: str, quote: str) -> Iterator[tuple[int, int]]:
    at = text.find(quote)
    while at >= 0 and quote:
        yield at, at + len(quote)
        at = text.find(quote, at + 1)


def _and(names: Iterable[str]) -> str:
    return " and ".join(names if isinstance(names, list) else sorted(names))


def _order(act: Act) -> str:
    return " ".join([str(act["task"]), *map(str, (act.get("args") or {}).values())])
