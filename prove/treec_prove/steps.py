"""Steps of programs that a saved run can go back to.

treec runs a program by a generator, which cannot be copied. Here it remembers what the world has
answered to it; another one that is told the same stands where it stood. The generator is the
engine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

Make = Callable[..., Generator[Any, None, None]]


PROGRAMS = (
    ("treec_asking.program", "run_steps", (1, 2)),
    ("treec_program.node", "run_program", (2, 3)),
)
"""What runs programs: the module, its function, and which of its arguments ask the world."""


class _Alive:
    """A generator and where it stands: what it was told before, and how many steps it gave."""

    is_fixed: ClassVar[bool] = True
    """Nothing of it is saved: it is made anew where it does not stand where it should."""

    __slots__ = ("at", "steps")

    def __init__(self) -> None:
        self.steps: Generator[Any, None, None] | None = None
        self.at: tuple[int, tuple[object, ...]] = (0, ())


class Rewindable:
    """A generator of steps whose place is data: how many it gave, and what it was told."""

    def __init__(self, make: Make, args: tuple[Any, ...], asks: tuple[int, ...]) -> None:
        self.make = make
        self.args = args
        self.asks = asks
        self.count = 0
        self.told: tuple[object, ...] = ()
        self.alive = _Alive()

    def __iter__(self) -> Rewindable:
        return self

    def __next__(self) -> object:
        alive = self.alive
        if alive.steps is None or alive.at[0] != self.count or alive.at[1] is not self.told:
            self._rebuild()
        assert alive.steps is not None
        self.count += 1
        try:
            return next(alive.steps)
        finally:
            alive.at = (self.count, self.told)

    def close(self) -> None:
        """End it."""
        if self.alive.steps is not None:
            self.alive.steps.close()
        self.alive.steps = None

    def _rebuild(self) -> None:
        """Make one that stands where this one stood, by telling it the same."""
        known = iter(self.told)
        replays = True

        def asking(function: Callable[..., object]) -> Callable[..., object]:
            def ask(*args: object) -> object:
                if replays:
                    return next(known)
                value = function(*args)
                self.told = (*self.told, value)
                return value

            return ask

        args = [asking(a) if i in self.asks else a for i, a in enumerate(self.args)]
        steps = self.make(*args)
        for _ in range(self.count):
            next(steps)
        replays = False
        self.alive.steps = steps


_AS_THEY_WERE: dict[tuple[str, str], Any] = {}
"""What runs programs outside of proofs."""


def make_rewindable() -> None:
    """Let programs of this process run by steps that can be gone back to, until that is undone."""

    def wrap(make: Make, asks: tuple[int, ...]) -> Make:
        def start(*args: object, **more: object) -> Any:
            assert not more
            return Rewindable(make, args, asks)

        start.is_rewindable = True  # type: ignore[attr-defined]
        return start

    for target, name, asks in PROGRAMS:
        if find_spec(target.partition(".")[0]) is None:
            continue
        module = import_module(target)
        if not hasattr(getattr(module, name), "is_rewindable"):
            _AS_THEY_WERE[target, name] = made = getattr(module, name)
            setattr(module, name, wrap(made, asks))


def undo_rewindable() -> None:
    """Let programs run as outside of proofs."""
    while _AS_THEY_WERE:
        (target, name), made = _AS_THEY_WERE.popitem()
        setattr(import_module(target), name, made)
