"""Time limits that are over at any moment: that one is over is an event, like a skill's end.

A skill's own ``timeout`` and that of a node below which skills run do not let time pass: how long
ago the skill began is open. So neither when they are due nor in which order they were set keeps
states apart, and each may be over before or after any other timer of the engine.

The same can be so of all timers (``Surroundings.timed``): more can happen then than in a run, so
that what holds then holds in each run; but nothing is known of what must come in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from treec.nodes.base import WakeUp
from treec.nodes.leaves.skill import Skill
from treec.nodes.modifiers.timeout import Timeout
from treec.nodes.skill_run import SkillRun
from treec_asking.program import Program
from treec_prove.moments import cells_of

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.run.run import Run
    from treec.world.clock import Clock, Timer


class NamedWake(WakeUp):
    """A node's timer that says whose it is; if it ``is_open``, it is due when it goes off."""

    __slots__ = ("is_open", "is_over", "name", "path")

    def __init__(self, wake: WakeUp, node: Behaviour, is_open: bool) -> None:
        super().__init__(wake._clock, wake._wake)
        self.name, self.path = node.name, getattr(node, "path", node.name)
        self.is_open, self.is_over = is_open, False

    @property
    def is_due(self) -> bool:
        """Whether it has gone off; or whether the time has come."""
        return self.due is not None and self.is_over if self.is_open else super().is_due

    def set(self, due: float) -> None:
        """Begin anew."""
        self.cancel()
        self.is_over = False
        self.due, self._timer = due, self._clock.call_at(due, self.go_off)

    def go_off(self) -> None:
        """Be due, and ask for a tick."""
        self.is_over = True
        self._wake()


class OpenLimit(WakeUp):
    """The deadline of a node below which skills run: over when somebody says so."""

    __slots__ = ("is_over",)

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        super().__init__(clock, wake)
        self.is_over = False

    @property
    def is_due(self) -> bool:
        """Whether it is over."""
        return self.is_over

    def set(self, due: float) -> None:
        """Begin anew."""
        self.is_over = False
        super().set(due)


def open_limits(run: Run) -> None:
    """Let the limits of nodes below which skills run be over when somebody says so."""
    for node in run.root.iterate():
        if isinstance(node, Timeout) and _has_skills(node):
            node.deadline = OpenLimit(node.clock, node.alarm)


def name_timers(run: Run, *, is_open: bool) -> None:
    """Let the timers of nodes say whose they are; open ones are due when they go off."""
    for node in run.root.iterate():
        if isinstance(node, Timeout) and _has_skills(node):
            continue
        for name, wake in list(vars(node).items()):
            if type(wake) is WakeUp:
                setattr(node, name, NamedWake(wake, node, is_open))


def _about(timer: Timer) -> object:
    return getattr(timer.callback, "__self__", None)


def name_of(timer: Timer) -> str:
    """What a timer is about, in the same words in each run: a node, an order, a question."""
    callback: Any = timer.callback
    found, about = limit_of(timer), _about(timer)
    if found is not None:
        return found
    if isinstance(about, NamedWake):
        return about.name
    inside = cells_of(timer)
    if "asked" in inside:
        asked = inside["asked"].cell_contents
        return f"question of {getattr(asked.exchange, 'path', asked.request.node)}"
    return str(getattr(callback, "__qualname__", type(callback).__qualname__))


def named(timers: Iterable[Timer]) -> list[tuple[str, Timer]]:
    """Timers with names that no two of them have: nodes' by their paths, others as they are due."""
    counts: Counter[str] = Counter()
    found = []
    for timer in sorted(timers, key=lambda one: getattr(_about(one), "path", "")):
        name = name_of(timer)
        counts[name] += 1
        found.append((f"{name} ({counts[name]})" if counts[name] > 1 else name, timer))
    return found


def _has_skills(node: Timeout) -> bool:
    return any(isinstance(one, Skill | Program) for one in node.iterate())


def limit_of(timer: Timer) -> str | None:
    """What a timer is the time limit of: an order, or a node's path; None if it is no limit."""
    function = getattr(timer.callback, "__func__", None)
    about = getattr(timer.callback, "__self__", None)
    if function is SkillRun._expire and isinstance(about, SkillRun):
        return about._order.id if about._order is not None else None
    if function is Timeout.alarm and isinstance(about, Timeout) and _has_skills(about):
        return about.name
    return None


def is_limit_of(timer: Timer, run: SkillRun) -> bool:
    """Whether a timer is the time limit of a skill that is at work, or of a node above it."""
    about = getattr(timer.callback, "__self__", None)
    if isinstance(about, Timeout):
        return any(getattr(node, "path", node.name) == run.path for node in about.iterate())
    return about is run


def end_limit(timer: Timer) -> None:
    """Let a limit be over, before its timer goes off."""
    about = getattr(timer.callback, "__self__", None)
    if isinstance(about, Timeout) and isinstance(about.deadline, OpenLimit):
        about.deadline.is_over = True
