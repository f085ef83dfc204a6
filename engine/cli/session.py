"""A run on the command line: checked first, shown while it goes on, summed up at its end."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.check import check_library
from engine.files.entry import Entry
from engine.files.library import Library
from engine.files.systems import ScenarioFile
from engine.files.view import View
from engine.source.diagnostics import did_you_mean, format_summary, format_text

SPEED = 6.0
"""Simulated seconds a real one, when a scripted run is watched."""


class Problems(Exception):
    """The run cannot begin: the library has errors (status 1), or a name is unknown (2)."""

    def __init__(self, message: str, status: int, text: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.text = text


class Session:
    """One `treec run`."""

    def __init__(
        self,
        library: Library,
        system: str,
        scenario: str | None,
        *,
        seed: int | None,
        runs: Path | None,
    ) -> None:
        self.library = library
        entry = self._find("system", system)
        errors = [d for d in check_library(library) if d.severity == "error"]
        if errors:
            text = format_text(errors, library.sources) + "\n\n" + format_summary(errors)
            raise Problems(f"'{system}' does not run while its library has errors", 1, text)
        self.view = View(library, entry)
        self.scenario: Entry[ScenarioFile] | None = None
        if scenario is not None:
            self.scenario = self._find("scenario", scenario)
            if self.scenario.model.system != system:
                other = self.scenario.model.system
                raise Problems(f"the scenario '{scenario}' is one of the system '{other}'", 2)
        self.seed = seed
        self.runs = runs or library.root / "runs"

    def _find(self, kind: str, name: str) -> Entry[Any]:
        entry = self.library.find(kind, name)
        if entry is not None:
            return entry
        known = [e.name for e in self.library.of_kind(kind)]
        near = did_you_mean(name, known)
        told = f"did you mean '{near}'?" if near else f"there are: {', '.join(known) or 'none'}"
        raise Problems(f"there is no {kind} '{name}': {told}", 2)

    def run(self, *, chat: bool, speed: float | None, fast: bool) -> int:
        """Run, show, sum up; the exit status."""
        from engine.cli.live import make_show
        from engine.run.clocks import PacedClock
        from engine.run.folder import JOURNAL, new_folder, write_meta
        from engine.run.loop import LoopError
        from engine.run.run import Run
        from engine.world.clock import RealClock, VirtualClock
        from engine.world.journal import Journal

        system = self.view.system
        assert system is not None
        name = system.name + (f"-{self.scenario.name}" if self.scenario else "")
        folder = new_folder(self.runs, name, datetime.now())
        show = make_show(sys.stdout, live=not fast, chat=chat)
        clock: VirtualClock | RealClock
        if show.real or (self.scenario is None and not chat):
            clock = RealClock(speed=speed or 1.0)
        elif chat or fast or not (show.live or speed):
            clock = VirtualClock()
        else:
            clock = PacedClock(speed or SPEED, show.pause)
        journal = Journal.create(folder / JOURNAL)
        run = Run(self.view, clock, journal, self.scenario, self.seed, chat=chat)
        write_meta(
            folder,
            {
                "system": system.name,
                "scenario": self.scenario.name if self.scenario else None,
                "started": datetime.now().astimezone().isoformat(timespec="seconds"),
                "library": str(self.library.root),
            },
        )
        try:
            outcome = show.run(run)
        except LoopError as error:
            print(f"\ntreec: the run broke off: {error}", file=sys.stderr)
            print(f"run: {folder}", file=sys.stderr)
            return 1
        show.summary(run, outcome, folder)
        return 0 if outcome.ok else 1
