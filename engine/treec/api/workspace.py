"""An opened library, to be checked, run, asked and compiled from Python."""

from __future__ import annotations

import asyncio
import dataclasses
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from treec.api.errors import NotFound, TreecError
from treec.api.find import find_library, find_system
from treec.extensions import registry
from treec.files.entry import AnyEntry, Entry
from treec.files.kinds import MODELS
from treec.files.library import Library
from treec.source.diagnostics import Diagnostic, format_summary, format_text
from treec.source.tools import find_tool
from treec.world.journal import JournalError
from treec.world.spec import InvalidSpec, RunSpec

if TYPE_CHECKING:
    import networkx

    from treec.api.embedded_tree import EmbeddedTree
    from treec.api.node_asker import AskResult, NodeAsker, NodeQuestion
    from treec.api.run_result import RunResult
    from treec.api.started_run import AsyncStartedRun, StartedRun
    from treec.ask.transport import Transport
    from treec.files.systems import SystemFile
    from treec.run.run import Run
    from treec.world.journal import Record
    from treec.world.world import World

ClockName = Literal["real", "virtual"]
"""The clocks of a run."""


def open(where: str | Path | None = None) -> Workspace:
    """Open the library in a folder (default: the one that contains the current folder).

    ``where`` may also name an installed pack: ``open("treec")`` opens the shipped library. Nothing
    is checked and none of the library's Python is executed. Raises TreecError if there is no
    library.
    """
    return Workspace(find_library(where))


