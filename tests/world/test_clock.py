import math

import pytest

from treec.world.clock import RealClock, VirtualClock


class Hand:
    """A monotonic clock moved by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_virtual_time_moves_only_by_advance() -> None:
    clock = VirtualClock()
    clock.call_at(3.0, lambda: None)
    assert clock.now() == 0.0
    assert clock.advance()
    assert clock.now() == 3.0
    assert not clock.advance()
    assert clock.now() == 3.0


def test_timers_of_one_instant_fire_in_the_order_in_which_they_were_set() -> None:
    clock, fired = VirtualClock(), []
    for name, when in [("c", 2.0), ("a", 1.0), ("d", 2.0), ("b", 1.0)]:
        clock.call_at(when, lambda name=name: fired.append(name))
    clock.advance()
    assert fired == ["a", "b"]
    clock.advance()
    assert fired == ["a", "b", "c", "d"]


def test_a_timer_set_for_this_instant_by_a_callback_waits_for_the_next_advance() -> None:
    clock, fired = VirtualClock(), []

    def again() -> None:
        fired.append(clock.now())
        clock.call_at(clock.now(), again)

    clock.call_at(1.0, again)
    clock.advance()
    assert fired == [1.0]
    clock.advance()
    assert fired == [1.0, 1.0]


def test_a_cancelled_timer_never_fires_even_when_cancelled_at_its_instant() -> None:
    clock, fired = VirtualClock(), []
    clock.call_at(1.0, lambda: later.cancel())
    later = clock.call_at(1.0, lambda: fired.append("later"))
    clock.advance()
    assert fired == []
    assert clock.next_due() is None


def test_a_timer_in_the_past_is_due_now_and_time_never_runs_backwards() -> None:
    clock = VirtualClock(start=5.0)
    clock.call_at(1.0, lambda: None)
    assert clock.advance()
    assert clock.now() == 5.0


def test_advance_stops_at_the_limit() -> None:
    clock, fired = VirtualClock(), []
    clock.call_at(10.0, lambda: fired.append(1))
    assert not clock.advance(limit=4.0)
    assert (clock.now(), fired) == (4.0, [])
    assert clock.advance(limit=10.0)
    assert fired == [1]


def test_a_callback_that_raises_loses_no_other_timer() -> None:
    clock, fired = VirtualClock(), []
    clock.call_at(1.0, lambda: 1 / 0)
    clock.call_at(1.0, lambda: fired.append(1))
    with pytest.raises(ZeroDivisionError):
        clock.advance()
    clock.advance()
    assert fired == [1]


@pytest.mark.parametrize("when", [math.inf, math.nan])
def test_a_timer_needs_a_finite_time(when: float) -> None:
    with pytest.raises(ValueError, match="cannot be due"):
        VirtualClock().call_at(when, lambda: None)


def test_cancelled_timers_do_not_pile_up() -> None:
    clock = VirtualClock()
    for _ in range(1000):
        clock.call_at(1e6, lambda: None).cancel()
    assert len(clock._timers._heap) < 200


def test_real_time_counts_from_the_start_at_its_speed() -> None:
    hand = Hand()
    clock = RealClock(speed=10.0, monotonic=hand)
    hand.time += 0.5
    assert clock.now() == 5.0
    assert clock.real_seconds(25.0) == 2.0
    assert clock.real_seconds(1.0) == 0.0


def test_the_real_clock_fires_only_when_the_loop_asks() -> None:
    hand, fired = Hand(), []
    clock = RealClock(monotonic=hand)
    clock.call_at(2.0, lambda: fired.append("b"))
    clock.call_at(1.0, lambda: fired.append("a"))
    assert clock.due() == 0
    hand.time += 2.0
    assert fired == []
    assert clock.due() == 2
    assert fired == ["a", "b"]
    assert clock.next_due() is None


@pytest.mark.parametrize("speed", [0.0, -1.0, math.inf, math.nan])
def test_a_speed_is_positive(speed: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        RealClock(speed=speed)
