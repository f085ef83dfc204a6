"""The names and functions that a running team's expressions can use.

One table says for each its type and what it is, and extensions add to it; the scope evaluates them,
the checker reads the same table, and the reference page is made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, cast

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.types import Type, parse_type
from treec.source.errors import EvaluationProblem, UndefinedName
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Special
from treec.team.entities import Agent, Recipe, Subtask, Task, Utterance
from treec.team.mentions import mentioned, tasks_named
from treec.team.stored import FINISHED
from treec.team.team import Team
from treec.world.facts import FactError

T = TypeVar("T")


@dataclass(frozen=True)
class NameInfo:
    """A name that the team brings to every domain."""

    type: Type
    about: str


@dataclass(frozen=True)
class FunctionInfo:
    """A function that expressions may call."""

    args: tuple[str, ...]
    returns: Type
    about: str
    optional: int = 0


def _name(type_: str, about: str) -> NameInfo:
    return NameInfo(parse_type(type_), about)


def _function(args: str, returns: str, about: str, optional: int = 0) -> FunctionInfo:
    return FunctionInfo(tuple(args.split()), parse_type(returns), about, optional)


_NAMES: Mapping[str, NameInfo] = {
    "agents": _name("list of Agent", "Everybody in the team."),
    "robots": _name("list of Robot", "The team's robots; known when compiling."),
    "people": _name("list of Person", "The team's people; known when compiling."),
    "subtasks": _name("list of Subtask", "All work, of the recipe and beside it."),
    "proposals": _name("list of Proposal", "What the user was asked and has not answered."),
    "acts": _name("any", "What the user did with their words and no commit has settled, by kind."),
    "user_input": _name("text", "What the user said that is not answered yet."),
    "chat": _name("list of Utterance", "The conversation."),
    "recipes": _name("list of Recipe", "The recipes of the library."),
    "tasks": _name("list of Task", "The tasks of the library."),
    "capabilities": _name("list of text", "Who can do what, a line for each agent."),
    "things": _name("list of text", "The scene's things by name, a line for each of their types."),
    "work": _name(
        "list of Subtask", "The work of now: the recipe's, and what was asked for beside."
    ),
    "completed": _name("list of Subtask", "Work that is done, of this recipe and beside it."),
    "all_done": _name("bool", "There is work, and all of it is done."),
    "all_dropped": _name("bool", "There is work, and all of it is done or dropped."),
    "blocked": _name("list of Subtask", "Subtasks that wait for one that was dropped."),
    "now": _name("number", "Seconds since the run began."),
    "recipe_since": _name("number", "When the recipe was set, in seconds since the run began."),
    "last_refusal": _name("number", "When the user last said no to a proposal; 0 for never."),
}

_FUNCTIONS: Mapping[str, FunctionInfo] = {
    "queue": _function("agent", "list of Subtask", "What an agent has still to do, in order."),
    "status": _function("who", "text", "The status of an agent or of a subtask."),
    "current": _function("agent", "Subtask or none", "What an agent is at."),
    "can": _function("agent task", "bool", "Whether an agent can do a task or a subtask."),
    "suggest": _function(
        "available agents since",
        "list of any",
        "Whom to propose what: (agent, subtask), one each; what was refused up to then again.",
        optional=1,
    ),
    "proposed": _function(
        "agent subtask", "bool", "Whether this is proposed and not yet answered."
    ),
    "answered": _function("utterance", "bool", "Whether what was said is settled."),
    "said": _function(
        "text since",
        "bool",
        "Whether the assistant has said something with these words, from a time on.",
        optional=1,
    ),
    "heard": _function("text", "bool", "Whether a person has said something with these words."),
    "done": _function("subtask", "bool", "Whether a subtask is done."),
    "doing": _function("task", "Agent or none", "Which robot is at this very task now."),
    "steps": _function("subtask", "any", "The steps of a subtask's task, bound to its things."),
    "place_of": _function("thing", "text or none", "Where a thing is: the fact `at`."),
    "subtask": _function("words", "Subtask or none", "A subtask by its id or words, or of a task."),
    "agent": _function("name", "Agent or none", "An agent by name."),
    "mentioned": _function("words", "list of text", "The agents and things named in words."),
    "tasks_named": _function("words", "list of Task", "The tasks whose name or verb is in words."),
    "needs": _function(
        "subtask", "list of Subtask", "What comes before a subtask and was not dropped."
    ),
    "refused": _function("subtask", "bool", "Whether it was refused and nothing finished since."),
    "holds": _function("task", "bool", "Whether a task's goal holds already."),
}

SPECIALS: Mapping[str, str] = {
    "age": "Seconds since a fact was set or confirmed: age(at(item)) < 5.",
    "source": "What a fact rests on: source(at(item)) == 'sensed'.",
}


@lru_cache(maxsize=1)
def team_names() -> Mapping[str, NameInfo]:
    """All names that a team brings to every domain: the core's and those of extensions."""
    added = _new(registry().names, _NAMES)
    return {**_NAMES, **{name: _name(info.type, info.about) for name, info in added.items()}}


