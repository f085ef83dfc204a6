"""Symbolic skills take their time on the clock, and apply `after` at its end."""

import pytest

from treec.envs.symbolic import Effects
from treec.nodes.worker import Effect, FaultHit, Outcome, WorkOrder
from treec.world.clock import VirtualClock
from treec.world.failures import Reported

AWAY = Effect("near", ("R2",), None)
MOVING = Effect("moving", ("R2",), True)
THERE = Effect("near", ("R2",), "pantry")


class Run:
    """A host that notes what it is told, and when."""

    def __init__(self) -> None:
        self.clock = VirtualClock(start=100.0)
        self.told: list[tuple[float, str, object]] = []

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        self.told.append((self.clock.now(), order_id, effects))

    def finish(self, order_id: str, outcome: Outcome) -> None:
        self.told.append((self.clock.now(), order_id, outcome))

    def until(self, time: float) -> None:
        while self.clock.advance(limit=time):
            pass


@pytest.fixture
def run() -> Run:
    return Run()


def order(takes: float = 6.0, fault: FaultHit | None = None) -> WorkOrder:
    args = {"agent": "R2", "place": "pantry"}
    return WorkOrder("o1", "go_to", "R2", args, takes, (AWAY, MOVING), (THERE,), fault)


def test_it_ends_when_its_time_has_passed_with_its_effects(run: Run) -> None:
    worker = Effects()
    worker.start(order(), run)
    run.until(105.9)
    assert run.told == []
    run.until(106.0)
    done = Outcome(True, effects=(THERE,))
    assert run.told == [(106.0, "o1", done)]


def test_it_never_ends_within_its_start(run: Run) -> None:
    worker = Effects()
    worker.start(order(takes=0.0), run)
    assert run.told == []
    assert run.clock.advance()
    assert len(run.told) == 1
    assert run.clock.now() == 100.0


def test_cancelled_midway_it_applies_nothing(run: Run) -> None:
    worker = Effects()
    worker.start(order(), run)
    run.until(103.0)
    assert worker.cancel() == Outcome(False, Reported("cancelled"), "symbolic")
    run.until(200.0)
    assert run.told == []


def test_cancelled_at_its_end_it_has_ended(run: Run) -> None:
    worker = Effects()
    worker.start(order(), run)
    run.until(106.0)
    assert worker.cancel() == Outcome(True, effects=(THERE,))
    assert len(run.told) == 1


def test_cancelled_before_its_start_it_has_done_nothing(run: Run) -> None:
    assert Effects().cancel() == Outcome(False, Reported("cancelled"), "symbolic")
    assert run.told == []


def test_a_fault_ends_it_at_its_part_of_the_time(run: Run) -> None:
    worker = Effects()
    worker.start(order(fault=FaultHit("slipped", 0.5)), run)
    run.until(200.0)
    failed = Outcome(False, Reported("slipped"), "symbolic")
    assert run.told == [(103.0, "o1", failed)]


def test_a_fault_at_the_start_leaves_everything_as_it_was(run: Run) -> None:
    Effects().start(order(fault=FaultHit("jammed", 0.0)), run)
    run.until(200.0)
    assert run.told == [(100.0, "o1", Outcome(False, Reported("jammed"), "symbolic"))]


def test_a_worker_does_one_order(run: Run) -> None:
    worker = Effects()
    worker.start(order(), run)
    with pytest.raises(RuntimeError, match="one order"):
        worker.start(order(), run)
