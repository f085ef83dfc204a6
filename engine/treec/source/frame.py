"""The state of one evaluation: the scope, local variables by slot, the budget."""

from __future__ import annotations

from collections.abc import Callable

from treec.source.budget import Budget
from treec.source.scope import Scope

MISSING = object()
"""The value of a slot before its first assignment."""

_NO_SLOTS: list[object] = []


class ClosureFrame:
    """The argument of the closures of an expression or a template."""

    __slots__ = ("budget", "out", "scope", "show", "slots")

    def __init__(
        self,
        scope: Scope,
        slots: int,
        budget: Budget | None = None,
        show: Callable[[str], str] | None = None,
    ) -> None:
        self.scope = scope
        self.show = show
        self.budget = Budget() if budget is None else budget
        self.slots = [MISSING] * slots if slots else _NO_SLOTS
        self.out: list[str] = []
