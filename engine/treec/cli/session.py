"""A run on the command line: check, run, display, summarize."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from treec.api.errors import CheckFailed, TreecError
from treec.api.prepare_tree import prepare_any
from treec.check import check_library
from treec.cli.environment_check import check_environments
from treec.cli.model_options import open_chosen
from treec.files.library import Library, kind_of, load_library
from treec.nodes.events import Logged
from treec.run.folder import JOURNAL
from treec.run.model_choice import ModelOptions, models_of_nodes
from treec.run.state import RunState
from treec.run.task_request import TaskRequest, request_of_run
from treec.source.diagnostics import format_text
from treec.world.events import EventRefused, RunBegin
from treec.world.journal import Journal, Record

if TYPE_CHECKING:
    from treec.ask.models import ModelChoice, ModelTransport
    from treec.cli.display import RunDisplay
    from treec.memory.embedders import Embedder
    from treec.nodes.approval import Approved
    from treec.run.reload import Watcher
    from treec.run.run import Run

SPEED = 6.0
"""Simulated seconds per real second of a displayed scripted run."""


class CannotStart(Exception):
    """The run cannot start: the library has errors (status 1), or a name is unknown (2)."""

    def __init__(self, message: str, status: int, text: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.text = text


class Session:
    """One `treec run`."""

    def __init__(
        self,
        library: Library,
        system: str | None,
        scenario: str | None,
        request: TaskRequest | None = None,
        *,
        seed: int | None = None,
        runs: Path | None = None,
        folder: Path | None = None,
        resume: Path | None = None,
        surroundings: str | None = None,
        ports: Mapping[str, object] | None = None,
        memories: Path | None = None,
        embedder: str = "lexical",
    ) -> None:
        """``system`` may be a tree, which runs in the system ``surroundings``.

        ``folder`` is an existing one for a new run (default: a new one in ``runs``); ``resume`` is
        that of an interrupted run.
        """
        self.library = library
        self.records: tuple[Record, ...] = ()
        self.state: RunState | None = None
        self.journal: Journal | None = None
        self.file: Path | None = None
        self.folder = resume or folder
        if resume is not None:
            system, scenario, seed, file = self._open_interrupted(resume)
        assert system is not None
        if kind_of(Path(system).name) is not None:
            self.file = Path(system).resolve()
        if self.records:
            begin = self.records[0].event
            assert isinstance(begin, RunBegin)
            request = request_of_run(self.records[0].data)
            if begin.tree is not None:
                surroundings = None if system == begin.tree else system
                system, ports = file or begin.tree, begin.ports
        try:
            ready = prepare_any(
                library, system, scenario, request, system=surroundings, ports=ports
            )
        except CheckFailed as error:
            raise CannotStart(error.text, 1, error.problems) from None
        except TreecError as error:
            raise CannotStart(str(error), 2) from None
        self.scenario = ready.scenario
        self.view, self.wanted = ready.view, ready.request
        self.tree, self.ports = ready.tree, ready.ports
        self.driven = check_environments(self.view)
        self.seed = seed
        self.memories = memories
        self.embedder = self._open_embedder(embedder)
        self.model: ModelChoice | None = None
        self.transport: ModelTransport | None = None
        self.runs = runs or library.runs

    @staticmethod
    def _open_embedder(name: str) -> Embedder | None:
        """The embedder of a name; None for the one that is there without being named."""
        if name == "lexical":
            return None
        from treec.memory.embedders import open_embedder
        from treec.memory.models import EmbedderFault

        try:
            return open_embedder(name)
        except EmbedderFault as error:
            raise CannotStart(str(error), 2) from None

    def open_model(self, options: ModelOptions) -> None:
        """Open the model that the options or the files name. Raises Stop and CannotStart."""
        assert self.view.system is not None
        opened = open_chosen(
            self.library.root, self.view.system.model, options, models_of_nodes(self.view)
        )
        before = self.records[0].data.get("model") if self.records else None
        if before is not None and opened is None and not options.offline:
            raise CannotStart(
                f"{self.folder} was run with the model {before}: name it with --model, or go on "
                "without one with --offline",
                2,
            )
        if opened is not None:
            self.model, self.transport = opened

    def _open_interrupted(self, folder: Path) -> tuple[str, str | None, int | None, str]:
        """System, scenario and seed of an interrupted run, and the file of its tree."""
        from treec.run.folder import read_meta
        from treec.run.resume import CannotResume, open_run
        from treec.world.journal import JournalError

        try:
            opened = open_run(
                folder / JOURNAL, lambda text: print(f"treec: {text}", file=sys.stderr)
            )
        except (CannotResume, JournalError) as error:
            raise CannotStart(str(error), 2) from None
        self.journal, self.records, self.state = opened.journal, opened.records, opened.state
        begin = self.records[0].event
        assert isinstance(begin, RunBegin)
        meta = read_meta(folder)
        system = meta.get("system") or begin.system  # PACK/NAME of a pack's
        return str(system), begin.scenario, begin.seed, str(meta.get("file", ""))

    def _note_origin(self, folder: Path) -> tuple[str, ...]:
        """Write what the run is made with; of a resumed one, tell what has changed since.

        Returns the changed files of a resumed run. Raises CannotStart.
        """
        from treec.run.folder import read_meta, write_meta
        from treec.run.origin import Origin

        system = self.view.system
        assert system is not None
        models = {*([self.model.name] if self.model else []), *models_of_nodes(self.view)}
        origin = Origin.of(
            self.view, self.scenario, tuple(sorted(models)) if self.transport else ()
        )
        if self.state is None:
            pack = self.library.pack_of(system.path)
            about: dict[str, object] = {
                "system": system.name if pack is None else f"{pack.name}/{system.name}",
                "scenario": self.scenario.name if self.scenario else None,
                "started": datetime.now().astimezone().isoformat(timespec="seconds"),
                "library": str(self.library.root),
            }
            if self.tree is not None and self.file is not None:
                about["file"] = str(self.file)
            write_meta(folder, {**about, **origin.data()})
            return ()
        gone = [name for name in self.state.team if name not in self.view.agents]
        if gone:
            raise CannotStart(
                f"{folder} cannot be resumed with these files: there is no agent "
                f"{', '.join(gone)} any more",
                2,
            )
        meta = read_meta(folder)
        before = Origin.read(meta)
        if before is None:
            return ()
        for line in before.describe_changes(origin):
            print(f"treec: {line}", file=sys.stderr)
        write_meta(folder, {**meta, **origin.data()})
        return tuple(before.changed_files(origin))

    def _make_watcher(self, run: Run) -> Watcher:
        """Watches the library's files during the run and logs what it finds."""
        import time

        from treec.run.reload import Watcher

        root = self.library.root
        system = self.view.system
        assert system is not None
        pack = self.library.pack_of(system.path)

        def load() -> tuple[Library, str]:
            library = load_library(root)
            others = () if pack is None else (library.resolve_system(f"{pack.name}/{system.name}"),)
            errors = [d for d in check_library(library, *others) if d.severity == "error"]
            return library, format_text(errors, library.sources)

        def tell(text: str) -> None:
            for line in filter(str.strip, text.splitlines()):
                run.world.emit(Logged(line), "watch")

        return Watcher(run, root, load, tell, time.monotonic)

    def _discard(self, folder: Path, journal: Journal) -> None:
        """Close the journal of a run that does not begin; a new one leaves no folder."""
        journal.close()
        if self.folder is None:
            rmtree(folder, ignore_errors=True)

    def run(
        self,
        *,
        chat: bool,
        speed: float | None,
        fast: bool,
        watch: bool = False,
        film: float | None = None,
        lines: Sequence[str] = (),
        step: bool = False,
        pause_at: Sequence[str] = (),
        approve: Collection[Approved] = (),
        blind: bool = False,
        show: Callable[[bool], RunDisplay] | None = None,
    ) -> int:
        """Run, display and summarize. Returns the exit status. ``lines``: what the user says.

        ``blind``: what would tell the user which system it is (its name, the summary) is not shown.

        ``step`` and ``pause_at`` stop it after ticks, on virtual time: see `Stepper`; ``approve``
        before each of these. ``show`` makes another display than that of the terminal, told
        whether it is a chat.
        """
        from treec.cli.make_display import make_display
        from treec.run.clocks import ChattingClock, PacedClock, SteppingClock
        from treec.run.folder import new_folder
        from treec.run.loop import LoopError
        from treec.run.run import CannotRun, Run
        from treec.world.clock import RealClock, VirtualClock
        from treec.world.world import WorldError

        gc.freeze()
        gc.enable()
        system = self.view.system
        assert system is not None
        name = self.tree or system.name
        if self.scenario is not None:
            name += f"-{self.scenario.name}"
        try:
            folder = self.folder or new_folder(self.runs, name, datetime.now())
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotStart(f"cannot write to {self.runs}: {why}; see --runs", 2) from None
        is_open = self.scenario is None and self.wanted.task is None and self.tree is None
        if is_open and self.view.people:
            chat = True
        if step or pause_at or approve:
            if chat:
                why = "--step, --pause-at and --approve stop virtual time, and nobody can talk then"
                raise CannotStart(f"{why}: name a scenario or a tree", 2)
            fast = True
        start = self.records[-1].t if self.records else 0.0
        if show is None:
            display = make_display(sys.stdout, live=not fast, chat=chat, lines=lines, blind=blind)
        else:
            display = show(chat)
        clock: VirtualClock | RealClock
        if display.real and self.driven:
            clock = ChattingClock(speed or 1.0, start)
        elif display.real:
            clock = RealClock(speed=speed or 1.0, start=start)
        elif chat or fast or not (display.live or speed):
            clock = SteppingClock(start)
        else:
            clock = PacedClock(speed or SPEED, display.pause, start)
        changed = self._note_origin(folder)
        journal = self.journal or Journal.create(folder / JOURNAL)
        try:
            run = Run(
                self.view,
                clock,
                journal,
                self.scenario,
                self.seed,
                self.transport,
                chat=chat,
                records=self.records,
                state=self.state,
                model=self.model.name if self.model else None,
                task=self.wanted.task,
                scene=self.wanted.scene,
                env=self.wanted.env,
                folder=folder,
                film=film,
                jitter=self.wanted.jitter,
                see=self.wanted.see,
                memories=self.memories,
                embedder=self.embedder,
                disturb=self.wanted.disturb,
                mock=self.wanted.mock,
                inject=self.wanted.inject,
                tree=self.tree,
                ports=self.ports,
                changed=changed,
            )
        except CannotRun as error:
            self._discard(folder, journal)
            raise CannotStart(str(error), 2) from None
        except (
            WorldError,
            EventRefused,
        ) as error:  # a journal that does not fit the library's files
            raise CannotStart(f"{folder} cannot be resumed with these files: {error}", 2) from None
        if step or pause_at or approve:
            from treec.cli.stepper import NoSuchNode, wait_for_somebody

            try:
                wait_for_somebody(run, display, step=step, pause_at=pause_at, approve=approve)
            except NoSuchNode as error:
                self._discard(folder, journal)
                raise CannotStart(str(error), 2) from None
        if watch:
            watcher = self._make_watcher(run)
            run.loop.before_tick.append(watcher.look)
            run.loop.while_waiting.append(watcher.look)
        try:
            outcome = display.run(run)
        except CannotRun as error:
            raise CannotStart(str(error), 2) from None
        except LoopError as error:
            print(f"\ntreec: the run stopped with an error: {error}", file=sys.stderr)
            print(f"run: {folder}", file=sys.stderr)
            return 1
        display.summary(run, outcome, folder, shown=not blind)
        if display.print.is_closed:
            raise BrokenPipeError  # the run was stopped, and can be resumed
        return 0 if outcome.ok else 1
