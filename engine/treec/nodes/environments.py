"""The environments of one run: opened on first use, closed at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from treec.extensions import registry
from treec.foreign import BadReport, ForeignError, guard, kind_of
from treec.nodes.environment import (
    SYMBOLIC,
    Environment,
    EnvironmentClock,
    EnvironmentUnavailable,
    find_environment,
)
from treec.nodes.foreign import reason_of
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.sensing import effect_misfit, setup_of
from treec.nodes.stops import Closing

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime


class Environments:
    """Environments by name; one that could not be opened is not tried again."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._open: dict[str, GuardedEnvironment] = {}
        self._refused: dict[str, str] = {}

    def open(self, name: str) -> GuardedEnvironment | None:
        """The environment of this name; None for one that consists of its workers.

        Raises EnvironmentUnavailable.
        """
        if name == SYMBOLIC:
            return None
        if name not in self._open:
            if name in self._refused:
                raise EnvironmentUnavailable(self._refused[name])
            try:
                environment = self._make(name)
            except EnvironmentUnavailable as error:
                self._refused[name] = str(error)
                raise
            if environment is None:
                return None
            self._open[name] = environment
            self._runtime.adopt_sensed_values(environment, name)
            if environment.lost is not None:
                raise EnvironmentUnavailable(
                    f"the environment '{name}' cannot be sensed: {environment.why_lost}"
                )
        return self._open[name]

    def find_open(self, name: str) -> GuardedEnvironment | None:
        """The environment of this name if it is open."""
        return self._open.get(name)

    def lose_all(self, error: BaseException) -> None:
        """Take all as lost: nothing of them is called any more but `close`."""
        for environment in self._open.values():
            environment.lose(error)

    def others(self, but: Environment | None) -> tuple[GuardedEnvironment, ...]:
        """The open environments except one."""
        return tuple(found for found in self._open.values() if found is not but)

    def close(self) -> None:
        """Close all at the end of the run."""
        self._runtime.stops.close(
            Closing(f"the environment '{name}'", one.close, one.module, one.closes_within)
            for name, one in self._open.items()
        )
        self._open.clear()

    def _make(self, name: str) -> GuardedEnvironment | None:
        runtime = self._runtime
        make = find_environment(name)
        if make is None:
            return None
        if not isinstance(runtime.clock, EnvironmentClock):
            raise EnvironmentUnavailable(
                f"the environment '{name}' needs a clock that lets it step"
            )
        module = registry().environments[name].partition(":")[0]
        try:
            with guard(module):
                environment = check_methods(make(setup_of(runtime, name)))
                guarded = GuardedEnvironment(
                    name,
                    environment,
                    runtime.lose_environment,
                    lambda effect: effect_misfit(runtime.view, effect),
                    lambda: runtime.inbox.posted,
                )
        except ForeignError as error:
            raise EnvironmentUnavailable(
                f"the environment '{name}' cannot be opened: {reason_of(error)}"
            ) from error
        runtime.clock.drive(guarded)
        return guarded


METHODS = ("step", "sense", "notify", "close")
"""Those that every environment has; what is a property need not be ready yet."""


def check_methods(value: object) -> Environment:
    """What a factory made. Raises BadReport if it is no environment."""
    missing = [name for name in METHODS if not callable(getattr(value, name, None))]
    if missing:
        raise BadReport(f"its factory gave {kind_of(value)}, without {' and '.join(missing)}")
    return cast(Environment, value)
