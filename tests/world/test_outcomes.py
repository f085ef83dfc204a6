"""What values, facts and clocks refuse, and with which words: `outcomes.txt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support import golden
from treec import Effect, Outcome
from treec.nodes.foreign import check_effects, check_outcome, check_time, kind_of
from treec.world.clock import RealClock, VirtualClock
from treec.world.facts import FactKind, FactStore
from treec.world.failures import Reported
from treec.world.values import freeze, freeze_parsed, same, thaw

KINDS = (FactKind("at", ("Item",), "Place"), FactKind("hot", ("Item",)), FactKind("dark"))


def deep(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


def _of_values() -> Iterator[tuple[str, Callable[[], object]]]:
    values = (1, 1.5, float("nan"), float("inf"), 1 << 70, "x", True, None, [1, [2]], {"a": (1, 2)})
    for value in (*values, {1: 2}, {"a": {1}}, object, deep(5), b"x", {"a": float("nan")}):
        yield f"freeze {value!r}", lambda value=value: thaw(freeze(value))  # type: ignore[misc]
    for levels in (30, 100, 1000):
        yield f"freeze {levels} levels", lambda levels=levels: len(str(freeze(deep(levels))))  # type: ignore[misc]
        yield (
            f"parsed {levels} levels",
            lambda levels=levels: len(  # type: ignore[misc]
                str(freeze_parsed({"a": deep(levels)}))
            ),
        )
    for one, other in (
        (1, 1.0),
        (1, True),
        ([1], (1,)),
        ({"a": 1}, {"a": 1}),
        ("a", "b"),
        (0, None),
    ):
        yield f"same {one!r} {other!r}", lambda a=one, b=other: same(freeze(a), freeze(b))  # type: ignore[misc]


def _of_facts() -> Iterator[tuple[str, Callable[[], object]]]:
    def store() -> FactStore:
        made = FactStore(KINDS)
        made.set("at", ["pan"], "table", source="scene", since=1.0, by="scene")
        return made

    for name, args, value in (
        ("at", ["pan"], "shelf"),
        ("at", ["pan"], None),
        ("at", ["pan"], True),
        ("at", [], "shelf"),
        ("at", "pan", "shelf"),
        ("at", [3], "shelf"),
        ("hot", ["pan"], True),
        ("hot", ["pan"], False),
        ("hot", ["pan"], "very"),
        ("hot", ["pan", "pot"], True),
        ("dark", [], True),
        ("dark", ["pan"], True),
        ("light", [], True),
    ):

        def kept(name: str = name, args: Any = args, value: Any = value) -> object:
            made = store()
            made.set(name, args, value, source="told", since=2.0, by="user")
            return list(made)

        yield f"set {name} {args} {value!r}", kept
    yield "key", lambda: store().key("nosuch", [])
    yield (
        "unknown",
        lambda: (made := store()).unknown("at", ["pan"], since=3.0, by="x") or list(made),
    )
    yield "forget", lambda: (made := store()).forget("at", ["pan"]) or list(made)


def _of_reports() -> Iterator[tuple[str, Callable[[], object]]]:
    effects: tuple[Any, ...] = (
        (),
        [Effect("hot", ("pan",), True)],
        "hot",
        ("hot",),
        (Effect(3, (), True),),  # type: ignore[arg-type]
        (Effect("hot", ["pan"], True),),  # type: ignore[arg-type]
        (Effect("hot", (3,), True),),  # type: ignore[arg-type]
        (Effect("hot", (), True, "guess"),),  # type: ignore[arg-type]
        (Effect("hot", (), {1}),),  # type: ignore[arg-type]
    )
    for value in effects:
        yield f"effects {value!r}", lambda value=value: check_effects(value, "sense()")  # type: ignore[misc]
    outcomes: tuple[Any, ...] = (
        Outcome(True),
        Outcome(False, Reported("x")),
        None,
        True,
        Outcome(1),  # type: ignore[arg-type]
        Outcome(False, "why"),  # type: ignore[arg-type]
        Outcome(True, module=3),  # type: ignore[arg-type]
        Outcome(True, unless=None),  # type: ignore[arg-type]
        Outcome(True, effects=(3,)),  # type: ignore[arg-type]
        Outcome,
    )
    for value in outcomes:
        yield f"outcome {value!r}", lambda value=value: check_outcome(value, "step()")  # type: ignore[misc]
    for value in (1, 2.5, True, "3", None, float("nan"), [], int):
        yield f"time {value!r}", lambda value=value: check_time(value, "next()")  # type: ignore[misc]
        yield f"kind {value!r}", lambda value=value: kind_of(value)  # type: ignore[misc]


def _of_clocks() -> Iterator[tuple[str, Callable[[], object]]]:
    for when in (float("nan"), float("inf"), -1.0, 2.0):
        yield f"timer at {when}", lambda when=when: VirtualClock().call_at(when, print).cancelled  # type: ignore[misc]
    for speed in (0, -1, float("nan")):
        yield f"speed {speed}", lambda speed=speed: RealClock(speed=speed).now() >= 0  # type: ignore[misc]

    def fired() -> object:
        clock, seen = VirtualClock(1.0), []
        timers = [
            clock.call_at(when, lambda when=when: seen.append(when))
            for when in (3.0, 2.0, 2.0, 5.0)
        ]  # type: ignore[misc]
        timers[1].cancel()
        timers[1].cancel()
        steps = [(clock.next_due(), clock.advance(4.0), clock.now(), clock.fired) for _ in range(3)]
        return seen, steps, [timer.cancelled for timer in timers]

    yield "fired", fired


def test_outcomes() -> None:
    calls = [*_of_values(), *_of_facts(), *_of_reports(), *_of_clocks()]
    golden.check(Path(__file__).with_name("outcomes.txt"), golden.outcomes(calls))
