"""The environments of one run: opened on first use, closed at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from treec.foreign import USUAL, BadReport, ForeignError, guard, kind_of
from treec.nodes.environment import (
    SYMBOLIC,
    Environment,
    EnvironmentClock,
    EnvironmentUnavailable,
    environment_target,
    find_environment,
)
from treec.nodes.events import EnvironmentBack, EnvironmentLost, SkillNoted
from treec.nodes.foreign import check_note, reason_of
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.sensing import effect_misfit, setup_of
from treec.nodes.stops import Closing
from treec.nodes.worker import Effect
from treec.program.effects import ground, parse_effect
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec.team.sentences import sentence

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

T = TypeVar("T")

LOOK = 0.2
"""Seconds between two looks whether a robot that was found at work is at rest."""


class Environments:
    """Environments by name; one that could not be opened is not tried again."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._open: dict[str, GuardedEnvironment] = {}
        self._refused: dict[str, str] = {}
        self._reopening: dict[str, int] = {}
        """Which attempt to open it again is next, for those that are lost."""
        self._asked: dict[str, float] = {}
        """Agents that begin nothing before they are at rest, and since when."""

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
            self._ask_robots(environment)
            if environment.lost is not None:
                raise EnvironmentUnavailable(
                    f"the environment '{name}' cannot be sensed: {environment.why_lost}"
                )
        return self._open[name]

    def find_open(self, name: str) -> GuardedEnvironment | None:
        """The environment of this name if it is open."""
        return self._open.get(name)

    def waits(self, agent: str) -> bool:
        """Whether an agent must begin nothing: its environment is opened again, or it moves."""
        return agent in self._asked or self._runtime.runs_in(agent) in self._reopening

    def reopen_later(self, name: str, why: str) -> None:
        """Open a lost environment again after some time, if the system says so."""
        system, clock = self._runtime.view.system, self._runtime.clock
        spec = None if system is None else system.model.reopen
        if spec is None or name not in self._open:
            self._reopening.pop(name, None)
            return
        if self._reopening.setdefault(name, 1) <= spec.attempts:
            clock.call_at(clock.now() + spec.every, lambda: self._reopen(name))
            return
        del self._reopening[name]
        reason = f"it was not there again in {spec.attempts} attempts: {why}"
        self._runtime.world.emit(EnvironmentLost(name, reason, self._open[name].module), name)

    def reopen(self, name: str) -> bool:
        """Open an environment now that is lost; False if it is not."""
        lost = self._open.get(name)
        if lost is None or lost.lost is None:
            return False
        self._reopening.setdefault(name, 1)
        self._reopen(name)
        return True

    def _reopen(self, name: str) -> None:
        runtime, lost, attempt = self._runtime, self._open.get(name), self._reopening.get(name)
        if lost is None or attempt is None:  # the run has ended, or it is there again
            return
        if attempt == 1:
            runtime.stops.close([Closing(f"the environment '{name}'", lost.close, lost.module)])
        self._reopening[name] += 1
        try:
            environment = self._create(name, USUAL)
        except EnvironmentUnavailable as error:
            self.reopen_later(name, str(error))
            return
        assert environment is not None
        lost.renew(environment)
        sensed = lost.sense()
        doing = self._ask_robots(lost)
        if lost.lost is not None:
            return  # which is told, and it is opened again
        del self._reopening[name]
        runtime.world.emit(EnvironmentBack(name, attempt, doing), name)
        runtime.adopt(sensed, lost, name)
        text = sentence(runtime.view, "back")
        if text is not None:
            runtime.say(text.render(MappingScope({"name": name})), name)

    def _ask_robots(self, environment: GuardedEnvironment) -> dict[str, str]:
        """What the robots of an environment do; those that do something begin nothing else."""
        runtime, doing = self._runtime, {}
        for agent in runtime.view.robots:
            if runtime.runs_in(agent) == environment.name and (what := environment.doing(agent)):
                doing[agent] = what
                self._asked[agent] = runtime.clock.now()
        if doing:
            self._look_later()
        return doing

    def _look_later(self) -> None:
        self._runtime.clock.call_at(self._runtime.clock.now() + LOOK, self._look_at_rest)

    def _look_at_rest(self) -> None:
        for agent in tuple(self._asked):
            environment = self._open.get(self._runtime.runs_in(agent))
            if environment is None or (
                not environment.doing(agent) and environment.is_at_rest(agent)
            ):
                del self._asked[agent]
                self._runtime.wake()
        if self._asked:
            self._look_later()

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
        for message in self._runtime.inbox.drain():  # what they have noted until then
            self._runtime.on_late(message)
        self._open.clear()

    def _make(self, name: str) -> GuardedEnvironment | None:
        runtime = self._runtime
        environment = self._create(name)
        if environment is None:
            return None
        try:
            with guard(type(environment).__module__):
                guarded = GuardedEnvironment(
                    name,
                    environment,
                    runtime.lose_environment,
                    lambda effect: effect_misfit(runtime.view, effect),
                    lambda: runtime.inbox.posted,
                )
        except ForeignError as error:
            raise _cannot_open(name, error) from error
        cast(EnvironmentClock, runtime.clock).drive(guarded)
        return guarded

    def _create(self, name: str, within: float | None = None) -> Environment | None:
        """What the factory of a name makes, in so many real seconds; None without a factory."""
        runtime = self._runtime
        own = runtime.view.library.settings.environments
        make = find_environment(name, own)
        if make is None:
            return None
        if not isinstance(runtime.clock, EnvironmentClock):
            raise EnvironmentUnavailable(
                f"the environment '{name}' needs a clock that lets it step"
            )
        module = str(environment_target(name, own)).partition(":")[0]
        try:
            with guard(module, within=within):
                host = _EnvironmentHost(runtime, name, module)
                return check_methods(make(setup_of(runtime, name, host)))
        except ForeignError as error:
            raise _cannot_open(name, error) from error


