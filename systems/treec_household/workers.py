"""The worker of all household skills: waits as long as the skill takes, then acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treec import Host, Outcome, Reported, WorkOrder
from treec_household.actions import Refused
from treec_household.environment import Household

MODULE = "household"


class HouseholdAction:
    """Does one action in the household; a planned fault fails it before it does anything."""

    def __init__(self) -> None:
        self._stop: Callable[[], None] | None = None
        self._outcome: Outcome | None = None

    def start(self, order: WorkOrder, host: Host) -> None:
        """Set the timer of the end."""
        home = host.environment
        if not isinstance(home, Household):
            raise TypeError("this worker acts in a household")

        def end() -> None:
            if self._outcome is None:
                self._outcome = _carry_out(order, home)
                host.finish(order.id, self._outcome)

        self._stop = host.clock.call_at(host.clock.now() + order.takes, end).cancel

    def cancel(self) -> Outcome:
        """Stop before anything happens."""
        if self._stop is not None:
            self._stop()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), MODULE)
        return self._outcome


def _carry_out(order: WorkOrder, home: Household) -> Outcome:
    if order.fault is not None:
        home.actions.steps += 1
        return Outcome(False, Reported(order.fault.reason), MODULE)
    try:
        home.act(order.skill, order.args)
    except Refused as error:
        home.actions.steps += 1
        return Outcome(False, Reported(str(error)), MODULE)
    told = {"decline": "declines", "ask_user": "asks"}.get(order.skill)
    if told is None:
        return Outcome(True)
    said = [effect for effect in order.after if effect.fact == told]
    effects = tuple(replace(one, value=" ".join(str(one.value or "").split())) for one in said)
    if not all(one.value for one in effects):
        return Outcome(False, Reported("impossible: there are no words to be said"), MODULE)
    return Outcome(True, effects=effects)
