"""The judge's own state of subtasks and agents, built from the journal's events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .story import Story, StoryEvent

FINISHED = ("done", "dropped")


@dataclass
class LedgerSubtask:
    """A subtask as it stands. ``by``: whoever had it last; ``ran``: a robot has begun it."""

    id: str
    words: str
    task: str | None
    args: Mapping[str, Any]
    recipe: str | None
    status: str = "waiting"
    by: str | None = None
    ran: bool = False
    past: bool = False
    """Of a dish that was cooked to its end before this one."""


@dataclass
class Ledger:
    """The state that the events so far come to."""

    recipe: str = ""
    subtasks: dict[str, LedgerSubtask] = field(default_factory=dict)
    current: dict[str, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)

    def apply(self, event: StoryEvent) -> None:
        """Book one event."""
        data = event.data
        match event.kind:
            case "recipe.set":
                self._begin(str(data["name"]), list(data.get("keeps", ())))
            case "subtask.added":
                self.subtasks[data["id"]] = LedgerSubtask(
                    data["id"],
                    data.get("words") or data["id"],
                    data.get("task"),
                    data.get("args") or {},
                    data.get("recipe"),
                )
            case "assigned":
                for id in data["subtasks"]:
                    self._set(id, "held", data["agent"])
            case "subtask.started":
                self.current[data["agent"]] = data["subtask"]
                self._set(data["subtask"], "running", data["agent"])
                if data["subtask"] in self.subtasks:
                    self.subtasks[data["subtask"]].ran = True
            case "subtask.done":
                self._set(data["subtask"], "done")
            case "subtask.failed":
                self._set(data["subtask"], "failed")
            case "subtask.dropped":
                for id in data["subtasks"]:
                    self._set(id, "dropped")
            case "agent.interrupted":
                self.stopped.add(data["agent"])
                at = self.current.get(data["agent"])
                if at is not None:
                    self._set(at, "held", data["agent"])
            case "agent.resumed":
                self.stopped.discard(data["agent"])

    def _begin(self, recipe: str, keeps: list[str]) -> None:
        """Another dish, or the same once more; what it keeps of other work is its own now."""
        own = [w for w in self.subtasks.values() if w.recipe == self.recipe and not w.past]
        if own and all(w.status in FINISHED for w in own):
            for work in self.subtasks.values():
                work.past = work.past or work.status in FINISHED
        for id in keeps:
            if id in self.subtasks:
                self.subtasks[id].recipe = recipe
        self.recipe = recipe

    def of_now(self) -> list[LedgerSubtask]:
        """The work of this dish, what was asked for beside it, and what is not finished yet."""
        return [
            w
            for w in self.subtasks.values()
            if not w.past and (w.recipe in (None, self.recipe) or w.status not in FINISHED)
        ]

    def _set(self, id: str, status: str, agent: str | None = None) -> None:
        work = self.subtasks.get(id)
        if work is None:
            return
        if status != "running":
            self.current = {a: s for a, s in self.current.items() if s != id}
        work.status = status
        if agent is not None:
            work.by = agent

    def has(self, agent: str, id: str) -> bool:
        """Whether a subtask is that agent's: queued, in work, or done by it."""
        work = self.subtasks.get(id)
        return work is not None and work.by == agent and work.status in ("held", "running", "done")

    def same(self, act: Mapping[str, Any]) -> list[str]:
        """The subtasks that a request means: by id, or by task and arguments, or by words."""
        return [id for id, work in self.subtasks.items() if _meant(work, act)]


def _meant(work: LedgerSubtask, act: Mapping[str, Any]) -> bool:
    if act.get("task") is not None and work.task == act["task"]:
        return dict(work.args) == dict(act.get("args") or {})
    return work.id == act.get("subtask") or _plain(work.words) == _plain(act.get("words") or "")


def ledger_at(story: Story, t: float | None) -> Ledger:
    """The books after all that happened up to ``t``; at the end when it is none."""
    ledger = Ledger()
    for event in story.events:
        if t is not None and event.t > t:
            break
        ledger.apply(event)
    return ledger


def _plain(text: str) -> str:
    return re.sub(r"\b(the|a|an|some)\s+", "", " ".join(text.lower().split()))
