"""The acts that an utterance may be: what the declared kinds and the names of the moment allow.

A candidate is one act with one object: a yes to one proposal, a report of one subtask, an order to
one agent. For the scorer it says how each word relates to it (`marks`) and what it is in the moment
(`signs`). Neither contains a name, so that what was learned in one domain holds in others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

from treec.frozen import frozen
from treec.team.talk import TalkSubtask, TalkTask
from treec_hearing.mentioned_names import MentionedNames
from treec_hearing.mentions import SaidTask

THING, PART, OTHER_THING, AGENT, OTHER_AGENT, TASK, OTHER_TASK, COUNT, OTHER_COUNT = range(9)
"""How a word relates to a candidate: it names its thing, a part of that name, or another thing; its
agent, or another one; its task, or another one; its place in a list, or another place."""
OWN = frozenset({THING, PART, AGENT, TASK, COUNT})
LIMIT = 128
"""Candidates of one utterance; of more the first are scored."""
_CLOSED = ("done", "dropped")
_HELD = ("running", "interrupted", "queued")
Places = Mapping[str, set[int]]
"""Name → the numbers of the words that mention it."""


@frozen
class Candidate:
    """An act with its fields, what it is in the moment, and the relations of words to it."""

    kind: str
    fields: Mapping[str, object]
    signs: tuple[str, ...]
    marks: tuple[tuple[int, int], ...]
    """(number of the word, relation)"""


@frozen
class CandidateScore:
    """How likely a candidate is meant, how likely it shall come first, and the word it rests on."""

    likely: float
    first: float
    word: int


class CandidateNames(MentionedNames):
    """The names that are mentioned, and what they say of an act."""

    def thing_signs(self, args: Iterable[str]) -> list[str]:
        """How the things of an act are mentioned, and whether others are."""
        args = set(args)
        found = ["thing"] * (not args.isdisjoint(self.things))
        found += ["part of thing"] * (not args.isdisjoint(self.parts))
        found += ["other thing"] * bool(self.things.keys() - args)
        return found or ["no thing"]

    def task_signs(self, task: str | None) -> list[str]:
        """How the task of an act is mentioned, and whether others are."""
        found = ["task"] * (task in self.tasks) + ["whole task"] * (task in self.complete)
        return found + ["other task"] * bool(self.tasks.keys() - {task}) or ["no task"]

    def agent_signs(self, agent: str | None) -> list[str]:
        """Whose act it is, and who is named."""
        user = self.context.user
        found = ["nobody's" if agent is None else "mine" if agent == user else "a robot's"]
        found += ["agent"] * (agent in self.agents)
        found += ["other agent"] * bool(self.agents.keys() - {agent, user})
        return found + ["speaker"] * (user in self.agents)

    def work_signs(self, agent: str | None, said: SaidTask | None) -> list[str]:
        """All of these for a subtask."""
        things = [thing for _, thing in said.args] if said else []
        task = said.task if said else None
        return [*self.agent_signs(agent), *self.thing_signs(things), *self.task_signs(task)]

    def is_mentioned(self, said: SaidTask | None) -> bool:
        """Whether a subtask's task or one of its things is."""
        if said is None:
            return False
        things = {thing for _, thing in said.args}
        return said.task in self.tasks or not things.isdisjoint(self.things | self.parts)

    def marks(
        self,
        agent: str | None,
        task: str | None,
        things: Iterable[str],
        counts: Sequence[int] = (),
    ) -> tuple[tuple[int, int], ...]:
        """The relations of all words to an act with these names and places."""
        things = set(things)
        own: list[tuple[Places, set[str], int, int | None]] = [
            (self.things, things, THING, OTHER_THING),
            (self.parts, things, PART, None),
            (self.agents, {agent} if agent else set(), AGENT, OTHER_AGENT),
            (self.tasks, {task} if task else set(), TASK, OTHER_TASK),
        ]
        found: dict[int, set[int]] = {}
        for places, mine, same, other in own:
            for name, words in places.items():
                mark = same if name in mine else other
                if mark is not None:
                    for at in words:
                        found.setdefault(at, set()).add(mark)
        for number, words in self.counts.items():
            for at in words if counts else ():
                found.setdefault(at, set()).add(COUNT if number in counts else OTHER_COUNT)
        for one in found.values():
            for mine_, other_ in ((THING, OTHER_THING), (TASK, OTHER_TASK), (COUNT, OTHER_COUNT)):
                one -= {other_} if mine_ in one else set()
        return tuple((at, mark) for at in sorted(found) for mark in sorted(found[at]))


