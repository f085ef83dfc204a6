"""What a team knows from its library: agents, tasks, recipes, and the words for them."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

from treec.files.places import AgentFile
from treec.files.prompts import ReadingFile
from treec.files.tasks import RecipeFile, SkillFile, SubtaskSpec, TaskFile
from treec.files.view import View, per_files
from treec.frozen import frozen
from treec.team.entities import Recipe, Subtask, Task
from treec.team.language import articles_before, language_of, talk_agent
from treec.team.talk import TalkAgent
from treec.team.words import Words, find_repeated_thing

ANYTHING = "anything"
"""In an agent's `can`: every task, and subtasks without a task."""


@frozen(slots=False)
class Knowledge:
    """The part of a library that the team's functions need."""

    view: View
    kept: dict[object, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    """What was made of it once and stays the same: by whoever makes it."""

    @cached_property
    def agents(self) -> Mapping[str, AgentFile]:
        """Agents by name."""
        return self.view.agents

    @cached_property
    def people(self) -> frozenset[str]:
        """Names of the agents that are people."""
        return frozenset(self.view.people)

    @cached_property
    def tasks(self) -> Mapping[str, TaskFile]:
        """Tasks by name."""
        return {name: entry.model for name, entry in self.view.all("task").items()}

    def skill(self, name: str) -> SkillFile | None:
        """A skill by name; ``pack/name`` reaches into another pack."""
        entry = self.view.find("skill", name)
        return entry.model if entry else None

    @cached_property
    def recipes(self) -> Mapping[str, RecipeFile]:
        """Recipes by name."""
        return {name: entry.model for name, entry in self.view.all("recipe").items()}

    def recipe_file(self, name: str) -> RecipeFile | None:
        """A recipe's file by name; ``pack/name`` reaches into another pack."""
        entry = self.view.find("recipe", name)
        return entry.model if entry else None

    @cached_property
    def act_kinds(self) -> tuple[str, ...]:
        """The kinds of acts that the system's readings declare."""
        kinds: dict[str, None] = {}
        for entry in self.view.all("reading").values():
            reading: ReadingFile = entry.model
            kinds.update(dict.fromkeys(reading.acts))
        return tuple(kinds)

    @cached_property
    def act_fields(self) -> Mapping[str, Mapping[str, object]]:
        """The fields of each kind of act, by name, with their types."""
        return {
            kind: fields
            for entry in self.view.all("reading").values()
            for kind, fields in entry.model.acts.items()
        }

    @cached_property
    def words(self) -> Words:
        """The matcher of words against tasks and things."""
        return _words(self.view)

    def task(self, name: str, args: Mapping[str, object] | None = None) -> Task | None:
        """A task bound to things, as an entity."""
        model = self.tasks.get(name)
        if model is None:
            return None
        bound = dict(args or {})
        return Task(name, model.about, bound, say_task(name, model, bound))

    def task_kinds(self) -> tuple[Task, ...]:
        """The tasks as entities, with types as their arguments."""
        return tuple(Task(name, t.about, dict(t.args), name) for name, t in self.tasks.items())

    def thing_lines(self) -> tuple[str, ...]:
        """The scene's things by name, a line for each of their types."""
        by_type: dict[str, list[str]] = {}
        for name, spec in self.view.objects.items():
            by_type.setdefault(spec.type, []).append(name)
        return tuple(f"{kind}: {', '.join(names)}" for kind, names in by_type.items())

    def capabilities(self) -> tuple[str, ...]:
        """Who can do what, a line for each agent."""
        abilities = {name: ", ".join(spec.can) for name, spec in self.agents.items()}
        return tuple(
            f"{name} can {'do anything' if can == ANYTHING else can}"
            for name, can in abilities.items()
            if can
        )

    def repeated_thing(self, task: str | None, args: Mapping[str, object]) -> str | None:
        """The thing that is the value of two arguments of a task, if there is one."""
        model = self.tasks.get(task or "")
        if model is None:
            return None
        return find_repeated_thing(model.args, args)

    def recipe(self, name: str) -> Recipe | None:
        """A recipe as an entity."""
        model = self.recipe_file(name)
        return Recipe(name, model.about or "", tuple(model.subtasks)) if model else None

    def recipe_words(self, subtasks: Mapping[str, SubtaskSpec]) -> dict[str, str]:
        """What is to be done, by subtask: what one `makes` is called by where it was made."""
        words = {id: spec.do or id for id, spec in subtasks.items()}
        for id, spec in subtasks.items():
            vessel = self.made_in(words[id]) if spec.makes else None
            name = re.compile(rf"\b{re.escape(spec.makes or '')}\b", re.IGNORECASE)
            for other in words if vessel else ():
                said = name.sub(str(vessel), words[other])
                phrase = (self.words.nearly(said) or ("", ""))[1]
                is_it = str(vessel) not in phrase or phrase.endswith(str(vessel))
                if other != id and is_it:  # not of "pudding mix", where pudding is made
                    words[other] = said
        return words

    def words_in_recipe(self, subtask: Subtask) -> str:
        """A subtask's words without amounts, times and notes, as its recipe has them."""
        recipe = self.recipe_file(subtask.recipe or "")
        spec = recipe.subtasks.get(subtask.id) if recipe is not None else None
        return subtask.words if spec is None else spec.do or subtask.id

    def made_in(self, words: str) -> str | None:
        """The thing that has what was made: the last that the goal of a task is about."""
        bound = self.words.match(words)
        goal = (self.tasks[bound.task].goal or "") if bound else ""
        named = (bound.args.get(word) for word in re.findall(r"\w+", goal)) if bound else ()
        return next((name for name in reversed([*named]) if name), None)

    def able(self, agent: str, task: str | None) -> bool:
        """Whether an agent can do a task; None stands for a subtask without a task."""
        spec = self.agents.get(agent)
        if spec is None:
            return False
        return ANYTHING in spec.can or (task is not None and task in spec.can)


def say_task(name: str, task: TaskFile, args: Mapping[str, object]) -> str:
    """A task in words, by its first pattern whose arguments are all bound."""
    for pattern in task.says:
        names = re.findall(r"<(\w+)>", pattern)
        if all(arg in args for arg in names):
            return re.sub(r"<(\w+)>", lambda found: str(args[found.group(1)]), pattern)
    for pattern in task.says if args else ():  # what is not said is left open
        if args.keys() <= {*re.findall(r"<(\w+)>", pattern)}:
            return re.sub(r"<(\w+)>", lambda found: str(args.get(found.group(1), "…")), pattern)
    values = " ".join(str(value) for value in args.values())
    return f"{name} {values}".strip()


@per_files("agent", "domain", "hearing", "reading", "scene", "task")
def _words(view: View) -> Words:
    things = {name: (spec.type, spec.also) for name, spec in view.objects.items()}
    things.update({name: (spec.is_, spec.also) for name, spec in view.agents.items()})
    tasks = {name: (it.model.says, it.model.args) for name, it in view.all("task").items()}
    endings = language_of(view).endings
    return Words(tasks, things, view.types.is_a, articles_before(view), endings)


@lru_cache(maxsize=4)
def knowledge_of(view: View) -> Knowledge:
    """The knowledge of a view, cached."""
    return Knowledge(view)


def talk_agents(knowledge: Knowledge, stopped: Container[str] = ()) -> tuple[TalkAgent, ...]:
    """The agents as parsers are told of them."""
    people, file = knowledge.people, language_of(knowledge.view)
    return tuple(
        talk_agent(file, name, spec.also, person=name in people, stopped=name in stopped)
        for name, spec in knowledge.agents.items()
    )
