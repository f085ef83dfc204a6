"""Promise 1, do not act without permission: no assignment, start or stop against the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .ledger import Ledger
from .story import Data, Story, StoryEvent, recipe_chosen
from .verdict import PERMISSION, BrokenPromise

ANYBODY = "*"


@dataclass
class _Grants:
    """What the user's words so far permit; what was done with a permission uses it up."""

    work: list[tuple[str, Data]] = field(default_factory=list)
    """(agent, what): an accepted proposal or a request."""
    recipes: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    stops: set[str] = field(default_factory=set)
    goes_on: set[str] = field(default_factory=set)

    def hear(self, act: Data) -> None:
        """Take in one act of the user's."""
        match act["do"]:
            case "accept":
                for offer in act["proposals"]:
                    if offer.get("drop"):
                        self.dropped.add(str(offer["subtask"]))
                    else:
                        self.work.append((str(offer["agent"]), offer))
            case "decline":
                refused = [
                    (p["agent"], p["subtask"]) for p in act["proposals"] if not p.get("drop")
                ]
                self.dropped -= {str(p["subtask"]) for p in act["proposals"] if p.get("drop")}
                self.work = [g for g in self.work if (g[0], g[1].get("subtask")) not in refused]
            case "request":
                agent = act.get("agent")
                if agent is not None:  # whom they name now is instead of whom they named before
                    key = (act.get("task"), act.get("args"))
                    self.work = [
                        g for g in self.work if (g[1].get("task"), g[1].get("args")) != key
                    ]
                self.work.append((ANYBODY if agent is None else str(agent), act))
            case "choose" | "describe":
                self.recipes.update(recipe_chosen(act))
            case "cancel":
                self.dropped |= {str(id) for id in act["subtasks"]}
            case "stop":
                self.stops.add(str(act.get("agent") or ANYBODY))
            case "resume":
                self.goes_on.add(str(act.get("agent") or ANYBODY))

    def use(self, story: Story, ledger: Ledger, agent: str, id: str) -> bool:
        """Whether this agent may have that; the permission is used up."""
        task = ledger.subtasks[id].task if id in ledger.subtasks else None
        for index, (who, what) in enumerate(self.work):
            fits = who == agent or (who == ANYBODY and story.able(agent, task))
            if fits and (what.get("subtask") == id or id in ledger.same(what)):
                del self.work[index]
                return True
        return False


def find_unpermitted(story: Story) -> Iterator[BrokenPromise]:
    """What was done that nobody had asked for or agreed to."""
    grants, ledger = _Grants(), Ledger()
    words = {utterance.order: utterance for utterance in story.said if utterance.person}
    for event in story.events:
        if event.order in words:
            for act in words[event.order].acts:
                grants.hear(act)
        had = _had(ledger, event)
        ledger.apply(event)
        for what in _breaches(story, ledger, grants, event, had):
            yield BrokenPromise(PERMISSION, event.t, what)


def _had(ledger: Ledger, event: StoryEvent) -> set[str]:
    """The subtasks of an event that its agent had before."""
    if event.kind == "assigned":
        return {id for id in event.data["subtasks"] if ledger.has(str(event.data["agent"]), id)}
    if event.kind == "subtask.started":
        id = str(event.data["subtask"])
        return {id} if ledger.has(str(event.data["agent"]), id) else set()
    return set()


def _breaches(
    story: Story, ledger: Ledger, grants: _Grants, event: StoryEvent, had: set[str]
) -> Iterator[str]:
    data = event.data
    agent = str(data.get("agent", ""))
    match event.kind:
        case "assigned":
            for id in data["subtasks"]:
                if not grants.use(story, ledger, agent, id) and id not in had:
                    yield f"{agent} was given “{id}” unasked"
        case "subtask.started":
            if data["subtask"] not in had:
                yield f"{agent} began “{data['subtask']}” unasked"
        case "subtask.dropped":
            for id in data["subtasks"]:
                if id not in grants.dropped:
                    yield f"“{id}” was dropped unasked"
        case "recipe.set":
            if data["name"] not in grants.recipes:
                yield f"{data['name']} was set unasked"
        case "agent.interrupted":
            if not grants.stops & {agent, ANYBODY}:
                yield f"{agent} was stopped unasked"
        case "agent.resumed":
            if not grants.goes_on & {agent, ANYBODY}:
                yield f"{agent} went on unasked"
