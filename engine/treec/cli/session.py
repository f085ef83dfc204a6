"""A run on the command line: check, run, display, summarize."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from treec.api.environment_check import check_environments, refuse_virtual_time
from treec.api.errors import CheckFailed, TreecError
from treec.api.prepare_tree import prepare_any
from treec.cli.basics import tool
from treec.cli.common import Stop, reason
from treec.cli.exits import CLOSED_OUTPUT, NOT_WRITTEN, UNCONFIRMED, close_output, watch_exit
from treec.cli.model_options import open_chosen
from treec.files.library import Library, kind_of
from treec.run.folder import JOURNAL
from treec.run.state import RunState
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import EventRefused, RunBegin
from treec.world.journal import Journal, Record

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.cli.display import RunDisplay
    from treec.files.entry import Entry
    from treec.files.systems import SystemFile
    from treec.nodes.approval import Approved
    from treec.run.run import Run
    from treec.world.spec import RunSpec

SPEED = 6.0
"""Simulated seconds per real second of a displayed scripted run."""


class Session:
    """One `treec run`."""

    def __init__(
        self,
        library: Library,
        spec: RunSpec,
        *,
        runs: Path | None = None,
        folder: Path | None = None,
        resume: Path | None = None,
    ) -> None:
        """Prepare a run and open its model. Raises Stop.

        ``folder`` is an existing one for a new run (default: a new one in ``runs``); ``resume`` is
        that of an interrupted run, whose journal says what ``spec`` would.
        """
        self.library = library
        self.records: tuple[Record, ...] = ()
        self.state: RunState | None = None
        self.journal: Journal | None = None
        self.folder = resume or folder
        self.runs = runs or library.runs
        if resume is not None:
            spec = self._open_interrupted(resume, spec)
        file = spec.tree or spec.system
        self.file = Path(file).resolve() if kind_of(Path(file).name) is not None else None
        try:
            ready = prepare_any(library, spec)
            self.driven = check_environments(
                ready.view, lambda text: print(f"treec: {text}", file=sys.stderr)
            )
            if ready.spec.fast:
                refuse_virtual_time(self.driven, "leave --fast out")
        except CheckFailed as error:
            print(error.problems)
            raise Stop(error.text, 1) from None
        except TreecError as error:
            raise Stop(str(error)) from None
        self.view = ready.view
        if self.folder is not None and self.state is not None:
            from treec.run.resume import reread

            known = self.records, self.state
            self.records, self.state = reread(self.folder / JOURNAL, *known, self.view)
        self.models: tuple[str, ...] = ()
        self.spec, self.transport = self._open_model(ready.spec)

    def _open_model(self, spec: RunSpec) -> tuple[RunSpec, Transport | None]:
        """Open the model that the options or the files name, and note its name."""
        opened = open_chosen(self.library.root, self.system.model, spec, self.view)
        before = self.records[0].data.get("model") if self.records else None
        if before is not None and opened is None and not spec.offline:
            raise Stop(
                f"{self.folder} was run with the model {before}: specify it with --model, or go on "
                "without one with --offline"
            )
        if opened is None:
            return spec, None
        self.models = opened.names
        return replace(spec, model=opened.name), opened.transport

    def _open_interrupted(self, folder: Path, spec: RunSpec) -> RunSpec:
        """Open the journal of an interrupted run, and take what it says into the spec."""
        from treec.run.folder import read_meta
        from treec.run.resume import CannotResume, open_run
        from treec.world.journal import JournalError

        try:
            opened = open_run(
                folder / JOURNAL, lambda text: print(f"treec: {text}", file=sys.stderr)
            )
        except (CannotResume, JournalError) as error:
            raise Stop(str(error)) from None
        self.journal, self.records, self.state = opened.journal, opened.records, opened.state
        begin = self.records[0].event
        assert isinstance(begin, RunBegin)
        return spec.resumed(begin, read_meta(folder))

    @property
    def system(self) -> Entry[SystemFile]:
        """The system that runs."""
        assert self.view.system is not None
        return self.view.system

    def _note_origin(self, folder: Path) -> tuple[str, ...]:
        """Write what the run is made with; of a resumed one, tell what has changed since.

        Returns the changed files of a resumed run. Raises Stop.
        """
        from treec.run.folder import read_meta, write_meta
        from treec.run.origin import Origin
        from treec.run.run import find_scenario

        scenario = find_scenario(self.view, self.spec)
        origin = Origin.of(self.view, scenario, self.models)
        if self.state is None:
            about: dict[str, object] = {
                "system": self._full_name(),
                "scenario": self.spec.scenario,
                "started": datetime.now().astimezone().isoformat(timespec="seconds"),
                "library": str(self.library.root),
            }
            if self.spec.tree is not None and self.file is not None:
                about["file"] = str(self.file)
            write_meta(folder, {**about, **origin.data()})
            return ()
        gone = [name for name in self.state.team if name not in self.view.agents]
        if gone:
            raise Stop(
                f"{folder} cannot be resumed with these files: they no longer have the agents "
                f"{', '.join(gone)}"
            )
        meta = read_meta(folder)
        before = Origin.read(meta)
        if before is None:
            return ()
        for line in before.describe_changes(origin):
            print(f"treec: {line}", file=sys.stderr)
        write_meta(folder, {**meta, **origin.data()})
        return tuple(before.changed_files(origin))

    def _full_name(self) -> str:
        """The system's name: PACK/NAME for one of a pack."""
        pack = self.library.pack_of(self.system.path)
        return self.system.name if pack is None else f"{pack.name}/{self.system.name}"

    def _discard(self, folder: Path, journal: Journal) -> None:
        """Close the journal of a run that does not begin; a new one leaves no folder."""
        journal.close()
        if self.folder is None:
            rmtree(folder, ignore_errors=True)

    def _clock(self, display: RunDisplay, *, fast: bool) -> VirtualClock | RealClock:
        from treec.run.clocks import PacedClock, SteppingClock, real_clock

        start = self.records[-1].t if self.records else 0.0
        speed = self.spec.speed
        if display.real or self.driven.in_real_time:
            return real_clock(self.driven.steps, speed, start)
        if self.spec.chat or fast or not (display.live or speed):
            return SteppingClock(start)
        return PacedClock(speed or SPEED, display.pause, start)

    def run(
        self,
        *,
        watch: bool = False,
        step: bool = False,
        pause_at: Sequence[str] = (),
        approve: Collection[Approved] = (),
        blind: bool = False,
        values: str | None = None,
        monitors: Sequence[str] = (),
        show: Callable[[bool], RunDisplay] | None = None,
    ) -> int:
        """Run, display and summarize. Returns the exit status. Raises Stop.

        ``blind``: what would tell the user which system it is (its name, the summary) is not shown.

        ``step`` and ``pause_at`` stop it after ticks, on virtual time: see `Stepper`; ``approve``
        before each of these. ``monitors`` are programs that are shown it. ``show`` makes another
        display than that of the terminal, told whether it is a chat.
        """
        from treec.cli.make_display import make_display
        from treec.run.folder import new_folder
        from treec.run.loop import LoopError
        from treec.run.monitors import attach_monitors
        from treec.run.run import CannotRun, Run
        from treec.world.journal import JournalError
        from treec.world.world import WorldError

        gc.freeze()
        gc.enable()
        spec = self.spec
        is_open = spec.scenario is None and spec.task is None and spec.tree is None
        if spec.dialogue or (is_open and self.view.people):
            self.spec = spec = replace(spec, chat=True)
        is_stopped = bool(step or pause_at or approve)
        if is_stopped and spec.chat:
            why = "--step, --pause-at and --approve stop virtual time, so there can be no chat"
            raise Stop(f"{why}: leave --chat out, and specify a scenario or a tree")
        watch_files: Any = tool("reload", "--watch cannot be used") if watch else None
        wait_for_somebody: Any = None
        if is_stopped:
            self._refuse_stops()
            wait_for_somebody = tool("stepper", "--step, --pause-at and --approve cannot be used")
        name = "-".join(filter(None, (spec.tree or self.system.name, spec.scenario)))
        try:
            folder = self.folder or new_folder(self.runs, name, datetime.now())
        except OSError as error:
            why = error.strerror or str(error)
            raise Stop(f"cannot write to {self.runs}: {why}; see --runs") from None
        fast = spec.fast or is_stopped
        if show is None:
            is_live = not fast and (spec.chat or not self.driven.in_real_time)
            display = make_display(
                sys.stdout, live=is_live, chat=spec.chat, lines=spec.dialogue, blind=blind
            )
        else:
            display = show(spec.chat)
        display.values = values
        try:
            changed = self._note_origin(folder)
            journal = self.journal or Journal.create(folder / JOURNAL)
        except (OSError, JournalError) as error:
            raise Stop(f"{folder} cannot be written: {reason(error)}", NOT_WRITTEN) from None
        try:
            run = Run(
                self.view,
                self._clock(display, fast=fast),
                journal,
                spec,
                transport=self.transport,
                folder=folder,
                records=self.records,
                state=self.state,
                changed=changed,
            )
            if is_stopped:
                wait_for_somebody(run, display, step=step, pause_at=pause_at, approve=approve)
            for line in attach_monitors(run, monitors):
                print(f"treec: {line}", file=sys.stderr)
        except CannotRun as error:
            self._discard(folder, journal)
            raise Stop(str(error)) from None
        except JournalError as error:
            self._discard(folder, journal)
            raise Stop(str(error), NOT_WRITTEN) from None
        except (WorldError, EventRefused) as error:  # the journal does not fit the library's files
            raise Stop(f"{folder} cannot be resumed with these files: {error}") from None
        if watch:
            watch_files(run, self.library.root, self._full_name())
        watch_exit()
        try:
            outcome = display.run(run)
        except CannotRun as error:
            raise Stop(str(error)) from None
        except LoopError as error:
            print(f"\ntreec: the run stopped with an error: {error}", file=sys.stderr)
            print(f"run: {folder}", file=sys.stderr)
            return UNCONFIRMED if run.runtime.stops.unconfirmed else 1
        except JournalError as error:
            return self._tell_of_end(run, f"the run was ended: {error}")
        try:
            display.summary(run, outcome, folder, shown=not blind)
        except OSError as error:
            return self._tell_of_end(run, f"{folder} cannot be written: {reason(error)}")
        if display.print.error is not None:
            why = "nobody reads its output any more"
            if not isinstance(display.print.error, BrokenPipeError):
                why = f"its output cannot be written: {reason(display.print.error)}"
            status = self._tell_of_end(run, f"the run was ended, since {why}")
            return CLOSED_OUTPUT if isinstance(display.print.error, BrokenPipeError) else status
        if outcome.unconfirmed:
            return UNCONFIRMED
        return 0 if outcome.ok else 1

    def _refuse_stops(self) -> None:
        """Raise Stop where time cannot stand still."""
        try:
            refuse_virtual_time(self.driven, "leave --step, --pause-at and --approve out")
        except TreecError as error:
            raise Stop(str(error)) from None

    def _tell_of_end(self, run: Run, why: str) -> int:
        """Tell why a run has ended that goes on elsewhere; returns the exit status."""
        close_output()
        with suppress(OSError, ValueError):
            print(f"treec: {why}", file=sys.stderr)
            for sentence in run.runtime.stops.unconfirmed:
                print(f"treec: {sentence}", file=sys.stderr)
            print(f"to go on: treec run --resume {run.folder}", file=sys.stderr, flush=True)
        return UNCONFIRMED if run.runtime.stops.unconfirmed else NOT_WRITTEN
