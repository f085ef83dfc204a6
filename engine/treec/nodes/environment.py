"""The interface of environments with a state of their own: simulators and robots.

`[environments]` in treec.toml or an extension declares a factory; a system names it in ``runs_on``.
A run opens each environment when an agent first acts in it, and closes it at its end. The run's
clock steps it. The symbolic environment has no factory: its workers need nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast, runtime_checkable

from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.files.bindings import FactBinding
from treec.files.places import recordings_named
from treec.files.systems import SYMBOLIC as SYMBOLIC
from treec.files.view import View
from treec.foreign import ForeignError
from treec.frozen import frozen
from treec.nodes.worker import Effect
from treec.requirements import missing_package
from treec.source.diagnostics import suggestion
from treec.world.external import BeginExternal, unattended


class EnvironmentHost(Protocol):
    """The run, as an environment sees it; all but `call_soon` is for the loop's thread."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call it on the loop's thread before the next tick, from any thread.

        What it raises ends the environment.
        """

    def evaluate(self, text: str, values: Mapping[str, object]) -> object:
        """Evaluate an expression with further names; names of agents stand for the agents.

        Raises ValueError: why it has no value.
        """

    def render(self, text: str, values: Mapping[str, object]) -> str:
        """The same of a template."""

    def effects(self, texts: Sequence[str], values: Mapping[str, object]) -> tuple[Effect, ...]:
        """What effects say, `at(item) == place`, as sensed. Raises ValueError."""

    def note(self, by: str, text: str, record: Mapping[str, object]) -> None:
        """Note something in the journal, also of an order that has ended, or of none."""

    def sense(self) -> None:
        """Make facts of what `Environment.sense` gives now."""


@frozen
class Sensor:
    """A fact that an environment can sense, and the Python object that senses it.

    ``binding`` is what the file says of it instead, as data.

    ``args`` are all combinations of things that the fact can be about. ``values`` are the things
    that can be its value; empty for a fact that is true or false.
    """

    fact: str
    target: str
    args: tuple[tuple[str, ...], ...]
    values: tuple[str, ...] = ()
    binding: FactBinding | None = None
    names: tuple[str, ...] = ()
    """What the texts of the binding call the arguments."""


@frozen
class Jitter:
    """The largest random offset of movable things from their poses; depends on the seed."""

    metres: float
    degrees: float


@frozen
class EnvironmentSetup:
    """What an environment is made from: plain data of the files, and the state of the run.

    ``objects`` and ``agents`` are as in their files, without defaults. ``bodies`` are the packages
    that are searched for kinds of bodies. ``facts`` hold when it is opened. ``time`` is more than 0
    in a resumed run; then ``folder`` holds the state that an earlier process left there. ``film``
    is the number of seconds between two recorded frames (0: no film, None: the environment
    decides). ``jitter`` is None where things stand exactly as in the scene. ``view`` has all files.
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
    people: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Who moves by a recording, by agent: the `people:` of the scene and the scenario."""
    begin_external: BeginExternal = field(default=unattended, repr=False, compare=False)
    """Announces a thread, process or callback, so that virtual time waits for it."""
    host: EnvironmentHost | None = field(default=None, repr=False, compare=False)
    """The run that it is opened for, if any."""
    view: View | None = field(default=None, repr=False, compare=False)
    see: bool = False
    """Whether the run looks through cameras: nothing else then senses what these make facts."""
    recordings_named = staticmethod(recordings_named)
    """Which recordings of a motion file `people:` means by a name."""


class Environment(Protocol):
    """What skills act on. Called on the loop's thread; times are in seconds of the run."""

    @property
    def busy(self) -> bool:
        """Whether an order is in progress, so that something happens as time passes."""

    def step(self, until: float) -> float:
        """Advance to ``until``, or to the first moment at which it reported something to its host.

        Returns the time reached.
        """

    def sense(self) -> tuple[Effect, ...]:
        """Every fact that it has a sensor for, as it is now; None for no value.

        What is left out stays as it was believed to be.
        """

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply effects from elsewhere: of a person, a scenario, a robot in another environment."""

    def close(self) -> None:
        """Release all resources; nothing happens the second time.

        It is called in a thread, and has a second; a class that needs longer says so:
        ``closes_within = 20.0``.
        """


OpenEnvironment = Callable[[EnvironmentSetup], Environment]
"""Opens an environment. A simulator whose world stands still while no run is open says so by an
attribute ``stands_still = True``: a resumed run then goes on by itself, as in the symbolic one.
"""


@runtime_checkable
class EnvironmentClock(Protocol):
    """A clock that steps environments."""

    def drive(self, environment: Environment) -> None:
        """Step this environment with the clock from now on."""


class EnvironmentUnavailable(Exception):
    """There is no environment of this name, or it cannot be opened; the message says what to do."""


NONE: Mapping[str, str] = MappingProxyType({})
"""The environments of a library without any."""


def environment_names(own: Mapping[str, str] = NONE) -> tuple[str, ...]:
    """The names of all environments: the symbolic one, those of extensions and the library's."""
    return (SYMBOLIC, *sorted({*registry().environments, *own}))


def environment_target(name: str, own: Mapping[str, str] = NONE) -> str | None:
    """The code of an environment: `[environments]` in treec.toml comes before extensions."""
    return own.get(name) or registry().environments.get(name)


def find_environment(name: str, own: Mapping[str, str] = NONE) -> OpenEnvironment | None:
    """The factory declared under a name, imported; None when nobody declares one.

    Raises EnvironmentUnavailable when it is declared and cannot be imported, or is in a package of
    ours that is not installed.
    """
    target = environment_target(name, own)
    if target is None:
        help = missing_help("environments", name)
        if help is not None:
            raise EnvironmentUnavailable(f"the environment '{name}' cannot be used: {help}")
        return None
    try:
        return cast(OpenEnvironment, registry().load(target))
    except ExtensionError as error:
        cause, module = error.__cause__, target.partition(":")[0]
        why = error if cause is None else ForeignError(cause, module)
        said = (cause and missing_package(cause, module)) or f"({target}): {why}"
        raise EnvironmentUnavailable(f"the environment '{name}' {said}") from error


def stands_still(name: str, own: Mapping[str, str] = NONE) -> bool:
    """Whether the world of an environment is as it was when a run of it is resumed."""
    if name == SYMBOLIC:
        return True
    try:
        return bool(getattr(find_environment(name, own), "stands_still", False))
    except EnvironmentUnavailable:
        return False  # said when it is opened


def unknown_environment(name: str, own: Mapping[str, str] = NONE) -> EnvironmentUnavailable:
    """The error for an unknown name."""
    known = environment_names(own)
    hint = missing_help("environments", name) or suggestion(name, known, "environments")
    return EnvironmentUnavailable(f"unknown environment '{name}'; {hint}")
