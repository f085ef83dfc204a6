"""A conversation with MOSAIC's planner on the virtual clock, offline or with scripted answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from treec.ask.transport import ScriptedTransport, Transport
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec
from treec_hearing.node import Reading

ROOT = Path(__file__).parents[3]


@cache
def library() -> Library:
    """The project's library; read once."""
    return load_library(ROOT)


def asking(files: Library, system: str, asks: str | None) -> Entry[SystemFile]:
    """A system, with other `asks` than its file says unless it is None."""
    found = files.resolve_system(system)
    model = found.model.model_copy(update={} if asks is None else {"asks": asks})
    return Entry(found.kind, found.name, model, found.node, found.file)


class Table:
    """Somebody sits down with the team and talks."""

    def __init__(
        self,
        *said: str,
        answers: Mapping[str, Any] | None = None,
        system: str = "mosaic",
        transport: Transport | None = None,
        asks: str | None = None,
    ) -> None:
        """``asks``: in place of what the system's file says."""
        self.clock = VirtualClock()
        self.journal = Journal.in_memory()
        if answers is not None:
            transport = ScriptedTransport(answers, clock=self.clock)
        view = View(library(), asking(library(), system, asks))
        self.run = Run(view, self.clock, self.journal, RunSpec(chat=True), transport=transport)
        for text in said:
            self.say(text)

    def say(self, text: str, wait: float = 1.0) -> str:
        """Say something, let time pass; what the assistant said meanwhile."""
        first = len(self.told())
        self.run.say(text)
        self.pass_time(wait)
        return " ".join(self.told()[first:])

    def pass_time(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        limit = self.clock.now() + seconds
        self.clock.call_at(limit, lambda: None)
        self._settle()
        while self.clock.advance(limit):
            self._settle()

    def _settle(self) -> None:
        for _ in range(200):
            if not self.run.loop.step() and not self.run.inbox.ready():
                return
        raise AssertionError("the planner does not come to rest")

    def told(self) -> list[str]:
        """What the assistant said, in order."""
        return [e["text"] for e in self.happened("said") if e["who"] == "assistant"]

    def happened(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of a kind."""
        found = [e for record in self.journal.records for e in events(record)]
        return [dict(e.data) for e in found if e.kind == kind]

    def status(self, subtask: str) -> str:
        """How a subtask stands."""
        return self.run.team.now.subtasks[subtask].status

    def proposed(self) -> list[str]:
        """The open proposals."""
        return [str(p) for p in self.run.team.now.open]


def heard(monkeypatch: pytest.MonkeyPatch, *acts: dict[str, Any]) -> None:
    """Whatever is said next is taken for these acts."""

    def parsed(self: Reading) -> list[dict[str, Any]]:
        said = self._unread[0]
        return [{**act, "quote": said.text, "utterance": said.id} for act in acts]

    monkeypatch.setattr(Reading, "_parse_unread", parsed)