@lru_cache(maxsize=1)
def team_functions() -> Mapping[str, FunctionInfo]:
    """All functions of expressions: the core's and those of extensions."""
    found = dict(_FUNCTIONS)
    for name, info in _new(registry().functions, _FUNCTIONS).items():
        found[name] = FunctionInfo(info.args, parse_type(info.returns), info.about, info.optional)
    return found


def _new(added: Mapping[str, T], known: Collection[str]) -> dict[str, T]:
    """What extensions add and the core does not have; the rest is noted as a problem."""
    for name in sorted(set(added) & set(known)):
        registry().problem(ExtensionError(f"an extension's '{name}' is treec's own already"))
    return {name: info for name, info in added.items() if name not in known}


depends_on_extensions(team_names.cache_clear)
depends_on_extensions(team_functions.cache_clear)


HELPER = "helper"
"""In a subtask's own steps: who does it with its agent; a second one is ``helper_2``."""


@dataclass(frozen=True, slots=True)
class BoundSteps:
    """A task's steps with its arguments bound, for a program to run."""

    text: str
    task: str
    args: Mapping[str, object]


def is_ready(value: object) -> bool:
    """Whether a subtask can be begun."""
    return isinstance(value, Subtask) and value.ready


def is_finished(value: object) -> bool:
    """Whether a subtask is done or dropped."""
    return isinstance(value, Subtask) and value.status in FINISHED