def candidates(names: CandidateNames) -> list[Candidate]:
    """The candidates of an utterance, in a fixed order, of the kinds that the moment has."""
    makers = (_answers, _halts, _choices, _questions, _reports, _orders)
    kinds = set(names.context.acts)
    made = (one for maker in makers for one in maker(names) if one.kind in kinds)
    return list(islice(made, LIMIT))


def _things(said: SaidTask | None) -> list[str]:
    return [thing for _, thing in said.args] if said else []


def _answers(names: CandidateNames) -> Iterator[Candidate]:
    proposals = names.context.proposals
    work = {one.id: names.lexicon.of_subtask(one.words).said for one in proposals}
    for place, one in enumerate(proposals):
        said = work[one.id]
        things = _things(said)
        signs = [*names.work_signs(one.agent, said), f"of {min(len(proposals), 3)}"]
        signs.append(f"at {min(place, 3)}")
        signs += ["last"] * (place == len(proposals) - 1)
        signs += ["only one of its agent"] * (sum(o.agent == one.agent for o in proposals) == 1)
        rest = {thing for id, it in work.items() if id != one.id for thing in _things(it)}
        signs += ["another is named"] * bool(
            (rest - {*things}) & (names.things | names.parts).keys()
        )
        counts = (0, place + 1, place - len(proposals))
        signs += ["counted"] * any(number in names.counts for number in counts)
        marks = names.marks(one.agent, said.task if said else None, things, counts)
        for kind in ("accept", "decline"):
            yield Candidate(kind, {"proposals": [one.id]}, tuple(signs), marks)


def _reports(names: CandidateNames) -> Iterator[Candidate]:
    proposed = {proposal.subtask for proposal in names.context.proposals}
    alike: dict[tuple[str, str | None], int] = {}
    for one in names.context.subtasks:
        alike[one.status, one.agent] = alike.get((one.status, one.agent), 0) + 1
    for one in names.context.subtasks:
        if one.status not in _CLOSED:
            said = names.lexicon.of_subtask(one.words).said
            if one.status in _HELD or one.id in proposed or names.is_mentioned(said):
                signs = [*names.work_signs(one.agent, said), f"is {one.status}"]
                signs += ["proposed"] * (one.id in proposed)
                signs.append(f"like {min(alike[one.status, one.agent], 3)}")
                marks = names.marks(one.agent, said.task if said else None, _things(said))
                for kind in ("done", "drop"):
                    yield Candidate(kind, {"subtasks": [one.id]}, tuple(signs), marks)


def _halts(names: CandidateNames) -> Iterator[Candidate]:
    context = names.context
    held = [one for one in context.subtasks if one.status in _HELD]
    if not (context.subtasks or context.recipe_name):
        return
    team = [agent for agent in context.agents if not agent.person]
    running = len({one.agent for one in held if one.status == "running"} - {context.user})
    stopped = [agent.name for agent in team if agent.stopped]
    stopped = stopped or sorted({str(one.agent) for one in held if one.status == "interrupted"})
    for agent in (None, *(agent.name for agent in team)):
        own = [one for one in held if one.agent == agent and agent is not None]
        works = [names.lexicon.of_subtask(one.words).said for one in own]
        things = [thing for said in works for thing in _things(said)]
        task = next((said.task for said in works if said and said.task in names.tasks), None)
        signs = [*names.agent_signs(agent), *names.thing_signs(things), *names.task_signs(task)]
        signs += [f"{min(running, 3)} run", f"{min(len(stopped), 3)} stopped"]
        signs += [f"own {one.status}" for one in own] + ["is stopped"] * (agent in stopped)
        signs += [f"{min(len(context.proposals), 2)} proposed"]
        for kind in ("stop", "resume"):
            yield Candidate(
                kind,
                {"agent": agent},
                tuple(dict.fromkeys(signs)),
                names.marks(agent, task, things),
            )


def _choices(names: CandidateNames) -> Iterator[Candidate]:
    context, offered = names.context, names.context.offered
    said = {**names.recipes, **names.recipe_parts}
    for name in dict.fromkeys((None, *names.recipes, *offered, *names.recipe_parts)):
        signs = [f"{min(len(said), 3)} named", f"{min(len(offered), 3)} offered"]
        signs += ["chosen before"] * bool(context.recipe_name)
        counts: tuple[int, ...] = ()
        marks: dict[int, int] = {}
        if name is not None:
            signs += ["whole"] * (name in names.recipes) + ["part"] * (name in names.recipe_parts)
            most = max((len(words) for words in names.recipe_parts.values()), default=0)
            signs += ["most words"] * (len(names.recipe_parts.get(name, ())) == most > 0)
            if name in offered:
                place = offered.index(name)
                counts = (place + 1, place - len(offered))
                signs += ["is offered", f"at {min(place, 3)}"]
                signs += ["counted"] * any(number in names.counts for number in counts)
        else:
            signs.append("no recipe")
        for other, words in said.items():
            for at in words:
                same = other == name
                marks[at] = THING if same else marks.get(at, OTHER_THING)
        found = [(at, mark) for at, mark in sorted(marks.items())]
        found += [mark for mark in names.marks(None, None, (), counts) if mark[1] >= COUNT]
        yield Candidate("choose", {"recipe": name}, tuple(signs), tuple(sorted(found)))