@dataclass(frozen=True)
class CheckResult:
    """The result of a check; its text is the output of ``treec check``."""

    problems: tuple[Diagnostic, ...]
    _text: str = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether there are no errors; warnings do not count."""
        return all(problem.severity != "error" for problem in self.problems)

    def __str__(self) -> str:
        return self._text


class Workspace:
    """An opened library. Made by :func:`treec.open`."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def __repr__(self) -> str:
        return f"<Workspace {self.root}>"

    @property
    def root(self) -> Path:
        """The library's folder."""
        return self.library.root

    def names(self, kind: str) -> list[str]:
        """All names of a kind: ``names("system")``. Raises NotFound."""
        if kind not in MODELS:
            raise NotFound.for_name("kind", kind, MODELS)
        return [entry.name for entry in self.library.of_kind(kind)]

    def __getitem__(self, key: tuple[str, str]) -> Definition:
        """A definition by kind and name: ``lib["decision", "Execution"]``. Raises NotFound."""
        kind, name = key
        return Definition(self, self._find(kind, name))

    def check(self) -> CheckResult:
        """Check every file of the library. The result is cached."""
        return self._check_result

    def run(
        self,
        system: str | RunSpec | None = None,
        *,
        model: str | Transport | None = None,
        folder: str | Path | None = None,
        on_record: Callable[[Record], None] | None = None,
        clock: ClockName | None = None,
        monitors: Iterable[str] = (),
        **fields: Any,
    ) -> RunResult:
        """Run a system or a tree and return the result.

        The clock is virtual, unless an environment is in real time or ``clock`` says so.

        The virtual clock goes as fast as possible; the clock ``real`` is that of the world, at
        ``speed``.

        ``fields`` are those of :class:`treec.RunSpec`, which may also be given whole: ``scenario``,
        ``task``, ``scene``, ``env``, ``seed``, … ``tree`` is the name of a tree or its file, with
        the values of its ``ports``; it runs in ``system`` if that is given, and ``status`` of the
        result is its last one.

        ``model`` is a name (``openai/gpt-4o-mini``), a transport of your own, or None to use the
        offline rules of the files. The journal is kept in memory unless a ``folder`` for runs is
        given. ``on_record`` is called with each record from the first tick on, as it is written,
        except for records of the tree's nodes and their statuses; if it raises, that is a warning,
        it is not called again, and the run goes on. ``monitors`` are other programs that it is
        shown to, as with ``--monitor``: ``["groot2=1667"]``.

        Raises CheckFailed if the library has errors, NotFound for unknown names, and TreecError if
        the run cannot start or is aborted by an error.
        """
        from treec.api.end_signals import end_as_ctrl_c
        from treec.api.run_result import RunResult

        with end_as_ctrl_c():
            run = self._open(system, model, folder, on_record, monitors, clock, fields)
            try:
                outcome = run.go()
            except JournalError as error:
                raise TreecError(str(error)) from error
        return RunResult(outcome, run.journal.records, run.folder)

    async def run_async(self, system: str | RunSpec | None = None, **options: Any) -> RunResult:
        """Like :meth:`run`, for use in an event loop.

        Cancelling it ends the run as a signal does: every robot is told to stop and has a second to
        confirm that, before the cancellation goes on.
        """
        async with await self._start_async(system, {"clock": None, **options}) as run:
            return await run.wait()

    def start(
        self,
        system: str | RunSpec | None = None,
        *,
        clock: ClockName = "real",
        model: str | Transport | None = None,
        folder: str | Path | None = None,
        on_record: Callable[[Record], None] | None = None,
        monitors: Iterable[str] = (),
        **fields: Any,
    ) -> StartedRun:
        """Start a run that goes on in a thread of its own, and return once it ticks.

        The arguments are those of :meth:`run`. A system without a scenario or task runs until it is
        closed; on the virtual clock time stands still while nothing can happen.

        Raises the same exceptions as :meth:`run`.
        """
        from treec.api.end_signals import end_as_ctrl_c
        from treec.api.started_run import StartedRun

        with ExitStack() as held:
            held.enter_context(end_as_ctrl_c())
            run = self._open(system, model, folder, on_record, monitors, clock, fields, stays=True)
            return StartedRun(run, held.pop_all())

    async def start_async(
        self, system: str | RunSpec | None = None, **options: Any
    ) -> AsyncStartedRun:
        """Like :meth:`start`, for use in an event loop: await `wait`, `events` and `close`."""
        return await self._start_async(system, {"clock": "real", "stays": True, **options})

    async def _start_async(
        self, system: str | RunSpec | None, options: dict[str, Any]
    ) -> AsyncStartedRun:
        from treec.api.end_signals import end_as_ctrl_c
        from treec.api.started_run import AsyncStartedRun

        held = ExitStack()
        held.enter_context(end_as_ctrl_c())
        named = {name: options.pop(name, None) for name in ("model", "folder", "on_record")}
        clock, stays = options.pop("clock"), options.pop("stays", False)
        named["monitors"] = options.pop("monitors", ())

        def make() -> AsyncStartedRun:
            with held:
                run = self._open(system, **named, clock=clock, fields=options, stays=stays)
                return AsyncStartedRun(run, held.pop_all())

        made = asyncio.ensure_future(asyncio.to_thread(make))
        try:
            return await asyncio.shield(made)
        except asyncio.CancelledError:
            with suppress(TreecError):
                await (await made).close()
            raise

    def _open(
        self,
        system: str | RunSpec | None,
        model: str | Transport | None,
        folder: str | Path | None,
        on_record: Callable[[Record], None] | None,
        monitors: Iterable[str],
        clock: ClockName | None,
        fields: Mapping[str, Any],
        *,
        stays: bool = False,
    ) -> Run:
        """A run that is ready to begin; ``stays``: somebody talks to it where nobody else does."""
        from treec.api.environment_check import check_environments, refuse_virtual_time
        from treec.api.prepare import prepare
        from treec.api.prepare_tree import prepare_any
        from treec.run.clocks import AttendedClock, SteppingClock, real_clock
        from treec.run.folder import JOURNAL, new_folder, write_meta
        from treec.run.monitors import attach_monitors
        from treec.run.run import Run
        from treec.world.journal import Journal
        from treec.world.refusal import EventRefused

        if clock is not None and clock not in get_args(ClockName):
            raise NotFound.for_name("clock", clock, get_args(ClockName))
        spec = system if isinstance(system, RunSpec) else _spec(system=system or "", **fields)
        if spec.tree is not None:
            setup = prepare_any(self.library, spec)
        elif spec.system:
            setup = prepare(self.library, find_system(self.library, spec.system), spec)
        else:
            raise TreecError("specify a system or a tree to run")
        entry = setup.view.system
        assert entry is not None
        driven = check_environments(setup.view)
        if clock == "virtual":
            refuse_virtual_time(driven, "write clock='real'")
        is_real = clock == "real" or bool(driven.in_real_time)
        spec, transport = self._model(entry, setup.spec, model)
        if stays and not (spec.scenario or spec.task or spec.tree):
            spec = replace(spec, chat=True)
        run_folder: Path | None = None
        try:
            if folder is not None:
                stem = "-".join(filter(None, (spec.tree or entry.name, spec.scenario)))
                run_folder = new_folder(Path(folder), stem, datetime.now())
                write_meta(run_folder, {"system": entry.name, "scenario": spec.scenario})
            run = Run(
                setup.view,
                real_clock(driven.steps, spec.speed)
                if is_real
                else AttendedClock()
                if stays and spec.chat
                else SteppingClock(),
                Journal.in_memory() if run_folder is None else Journal.create(run_folder / JOURNAL),
                spec,
                transport=transport,
                folder=run_folder,
            )
        except (JournalError, OSError, EventRefused) as error:  # a field of a wrong type
            raise TreecError(str(error)) from error
        if on_record is not None:
            _subscribe(run.world, on_record)
        attach_monitors(run, monitors)
        return run

    def compile(
        self,
        tree: str | None = None,
        *,
        system: str | None = None,
        ports: Mapping[str, object] | None = None,
        seed: int | None = None,
        env: str | None = None,
        model: str | Transport | None = None,
        api_base: str | None = None,
        seconds_per_tick: float | None = None,
        monitors: Iterable[str] = (),
    ) -> EmbeddedTree:
        """Compile a tree to a py_trees behaviour, for use in a ``BehaviourTree`` of your own.

        ``tree`` defaults to the root of the system, and has the values of its ``ports``; ``system``
        may be omitted if there is only one. With ``seconds_per_tick``, time is virtual and advances
        by that much at each tick; otherwise it is real. ``monitors`` as for :meth:`run`.

        Raises the same exceptions as :meth:`run`.
        """
        from treec.api.embedded_tree import EmbeddedTree
        from treec.api.environment_check import check_environments, refuse_virtual_time
        from treec.api.prepare_tree import prepare_any
        from treec.run.clocks import SteppingClock
        from treec.run.monitors import attach_monitors
        from treec.run.run import Run
        from treec.world.clock import RealClock
        from treec.world.journal import Journal

        entry = self.system(system)
        spec = _spec(
            system=system or entry.name,
            tree=tree,
            ports=ports or {},
            seed=seed,
            env=env,
            chat=True,
            api_base=api_base,
        )
        setup = prepare_any(self.library, spec)
        driven = check_environments(setup.view)
        spec, transport = self._model(entry, setup.spec, model)
        is_real = seconds_per_tick is None
        if not is_real:
            refuse_virtual_time(driven, "leave seconds_per_tick out")
        run = Run(
            setup.view,
            RealClock() if is_real and not driven.steps else SteppingClock(),
            Journal.in_memory(),
            spec,
            transport=transport,
        )
        attach_monitors(run, monitors)
        return EmbeddedTree(tree or entry.model.root, run, seconds_per_tick)

    def reload(self) -> None:
        """Read the library's files again; runs that have begun go on with those that they had.

        Python modules that were imported stay as they are. Raises TreecError.
        """
        work = self.library.work
        self.library = find_library(self.library.root)
        self.library.work = work
        self.__dict__.pop("_check_result", None)

    @cached_property
    def _check_result(self) -> CheckResult:
        from treec.check import check_library

        found = check_library(self.library)
        text = format_text(found, self.library.sources)
        summary = format_summary(found) if found else "nothing is wrong"
        return CheckResult(tuple(found), f"{text}\n\n{summary}" if text else summary)

    def system(self, name: str | None = None) -> Entry[SystemFile]:
        """The system of a name, by default the only one. Raises TreecError."""
        if name is not None:
            return find_system(self.library, name)
        systems: list[Entry[SystemFile]] = list(self.library.own("system"))
        if len(systems) != 1:
            names = ", ".join(entry.name for entry in systems) or "none"
            raise TreecError(f"specify the system: {names}")
        return systems[0]

    def _find(self, kind: str, name: str) -> AnyEntry:
        entry = self.library.find(kind, name)
        if entry is None:
            raise NotFound.for_name(kind, name, self.names(kind))
        return entry

    def _model(
        self, system: Entry[SystemFile], spec: RunSpec, model: str | Transport | None
    ) -> tuple[RunSpec, Transport | None]:
        """The spec with the name of its model, if one answers in real time, and the transport."""
        if model is not None and not isinstance(model, str):
            return spec, model
        from treec.api.open_model import open_model
        from treec.files.view import View

        try:
            spec = replace(spec, model=model or spec.model)
        except InvalidSpec as error:
            raise TreecError(str(error)) from None
        opened = open_model(self.root, system.model, spec, View(self.library, system))
        if opened is None:
            return spec, None
        return replace(spec, model=opened.name), opened.transport


