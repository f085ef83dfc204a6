"""A run of a small library, ticked by hand on the virtual clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.support.events import happening
from tests.support.files import KITCHEN
from treec.ask.transport import Request, Scripted, ScriptedAnswer, ScriptedTransport
from treec.files.library import Library, load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, Record, events
from treec.world.spec import RunSpec

Answers = Mapping[str, Sequence[ScriptedAnswer | Scripted]]


def library(folder: Path, files: Mapping[str, str]) -> Library:
    """The kitchen with these files in it, or in the place of its own; all must be readable."""
    for name, text in {**KITCHEN, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    loaded = load_library(folder)
    assert not loaded.diagnostics, loaded.diagnostics
    return loaded


class Bench:
    """A run made ready. Time moves by :meth:`pass_time` alone, and every tick is asked for."""

    def __init__(
        self,
        folder: Path,
        files: Mapping[str, str],
        *,
        answers: Answers | None = None,
        scenario: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.library = library(folder, files)
        self.clock = VirtualClock()
        self.journal = Journal.in_memory()
        self.transport: ScriptedTransport | None = None
        if answers is not None:
            self.transport = ScriptedTransport(answers, clock=self.clock)
        view = View(self.library, self.library.find("system", "test"))
        self.run = Run(
            view,
            self.clock,
            self.journal,
            RunSpec(scenario=scenario, seed=seed),
            transport=self.transport,
        )
        self.world = self.run.world
        self.team = self.run.team
        self.nodes: dict[str, Behaviour] = {
            str(getattr(node, "path", node.name)): node for node in self.run.root.iterate()
        }

    def tick(self, times: int = 1) -> Status:
        """Drain the inbox and tick once, or more often; the root's status."""
        for _ in range(times):
            self.run.loop.step()
        return self.run.root.status

    def settle(self) -> Status:
        """Tick until nothing more happens at this instant."""
        for _ in range(100):
            if not self.run.loop.step() and not self.run.inbox.ready():
                return self.run.root.status
        raise AssertionError("the tree does not come to rest")

    def pass_time(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        limit = self.clock.now() + seconds
        self.clock.call_at(limit, lambda: None)  # time comes that far in any case
        self.settle()
        while self.clock.advance(limit):
            self.settle()

    def say(self, text: str) -> None:
        """The person says something; the next tick hears it."""
        self.run.say(text)

    def emit(self, kind: str, **data: object) -> None:
        """Let an event happen."""
        self.world.emit(happening(kind, **data), "test")

    def set(self, **state: object) -> None:
        """Give the domain's state new values."""
        for name, value in state.items():
            self.emit("state.set", name=name, value=value)

    def add(self, id: str, task: str | None = "get", **args: object) -> None:
        """A subtask comes into being: `add('get pepper', item='pepper')`."""
        self.emit("subtask.added", id=id, words=id, task=task, args=args)

    def assign(self, agent: str, *ids: str) -> None:
        """An agent gets subtasks."""
        self.emit("assigned", agent=agent, subtasks=list(ids))

    def fact(self, name: str, *args: str) -> object:
        """The value of a fact, or `unknown`, or None when nobody ever said."""
        found = self.world.facts.get(name, args)
        if found is None:
            return None
        return "unknown" if found.source == "unknown" else found.value

    def told(self, kind: str) -> list[Record]:
        """The events of a kind, also those inside of commits, in order."""
        return [e for record in self.journal.records for e in events(record) if e.kind == kind]

    def chosen(self) -> list[str]:
        """What decisions chose, in order."""
        return [str(event.data["choose"]) for event in self.told("decided")]

    def skills(self) -> list[str]:
        """What became of skills, in order: `go_to R1 ok`."""
        return [
            f"{e.data['skill']} {e.data['agent']} "
            + ("ok" if e.data["ok"] else str(e.data.get("reason", "failed")))
            for e in self.told("skill.ended")
        ]

    def said(self) -> list[str]:
        """What the assistant said."""
        return [str(e.data["text"]) for e in self.told("said") if e.data["who"] == "assistant"]

    @property
    def requests(self) -> list[Request]:
        """What was asked of the scripted transport."""
        assert self.transport is not None
        return self.transport.requests

    def count(self, when: Callable[[Record], bool]) -> int:
        """How many records of the journal are so."""
        return sum(1 for record in self.journal.records if when(record))
