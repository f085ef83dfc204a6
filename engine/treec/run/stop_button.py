"""Stops all robots at the request of somebody who presses a button, from any thread.

No parser, model or tree takes part. No skill begins from the moment on; those in flight are
cancelled by the loop's thread as the first thing that it does when it is woken. Where a loop does
not get there, since code of others holds it, a thread beside it tells the workers to cancel, and
the loop is told to end: its watchdog interrupts that code. Words that stop a robot are heard in the
same way where the loop does not come to hear them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from typing import Literal

from treec.nodes.runtime import Runtime
from treec.source.scope import MappingScope
from treec.team.events import AgentInterrupted, AgentResumed, Said, number_entries
from treec.team.knowledge import talk_agents
from treec.team.language import stop_words_of
from treec.team.sentences import sentence
from treec.world.events import Commit, Event
from treec.world.history import events_of
from treec.world.inbox import InboxMessage
from treec.world.journal import Record

SOURCE = "stop button"
REASON = "the stop button"

GRACE = 0.01
"""Real seconds after which workers are told to cancel by another thread than the loop's."""

UNHEARD = 0.06
"""The same for words, which the tree must read."""

HELD = 1.0
"""Real seconds after which a run whose loop has not taken the stop is ended."""


class StopButton:
    """Stops all robots of a run, and lets them go on.

    ``end`` ends the run; ``beats`` is how often its loop has stepped or waited.
    """

    def __init__(
        self, runtime: Runtime, end: Callable[[], None], beats: Callable[[], int] = lambda: 0
    ) -> None:
        self._runtime = runtime
        self._words = stop_words_of(runtime.view)
        self._end = end
        self._beats = beats
        self._lock = threading.Lock()
        self._taken = threading.Event()
        self._taken.set()
        self._reached = threading.Event()
        """Set once the loop has come to the stop, and tells all itself."""
        self.stopped: tuple[str, ...] = ()
        """The robots that it has stopped and that were not let go on by it."""

    def press(self) -> None:
        """Stop all robots. Returns at once; from any thread, as often as you like."""
        with self._lock:
            self._runtime.arbiter.holds_all = True
            if not self._taken.is_set():  # the loop has not come to it yet
                return
            self._taken.clear()
            self._reached.clear()
            self._runtime.inbox.post(SOURCE, "stop", at=-math.inf)
        threading.Thread(target=self._wait, name="treec stop button", daemon=True).start()

    @property
    def is_open(self) -> bool:
        """Whether it was pressed, and the loop has not told all robots yet."""
        return not self._taken.is_set()

    def hear(self, text: str) -> None:
        """Stop whom words stop, should the loop not come to hear them; from any thread."""
        agents = talk_agents(self._runtime.team.knowledge)
        named = [act["agent"] for act in self._words.stop_acts_in(text, agents)]
        robots = tuple(a.name for a in agents if not a.person and {a.name, None} & {*named})
        if robots and (beats := self._beats()):  # it has begun
            values = (robots, beats)
            threading.Thread(
                target=self._listen, args=values, name="treec ear", daemon=True
            ).start()

    def release(self) -> None:
        """Let the robots that it has stopped go on, from any thread."""
        self._runtime.inbox.post(SOURCE, "go on")

    def recall(self, records: Iterable[Record]) -> None:
        """Know again which robots it has stopped in a run that is resumed."""
        for record, event in events_of(records, AgentInterrupted, AgentResumed):
            if record.by == SOURCE:
                if isinstance(event, AgentInterrupted):
                    self.stopped = tuple(dict.fromkeys((*self.stopped, event.agent)))
                elif isinstance(event, AgentResumed):
                    self.stopped = tuple(one for one in self.stopped if one != event.agent)

    def take(self, message: InboxMessage) -> None:
        """Stop the robots or let them go on; the loop's message handler."""
        if message.payload == "go on":
            self._go_on()
        else:
            robots = message.payload if isinstance(message.payload, tuple) else None
            self._stop(robots)

    def _stop(self, named: tuple[str, ...] | None) -> None:
        runtime = self._runtime
        if named is None:
            self._reached.set()
        agents = runtime.team.now.agents
        robots = [
            name
            for name, it in agents.items()
            if not it.person and it.status != "Interrupted" and (named is None or name in named)
        ]
        moving = {name for name in robots if runtime.arbiter.is_moving(name)}
        if robots:
            still = [name for name in robots if name not in moving]
            events = [AgentInterrupted(name, REASON) for name in robots]
            self._emit([*events, *self._said("interrupt", still)])
            self.stopped = tuple(dict.fromkeys((*self.stopped, *robots)))
        if named is None:
            with self._lock:
                runtime.arbiter.holds_all = False  # what they are now holds them
                self._taken.set()
        announced = [
            (name, said) for name in sorted(moving) for said in self._said("interrupt", [name])
        ]
        runtime.arbiter.announce([((name,), said.text) for name, said in announced], SOURCE)

    def _go_on(self) -> None:
        agents = self._runtime.team.now.agents
        robots = [name for name in self.stopped if agents[name].status == "Interrupted"]
        self.stopped = ()
        if robots:
            self._emit([*map(AgentResumed, robots), *self._said("resume", robots)])

    def _emit(self, events: list[Event]) -> None:
        world = self._runtime.world
        numbered = number_entries(world.state, events)
        world.emit(Commit("stop button", tuple(numbered), reason=REASON), SOURCE)

    def _said(self, name: Literal["interrupt", "resume"], robots: list[str]) -> list[Said]:
        """What is said about these robots: one utterance, or none."""
        template = sentence(self._runtime.view, name)
        team = self._runtime.team
        if template is None or not robots:
            return []
        texts = [template.render(MappingScope({"agent": team.agent(it) or it})) for it in robots]
        return [Said("assistant", " ".join(texts))]

    def _wait(self) -> None:
        if not self._reached.wait(GRACE):
            self._runtime.arbiter.tell_all()
            if not self._reached.wait(HELD - GRACE):
                self._end()

    def _listen(self, robots: tuple[str, ...], before: int) -> None:
        """Tell the workers of robots to cancel if the loop does not step twice in time."""
        unset, arbiter = threading.Event(), self._runtime.arbiter
        unset.wait(UNHEARD)
        if self._beats() > before + 1:
            return
        for name in robots:
            arbiter.tell(arbiter.in_flight(name))
        self._runtime.inbox.post(SOURCE, robots, at=-math.inf)
        unset.wait(HELD - UNHEARD)
        if self._beats() <= before + 1:
            self._end()
