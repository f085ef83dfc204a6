"""An environment whose exceptions end it, and not the run."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeVar

from treec.foreign import USUAL, BadReport, ForeignError, HeldTooLong, as_foreign, guard
from treec.nodes.environment import Environment
from treec.nodes.foreign import check_effects, check_time, reason_of
from treec.nodes.worker import Effect

T = TypeVar("T")


PATIENCE = USUAL
"""Real seconds that an environment may take to advance; one that may take longer says so by an
attribute ``patience``."""

PROGRESS = 1e-3
"""Seconds of the run by which it must have advanced in that time."""

REPORTS = 100
"""Steps in a row that report something at the same instant."""


class GuardedEnvironment:
    """Calls an environment until one of its methods raises or it stands still; it is lost then.

    ``on_lost`` is called once, with the reason. A lost environment is not called again: time passes
    in it, it senses nothing, and nothing in it is known to be at rest. ``judge`` says why a sensed
    effect is none of the domain's, ``posted`` how many messages its run has got.
    """

    def __init__(
        self,
        name: str,
        environment: Environment,
        on_lost: Callable[[str, ForeignError], None],
        judge: Callable[[Effect], str] = lambda effect: "",
        posted: Callable[[], int] = lambda: 0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.environment = environment
        self.lost: ForeignError | None = None
        self.module = type(environment).__module__
        self._on_lost = on_lost
        self._judge = judge
        self._posted = posted
        self._monotonic = monotonic
        self._patience = check_time(getattr(environment, "patience", PATIENCE), "`patience`")
        self._reached = 0.0
        self._moved_to = -math.inf
        """The time of the run to which it has advanced last."""
        self._still = 0.0
        """Real seconds of steps since then, in which it reported nothing."""
        self._stepped_at = 0.0
        self._reports = 0
        """Steps since then in which it reported something."""

    @property
    def why_lost(self) -> str:
        """What it raised, with file and line; empty while it is not lost."""
        return "" if self.lost is None else reason_of(self.lost)

    @property
    def busy(self) -> bool:
        """Whether an order is in progress."""
        return self._try("`busy`", lambda: bool(self.environment.busy), False)

    def step(self, until: float) -> float:
        """Advance to ``until``, to the first report, or to the time at which it is lost."""
        if self.lost is not None:
            self._reached = until
            return until
        self._reached = self._try("step()", lambda: self._step(until), self._reached)
        return self._reached

    def _step(self, until: float) -> float:
        posted, began = self._posted(), self._monotonic()
        reached = check_time(self.environment.step(until), "step()")
        now = self._monotonic()
        if reached >= until or reached >= self._moved_to + PROGRESS:
            self._moved_to, self._still, self._reports = reached, 0.0, 0
        elif self._posted() != posted:
            self._reports += 1
        else:  # time in which nobody asks it to advance does not count
            self._still += now - (self._stepped_at if began - self._stepped_at < 1 else began)
        self._stepped_at = now
        if self._reports >= REPORTS or self._still >= self._patience:
            how = f"{REPORTS} reports" if self._reports >= REPORTS else f"{self._patience:g} s"
            raise BadReport(
                f"its time stands still at {self._moved_to:g} s: no advance in {how} of step()"
            )
        return reached

    def sense(self) -> tuple[Effect, ...]:
        """Every fact that it has a sensor for."""
        return self._try("sense()", self._sense, ())

    def _sense(self) -> tuple[Effect, ...]:
        effects = check_effects(self.environment.sense(), "sense()")
        wrong = next(filter(None, map(self._judge, effects)), "")
        if wrong:
            raise BadReport(f"sense() gave what the domain has not: {wrong}")
        return effects

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply effects from elsewhere."""
        self._try("notify()", lambda: self.environment.notify(effects), None)

    def is_at_rest(self, agent: str) -> bool:
        """Whether nothing of an agent's robot moves; unknown, hence False, once it is lost.

        An environment that does not say so has it at rest once it is cancelled.
        """
        ask = getattr(self.environment, "is_at_rest", None)
        if ask is None:
            return self.lost is None
        return self._try("is_at_rest()", lambda: bool(ask(agent)), False)

    def doing(self, agent: str) -> str:
        """What an agent's robot does, in words; empty for nothing, and where it does not say."""
        ask = getattr(self.environment, "doing", None)
        return "" if ask is None else self._try("doing()", lambda: str(ask(agent))[:200], "")

    def renew(self, environment: Environment) -> None:
        """Call another environment, which was opened in the place of a lost one."""
        self.environment, self.lost = environment, None
        self._reached = self._still = self._stepped_at = 0.0
        self._moved_to, self._reports = -math.inf, 0

    def lose(self, error: BaseException) -> None:
        """Take it as lost from now on, as if one of its methods had raised this."""
        if self.lost is None:
            self.lost = as_foreign(error, self.module)
            self.lost.module = self.lost.module or self.module
            self._on_lost(self.name, self.lost)

    @property
    def closes_within(self) -> float | None:
        """Real seconds that its `close` may take, if its class says so."""
        seconds = getattr(self.environment, "closes_within", None)
        return float(seconds) if isinstance(seconds, int | float) else None

    def close(self) -> None:
        """Close it, even if it is lost."""
        self.environment.close()

    def _try(self, name: str, call: Callable[[], T], instead: T) -> T:
        if self.lost is not None:
            return instead
        guarded = guard(self.module, within=self._patience)
        try:
            with guarded:
                return call()
        except HeldTooLong as error:  # the run is to end, and its skills are to be stopped still
            self.lose(error)
            return instead
        except ForeignError as error:
            self.lose(BadReport(f"{name} {error}") if guarded.is_overdue else error)
            return instead
