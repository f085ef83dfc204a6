"""Runs written by hand: a journal and its intents, for the judge to judge."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from experiments.mosaic.judge import Story, Verdict, judge, read_story

AGENTS = {
    "R1": {"person": False, "can": ["stir", "pour"]},
    "R2": {"person": False, "can": ["get"]},
    "user": {"person": True, "can": ["anything"]},
}
RECIPES = ["Caesar Salad", "Corn Soup", "Pasta Salad", "Tomato Soup"]
SALT = {"task": "get", "args": {"item": "salt"}, "words": "get the salt"}


@dataclass
class Tale:
    """Tell a run event by event; time goes on only when :meth:`wait` says so."""

    recipe: str = "Tomato Soup"
    interactions: list[dict[str, Any]] = field(default_factory=list)
    t: float = 0.0
    records: list[dict[str, Any]] = field(default_factory=list)
    intents: list[dict[str, Any]] = field(default_factory=list)
    proposals: int = 0

    def plan(self, mode: str) -> Tale:
        """An interaction of that mode is planned, as A1, B1, …"""
        self.interactions.append({"id": f"{mode}1", "mode": mode})
        return self

    def event(self, kind: str, **data: Any) -> Tale:
        """Something happens."""
        record = {"n": len(self.records) + 1, "t": self.t, "kind": kind, "by": "x", "data": data}
        self.records.append(record)
        return self

    def wait(self, seconds: float) -> Tale:
        """Time passes."""
        self.t += seconds
        return self

    def user(self, text: str, *acts: dict[str, Any], mode: str | None = None) -> Tale:
        """The user says something, and means it so."""
        line = {"text": text, "acts": list(acts), "interaction": f"{mode}1" if mode else None}
        self.intents.append({"kind": "words", "utterance": len(self.intents) + 1, **line})
        return self.event("said", id=f"u{len(self.records)}", who="user", text=text)

    def says(self, text: str) -> Tale:
        """The assistant says something."""
        return self.event("said", id=f"u{len(self.records)}", who="assistant", text=text)

    def cook(self, *works: tuple[str, str, dict[str, str]]) -> Tale:
        """The recipe is chosen, set, and has these subtasks: (words, task, arguments)."""
        self.user(f"Let's make {self.recipe}.", {"do": "choose", "recipe": self.recipe})
        self.event("recipe.set", name=self.recipe).says(f"{self.recipe} it is!")
        for words, task, args in works:
            self.event(
                "subtask.added", id=words, words=words, task=task, args=args, recipe=self.recipe
            )
        return self.wait(30)

    def propose(self, agent: str, subtask: str) -> Tale:
        """The assistant proposes."""
        self.proposals += 1
        self.event("proposed", id=f"p{self.proposals}", agent=agent, subtask=subtask)
        return self.says(f"Shall {agent} {subtask}?")

    def assign(self, agent: str, *subtasks: str) -> Tale:
        """Work is given to somebody."""
        return self.event("assigned", agent=agent, subtasks=list(subtasks), first=False)

    def texts(self) -> tuple[str, str]:
        """The journal and the intents."""
        head = {
            "kind": "begin",
            "user": "user",
            "recipe": self.recipe,
            "agents": AGENTS,
            "recipes": RECIPES,
            "interactions": self.interactions,
        }
        begin = {"n": 0, "t": 0.0, "kind": "run.begin", "by": "run", "data": {"format": 1}}
        end = {"n": 0, "t": self.t + 60, "kind": "run.end", "by": "run", "data": {"ok": True}}
        journal = "\n".join(json.dumps(line) for line in (begin, *self.records, end))
        return journal, "\n".join(json.dumps(line) for line in (head, *self.intents))

    def story(self) -> Story:
        """As the judge reads it."""
        return read_story(*self.texts())

    def verdict(self) -> Verdict:
        """What the judge says."""
        return judge(self.story())

    def broken(self) -> list[str]:
        """The promises that were broken, each as often."""
        return sorted(violation.promise for violation in self.verdict().violations)

    def passes(self) -> bool:
        """Whether the one planned interaction was handled."""
        (result,) = self.verdict().passed
        return result.passed


def offer(agent: str, subtask: str) -> dict[str, Any]:
    """A proposal as intents speak of it."""
    return {"id": "p1", "agent": agent, "subtask": subtask}


def accept(agent: str, subtask: str) -> dict[str, Any]:
    """The user agrees."""
    return {"do": "accept", "proposals": [offer(agent, subtask)]}


def request(agent: str | None, words: str, task: str, **args: str) -> dict[str, Any]:
    """The user wants something done; the subtask's id is its words."""
    return {
        "do": "request",
        "agent": agent,
        "subtask": words,
        "task": task,
        "args": args,
        "words": words,
    }
