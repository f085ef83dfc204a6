"""Time limits of skills, which take any time: that one is over is an event, like a skill's end.

A skill's own ``timeout`` and that of a node below which skills run do not let time pass: how long
ago the skill began is open. So neither when they are due nor in which order they were set keeps
states apart, and each may be over before or after any other timer of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treec.nodes.base import WakeUp
from treec.nodes.leaves.skill import Skill
from treec.nodes.modifiers.timeout import Timeout
from treec.nodes.skill_run import SkillRun
from treec_asking.program import Program

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec.world.clock import Clock, Timer


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
