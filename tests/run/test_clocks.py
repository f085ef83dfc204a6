from __future__ import annotations

import pytest

from engine.run.clocks import PacedClock


def test_it_waits_its_part_of_the_time_before_it_jumps() -> None:
    waits: list[float] = []
    clock = PacedClock(4.0, waits.append)
    clock.call_at(8.0, lambda: None)
    assert clock.advance()
    assert (clock.now(), waits) == (8.0, [2.0])


def test_beyond_the_limit_nothing_is_waited_for() -> None:
    waits: list[float] = []
    clock = PacedClock(4.0, waits.append)
    clock.call_at(8.0, lambda: None)
    assert not clock.advance(5.0)
    assert waits == []


def test_a_speed_is_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="more than 0"):
        PacedClock(0, lambda seconds: None)
