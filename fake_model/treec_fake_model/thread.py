"""The fake model in its own thread, for tests and benchmarks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from treec_fake_model.script import Script
from treec_fake_model.server import FakeModel


class FakeModelThread:
    """``with FakeModelThread({"cases": […]}) as server: … server.url …``."""

    def __init__(self, script: dict[str, Any] | None = None) -> None:
        self._script = Script.model_validate(script or {})
        self._changed = threading.Condition()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="treec-fake-model", daemon=True)
        self._ready = threading.Event()
        self.model: FakeModel
        self.url = ""

    def __enter__(self) -> FakeModelThread:
        self._thread.start()
        if not self._ready.wait(30.0):
            raise RuntimeError("the fake model did not start")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30.0)

    def wait_for(self, when: Callable[[FakeModel], bool], timeout: float = 30.0) -> bool:
        """Wait until a condition on the server holds. Returns False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: when(self.model), timeout)

    def let_go(self) -> None:
        """Answer all held requests."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.model.let_go)

    def _run(self) -> None:
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self.model = FakeModel(self._script)
        self.model.changed = self._notify
        try:
            self._loop.run_until_complete(self.model.start())
            self.url = self.model.url
            self._ready.set()
            self._loop.run_forever()
            self._loop.run_until_complete(self.model.close())
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        finally:
            self._loop.close()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()
