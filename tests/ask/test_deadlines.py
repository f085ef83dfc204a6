"""Deadlines: one thread, whatever the order, none that was cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from treec_asking.deadlines import Alarm, Deadlines

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""

FAR = 3600.0


class Watch:
    """Deadlines whose thread is held, on a clock that stands still; what they do, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self.deadlines = Deadlines(lambda: self.now)
        self.done: list[str] = []
        self._held, self._go_on = threading.Event(), threading.Event()

    def hold(self) -> None:
        self.deadlines(0.0, self._wait)
        assert self._held.wait(GUARD)

    def _wait(self) -> None:
        self._held.set()
        self._go_on.wait(GUARD)

    def set(self, seconds: float, name: str) -> Alarm:
        return self.deadlines(seconds, lambda: self.done.append(name))

    def go_on(self) -> None:
        """Let ten seconds pass, and all that is due then be done."""
        self.now += 10.0
        ended = threading.Event()
        self.deadlines(0.0, ended.set)
        self._go_on.set()
        assert ended.wait(GUARD)


@pytest.fixture
def watch() -> Iterator[Watch]:
    one = Watch()
    yield one
    one.deadlines.close()


def test_they_come_in_the_order_in_which_they_are_due(watch: Watch) -> None:
    watch.hold()
    for seconds in (FAR, 3.0, 1.0, 2.0):
        watch.set(seconds, str(seconds))
    watch.go_on()
    assert watch.done == ["1.0", "2.0", "3.0"]


def test_what_is_cancelled_is_not_done(watch: Watch) -> None:
    watch.hold()
    watch.set(1.0, "kept")
    watch.set(2.0, "cancelled").cancel()
    watch.go_on()
    assert watch.done == ["kept"]


def test_one_that_is_due_before_those_that_are_waited_for_is_not_late(watch: Watch) -> None:
    watch.set(FAR, "late")
    watch.go_on()  # it would hang until the first is due
    assert watch.done == []


def test_all_of_them_share_a_thread_that_ends_with_them(watch: Watch) -> None:
    before = threading.active_count()
    for _ in range(40):
        watch.set(FAR, "late")
    assert threading.active_count() == before + 1
    watch.deadlines.close()
    assert threading.active_count() == before
    watch.go_on()  # it starts anew
    assert watch.done == []
