"""Two arms in time: the second waits until the first has passed."""

from __future__ import annotations

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.motion.traffic import Traffic

ONE, TWO = np.array([0]), np.array([1])


def far_apart(rows: Array) -> bool:
    """Two beads on parallel wires that may not be side by side."""
    return bool(np.all(np.abs(rows[:, 0] - rows[:, 1]) > 0.2))


def wait(first: Array, second: Array) -> int | None:
    traffic = Traffic(lambda: 0.0)
    traffic.set_out("one", ONE, first[:, None])
    q = np.array([first[0], second[0]])
    return traffic.wait("two", q, TWO, second[:, None], far_apart)


def test_it_goes_at_once_past_an_arm_at_rest_and_not_through_it() -> None:
    traffic = Traffic(lambda: 0.0)
    rows = np.linspace(0, 1, 30)[:, None]
    assert traffic.wait("two", np.array([5.0, 0.0]), TWO, rows, far_apart) == 0
    assert traffic.wait("two", np.array([0.5, 0.0]), TWO, rows, far_apart) is None


def test_it_goes_at_once_where_they_do_not_meet() -> None:
    assert wait(np.linspace(0, 1, 60), np.linspace(2, 3, 60)) == 0


def test_it_waits_until_the_other_has_passed() -> None:
    steps = wait(np.linspace(0, 4, 120), np.linspace(-1, 1, 60))
    assert steps == 0  # the other is always ahead
    steps = wait(np.linspace(2, 4, 120), np.linspace(1, 3, 20))
    assert steps is not None
    assert steps > 0


def test_it_keeps_out_of_the_others_way_after_it_has_arrived() -> None:
    there_and_back = np.concatenate([np.linspace(0, 2, 60), np.linspace(2, 0, 60)])
    assert wait(there_and_back, np.linspace(3, 1.9, 10)) == 60


def test_who_waits_is_seen_to_set_out_later() -> None:
    traffic = Traffic(lambda: 0.0)
    traffic.set_out("one", ONE, np.linspace(0, 1, 30)[:, None], 60)
    (course,) = traffic.others("two")
    assert [float(course.at(step)[0]) for step in (1, 60, 91)] == [0.0, 0.0, 1.0]
    assert course.until == 91


def test_no_wait_helps_when_the_other_comes_to_rest_in_the_way() -> None:
    assert wait(np.linspace(2, 2.5, 60), np.linspace(1, 3, 60)) is None


def test_who_has_come_rests_where_it_ended() -> None:
    traffic = Traffic(lambda: 10.0)
    traffic.set_out("one", ONE, np.linspace(0, 1, 30)[:, None])
    assert traffic.with_others_at_rest("two", np.zeros(2)).tolist() == [1.0, 0.0]
    traffic.stop("one")
    assert traffic.with_others_at_rest("two", np.zeros(2)).tolist() == [0.0, 0.0]


def clear(first: Array, second: Array, *, earlier: str = "one") -> bool:
    """Whether the second bead may go on beside the first, on its course."""
    traffic = Traffic(lambda: 0.0)
    courses = {"one": (ONE, first), "two": (TWO, second)}
    for name in sorted(courses, key=lambda it: it != earlier):
        traffic.set_out(name, courses[name][0], courses[name][1][:, None])
    q = np.array([first[0], second[0]])
    return traffic.clear_ahead("two", q, TWO, second[:, None], far_apart)


def test_who_set_out_later_gives_way_to_where_the_other_will_be() -> None:
    crossing, waits = np.linspace(2, 0.7, 10), np.linspace(0, 1, 10)
    assert not clear(crossing, waits)
    assert clear(crossing, waits, earlier="two")
    assert clear(crossing, np.linspace(0, 0.5, 10))


def test_nobody_goes_on_through_an_arm_that_stands_there() -> None:
    stands = np.full(10, 0.5)
    for earlier in ("one", "two"):
        assert not clear(stands, np.linspace(0, 1, 10), earlier=earlier)
    leaves = np.linspace(0.5, 3.0, 10)  # it may be stopped before it has left
    assert not clear(leaves, np.linspace(0, 1, 10))


def test_an_arm_without_a_course_stands_where_it_is() -> None:
    traffic = Traffic(lambda: 0.0)
    rows = np.linspace(0, 1, 10)[:, None]
    assert traffic.clear_ahead("two", np.array([5.0, 0.0]), TWO, rows, far_apart)
    assert not traffic.clear_ahead("two", np.array([0.5, 0.0]), TWO, rows, far_apart)
