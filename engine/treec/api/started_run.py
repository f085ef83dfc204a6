"""A run that goes on in a thread of its own, to be talked to, paused, watched and ended."""

from __future__ import annotations

import asyncio
import atexit
import math
import threading
from abc import ABC
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Self

from treec.api.end_signals import give_back
from treec.api.errors import StillRunning, TreecError
from treec.api.run_result import RunResult
from treec.run.live_run import LiveRun
from treec.run.run import Run, RunOutcome
from treec.run.state import RunState
from treec.world.journal import Record
from treec.world.journal import events as events_of


class _Started(LiveRun, ABC):
    """What both kinds of started runs have; no method here blocks but the constructor."""

    by = "program"
    most = math.inf

    def __init__(self, run: Run, held: ExitStack | None = None) -> None:
        """Start a run in a thread; returns once its environments are open and it ticks.

        ``held`` is closed when it has ended. Raises TreecError where it does not come to that.
        """
        super().__init__(run.system.name if run.folder is None else run.folder.name, run)
        self._state, self._folding = RunState(), threading.Lock()
        self._records = run.journal.follow()
        self._fold()
        self._changed = threading.Condition()
        self._listeners: list[Callable[[], None]] = []
        self._held = held or ExitStack()
        self._outcome: RunOutcome | None = None
        self._error: Exception | None = None
        begun = threading.Event()
        run.loop.before_tick.append(begun.set)
        run.world.subscribe(lambda record: self._notify(), traces=True)
        run.on_abandoned = self._abandoned
        self._listeners.append(lambda: begun.set() if self.is_over else None)
        atexit.register(self._halt_at_exit)
        threading.Thread(target=self._go, name=f"treec run {self.name}", daemon=True).start()
        with ExitStack() as broken_off:
            broken_off.callback(run.loop.stop)  # Ctrl-C, while an environment opens
            begun.wait()
            broken_off.pop_all()
        if self._error is not None:
            self._result()

    @property
    def state(self) -> RunState:
        """The agents, subtasks, talk, facts and nodes as they are now; it stays as it is."""
        with self._folding:
            self._fold()
            return self._state.copy()

    def pause(self) -> None:
        """Tick no more until :meth:`resume`; robots finish what they were told. Raises RunOver."""
        self.debug("pause", "")

    def resume(self) -> None:
        """Go on after :meth:`pause`, and let robots go on that :meth:`stop` has stopped.

        Raises RunOver.
        """
        self.go_on()
        self.debug("go on", "")

    def _fold(self) -> None:
        """Take what has been recorded since the last call into the state."""
        while (record := next(self._records)) is not None:
            self._state.take(record)

    def _has_more(self, seen: int) -> bool:
        """Whether there is a record after the first ``seen``, or there will be no more."""
        return self._run.journal.last > seen or self.is_over

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()
            for listener in tuple(self._listeners):
                listener()

    def _go(self) -> None:
        try:
            self._outcome = self._run.go()
        except Exception as error:
            self._error = error
        finally:
            if self._outcome is None and self._error is None:
                self._error = TreecError("the run was broken off")
            self._end()

    def _abandoned(self, unconfirmed: Sequence[str]) -> None:
        """Take note that code of others holds the run's thread for good."""
        seconds = self._run.clock.now()
        self._outcome = RunOutcome("stopped", False, seconds, unconfirmed=tuple(unconfirmed))
        self._end()

    def _end(self) -> None:
        atexit.unregister(self._halt_at_exit)
        self._held.close()
        self.end()
        self._notify()

    def _halt_at_exit(self) -> None:
        """End the run in order when the program ends without having closed it."""
        self._run.loop.stop()
        with self._changed:
            self._changed.wait_for(lambda: self.is_over)

    def _result(self) -> RunResult:
        """How it ended. Raises TreecError if by an error."""
        give_back()
        error = self._error
        if isinstance(error, TreecError):
            raise error
        if error is not None:
            raise TreecError(f"the run ended: {type(error).__name__}: {error}") from error
        assert self._outcome is not None
        return RunResult(self._outcome, self._run.journal.records, self._run.folder)


class StartedRun(_Started):
    """A run that goes on; made by ``Workspace.start``. A ``with`` statement closes it.

    Every method may be called from any thread. ``say``, ``stop``, ``pause`` and ``resume`` return
    at once. ``stop`` stops all robots and leaves the run going: :meth:`close` ends it.
    """

    def wait(self, timeout: float | None = None) -> RunResult:
        """Wait for the end of the run, ``timeout`` real seconds at most.

        Raises StillRunning then, and TreecError if the run ended with an error.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self.is_over, timeout):
                raise StillRunning(f"the run goes on after {timeout:g} s")
        return self._result()

    def events(self) -> Iterator[Record]:
        """Every event from the first on, as it happens; ends with the run."""
        seen, is_over = 0, False
        for record in self._run.journal.follow():
            if record is not None:
                seen = record.n
                yield from events_of(record)
            elif is_over:
                return
            else:
                with self._changed:
                    self._changed.wait_for(lambda: self._has_more(seen))  # noqa: B023
                    is_over = self.is_over

    def close(self) -> RunResult:
        """End the run as a signal does, if it goes on, and return its result.

        Every robot is told to stop and has a second to confirm that; what did not is
        ``unconfirmed`` in the result.
        """
        self._run.loop.stop()
        return self.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(*([] if error is None else [TreecError])):
            self.close()


class AsyncStartedRun(_Started):
    """The same for an event loop: `wait`, `events` and `close` are awaited.

    Made by ``Workspace.start_async``.
    """

    async def wait(self) -> RunResult:
        """Wait for the end of the run. Cancelling this leaves the run as it is."""
        await self._wait_for(lambda: self.is_over)
        return self._result()

    async def events(self) -> AsyncIterator[Record]:
        """Every event from the first on, as it happens; ends with the run."""
        seen, is_over = 0, False
        for record in self._run.journal.follow():
            if record is not None:
                seen = record.n
                for event in events_of(record):
                    yield event
            elif is_over:
                return
            else:
                await self._wait_for(lambda: self._has_more(seen))  # noqa: B023
                is_over = self.is_over

    async def close(self) -> RunResult:
        """End the run as a signal does, if it goes on, and return its result."""
        self._run.loop.stop()
        return await self.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(*([] if error is None else [TreecError])):
            await self.close()

    async def _wait_for(self, is_there: Callable[[], bool]) -> None:
        loop, noted = asyncio.get_running_loop(), asyncio.Event()

        def note() -> None:
            with suppress(RuntimeError):  # the event loop was closed meanwhile
                loop.call_soon_threadsafe(noted.set)

        with self._changed:
            self._listeners.append(note)
        try:
            while not is_there():
                await noted.wait()
                noted.clear()
        finally:
            with self._changed:
                self._listeners.remove(note)