class WorldScope:
    """Evaluates a team's names, a domain's state, facts and derived names, and the scene's things.

    Looked up in this order: state, derived names, the team's names, things by their name. Each
    call of a fact's name reads that fact; an unknown one is none, or false.
    """

    def __init__(self, team: Team) -> None:
        self.team = team
        self.world = team.world
        self._view = team.knowledge.view
        self._derived = {n: Expression.parse(e) for n, e in self._view.derived.items()}
        self._state = frozenset(self._view.state)
        self._facts = self._view.facts
        self._things = frozenset((*self._view.objects, *self._view.agents))
        self._names: dict[str, Callable[[], object]] = {
            "agents": lambda: team.agents,
            "robots": lambda: tuple(a for a in team.agents if not a.person),
            "people": lambda: tuple(a for a in team.agents if a.person),
            "subtasks": lambda: team.subtasks,
            "proposals": lambda: team.now.open,
            "acts": lambda: team.now.acts,
            "user_input": lambda: team.user_input,
            "chat": lambda: team.chat,
            "recipes": self._recipes,
            "tasks": team.knowledge.task_kinds,
            "capabilities": team.knowledge.capabilities,
            "things": team.knowledge.thing_lines,
            "work": lambda: team.work,
            "completed": lambda: tuple(s for s in team.work if s.status == "done"),
            "all_done": lambda: self._all(("done",)),
            "all_dropped": lambda: self._all(FINISHED),
            "blocked": lambda: team.blocked,
            "now": lambda: self.world.clock.now(),
            "recipe_since": lambda: self.world.state["recipe_t"],
            "last_refusal": lambda: team.last_refusal,
        }
        self._functions: dict[str, Callable[..., object]] = {
            "queue": lambda agent: self._agent(agent).queue,
            "status": self._status,
            "current": lambda agent: self._agent(agent).current,
            "can": self._can,
            "suggest": team.suggest,
            "proposed": self._proposed,
            "answered": self._answered,
            "said": lambda text, since=0.0: self._spoken(text, people=False, since=since),
            "heard": lambda text: self._spoken(text, people=True),
            "done": lambda s: self._subtask(s).status == "done",
            "doing": self._doing,
            "steps": self._steps,
            "place_of": lambda thing: self._fact("at", (thing,)),
            "subtask": team.subtask,
            "agent": team.agent,
            "mentioned": lambda words: mentioned(team.knowledge, str(words)),
            "tasks_named": lambda words: tasks_named(team.knowledge, str(words)),
            "needs": lambda s: team.needs(self._subtask(s)),
            "refused": lambda s: team.refused(self._subtask(s).id),
            "holds": self._holds,
        }
        for name, value in _new(registry().names, self._names).items():
            self._names[name] = self._added(value.get)
        for name, function in _new(registry().functions, self._functions).items():
            self._functions[name] = self._added(function.call)
        self._specials: dict[str, Special] = {"age": self._age, "source": self._source}

    def _added(self, target: str) -> Callable[..., object]:
        """What an extension adds, imported when it is first called."""

        def call(*args: object, **kwargs: object) -> object:
            try:
                found = cast(Callable[..., object], registry().load(target))
            except ExtensionError as error:
                raise EvaluationProblem(str(error)) from error
            return found(self.team, *args, **kwargs)

        return call

    def lookup(self, name: str) -> object:
        """The value of a name."""
        if name in self._state:
            return self.world.state[name]
        derived = self._derived.get(name)
        if derived is not None:
            return derived.evaluate(self)
        found = self._names.get(name)
        if found is not None:
            return found()
        if name in self._things:
            return self.team.agent(name) or name
        raise UndefinedName(name, (*self._state, *self._derived, *self._names))

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Call a function, or read a fact."""
        if name in self._facts and not kwargs:
            return self._fact(name, args)
        function = self._functions.get(name)
        if function is None:
            raise UndefinedName(name, (*self._facts, *self._functions))
        try:
            return function(*args, **kwargs)
        except TypeError:
            info = team_functions()[name]
            raise EvaluationProblem(f"{name} takes ({', '.join(info.args)})") from None

    def special(self, name: str) -> Special | None:
        """The forms that look at a fact itself."""
        return self._specials.get(name)

    def child(self, names: Mapping[str, object]) -> MappingScope:
        """This scope with more names."""
        return MappingScope(names, parent=self)

    def _fact(self, name: str, args: tuple[object, ...]) -> object:
        if any(arg is None for arg in args):
            return None
        try:
            found = self.world.facts.get(name, [str(arg) for arg in args])
        except FactError as error:
            raise EvaluationProblem(str(error)) from None
        kind = self._facts[name].value
        if found is None or found.source == "unknown":
            return None if kind else False
        if kind is not None and isinstance(found.value, str):
            return self.team.agent(found.value) or found.value
        return found.value

    def _age(self, name: str, args: tuple[object, ...]) -> object:
        age = self.world.facts.age(self.world.clock.now(), name, [str(arg) for arg in args])
        return float("inf") if age is None else age

    def _source(self, name: str, args: tuple[object, ...]) -> object:
        return self.world.facts.source(name, [str(arg) for arg in args])

    def _agent(self, name: object) -> Agent:
        found = self.team.agent(name)
        if found is None:
            raise EvaluationProblem(
                f"'{name}' is no agent", f"there are {', '.join(self.team.now.agents)}"
            )
        return self.team.now.agents[found.name]

    def _subtask(self, name: object) -> Subtask:
        found = self.team.subtask(name)
        if found is None:
            raise EvaluationProblem(f"'{name}' is no subtask of this run")
        return found

    def _status(self, who: object) -> str:
        agent = None if isinstance(who, Subtask) else self.team.agent(who)
        return self.team.now.agents[agent.name].status if agent else self._subtask(who).status

    def _can(self, agent: object, task: object) -> bool:
        if agent is None:
            return any(self._can(other, task) for other in self.team.agents)
        name = task.task if isinstance(task, Subtask) else None
        if isinstance(task, Task):
            name = task.name
        elif isinstance(task, str):
            bound = self.team.knowledge.words.match(task)
            name = bound.task if bound else task
        return self.team.knowledge.able(self._agent(agent).name, name)

    def _doing(self, task: object) -> Agent | None:
        for agent in self.team.agents:
            current = agent.current
            if current is None or agent.person:
                continue
            if isinstance(task, Task):
                same = current.task == task.name and dict(current.args) == dict(task.args)
            else:
                same = str(task) in (current.id, current.words)
            if same:
                return agent
        return None

    def _holds(self, task: object) -> bool:
        if not isinstance(task, Task | Subtask):
            raise EvaluationProblem(f"'{task}' is no task")
        model = self.team.knowledge.tasks.get(
            str(task.task if isinstance(task, Subtask) else task.name)
        )
        if model is None or not model.goal or set(model.args) - set(task.args):
            return False
        return bool(Expression.parse(model.goal).evaluate(self.child(dict(task.args))))

    def _proposed(self, agent: object, subtask: object) -> bool:
        return any(
            str(p.agent) == str(agent) and str(subtask) in (p.subtask.id, p.subtask.words)
            for p in self.team.now.open
        )

    def _answered(self, utterance: object) -> bool:
        id = utterance.id if isinstance(utterance, Utterance) else str(utterance)
        found = self.team.now.utterances.get(id)
        return found is not None and found.read and found.answered

    def _spoken(self, text: object, *, people: bool, since: float = 0.0) -> bool:
        people_names = self.team.knowledge.people
        needle = str(text).lower()
        return any(
            (u.who in people_names) == people and u.t >= since and needle in u.text.lower()
            for u in self.team.chat
        )

    def _steps(self, subtask: object) -> BoundSteps:
        found = self._subtask(subtask)
        if found.steps is not None:
            helpers = {
                HELPER if n == 1 else f"{HELPER}_{n}": h for n, h in enumerate(found.helpers, 1)
            }
            return BoundSteps(found.steps, found.task or "", {**found.args, **helpers})
        task = self.team.knowledge.tasks.get(found.task or "")
        if task is None or task.steps is None:
            raise EvaluationProblem(f"no steps are known for '{found.words}'")
        return BoundSteps(task.steps, found.task or "", found.args)

    def _all(self, statuses: tuple[str, ...]) -> bool:
        work = self.team.work
        return bool(work) and all(s.status in statuses for s in work)

    def _recipes(self) -> tuple[Recipe, ...]:
        found = (self.team.knowledge.recipe(name) for name in self.team.knowledge.recipes)
        return tuple(recipe for recipe in found if recipe is not None)
