"""A call that must end in time returns, fails or is given up, whatever it hangs in."""

from __future__ import annotations

import contextvars
import os
import sys
import threading
from collections.abc import Callable

import pytest

from treec.world.bounded import BoundedCall, NotInTime

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


def test_a_call_that_returns() -> None:
    call = BoundedCall(lambda: 7)
    assert call.result() == 7
    assert (call.status, call.is_done) == ("ok", True)


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(3)])
def test_a_call_that_raises(error: BaseException) -> None:
    def boom() -> None:
        raise error

    call = BoundedCall(boom)
    with pytest.raises(type(error)) as caught:
        call.result()
    assert caught.value is error
    assert call.status == "failed"


def waits(end: threading.Event) -> None:
    end.wait(GUARD)


def spins(end: threading.Event) -> None:
    while not end.is_set():
        pass


def reads(end: threading.Event) -> None:
    read, write = os.pipe()
    threading.Thread(target=lambda: (end.wait(GUARD), os.close(write)), daemon=True).start()
    os.read(read, 1)


@pytest.mark.parametrize("hang", [waits, spins, reads])
def test_a_call_that_hangs_is_given_up_and_may_end_late(
    hang: Callable[[threading.Event], None],
) -> None:
    end = threading.Event()
    call = BoundedCall(lambda: hang(end), 0.01)
    with pytest.raises(NotInTime, match=r"did not return within 0\.01 s"):
        call.result()
    assert call.status == "hung"
    end.set()
    assert call._done.wait(GUARD)
    assert call.status == "ok"


def test_calls_that_hang_do_not_hold_each_other() -> None:
    end = threading.Event()
    for _ in range(3):
        BoundedCall(lambda: waits(end))
    assert BoundedCall(lambda: "told", GUARD).result() == "told"
    end.set()


def test_it_sees_the_context_of_who_calls() -> None:
    here: contextvars.ContextVar[str] = contextvars.ContextVar("here")
    here.set("R1")
    assert BoundedCall(here.get).result() == "R1"


def test_what_it_raises_has_the_line_where_it_arose() -> None:
    def boom() -> None:
        raise RuntimeError("boom")

    try:
        BoundedCall(boom).result()
    except RuntimeError:
        trace = sys.exc_info()[2]
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        assert trace is not None
        assert trace.tb_frame.f_code.co_name == "boom"
