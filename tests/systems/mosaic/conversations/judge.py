"""Judges a run by its journal alone: plain JSON lines in, what is wrong out.

It keeps its own small picture of who has what, who said what and where things are, and imports
nothing of the engine, so that a mistake in the reducers is not judged by the same mistake.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]

ANSWER_WITHIN = 30.0
STOPS = {"Stop!": None, "Stop everything.": None, "R1, stop!": "R1", "R2, stop!": "R2"}
"""Lines that certainly stop a robot, or all (None)."""


@dataclass
class Agent:
    person: bool
    status: str = "Idle"
    current: str | None = None
    queue: list[str] = field(default_factory=list)


@dataclass
class Work:
    task: str | None
    args: Data
    recipe: str | None
    after: tuple[str, ...]
    status: str = "waiting"


@dataclass
class Asked:
    """A question to the person: shall this agent do it, or shall it be dropped?"""

    agent: str
    subtask: str
    drop: bool
    open: bool = True


class Judge:
    """Feed it every record; ``wrong`` says what should not have been."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.agents: dict[str, Agent] = {}
        self.work: dict[str, Work] = {}
        self.proposals: dict[str, Asked] = {}
        self.recipe: str | None = None
        self.acts: dict[str, Data] = {}
        self.words: dict[str, tuple[float, str]] = {}
        self.unread: set[str] = set()
        self.flying: dict[str, Data] = {}
        self.done: Counter[str] = Counter()
        self.at: dict[str, str | None] = {}
        self.near: dict[str, str | None] = {}
        self.holding: dict[str, str | None] = {}
        self.stopped: dict[str, str] = {}
        self.t = 0.0
        self.n = 0

    def read(self, lines: Iterable[str]) -> list[str]:
        """Judge a whole journal."""
        for line in lines:
            record = json.loads(line)
            if record["t"] > self.t:
                self._rest()
            if record["t"] < self.t or record["n"] != self.n + 1:
                self._say("the records are not in order")
            self.t, self.n = record["t"], record["n"]
            data = record["data"]
            if record["kind"] != "commit":
                self._event(record["kind"], data)
                continue
            for event in data["events"]:
                self._event(event["kind"], event["data"])
        self._rest()
        return self.wrong

    def _say(self, text: str) -> None:
        self.wrong.append(f"{self.t:g} s, record {self.n}: {text}")

    def _event(self, kind: str, data: Data) -> None:
        known = getattr(self, "_" + kind.replace(".", "_"), None)
        if known is not None:
            known(data)

    # What must hold whenever time passes

    def _rest(self) -> None:
        for name, agent in self.agents.items():
            if agent.person:
                continue
            flying = [f for f in self.flying.values() if f["agent"] == name]
            if len(flying) > 1:
                self._say(f"{name} is at {len(flying)} skills")
            if flying and agent.status != "Running":
                self._say(f"{name} is {agent.status} and yet at {flying[0]['skill']}")
            if flying and name in self.stopped:
                self._say(f"{name} is at {flying[0]['skill']} behind {self.stopped[name]!r}")
            if (agent.status == "Running") != (agent.current is not None):
                self._say(f"{name} is {agent.status}, and at {agent.current}")
            held = self.holding.get(name)
            if held is not None and self.at.get(held) != name:
                self._say(f"{name} holds {held}, which is at {self.at.get(held)}")
            for thing, place in self.at.items():
                if place == name and held != thing:
                    self._say(f"{thing} is at {name}, which holds {held}")
        self.stopped = {}
        for id, (since, text) in list(self.words.items()):
            if self.t - since > ANSWER_WITHIN:
                self._say(f"{text!r} waits for an answer since {since:g} s")
                del self.words[id]

    # The team

    def _agent_joined(self, data: Data) -> None:
        self.agents[data["agent"]] = Agent(data["person"])

    def _subtask_added(self, data: Data) -> None:
        known = self.work.get(data["id"])
        if known is not None and known.status != "dropped":
            self._say(f"{data['id']} is there already")
        after = (*data.get("after", ()),) if not data.get("after_any") else ()
        self.work[data["id"]] = Work(data["task"], data["args"], data.get("recipe"), after)

    def _subtask_waits(self, data: Data) -> None:
        work = self.work[data["subtask"]]
        work.after = tuple(dict.fromkeys((*work.after, *data["after"])))

    def _recipe_set(self, data: Data) -> None:
        if not any(a["kind"] == "choose" for a in self.acts.values()):
            self._say(f"{data['name']} is set, and nobody chose it")
        self.recipe = data["name"]
        for id in data.get("keeps", ()):
            self.work[id].recipe = self.recipe
        for id, work in self.work.items():
            if work.recipe in (None, self.recipe) or work.status in ("running", "done"):
                continue
            self._drop(id)

    def _proposed(self, data: Data) -> None:
        work = self.work[data["subtask"]]
        drop = data.get("drop", False)
        if work.status not in ("waiting", "failed", *(("queued", "interrupted") if drop else ())):
            self._say(f"{data['subtask']} is proposed, and is {work.status}")
        if drop and not any(self._is(other, "dropped") for other in work.after):
            self._say(f"{data['subtask']} is asked about, and waits for nothing dropped")
        self.proposals[data["id"]] = Asked(data["agent"], data["subtask"], drop)

    def _is(self, id: str, status: str) -> bool:
        return id in self.work and self.work[id].status == status

    def _go_on_without(self, id: str) -> None:
        """The person wants it, though something before it was dropped."""
        work = self.work[id]
        work.after = tuple(other for other in work.after if not self._is(other, "dropped"))

    def _close(self, id: str) -> None:
        for asked in self.proposals.values():
            asked.open = asked.open and asked.subtask != id

    def _drop(self, id: str) -> None:
        self.work[id].status = "dropped"
        self._take_away(id)
        self._close(id)

    def _take_away(self, id: str) -> None:
        for agent in self.agents.values():
            agent.queue = [other for other in agent.queue if other != id]
            if agent.current == id and not agent.person:
                agent.current = None
                agent.status = "Idle" if agent.status == "Running" else agent.status

    def _assigned(self, data: Data) -> None:
        name = data["agent"]
        self.stopped.pop(name, None)  # new work was agreed to behind the stop
        for id in data["subtasks"]:
            if not self._agreed(name, id):
                self._say(f"{name} gets {id}, which nobody agreed to")
            if self.work[id].status in ("running", "done", "dropped"):
                self._say(f"{name} gets {id}, which is {self.work[id].status}")
            self._take_away(id)
            self._close(id)
            self._go_on_without(id)
            self.work[id].status = "queued"
        queue = self.agents[name].queue
        new = list(dict.fromkeys(data["subtasks"]))
        self.agents[name].queue = [*new, *queue] if data.get("first") else [*queue, *new]

    def _agreed(self, agent: str, id: str) -> bool:
        work = self.work[id]
        for act in self.acts.values():
            if act["kind"] == "accept":
                asked = [self.proposals[p] for p in act["proposals"]]
                if any((a.agent, a.subtask, a.drop) == (agent, id, False) for a in asked):
                    return True
            elif act["kind"] == "request":
                who = act["agent"] in (None, agent)
                # what they left unsaid ("pour the salt") is completed from the recipe
                said = dict(act["args"]).items() <= dict(work.args).items()
                if who and act["task"] == work.task and said:
                    return True
        return False

    def _ordered(self, kind: str, agent: str) -> bool:
        return any(a["kind"] == kind and a["agent"] in (None, agent) for a in self.acts.values())

    def _subtask_started(self, data: Data) -> None:
        name, id = data["agent"], data["subtask"]
        agent, work = self.agents[name], self.work[id]
        if agent.current is not None or agent.status == "Interrupted" or id not in agent.queue:
            self._say(f"{name} starts {id}: {agent}")
        if any(o in self.work and self.work[o].status != "done" for o in work.after):
            self._say(f"{name} starts {id} before its turn")
        agent.queue = [other for other in agent.queue if other != id]
        agent.current, agent.status, work.status = id, "Running", "running"

    def _subtask_done(self, data: Data) -> None:
        id = data["subtask"]
        self.done[id] += 1
        told = any(a["kind"] == "done" and id in a["subtasks"] for a in self.acts.values())
        if self.done[id] > 1 or (self.work[id].status == "dropped" and not told):
            self._say(f"{id} is done, and was {self.work[id].status}")
        self._take_away(id)
        self._close(id)
        self.work[id].status = "done"

    def _subtask_failed(self, data: Data) -> None:
        work = self.work[data["subtask"]]
        if work.status in ("done", "dropped"):
            self._say(f"{data['subtask']} fails behind its end")
        self._take_away(data["subtask"])
        work.status = "failed" if work.recipe in (None, self.recipe) else "dropped"

    def _subtask_dropped(self, data: Data) -> None:
        for id in data["subtasks"]:
            if not self.acts or self.work[id].status == "done":
                self._say(f"{id} is dropped, which nobody wanted, or which is done")
            self._drop(id)

    def _subtask_released(self, data: Data) -> None:
        for id in data["subtasks"]:
            if not any(a["kind"] in ("release", "request") for a in self.acts.values()):
                self._say(f"{id} is taken back, and nobody said so")
            if self.work[id].status in ("done", "dropped"):
                self._say(f"{id} is taken back, which is {self.work[id].status}")
            self._take_away(id)
            self.work[id].status = "waiting"

    def _agent_interrupted(self, data: Data) -> None:
        agent = self.agents[data["agent"]]
        if not self._ordered("stop", data["agent"]):
            self._say(f"{data['agent']} is stopped, and nobody said so")
        if agent.current is not None and not agent.person:
            self.work[agent.current].status = "interrupted"
            agent.queue = [agent.current, *agent.queue]
            agent.current = None
        agent.status = "Interrupted"

    def _agent_resumed(self, data: Data) -> None:
        agent = self.agents[data["agent"]]
        if not self._ordered("resume", data["agent"]):
            self._say(f"{data['agent']} goes on, and nobody said so")
        for id in agent.queue:
            self.work[id].status = "queued"
        agent.status = "Idle"
        self.stopped.pop(data["agent"], None)

    # Talk

    def _said(self, data: Data) -> None:
        if data["who"] not in self.agents or not self.agents[data["who"]].person:
            return
        self.words[data["id"]] = (self.t, data["text"])
        self.unread.add(data["id"])
        if data["text"] in STOPS:
            named = STOPS[data["text"]]
            robots = [name for name, agent in self.agents.items() if not agent.person]
            self.stopped.update({n: data["text"] for n in robots if named in (None, n)})

    def _acts_read(self, data: Data) -> None:
        for act in data["acts"]:
            if act["quote"] not in self.words[act["utterance"]][1]:
                self._say(f"{act['quote']!r} was not said")
            self.acts[act["id"]] = act
            for id in act.get("proposals", ()) if act["kind"] == "decline" else ():
                asked = self.proposals[id]
                if asked.open and asked.drop:
                    self._go_on_without(asked.subtask)
                asked.open = False
        self.unread -= set(data["utterances"])
        self._answer()

    def _acts_settled(self, data: Data) -> None:
        for id in data["acts"]:
            del self.acts[id]
        self._answer()

    def _answer(self) -> None:
        open_ = {act["utterance"] for act in self.acts.values()} | self.unread
        self.words = {id: said for id, said in self.words.items() if id in open_}

    # Skills and facts

    def _skill_started(self, data: Data) -> None:
        name, skill, args = data["agent"], data["skill"], data["args"]
        near, held, item = self.near.get(name), self.holding.get(name), args.get("item")
        right = {
            "pick": near is not None and self.at.get(item) == near and held is None,
            "place": held == item and near is not None and near == args.get("place"),
            "pour": held == item and near == self.at.get(args.get("container", ""), ""),
            "stir": held == args.get("tool") and near == self.at.get(args.get("container", ""), ""),
            "hand_over": held == item,
            "put_down": held is not None and near is not None,
            "go_to": True,
        }.get(skill, True)
        if not right:
            self._say(f"{name} begins {skill} {dict(args)} near {near}, holding {held}")
        if self.agents[name].status != "Running":
            self._say(f"{name} begins {skill} and is {self.agents[name].status}")
        self.flying[data["id"]] = data

    def _skill_ended(self, data: Data) -> None:
        if "id" in data and self.flying.pop(data["id"], None) is None:
            self._say(f"{data['skill']} of {data['agent']} ends, and never began")

    def _fact_set(self, data: Data) -> None:
        facts: dict[str, str | None] | None = getattr(self, data["fact"], None)
        if data["fact"] in ("at", "near", "holding") and facts is not None:
            facts[data["args"][0]] = data["value"]

    def _fact_unknown(self, data: Data) -> None:
        self._fact_set({**data, "value": None})

    # What must never be

    def _node_raised(self, data: Data) -> None:
        self._say(f"{data['path']} raised {data['error']}")

    def _contract_broken(self, data: Data) -> None:
        self._say(f"{data['contract']} is broken by {data['item']}")