def _cannot_open(name: str, error: ForeignError) -> EnvironmentUnavailable:
    return EnvironmentUnavailable(f"the environment '{name}' cannot be opened: {reason_of(error)}")


class _EnvironmentHost:
    """The run as an environment sees it; what its callbacks raise loses it."""

    def __init__(self, runtime: Runtime, name: str, module: str) -> None:
        self._runtime = runtime
        self._name = name
        self._module = module

    def call_soon(self, callback: Callable[[], None]) -> None:
        def call() -> None:
            environment = self._runtime.environments.find_open(self._name)
            if environment is not None and environment.lost is not None:
                return
            try:
                with guard(self._module):
                    callback()
            except ForeignError as error:
                if environment is not None:
                    environment.lose(error)

        self._runtime.inbox.post("skill", ("call", "", call))

    def evaluate(self, text: str, values: Mapping[str, object]) -> object:
        return self._with_reason(lambda: Expression.parse(text).evaluate(self._scope(values)))

    def render(self, text: str, values: Mapping[str, object]) -> str:
        return self._with_reason(lambda: TextTemplate.parse(text).render(self._scope(values)))

    def effects(self, texts: Sequence[str], values: Mapping[str, object]) -> tuple[Effect, ...]:
        scope = self._scope(values)

        def ground_all() -> tuple[Effect, ...]:
            grounded = (
                ground(parse_effect(text), lambda part: Expression.parse(part).evaluate(scope))
                for text in texts
            )
            return tuple(
                Effect(*one, "unknown" if one.value is None else "sensed") for one in grounded
            )

        return self._with_reason(ground_all)

    def note(self, by: str, text: str, record: Mapping[str, object]) -> None:
        self._runtime.world.emit(SkillNoted(by, *check_note((text, record), "note()")), self._name)

    def sense(self) -> None:
        environment = self._runtime.environments.find_open(self._name)
        if environment is not None:
            self._runtime.adopt_sensed_values(environment, self._name)

    def _scope(self, values: Mapping[str, object]) -> Frame:
        team = self._runtime.team
        cells: dict[str, Cell | Wired] = {
            name: Cell((team.agent(value) or value) if isinstance(value, str) else value)
            for name, value in values.items()
        }
        return Frame(self._runtime.scope, team, cells)

    def _with_reason(self, evaluate: Callable[[], T]) -> T:
        try:
            return evaluate()
        except (LocatedError, EvaluationProblem) as error:
            raise ValueError(str(error)) from None


METHODS = ("step", "sense", "notify", "close")
"""Those that every environment has; what is a property need not be ready yet."""


def check_methods(value: object) -> Environment:
    """What a factory made. Raises BadReport if it is no environment."""
    missing = [name for name in METHODS if not callable(getattr(value, name, None))]
    if missing:
        raise BadReport(f"its factory gave {kind_of(value)}, without {' and '.join(missing)}")
    return cast(Environment, value)
