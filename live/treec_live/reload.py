"""Reload edited files during a run, between two ticks.

The world is kept: subtasks, utterances, facts. The tree is compiled again; nodes whose definition
is the same go on as they are (see :mod:`treec_live.hot_swap`), the others are halted and begin
again. A robot whose subtask was halted takes it again. If the files have errors, the old tree keeps
running. A domain cannot be reloaded, since facts and state depend on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from treec.check import check_library
from treec.compile.build import Compiler, Frames
from treec.files.library import Library, load_library
from treec.files.stamps import EVERY, changed_files, list_files, stamps
from treec.files.view import View, in_scene, on_environment
from treec.nodes.events import Logged
from treec.nodes.foreign import NodeSetupFailed, set_up_nodes
from treec.nodes.place import CompileError
from treec.run.mocks import InvalidMock, Mocked, put_mocks
from treec.run.run import Run, initial_events
from treec.run.status_recorder import path_of
from treec.source.diagnostics import format_text
from treec.team.events import AgentRequeued
from treec.team.knowledge import Knowledge
from treec.world.events import Commit, Event
from treec_live.hot_swap import HotSwap

Load = Callable[[], tuple[Library, str]]
"""Reads and checks the library; the text has its errors and is empty if there are none."""


class CannotSwap(Exception):
    """The edited files are valid, but do not fit the present run."""


class Watcher:
    """Watches a library's files between ticks; ``tell`` is called with messages for people."""

    def __init__(
        self,
        run: Run,
        root: Path,
        load: Load,
        tell: Callable[[str], None],
        monotonic: Callable[[], float],
    ) -> None:
        self._run = run
        self._root = root
        self._load = load
        self._tell = tell
        self._monotonic = monotonic
        self._stamps = stamps(root)
        self._next = monotonic() + EVERY

    def look(self) -> None:
        """Reload changed files; the loop calls this before each tick."""
        if self._monotonic() < self._next:
            return
        self._next = self._monotonic() + EVERY
        now = stamps(self._root)
        if now == self._stamps:
            return
        changed = changed_files(self._stamps, now)
        self._stamps = now
        library, wrong = self._load()
        if wrong:
            self._tell(
                f"{wrong}\n\n{list_files(changed)}: the run goes on with the files as they were"
            )
            return
        try:
            stopped = swap(self._run, library, changed)
        except CannotSwap as error:
            self._tell(
                f"{list_files(changed)}: {error}; the run goes on with the files as they were"
            )
            return
        begins = f"; {list_files(stopped)} stopped, and begins again" if stopped else ""
        self._tell(f"{list_files(changed)}: swapped in{begins}")


def watch_files(run: Run, root: Path, system: str) -> None:
    """Watch the files of the library at ``root`` during a run of a system, and log what is found.

    The system's name is PACK/NAME for one of a pack.
    """

    def load() -> tuple[Library, str]:
        library = load_library(root)
        others = (library.resolve_system(system),) if "/" in system else ()
        errors = [d for d in check_library(library, *others) if d.severity == "error"]
        return library, format_text(errors, library.sources)

    def tell(text: str) -> None:
        for line in filter(str.strip, text.splitlines()):
            run.world.emit(Logged(line), "watch")

    watcher = Watcher(run, root, load, tell, time.monotonic)
    run.loop.before_tick.append(watcher.look)
    run.loop.while_waiting.append(watcher.look)


def swap(run: Run, library: Library, changed: list[str]) -> list[str]:
    """Continue a run with an edited library; returns the paths of the leaves that were stopped.

    Raises CannotSwap; then nothing has changed.
    """
    pack = run.view.library.pack_of(run.system.path)
    name = run.system.name if pack is None else f"{pack.name}/{run.system.name}"
    system = library.find_system(name)
    if system is None:
        raise CannotSwap(f"the system '{run.system.name}' no longer exists")
    if run.spec.scene is not None:
        system = in_scene(system, run.spec.scene)
    if run.spec.env is not None:
        system = on_environment(system, run.spec.env)
    view = View(library, system)
    if (view.facts, view.state) != (run.view.facts, run.view.state):
        raise CannotSwap("facts or state of the domain have changed: start the run again")
    missing = [name for name in run.world.state["agents"] if name not in view.agents]  # type: ignore[attr-defined]
    if missing:
        raise CannotSwap(f"{', '.join(missing)} cannot leave a run: start it again")
    name = run.spec.tree or system.model.root
    root = view.find("tree", name)
    if root is None:
        raise CannotSwap(f"the tree '{name}' no longer exists")
    runtime, old = run.runtime, run.knowledge
    before = runtime.contracts
    run.team.use(Knowledge(view))
    run.scope.renew()
    runtime.contracts = runtime.action_contracts()
    try:
        compiler = Compiler(view, runtime)
        mocked: Mocked = {}
        new = put_mocks(compiler.root(root, run.spec.ports), run.mocks, mocked)
        swap = HotSwap(run.root, new)
        set_up_nodes(swap.fresh)
    except (CompileError, InvalidMock, NodeSetupFailed) as error:
        runtime.contracts = before
        run.team.use(old)
        run.scope.renew()
        raise CannotSwap(str(error)) from error
    _share_names(run.frames, compiler.frames)
    tree = swap.apply()
    run.frames, run.mocked = compiler.frames, mocked
    known = {*run.view.objects, *run.view.agents}
    run.view = view
    events: list[Event] = [*initial_events(view, known)]
    for agent in run.team.agents:  # whose subtask was stopped
        if agent.current is not None and not agent.person and not swap.goes_on(agent.name):
            events.append(AgentRequeued(agent.name))
    run.world.emit(Commit("reload", tuple(events), files=tuple(changed)), "reload")
    run.root = tree
    run.loop.replace_tree(tree)
    run.loop.at_end = system.model.at_end if run.spec.tree is None else "stop"
    run.loop.tick_period = system.model.tick_period
    if run.loop.tick_budget is not None:
        run.loop.tick_budget = system.model.tick_budget
    run.monitor.contracts = list(view.all("contract").values())
    run.inbox.wake()
    return [path_of(node) for node in swap.stopped]


def _share_names(old: Frames, new: Frames) -> None:
    """Let the new nodes of a tree's instance use the variables of those that go on."""
    for path, (header, frame) in new.items():
        before = old.get(path)
        if before is not None and before[0] == header:
            frame.cells, frame.variables = before[1].cells, before[1].variables
