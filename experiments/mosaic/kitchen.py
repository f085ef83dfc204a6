"""What the user knows of a system: its recipes and who can do what, read from its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treec.files.view import View
from treec.team.knowledge import ANYTHING, Knowledge


@dataclass(frozen=True)
class RecipeSubtask:
    """A subtask of a recipe: its words, and the task that they name."""

    id: str
    words: str
    task: str | None
    args: Mapping[str, str]
    after: Sequence[str]

    @property
    def same(self) -> tuple[str | None, tuple[tuple[str, str], ...]]:
        """Key that is equal for the same work in another recipe."""
        return self.task, tuple(sorted(self.args.items()))


@dataclass(frozen=True)
class Member:
    """An agent as the user knows it."""

    name: str
    person: bool
    can: Sequence[str]

    def able(self, task: str | None) -> bool:
        """Whether it can do a task."""
        return ANYTHING in self.can or (task is not None and task in self.can)


@dataclass(frozen=True)
class Kitchen:
    """Recipes and team."""

    recipes: Mapping[str, Sequence[RecipeSubtask]]
    team: Mapping[str, Member]
    user: str

    def able(self, task: str | None) -> list[str]:
        """Who can do a task, robots first."""
        able = [m for m in self.team.values() if m.able(task)]
        return [m.name for m in sorted(able, key=lambda m: (m.person, m.name))]


def kitchen_of(view: View) -> Kitchen:
    """Read the kitchen of a system."""
    knowledge = Knowledge(view)
    recipes: dict[str, list[RecipeSubtask]] = {}
    for name in sorted(knowledge.recipes):
        works = []
        for id, spec in knowledge.recipes[name].subtasks.items():
            words = spec.do or id
            bound = knowledge.words.match(words)
            task, args = (bound.task, dict(bound.args)) if bound else (None, {})
            works.append(RecipeSubtask(id, words, task, args, tuple(spec.after)))
        recipes[name] = works
    people = set(view.people)
    team = {n: Member(n, n in people, tuple(a.can)) for n, a in view.agents.items()}
    user = view.people[0] if view.people else "user"
    return Kitchen(recipes, team, user)