def _questions(names: CandidateNames) -> Iterator[Candidate]:
    signs = [f"{min(len(names.context.proposals), 2)} proposed"]
    signs += ["things"] * bool(names.things) + ["tasks"] * bool(names.tasks)
    yield Candidate("ask", {}, tuple(signs), names.marks(None, None, ()))


# Orders


def _orders(names: CandidateNames) -> Iterator[Candidate]:
    agents = [None, *names.agents]
    for said in _work(names):
        things = _things(said)
        base = [*names.thing_signs(things), *names.task_signs(said.task), f"{len(things)} things"]
        base += ["all things"] * all(thing in names.things for thing in things)
        base += ["as in its file"] * ((said.task, frozenset(said.args)) in names.said)
        base += ["wish"] * (said.task in names.lexicon.wished)
        for agent in agents:
            signs = [*base, *names.agent_signs(agent), *_same_work(names, said, agent)]
            fields = {"agent": agent, "task": said.task, "args": dict(said.args), "first": False}
            marks = names.marks(agent, said.task, things)
            yield Candidate("request", fields, tuple(dict.fromkeys(signs)), marks)


def _work(names: CandidateNames) -> Iterator[SaidTask]:
    """What may be ordered: by the tasks and things that are named, and by the work there is."""
    found: dict[tuple[str, frozenset[tuple[str, str]]], SaidTask] = {}
    known = [one.words for one in names.context.proposals]
    known += [one.words for one in names.context.subtasks if one.status not in _CLOSED]
    tasks = {task.name: task for task in names.context.tasks}
    for task in [name for name in tasks if name in names.tasks]:
        for said in _with_things(names, tasks[task]):
            found.setdefault((said.task, frozenset(said.args)), said)
    for words in known:
        known_as = names.lexicon.of_subtask(words).said
        if known_as is not None and names.is_mentioned(known_as):
            found.setdefault((known_as.task, frozenset(known_as.args)), known_as)
    if names.things or names.parts:
        for task in [name for name in tasks if name in names.lexicon.wished]:
            for said in _with_things(names, tasks[task]):
                if said.args:
                    found.setdefault((said.task, frozenset(said.args)), said)
    yield from found.values()


def _with_things(names: CandidateNames, task: TalkTask) -> Iterator[SaidTask]:
    """A task with the things of the right types that are named."""
    types = names.lexicon.types
    choices: list[list[tuple[str, str] | None]] = []
    for arg, kind in task.args.items():
        fitting = [name for name in names.things if kind in types.get(name, ())]
        parts = [name for name in names.parts if kind in types.get(name, ())]
        said = [frozenset(names.parts[name]) for name in parts]
        fitting += [name for name, at in zip(parts, said, strict=True) if said.count(at) == 1][:3]
        choices.append([(arg, name) for name in fitting] + [None])
    for chosen in islice(product(*choices), 24):
        args = [pair for pair in chosen if pair is not None]
        things = [thing for _, thing in args]
        if len(set(things)) == len(things):
            yield SaidTask(task.name, tuple(args))


def _same_work(names: CandidateNames, said: SaidTask, agent: str | None) -> Iterator[str]:
    """Whether this is proposed, or is a subtask already."""
    args = {*said.args}
    for proposal in names.context.proposals:
        known = names.lexicon.of_subtask(proposal.words).said
        if known and known.task == said.task and args <= {*known.args}:
            yield "proposed to it" if proposal.agent == agent else "proposed to another"
    for subtask in names.context.subtasks:
        if _is_same(names, subtask, said):
            yield f"is {subtask.status}"
            yield "its own" if subtask.agent == agent else "not its own"


def _is_same(names: CandidateNames, subtask: TalkSubtask, said: SaidTask) -> bool:
    known = names.lexicon.of_subtask(subtask.words).said
    return known is not None and known.task == said.task and {*said.args} <= {*known.args}