def _spec(**fields: Any) -> RunSpec:
    """A spec of these fields. Raises NotFound for one that there is not, and TreecError."""
    known = {one.name for one in dataclasses.fields(RunSpec)}
    unknown = next((name for name in fields if name not in known), None)
    if unknown is not None:
        raise NotFound.for_name("field of RunSpec", unknown, sorted(known))
    if fields.get("tree") is not None:
        fields["tree"] = str(fields["tree"])
    try:
        return RunSpec(**fields)
    except InvalidSpec as error:
        raise TreecError(str(error)) from None


class Definition:
    """A definition in a file: a tree, a decision, a recipe, … Made by ``workspace[kind, name]``."""

    def __init__(self, workspace: Workspace, entry: AnyEntry) -> None:
        self._workspace = workspace
        self.entry = entry

    def __repr__(self) -> str:
        return f"<Definition {self.kind} {self.name} in {self.entry.path}>"

    @property
    def kind(self) -> str:
        """The kind: decision, tree, recipe, …"""
        return self.entry.kind

    @property
    def name(self) -> str:
        """The name."""
        return self.entry.name

    @property
    def path(self) -> Path:
        """The file that defines it."""
        return self._workspace.library.file(self.entry.path)

    @property
    def model(self) -> Any:
        """The content as the pydantic model of the kind."""
        return self.entry.model

    def ask(
        self,
        observation: Mapping[str, object],
        *,
        args: Mapping[str, object] | None = None,
        system: str | None = None,
        model: str | Transport | None = None,
        api_base: str | None = None,
    ) -> AskResult:
        """Ask a node (a decision, action, reading or program) in one situation.

        ``observation`` has what the node sees, as in the ``given`` of an example; names left out
        have their defaults. Without a ``model`` the node's offline rules answer. Blocks, also in a
        running event loop, as in Jupyter; :meth:`ask_async` does not. Raises TreecError for an
        invalid observation.
        """
        return self._question(observation, args, system, model, api_base).ask()

    async def ask_async(
        self,
        observation: Mapping[str, object],
        *,
        args: Mapping[str, object] | None = None,
        system: str | None = None,
        model: str | Transport | None = None,
        api_base: str | None = None,
    ) -> AskResult:
        """Like :meth:`ask`, for use in an event loop."""
        return await self._question(observation, args, system, model, api_base).ask_async()

    def graph(self) -> networkx.DiGraph[Any]:
        """The task graph: a node for each subtask, with edges to its successors.

        Available for recipes and for kinds whose extension provides it (`Kind.graph`), such as
        DAG-Plan's problems. Raises TreecError for other kinds or if networkx is not installed.
        """
        known = registry()
        kind = known.kinds[self.kind]
        if not kind.graph:
            others = ", ".join(name for name, other in known.kinds.items() if other.graph)
            raise TreecError(f"{self.name}: a {self.kind} has no graph; these have one: {others}")
        try:
            make = cast("Callable[..., networkx.DiGraph[Any]]", known.load(kind.graph))
            library = self._workspace.library
            return known.call(
                kind.graph, lambda: make(library, self.entry), ImportError, ValueError
            )
        except ImportError:
            raise TreecError("graph needs networkx: pip install 'treec[graphs]'") from None
        except ValueError as error:
            raise TreecError(str(error)) from None

    def _question(
        self,
        observation: Mapping[str, object],
        args: Mapping[str, object] | None,
        system: str | None,
        model: str | Transport | None,
        api_base: str | None,
    ) -> NodeQuestion:
        """What the node is asked. Raises TreecError."""

        def open_model(system: Entry[SystemFile]) -> Transport | None:
            return self._workspace._model(system, RunSpec(api_base=api_base), model)[1]

        make = cast("NodeAsker", find_tool("ask", "a node cannot be asked"))
        opens = None if model is None else open_model
        return make(self._workspace.library, self.entry, observation, args, system, opens)


def _subscribe(world: World, on_record: Callable[[Record], None]) -> None:
    """Call ``on_record`` with each record until it raises."""

    def take(record: Record) -> None:
        try:
            on_record(record)
        except Exception as error:  # a display of anybody's own
            unsubscribe()
            warnings.warn(
                f"on_record raised {type(error).__name__}: {error} at record {record.n}, and is "
                "not called again",
                RuntimeWarning,
                stacklevel=2,
            )

    unsubscribe = world.subscribe(take)
