from __future__ import annotations

import pytest

from treec.nodes.worker import Effect
from treec.run.clocks import NOTICE, TURN, ChattingClock, PacedClock, SteppingClock


def test_it_waits_its_part_of_the_time_before_it_jumps() -> None:
    waits: list[float] = []
    clock = PacedClock(4.0, waits.append)
    clock.call_at(8.0, lambda: None)
    assert clock.advance()
    assert (clock.now(), waits) == (8.0, [0.5] * 4)


def test_beyond_the_limit_nothing_is_waited_for() -> None:
    waits: list[float] = []
    clock = PacedClock(4.0, waits.append)
    clock.call_at(8.0, lambda: None)
    assert not clock.advance(5.0)
    assert waits == []


def test_a_speed_is_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="more than 0"):
        PacedClock(0, lambda seconds: None)


class Steps:
    """An environment that notes how far it was let go, and says something at one time."""

    def __init__(self, says_at: float = 1e9, busy: bool = True) -> None:
        self.says_at = says_at
        self.busy = busy
        self.now = 0.0
        self.calls = 0

    def step(self, until: float) -> float:
        self.calls += 1
        self.now = max(self.now, min(until, self.says_at if self.now < self.says_at else until))
        return self.now

    def sense(self) -> tuple[Effect, ...]:
        return ()

    def notify(self, effects: tuple[Effect, ...]) -> None: ...

    def close(self) -> None: ...


def driven(clock: SteppingClock, *environments: Steps) -> SteppingClock:
    for environment in environments:
        clock.drive(environment)
    return clock


def test_a_message_from_outside_is_noticed_while_an_environment_steps() -> None:
    world = Steps()
    clock = driven(SteppingClock(), world)
    clock.call_at(60.0, lambda: None)
    clock.ready = lambda: world.now > 0.2
    assert clock.advance()
    assert 0.2 < clock.now() <= 0.2 + 2 * NOTICE


def test_an_environment_steps_to_the_next_timer() -> None:
    world, fired = Steps(), []
    clock = driven(SteppingClock(), world)
    clock.call_at(0.4, lambda: fired.append(clock.now()))
    assert clock.advance()
    assert (fired, world.now) == ([0.4], 0.4)


def test_where_it_says_something_time_stands_before_the_timer() -> None:
    fired: list[float] = []
    clock = driven(SteppingClock(), Steps(says_at=0.3))
    clock.call_at(0.4, lambda: fired.append(clock.now()))
    assert clock.advance()
    assert (clock.now(), fired) == (0.3, [])
    assert clock.advance()
    assert fired == [0.4]


def test_on_a_long_way_it_stops_every_second() -> None:
    clock = driven(SteppingClock(), Steps())
    clock.call_at(2.5, lambda: None)
    times = []
    while clock.next_due() is not None:
        assert clock.advance()
        times.append(clock.now())
    assert times == [1.0, 2.0, 2.5]


def test_at_work_time_passes_without_a_timer_and_at_rest_it_is_idle() -> None:
    assert driven(SteppingClock(), Steps()).advance()
    assert not driven(SteppingClock(), Steps(busy=False)).advance()


def test_beyond_the_limit_no_environment_goes() -> None:
    world = Steps()
    clock = driven(SteppingClock(), world)
    clock.call_at(3.0, lambda: None)
    assert not clock.advance(0.5)
    assert (clock.now(), world.now) == (0.5, 0.5)


def test_several_environments_take_turns_and_stay_together() -> None:
    first, second = Steps(), Steps(says_at=0.5)
    clock = driven(SteppingClock(), first, second)
    clock.call_at(1.0, lambda: None)
    assert clock.advance()
    assert clock.now() == 0.5
    assert first.now == pytest.approx(0.5, abs=TURN)
    assert first.calls > 20


def test_watched_it_waits_what_the_stepping_has_not_taken() -> None:
    waits: list[float] = []
    ticking = iter(i * 0.02 for i in range(1000))
    clock = PacedClock(2.0, waits.append, monotonic=lambda: next(ticking))
    driven(clock, Steps())
    clock.call_at(0.4, lambda: None)
    assert clock.advance()
    assert waits == pytest.approx([0.03] * 4)  # pictures of 0.05 s, 0.02 s of which it stepped


class Person:
    """Real time in which a person is waited for; they say something after so long."""

    def __init__(self, says_after: float = 1e9) -> None:
        self.time = 0.0
        self.says_after = says_after

    def wait(self, seconds: float) -> None:
        self.time += min(seconds, max(0.0, self.says_after - self.time))


def chatting(person: Person, *environments: Steps, speed: float = 1.0) -> ChattingClock:
    clock = ChattingClock(speed, monotonic=lambda: person.time)
    clock.wait = person.wait
    driven(clock, *environments)
    return clock


def test_time_goes_on_while_a_person_thinks() -> None:
    person, world = Person(), Steps()
    clock = chatting(person, world, speed=2.0)
    for _ in range(10):
        assert clock.advance()
    assert clock.now() == pytest.approx(2.0 * person.time)
    assert world.now == clock.now()


def test_as_soon_as_they_say_something_waiting_ends() -> None:
    person = Person(says_after=0.01)
    clock = chatting(person, Steps())
    assert clock.advance()
    assert clock.now() == pytest.approx(0.01)


def test_timers_fire_when_their_time_has_come() -> None:
    fired: list[float] = []
    clock = chatting(Person(), Steps(busy=False))
    clock.call_at(1.5, lambda: fired.append(clock.now()))
    while not fired:
        assert clock.advance()
    assert fired == [1.5]


def test_a_chat_ends_at_its_limit_alone() -> None:
    clock = chatting(Person(), Steps(busy=False))
    assert clock.advance(1.2)
    assert not clock.advance(1.2)
    assert clock.now() == 1.2
