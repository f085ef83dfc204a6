"""How long a robot keeps working after a person has said that it shall stop: on the real clock."""

from __future__ import annotations

import queue
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.run import Run
from treec.team.events import Proposed
from treec.world.clock import RealClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec

GOAL = 100.0
SPEED = 20.0
PATIENCE = 20.0


@dataclass(frozen=True)
class Case:
    """A system, the robot that is stopped, and what is said so that it works."""

    folder: str
    system: str
    robot: str
    orders: tuple[str, ...]


CASES = (
    Case("engine/treec/templates/warehouse", "warehouse", "Hauler", ("Start the morning orders.",)),
    Case(".", "mosaic", "R1", ("Let's make a caesar salad.", "Yes.")),
)


def run(small: bool) -> list[Table]:
    """Stops of a skill in flight, and the first words, for which parsers must be warm."""
    rows = [row(case, 2 if small else 20) for case in CASES]
    return [
        Table(
            "From the word to the cancelled skill",
            ("system", "stops", "median, ms", "worst, ms", "first words read, ms"),
            rows,
            (
                f"From `Run.say('… stop!')` to the record `skill.ended`, real time; the clock is "
                f"the real one, {SPEED:g} times as fast. The last column is the first utterance "
                f"of the run, from its words to its acts. Goal: under {GOAL:g} ms.",
            ),
        )
    ]


def row(case: Case, stops: int) -> tuple[Cell, ...]:
    """The latencies of one system."""
    library = load_library(ROOT / case.folder)
    view = View(library, library.find("system", case.system))
    ready = threading.Event()
    clock, journal = RealClock(SPEED), Journal.in_memory()
    running = Run(view, clock, journal, RunSpec(chat=True), after_tick=[ready.set])
    person = Person(running, case, ready)
    thread = threading.Thread(target=person.talk, args=(stops,), daemon=True)
    thread.start()
    running.go()
    thread.join()
    if len(person.latencies) < stops:
        raise SystemExit(f"{case.system}: {case.robot} was stopped {len(person.latencies)} times")
    times = person.latencies
    return (case.system, stops, statistics.median(times), max(times), person.first)


class Person:
    """Gives orders, agrees to proposals, and stops a robot whenever it has begun a skill."""

    def __init__(self, running: Run, case: Case, ready: threading.Event) -> None:
        self.run = running
        self.ready = ready
        self.case = case
        self.latencies: list[float] = []
        self.first = 0.0
        self._records: queue.Queue[tuple[float, Record]] = queue.Queue()
        running.world.subscribe(lambda r: self._records.put((time.perf_counter(), r)))

    def talk(self, stops: int) -> None:
        """Talk until the robot was stopped that often."""
        try:
            self.ready.wait(PATIENCE)
            said = time.perf_counter()
            for words in self.case.orders:
                self.run.say(words)
            read = self._wait(lambda r: any(e.kind == "acts.read" for e in flat(r.event)))
            self.first = (read - said) * 1000
            for _ in range(stops):
                self._wait(self._has_started)
                said = time.perf_counter()
                self.run.say(f"{self.case.robot}, stop!")
                self.latencies.append((self._wait(self._has_ended) - said) * 1000)
                self.run.say(f"{self.case.robot}, go on.")
        except queue.Empty:
            pass
        finally:
            self.run.loop.stop()

    def _has_started(self, record: Record) -> bool:
        return isinstance(record.event, SkillStarted) and record.event.agent == self.case.robot

    def _has_ended(self, record: Record) -> bool:
        return isinstance(record.event, SkillEnded) and record.event.agent == self.case.robot

    def _wait(self, what: Callable[[Record], bool]) -> float:
        """When the next such record came. Raises queue.Empty after ``PATIENCE`` seconds."""
        while True:
            at, record = self._records.get(timeout=PATIENCE)
            if any(isinstance(event, Proposed) for event in flat(record.event)):
                self.run.say("Yes, go ahead.")
            if what(record):
                return at
