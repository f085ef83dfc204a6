"""Between the engine and what skills act on, where that lives by itself: a simulator, a robot.

An extension declares a factory (``environments``); a system names it in ``runs_on``. A run opens
each environment once, when somebody first acts in it, and closes it at its end. Its time is the
run's: the clock lets it step. The symbolic environment needs none of this: its workers do all there
is to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from treec.extensions import ExtensionError, registry
from treec.nodes.worker import Effect
from treec.source.diagnostics import did_you_mean

SYMBOLIC = "symbolic"
"""The environment that is always there and has no factory."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A fact that an environment can sense: by which Python object, and of which things.

    ``args`` are all combinations of things that the fact can be about. ``values`` are the things
    that can be its value; there are none where it is true or false.
    """

    fact: str
    target: str
    args: tuple[tuple[str, ...], ...]
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Jitter:
    """How far things that can be moved stand from their poses, drawn by the seed."""

    metres: float
    degrees: float


@dataclass(frozen=True, slots=True)
class EnvironmentSetup:
    """What an environment is made of: plain data from the files, and where the run stands.

    ``objects`` and ``agents`` are as their files have them, defaults left out. ``bodies`` are the
    packages in which kinds of bodies are looked for. ``facts`` is what holds when it is opened;
    ``time`` is more than 0 where a run is taken up that broke off: then what an earlier process
    left in ``folder`` is how things stand. ``film`` is how many seconds lie between two moments of
    which enough is kept there for pictures; 0 for no film, None for as many as seem right.
    ``jitter`` is None where all stands as the scene says.
    """

    name: str
    scene: str
    objects: Mapping[str, Mapping[str, object]]
    agents: Mapping[str, Mapping[str, object]]
    sensors: tuple[Sensor, ...] = ()
    facts: tuple[Effect, ...] = ()
    bodies: tuple[str, ...] = ()
    seed: int = 0
    time: float = 0.0
    folder: Path | None = None
    film: float | None = None
    jitter: Jitter | None = None


class Environment(Protocol):
    """What skills act on. All is called on the loop's thread; times are seconds of the run."""

    @property
    def busy(self) -> bool:
        """Whether an order is under way in it, so that time alone brings something about."""

    def step(self, until: float) -> float:
        """Let time pass to ``until``, or to the first moment at which it told its host something.

        Returns the time that it has come to.
        """

    def sense(self) -> tuple[Effect, ...]:
        """Every fact that it has a sensor for, as it is now; a value that is none is None."""

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Somebody else has made this so: a person with their hands, a scenario, another robot."""

    def close(self) -> None:
        """Let go of everything. Called once."""


@runtime_checkable
class MeasuringEnvironment(Protocol):
    """An environment that can put a number on its things, for evaluations."""

    def measure(self, thing: str) -> Mapping[str, float]:
        """By the name of what was measured: how far a door is open, from 0 to 1."""


@runtime_checkable
class FeasibilityChecker(Protocol):
    """An environment that knows beforehand of some things that they cannot be."""

    def impossible(self, effects: tuple[Effect, ...]) -> str:
        """Why what a skill promises cannot come about as things stand; empty where it may."""


OpenEnvironment = Callable[[EnvironmentSetup], Environment]


@runtime_checkable
class EnvironmentClock(Protocol):
    """A clock whose time environments live in."""

    def drive(self, environment: Environment) -> None:
        """Let this environment step with the clock from now on."""


class EnvironmentUnavailable(Exception):
    """There is no environment of this name, or it cannot be opened; the text says what to do."""


def environment_names() -> tuple[str, ...]:
    """All names of environments: the symbolic one, and those of extensions."""
    return (SYMBOLIC, *sorted(registry().environments))


def find_environment(name: str) -> OpenEnvironment | None:
    """The factory declared under a name, imported; None when no extension declares one.

    Raises EnvironmentUnavailable when it is declared and cannot be imported.
    """
    target = registry().environments.get(name)
    if target is None:
        return None
    try:
        return cast(OpenEnvironment, registry().load(target))
    except ExtensionError as error:
        cause, owner = error.__cause__, registry().owner(target)
        if isinstance(cause, ImportError):
            how = owner.how_to_install(name)
            told = f"the environment '{name}' cannot be used: {cause}; {how}"
        else:
            told = f"the environment '{name}' ({target}): {type(cause).__name__}: {cause}"
        raise EnvironmentUnavailable(told) from error


def unknown(name: str) -> EnvironmentUnavailable:
    """What to say of a name that nobody registers."""
    known = environment_names()
    near = did_you_mean(name, known)
    told = f"did you mean '{near}'?" if near else f"there are: {', '.join(known)}"
    return EnvironmentUnavailable(f"there is no environment '{name}': {told}")
