"""Orders over two pipes, from the process of the page to that of the run."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

import pytest

from tests.support import crashes
from treec.run.live_run import ORDERS, LiveRun, OrderRefused, TooMuch
from treec_serve import link
from treec_serve.link import RemoteRun, carry_out


class Noting(LiveRun):
    """A run that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def data(self) -> dict[str, object]:
        """Plain data."""
        return {"run": "here", "over": False, "stopped": []}

    def say(self, text: str) -> None:
        """Refuse one text, break at another."""
        if text == "too much":
            raise TooMuch("that is too much")
        if text == "break":
            raise ValueError("broken")
        self.told.append(text)


Order = Callable[[str, Mapping[str, object]], object]


class Pipes:
    """Both ends of the two pipes, and what is called at each."""

    def __init__(self) -> None:
        orders, order = os.pipe()
        answers, answer = os.pipe()
        self.run = Noting()
        self.to_run: BinaryIO = os.fdopen(order, "wb")
        self.remote = RemoteRun(os.fdopen(answers, "rb"), self.to_run)
        self.ended = threading.Event()
        self.server = carry_out(
            self.run, os.fdopen(orders, "rb"), os.fdopen(answer, "wb"), self.ended.set
        )
        self.listener = threading.Thread(target=self.remote.listen)
        self.listener.start()

    def order(self, *orders: tuple[str, Mapping[str, object]]) -> list[object]:
        """Give orders at once; returns the answers and refusals."""

        async def ask() -> list[object]:
            asked = (self.remote.order(name, args) for name, args in orders)
            return await asyncio.gather(*asked, return_exceptions=True)

        return asyncio.run(ask())


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    """Closed in the end, whereupon both threads end."""
    made = Pipes()
    yield made
    if not made.to_run.closed:
        made.to_run.close()
    made.server.join()
    made.listener.join()


def test_orders_are_carried_out_and_answered(pipes: Pipes) -> None:
    found = pipes.order(("say", {"text": "ä\n\u202e"}), ("data", {}), ("say", {"text": "b"}))
    assert found == [None, pipes.run.data(), None]
    assert pipes.run.told == ["ä\n\u202e", "b"]


def test_a_refusal_comes_with_its_status_and_orders_go_on(pipes: Pipes) -> None:
    with crashes.expected():
        too_much, broken, unknown = pipes.order(
            ("say", {"text": "too much"}), ("say", {"text": "break"}), ("__init__", {})
        )
    statuses = [getattr(error, "status", None) for error in (too_much, broken, unknown)]
    assert statuses == [429, 500, 400]
    assert str(too_much) == "that is too much"
    assert pipes.order(("say", {"text": "c"})) == [None]


def test_the_end_of_the_page_is_told(pipes: Pipes) -> None:
    assert pipes.order(("say", {"text": "a"})) == [None]
    assert not pipes.ended.is_set()
    pipes.to_run.close()
    pipes.server.join()
    assert pipes.ended.is_set()


def test_only_orders_can_be_given() -> None:
    assert all(callable(getattr(LiveRun, name)) and not name.startswith("_") for name in ORDERS)


def test_a_run_that_does_not_answer_is_told(pipes: Pipes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PATIENCE", 0.0)
    (found,) = pipes.order(("data", {}))
    assert isinstance(found, OrderRefused)
    assert (found.status, str(found)) == (503, "the run does not answer")


def test_a_run_whose_process_is_gone_is_told() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb", buffering=0) as to_run:
        remote = RemoteRun(io.BytesIO(), to_run)
        with pytest.raises(OrderRefused) as refused:
            asyncio.run(remote.order("stop", {}))
    assert refused.value.status == 503


@pytest.mark.thorough
def test_the_process_of_a_run_loads_no_server() -> None:
    """What a viewer costs the run is what its process loads and does: it reads a pipe."""
    loads = "import sys, treec_serve.command, treec_serve.display, treec_serve.process"
    code = f"{loads}, treec_serve.link; print({{'starlette', 'uvicorn'}} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "set()\n"
